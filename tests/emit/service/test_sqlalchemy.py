"""Engines, connections and sessions of SQLAlchemy serve the tools of a service."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from sqlalchemy import orm
from sqlalchemy.ext import asyncio as alchemy

from support.project import build, connection_to


@pytest.fixture(scope="module")
def alchemy_module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    connections = {"default": connection_to("sqlite", "sqlalchemy")}
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
