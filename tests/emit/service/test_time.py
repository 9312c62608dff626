"""The time of calls: what takes too long is given up and undone, and no more run than may."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from contextlib import closing
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest

from support.project import build

SPEC = """\
type: sql_function
name: price
description: One price.
arguments: {inline: {name: string}}
returns: decimal
sql: SELECT price FROM items WHERE name = :name
---
type: sql_function
name: rename
description: Rename. Writes to items.
arguments: {inline: {old: string, new: string, by: {type: string, from_context: app.user.name}}}
sql: UPDATE items SET name = :new, by = :by WHERE name = :old
---
type: python_function
name: total
description: Add numbers.
arguments: {inline: {numbers: "int[]"}}
returns: int
---
type: python_function
name: greet
description: Greet the user.
arguments: {inline: {user: {type: string, from_context: app.user.name}}}
returns: string
"""
CONTEXT = {"app": {"user": {"name": "Ada"}}}
HANDLERS = {
    "total": lambda call: sum(call.numbers),
    "greet": lambda call: f"Hello {call.user}",
}


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The module ``service`` of a package with tools of all kinds."""
    return build(tmp_path_factory.mktemp("service"), {"a.yaml": SPEC}).load("service")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "items.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE items (name TEXT UNIQUE, price NUMERIC, by TEXT);"
            "INSERT INTO items VALUES ('a', 12.5, NULL), ('b', 3, NULL);"
        )
    return path


def made(module: Any, database: object, **options: Any) -> Any:
    """A service that lacks nothing."""
    options.setdefault("handlers", HANDLERS)
    options.setdefault("context", CONTEXT)
    return module.Service(connections={"default": database}, **options)


def test_a_call_that_takes_too_long_is_given_up(module: Any, database: Path) -> None:
    given_up = threading.Event()
    finished: list[Any] = []

    def slow(call: Any) -> int:
        given_up.wait(60)
        finished.append(call)
        return 1

    async def slow_async(call: Any) -> int:
        await asyncio.Event().wait()
        finished.append(call)
        return 1

    running = asyncio.new_event_loop()  # `asyncio.run` would wait for the handlers
    for handler in (slow, slow_async):
        service = made(
            module, database, handlers={**HANDLERS, "total": handler}, timeout=0.05
        )
        assert "timeout" == service.outcome("total", {"numbers": []}).code

        async def run(handler: Any = handler) -> Any:
            service = module.AsyncService(
                handlers={**HANDLERS, "total": handler}, timeout=0.05, partial=True
            )
            return await service.outcome("total", {"numbers": []})

        assert "timeout" == running.run_until_complete(run()).code
    assert [] == finished
    given_up.set()
    running.run_until_complete(running.shutdown_default_executor())
    running.close()


@pytest.mark.parametrize("kind", ["Service", "AsyncService"])
@pytest.mark.parametrize("is_awaited", [False, True])
def test_a_context_that_never_comes_ends_with_the_time_of_its_call(
    module: Any, kind: str, is_awaited: bool
) -> None:
    end = threading.Event()
    handlers: Any = {"greet": lambda call: "too late"}

    async def awaited(call: Any) -> Any:
        await asyncio.Event().wait()

    def context(call: Any) -> Any:
        return awaited(call) if is_awaited else end.wait(60) and CONTEXT

    async def run() -> Any:
        service = getattr(module, kind)(
            handlers=handlers, context=context, timeout=0.05, partial=True
        )
        found = service.outcome("greet")
        return await found if kind == "AsyncService" else found

    try:
        assert "timeout" == asyncio.run(run()).code
    finally:
        end.set()


@pytest.mark.parametrize("timeout", [None, 60])
def test_a_time_limit_leaves_the_context_function_what_its_caller_has_set(
    module: Any, timeout: float | None
) -> None:
    user, threads = ContextVar[str]("user"), list[int]()

    def context(call: Any) -> Any:
        threads.append(threading.get_ident())
        return {"app": {"user": {"name": user.get()}}}

    service = module.Service(
        handlers=HANDLERS, context=context, timeout=timeout, partial=True
    )
    user.set("Cy")
    assert "Hello Cy" == service.call("greet")
    assert (timeout is None) == (threads == [threading.get_ident()])


def test_a_statement_that_takes_too_long_is_stopped_and_undone(
    module: Any, database: Path
) -> None:
    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(database, check_same_thread=False)
        # A trigger that never ends by itself.
        connection.executescript("""
            CREATE TEMP TRIGGER slow BEFORE UPDATE ON main.items BEGIN
              SELECT count(*) FROM (WITH RECURSIVE n(i) AS
                (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n);
            END;
            """)
        return connection

    arguments = {"old": "a", "new": "z"}
    with closing(connect()) as given:
        for database_given in (given, connect):
            service = made(module, database_given, timeout=0.05)
            assert "timeout" == service.outcome("rename", arguments).code
        assert 12.5 == made(module, given).call("price", {"name": "a"})

    async def cancelled() -> None:
        service = module.AsyncService(
            connections={"default": connect}, context=CONTEXT, handlers=HANDLERS
        )
        task = asyncio.create_task(service.call("rename", arguments))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT name FROM items ORDER BY name")
        assert [("a",), ("b",)] == found.fetchall()


def test_no_more_calls_run_at_once_than_are_allowed(module: Any) -> None:
    running = most = 0
    lock = threading.Lock()

    def busy(call: Any) -> int:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1
        return 1

    async def run() -> list[Any]:
        service = module.AsyncService(
            handlers={"total": busy}, partial=True, max_concurrency=3
        )
        calls = [service.call("total", {"numbers": []}) for _ in range(12)]
        return await asyncio.gather(*calls)

    assert [1] * 12 == asyncio.run(run())
    assert 3 == most
    most = 0
    service = module.Service(handlers={"total": busy}, partial=True, max_concurrency=2)
    threads = [
        threading.Thread(target=service.call, args=("total", {"numbers": []}))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 2 == most


def test_a_handler_may_call_other_tools(module: Any) -> None:
    """The only place is its own: the inner call needs none."""

    def greet(call: Any) -> str:
        return f"{call.user} {service.call('total', {'numbers': [1, 2]})}"

    service = module.Service(
        handlers={**HANDLERS, "greet": greet},
        context=CONTEXT,
        partial=True,
        max_concurrency=1,
        timeout=2,
    )
    assert "Ada 3" == service.call("greet")
