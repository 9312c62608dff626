"""The settings of a service are judged when it is made: no call fails because of a misspelt one."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from sqlalchemy import orm
from sqlalchemy.ext import asyncio as alchemy

from brimgen.model.project import Connection
from support.project import build

SPEC = """\
type: python_function
name: total
description: Add numbers.
arguments:
  inline:
    numbers: "int[]"
    key: {type: string, llm: false}
    user: {type: string, from_context: app.user, required: false}
returns: int
---
type: sql_function
name: find_items
description: Find items.
returns: int
sql: SELECT count(*) FROM items
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return build(tmp_path_factory.mktemp("settings"), {"a.yaml": SPEC}).load("service")


def handle(call: Any) -> int:
    return len(call.key)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"timeout": -1}, "timeout: expected seconds above 0 or None, got -1"),
    ({"timeout": 0}, "timeout: expected seconds above 0 or None, got 0"),
    ({"timeout": float("nan")}, "seconds above 0 or None, got nan"),
    ({"timeout": float("inf")}, "seconds above 0 or None, got inf"),
    ({"timeout": 10**5000}, "seconds above 0 or None, got a int"),
    ({"timeout": "5"}, "seconds above 0 or None, got a str"),
    ({"timeout": True}, "seconds above 0 or None, got True"),
    ({"max_concurrency": 0}, "max_concurrency: expected 1 or more, got 0"),
    ({"max_concurrency": "4"}, "max_concurrency: expected 1 or more, got a str"),
    ({"max_concurrency": True}, "max_concurrency: expected 1 or more, got True"),
    ({"handlers": {"totl": handle}}, "totl is not there; did you mean `total`?"),
    ({"handlers": {"total": 5}}, "handlers: total: expected a function, got 5"),
    ({"handlers": {"find_items": handle}}, "the tool find_items needs no handler"),
    ({"handlers": [handle]}, "handlers: expected functions by tool"),
    ({"values": {"totl": {}}}, "there is no tool totl; did you mean `total`?"),
    ({"values": {"total": {"kee": 1}}}, "`llm: false`; did you mean `key`?"),
    ({"values": {"total": "k"}}, "total: expected values by argument, got a str"),
    ({"values": "k"}, "values: expected values by tool, got a str"),
    ({"only": "total"}, "only: expected a list of names, got a str"),
    ({"only": ["totl"]}, "there is no tool totl; did you mean `total`?"),
    ({"connections": "shop.db"}, "expected a database by name, got a str"),
    ({"connections": {"defalt": "x.db"}}, "there is no connection defalt"),
    ({"connections": {"default": "gone.db"}}, "default: there is no file gone.db"),
    ({"connections": {"default": 5}}, "got int"),
    ({"http": {"secrets": {}}}, "http: expected Http(…), got a dict"),
    ({"logger": "shop"}, "logger: expected a logging.Logger, got a str"),
    ({"context": "ada"}, "context: expected a mapping, a dataclass or a function"),
    ({"partial": "no"}, "partial: expected True or False, got a str"),
]


@pytest.mark.parametrize("kind", ["Service", "AsyncService"])
@pytest.mark.parametrize(("given", "told"), WRONG, ids=[told for _, told in WRONG])
def test_a_wrong_setting_is_told_at_once(
    module: Any, kind: str, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(module.SettingsError) as caught:
        getattr(module, kind)(**given)
    assert isinstance(caught.value, ValueError)
    (said,) = caught.value.settings
    assert told in said


def test_right_settings_are_taken(module: Any) -> None:
    service = module.Service(
        timeout=0.5,
        max_concurrency=1,
        handlers={"total": handle},
        values={"total": {"key": "four"}},
        context=lambda call: {"app": {"user": "ada"}},
        only=("total",),
        http=module.Http(),
        logger=logging.getLogger("shop"),
        partial=True,
    )
    assert 4 == service.call("total", {"numbers": []})


def test_no_setting_is_quoted_that_may_be_a_secret(module: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError) as caught:
        module.Service(values={"total": "hunter2"}, context="hunter2", http="hunter2")
    assert "hunter2" not in str(caught.value)


@pytest.fixture(scope="module")
def alchemy_module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    connections = {"default": Connection("sqlite", ("sqlalchemy",))}
    built = build(
        tmp_path_factory.mktemp("alchemy"), {"a.yaml": ITEMS}, connections=connections
    )
    return built.load("service")


ITEMS = """\
type: sql_function
name: find_items
returns: int
sql: SELECT count(*) FROM items
---
type: sql_function
name: add_item
arguments: {inline: {name: string}}
returns: last_id
sql: INSERT INTO items (name) VALUES (:name)
"""
CREATE = sqlalchemy.text("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")


def test_engines_connections_and_sessions_of_sqlalchemy_serve_tools(
    alchemy_module: Any, tmp_path: Path
) -> None:
    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path}/items.db")
    own = orm.sessionmaker(engine)
    with engine.begin() as connection:
        connection.execute(CREATE)

    def added(source: Any) -> Any:
        with alchemy_module.Service(connections={"default": source}) as service:
            return service.call("add_item", {"name": "a"})

    assert [1, 2] == [added(engine), added(own)]
    with own() as session:
        assert 3 == added(session)
        session.rollback()
    with engine.connect() as connection:
        assert 3 == added(connection)
        connection.rollback()
    assert 3 == added(engine)


def test_async_engines_connections_and_sessions_of_sqlalchemy_serve_tools(
    alchemy_module: Any, tmp_path: Path
) -> None:
    async def added(source: Any) -> Any:
        connections = {"default": source}
        async with alchemy_module.AsyncService(connections=connections) as service:
            return await service.call("add_item", {"name": "a"})

    async def run() -> None:
        engine = alchemy.create_async_engine(f"sqlite+aiosqlite:///{tmp_path}/items.db")
        own = alchemy.async_sessionmaker(engine)
        async with engine.begin() as connection:
            await connection.execute(CREATE)
        for number, source in enumerate((engine, engine.connect, own), 1):
            assert number == await added(source)
        async with own() as session:
            assert 4 == await added(session)
            await session.rollback()
        async with engine.connect() as connection:
            assert 4 == await added(connection)
            await connection.rollback()
        assert 4 == await added(engine)
        with pytest.raises(alchemy_module.ServiceError, match="use AsyncService"):
            alchemy_module.Service(connections={"default": engine})
        await engine.dispose()

    asyncio.run(run())


def test_what_a_function_opens_that_is_no_connection_is_told_at_its_first_call(
    module: Any, caplog: pytest.LogCaptureFixture
) -> None:
    engine = alchemy.create_async_engine("sqlite+aiosqlite://")

    async def opens_sqlite() -> sqlite3.Connection:
        return sqlite3.connect(":memory:")

    given: list[tuple[Any, str]] = [
        (lambda: engine, "gave no connection, but AsyncEngine"),
        (lambda: None, "gave no connection, but NoneType"),
        (lambda: "shop.db", "gave no connection, but str"),
        (lambda: sqlite3.connect(":memory:").cursor(), "no connection, but Cursor"),
    ]
    for source, said in given:
        service = module.Service(connections={"default": source}, partial=True)
        outcomes = [service.outcome("find_items", {})]
        awaited = module.AsyncService(connections={"default": source}, partial=True)
        outcomes.append(asyncio.run(awaited.outcome("find_items", {})))
        for outcome in outcomes:
            assert said in str(outcome.error.__cause__)
    assert "gave no connection, but AsyncEngine" in caplog.text
    service = module.AsyncService(connections={"default": opens_sqlite}, partial=True)
    outcome = asyncio.run(service.outcome("find_items", {}))
    assert "Connection, which is not async" in str(outcome.error.__cause__)
