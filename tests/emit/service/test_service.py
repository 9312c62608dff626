"""The service of generated packages: each kind of tool is called, and each failure told."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from support.project import Built, build

SPEC = """\
type: entity
name: Item
fields: {name: string, price: decimal?}
---
type: sql_function
name: find_items
description: Find items.
arguments: {inline: {least: {type: int, default: 0}, name: {type: string, required: false}}}
returns: Item[]
sql: >-
  SELECT name, price FROM items
  WHERE price >= :least AND (:name IS NULL OR name = :name) ORDER BY name
---
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
arguments:
  inline:
    old: string
    new: string
    by: {type: string, from_context: app.user.name}
sql: UPDATE items SET name = :new, by = :by WHERE name = :old
---
type: sql_function
name: raise_price
description: Raise the price of one item. Writes to items.
arguments: {inline: {name: string}}
returns: {type: integer, minimum: 1, maximum: 1}
sql: UPDATE items SET price = price + 1 WHERE name LIKE :name
---
type: python_function
name: total
description: Add numbers.
arguments: {inline: {numbers: "int[]"}}
returns: int
---
type: python_function
name: key
description: Make a key.
returns: uuid[]
---
type: python_function
name: greet
description: Greet the user.
arguments: {inline: {user: {type: string, from_context: app.user.name}}}
returns: string
---
type: template_function
name: ask
description: Ask.
arguments: {inline: {topic: string}}
messages: [{role: user, content: "Tell me about {{ topic }}"}]
---
type: resource
name: page
path: /pages/{n}
arguments: {inline: {n: int}}
returns: markdown
"""
CONTEXT = {"app": {"user": {"name": "Ada"}}}
HANDLERS = {
    "total": lambda call: sum(call.numbers),
    "key": lambda call: [],
    "greet": lambda call: f"Hello {call.user}",
    "page": lambda call: f"# {call.n}",
}


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The module ``service`` of a package with tools of all kinds."""
    built = _built(tmp_path_factory.mktemp("service"))
    return built.load("service")


def _built(folder: Path) -> Built:
    made = build(folder, {"a.yaml": SPEC})
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    made.load()
    return made


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "items.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE items (name TEXT UNIQUE, price NUMERIC, by TEXT);"
            "INSERT INTO items VALUES ('a', 12.5, NULL), ('b', 3, NULL);"
        )
    return path


def names(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT name FROM items ORDER BY name")
        return [each for (each,) in found]


def made(module: Any, database: object, **options: Any) -> Any:
    """A service that lacks nothing."""
    options.setdefault("handlers", HANDLERS)
    options.setdefault("context", CONTEXT)
    return module.Service(connections={"default": database}, **options)


def test_every_kind_of_tool_is_called_in_one_line(module: Any, database: Path) -> None:
    service = made(module, database)
    rows = [{"name": "a", "price": 12.5}, {"name": "b", "price": 3}]
    assert rows == service.call("find_items", {})
    assert rows[:1] == service.call("find_items", '{"least": 4}')
    assert rows[1:] == service.call("find_items", b'{"name": "b"}')
    assert 12.5 == service.call("price", {"name": "a"})
    assert {"changed": 1} == service.call("rename", {"old": "a", "new": "z"})
    assert 1 == service.call("raise_price", {"name": "z"})
    assert 6 == service.call("total", {"numbers": [1, 2, 3]})
    assert "Hello Ada" == service.call("greet")
    assert "Hello Bo" == service.call(
        "greet", {}, context={"app": {"user": {"name": "Bo"}}}
    )
    (message,) = service.prompt("ask", {"topic": "tea"})
    assert ("user", "Tell me about tea") == tuple(message)
    content = service.read("/pages/7")
    assert ("# 7", "text/markdown") == (content.data, content.mime_type)
    assert ["b", "z"] == names(database)


def test_an_async_service_gives_what_the_sync_one_gives(
    module: Any, database: Path
) -> None:
    async def greet(call: Any) -> str:
        await asyncio.sleep(0)
        return f"Hello {call.user}"

    async def run(given: Any) -> list[Any]:
        service = module.AsyncService(
            connections={"default": given},
            handlers={**HANDLERS, "greet": greet},
            context=CONTEXT,
        )
        return [
            await service.call("find_items", {"least": 4}),
            await service.call("rename", {"old": "a", "new": "z"}),
            await service.call("raise_price", {"name": "z"}),
            await service.call("total", {"numbers": [1, 2]}),
            await service.call("greet"),
            (await service.prompt("ask", {"topic": "tea"}))[0].text,
            (await service.read("/pages/7")).data,
        ]

    async def with_a_connection() -> list[Any]:
        async with aiosqlite.connect(database) as connection:
            found = await run(connection)
            await connection.rollback()
            return found

    expected = [
        [{"name": "a", "price": 12.5}],
        {"changed": 1},
        1,
        3,
        "Hello Ada",
        "Tell me about tea",
        "# 7",
    ]
    assert expected == asyncio.run(with_a_connection())
    assert ["a", "b"] == names(database)
    assert expected == asyncio.run(run(lambda: aiosqlite.connect(database)))
    assert ["b", "z"] == names(database)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE items SET name = 'a', price = 12.5 WHERE name = 'z'")
        connection.commit()
    assert expected == asyncio.run(run(lambda: sqlite3.connect(database)))


def test_what_cannot_run_is_told_when_the_service_is_made(module: Any) -> None:
    with pytest.raises(module.ServiceError) as told:
        module.Service(handlers={"total": sum})
    said = str(told.value)
    assert (
        "- find_items, price, rename, raise_price: there is no connection default"
        in (said.replace("raise_price, rename", "rename, raise_price"))
    )
    assert "there is no handler" in said
    service = module.Service(handlers={"total": sum}, partial=True)
    assert ("total",) == service.tools
    assert {"find_items", "greet", "key", "page", "price", "raise_price", "rename"} == {
        *service.unavailable
    }
    assert ("total",) == module.Service(handlers={"total": sum}, only=["total"]).tools
    outcome = service.outcome("price", {"name": "a"})
    assert ("unavailable", "price is not available.") == (outcome.code, outcome.text)
    with pytest.raises(ValueError, match="there is no connection other"):
        module.Service(connections={"other": "x"}, partial=True)
    with pytest.raises(ValueError, match="there is no file nowhere"):
        module.Service(connections={"default": "nowhere.db"}, partial=True)


def test_a_connection_of_one_thread_is_told_to_an_async_service(
    module: Any, database: Path
) -> None:
    async def run(connection: Any) -> Any:
        service = module.AsyncService(connections={"default": connection}, partial=True)
        return service.unavailable.get("price")

    with closing(sqlite3.connect(database)) as bound:
        assert "check_same_thread=False" in asyncio.run(run(bound))
    with closing(sqlite3.connect(database, check_same_thread=False)) as free:
        assert asyncio.run(run(free)) is None


def test_errors_are_typed_and_have_a_text_for_a_model(
    module: Any, database: Path
) -> None:
    def refuse(call: Any) -> int:
        raise module.ToolError("these numbers are odd")

    service = made(module, database, handlers={**HANDLERS, "total": refuse})
    with pytest.raises(module.InputError) as wrong:
        service.call("price", {"nam": "a"})
    assert ["/nam", "/name"] == sorted(each.pointer for each in wrong.value.violations)
    with pytest.raises(module.InputError) as unbound:
        service.call("find_items", {"least": 2**70})
    assert ["/least"] == [each.pointer for each in unbound.value.violations]
    with pytest.raises(module.ContextError):
        service.call("greet", context={})
    for name, arguments, code, text in [
        ("total", {"numbers": []}, "refused", "total: these numbers are odd"),
        ("price", {"name": "zz"}, "not_found", "price: nothing was found"),
        ("nothing", {}, "unknown_tool", "there is no tool 'nothing'"),
    ]:
        with pytest.raises(module.ToolError) as told:
            service.call(name, arguments)
        outcome = service.outcome(name, arguments)
        assert (code, code, text) == (told.value.code, outcome.code, outcome.text)


@pytest.mark.parametrize("kind", ["Service", "AsyncService"])
@pytest.mark.parametrize("name", [None, 7, b"total", ["total"], {}])
def test_a_name_that_is_no_text_is_refused_as_an_unknown_one(
    module: Any, kind: str, name: Any
) -> None:
    async def run() -> None:
        service = getattr(module, kind)(handlers=HANDLERS, partial=True)

        async def found(made: Any) -> Any:
            return await made if kind == "AsyncService" else made

        outcome = await found(service.outcome(name, {}))
        told = f"there is no tool '<{type(name).__name__}>'"
        assert ("unknown_tool", told) == (outcome.code, outcome.text)
        (outcome,) = await found(service.outcomes([(name, {})]))
        assert "unknown_tool" == outcome.code
        for code, call in {
            "unknown_tool": service.call,
            "unknown_prompt": service.prompt,
            "unknown_resource": service.read,
        }.items():
            with pytest.raises(module.ToolError) as refused:
                await found(call(name))
            assert code == refused.value.code

    asyncio.run(run())


def test_a_missing_row_ends_as_a_handler_that_finds_nothing(
    module: Any, database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def find(call: Any) -> int:
        raise module.NotFound("nothing was found")

    def ends(name: str) -> tuple[Any, ...]:
        caplog.clear()
        outcome = service.outcome(name, arguments[name])
        (record,) = caplog.records
        is_not_found = isinstance(outcome.error, module.NotFound)
        return outcome.code, outcome.status, is_not_found, record.levelname

    arguments = {"price": {"name": "zz"}, "total": {"numbers": []}}
    service = made(module, database, handlers={**HANDLERS, "total": find})
    with caplog.at_level(logging.INFO):
        assert ("not_found", 404, True, "INFO") == ends("price") == ends("total")


def test_a_call_of_a_pool_or_function_is_a_transaction(
    module: Any, database: Path
) -> None:
    """A result that its schema refuses changes nothing; a good one is committed."""

    @contextmanager
    def lent() -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(database)) as connection:
            yield connection

    class Lender:
        """What DBUtils' pools look like."""

        def connection(self) -> sqlite3.Connection:
            return sqlite3.connect(database)

    named = module.Database("sqlite3", lent, lent)
    for given in (
        *(lent, lambda: sqlite3.connect(database), database, str(database)),
        *(Lender(), named),
    ):
        service = made(module, given)
        outcome = service.outcome("raise_price", {"name": "%"})
        assert "more or fewer rows than are allowed" in outcome.text
        assert 12.5 == service.call("price", {"name": "a"})
        assert 1 == service.call("raise_price", {"name": "b"})
    assert 9 == made(module, database).call("price", {"name": "b"})


@pytest.mark.parametrize("level", ["", None])
def test_a_connection_that_is_given_keeps_its_transaction(
    module: Any, database: Path, level: Any
) -> None:
    with closing(sqlite3.connect(database, isolation_level=level)) as connection:
        service = made(module, connection)
        if level is None:
            connection.execute("BEGIN")
        connection.execute("UPDATE items SET by = 'me'")
        service.call("rename", {"old": "a", "new": "z"})
        assert service.outcome("raise_price", {"name": "%"}).is_error
        assert 12.5 == service.call("price", {"name": "z"})  # undone by a savepoint
        assert connection.in_transaction
        assert [("me",)] == connection.execute(
            "SELECT by FROM items WHERE name = 'b'"
        ).fetchall()
        connection.rollback()
    assert ["a", "b"] == names(database)


def test_a_tool_that_promises_to_read_cannot_write(module: Any, database: Path) -> None:
    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(database)
        connection.execute(
            "CREATE TEMP VIEW items AS SELECT name, price FROM main.items"
        )
        return connection

    service = made(module, connect, read_only=True)
    outcome = service.outcome("rename", {"old": "a", "new": "z"})
    assert outcome.is_error
    assert ["a", "b"] == names(database)
    assert 12.5 == service.call("price", {"name": "a"})


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
    assert ["a", "b"] == names(database)


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


def test_each_call_is_one_log_record_without_values(
    module: Any, database: Path, caplog: Any
) -> None:
    def fail(call: Any) -> int:
        raise RuntimeError(f"the secret is {call.numbers}")

    service = made(module, database, handlers={**HANDLERS, "total": fail})
    with caplog.at_level(logging.INFO):
        service.call("price", {"name": "a"})
        service.outcome("total", {"numbers": [4711]})
        service.outcome("price", {"name": ["4711"]})
    records = [(each.tool, each.outcome, each.levelname) for each in caplog.records]
    assert [
        ("price", "ok", "INFO"),
        ("total", "failed", "ERROR"),
        ("price", "invalid_arguments", "INFO"),
    ] == records
    assert all(each.duration >= 0 for each in caplog.records)
    assert "RuntimeError at test_service.py:" in caplog.text
    assert "4711" not in caplog.text
    caplog.clear()
    told = made(
        module, database, handlers={**HANDLERS, "total": fail}, log_exceptions=True
    )
    told.outcome("total", {"numbers": [4711]})
    assert "the secret is [4711]" in caplog.text
    caplog.clear()
    lacking = module.Service(partial=True, log_exceptions=True)
    lacking.outcome("price", {"name": "a"})
    assert "Lacking: there is no connection default" in caplog.text
    assert "Traceback" not in caplog.text
