"""A call that is stopped while its COMMIT runs: what is told is what the database did."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
import sqlalchemy

from support.project import Built, build, connection_to

SPEC = """\
type: sql_function
name: add
description: Add a thing. Writes to things.
arguments: {inline: {name: string}}
sql: INSERT INTO things (name) VALUES (:name)
"""
CREATE = "CREATE TABLE things (name VARCHAR(9) PRIMARY KEY)"
SLOW = 0.2


def _built(folder: Path, dialect: str, *drivers: str) -> Built:
    connections = {"default": connection_to(dialect, *drivers)}
    return build(folder, {"a.yaml": SPEC}, connections=connections)


class SlowSqlite(sqlite3.Connection):
    """A connection whose COMMIT takes a while."""

    def cursor(self, *_: Any, **__: Any) -> Any:
        return super().cursor(_SlowCursor)


class _SlowCursor(sqlite3.Cursor):
    def execute(self, text: str, *arguments: Any) -> Any:
        if text == "COMMIT":
            time.sleep(SLOW)
        return super().execute(text, *arguments)


class _SlowAiosqlite(aiosqlite.Connection):
    def execute(self, text: str, *arguments: Any) -> Any:
        if text != "COMMIT":
            return super().execute(text, *arguments)

        async def slow() -> Any:
            await asyncio.sleep(SLOW)
            return await super(_SlowAiosqlite, self).execute(text)

        return slow()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "things.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(CREATE)
    return path


def _opens(database: Path, kind: str) -> Any:
    if kind == "sqlite3":
        return lambda: sqlite3.connect(database, factory=SlowSqlite)
    return lambda: _SlowAiosqlite(lambda: sqlite3.connect(database), 64)


def _names(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM things")]


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    built = _built(tmp_path_factory.mktemp("commits"), "sqlite", "sqlite3")
    return built.load("service")


def test_a_call_whose_time_ends_during_its_commit_is_done(
    module: Any, database: Path
) -> None:
    connections = {"default": _opens(database, "sqlite3")}
    with module.Service(connections=connections, timeout=SLOW / 2) as service:
        outcome = service.outcome("add", {"name": "a"})
    assert ("ok", ["a"]) == (outcome.code, _names(database))


@pytest.mark.parametrize("kind", ["sqlite3", "aiosqlite"])
def test_an_async_call_whose_time_ends_during_its_commit_is_done(
    module: Any, database: Path, kind: str
) -> None:
    async def run() -> Any:
        connections = {"default": _opens(database, kind)}
        async with module.AsyncService(
            connections=connections, timeout=SLOW / 2
        ) as service:
            return await service.outcome("add", {"name": "a"})

    assert ("ok", ["a"]) == (asyncio.run(run()).code, _names(database))


@pytest.mark.parametrize("kind", ["sqlite3", "aiosqlite"])
def test_a_task_that_is_cancelled_during_a_commit_ends_after_it(
    module: Any, database: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Its change is there when CancelledError is raised, and the log says so."""
    caplog.set_level("INFO")

    async def run() -> list[str]:
        connections = {"default": _opens(database, kind)}
        async with module.AsyncService(connections=connections) as service:
            task = asyncio.create_task(service.outcome("add", {"name": "a"}))
            await asyncio.sleep(SLOW / 2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return _names(database)

    assert ["a"] == asyncio.run(run())
    assert ["ok"] == [each.outcome for each in caplog.records]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["Service", "AsyncService"])
def test_a_commit_that_is_not_answered_in_time_is_not_called_a_failure(
    module: Any,
    database: Path,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nobody knows whether it took effect: no model repeats it, and operators see it."""
    for name in ("service", "async_service"):
        part = __import__(f"brimgen_runtime.service.{name}", fromlist=["x"])
        monkeypatch.setattr(part, "COMMIT_GRACE", 0.01)
    connections = {"default": _opens(database, "sqlite3")}

    async def run() -> Any:
        service = getattr(module, kind)(connections=connections, timeout=SLOW / 4)
        found = service.outcome("add", {"name": "a"})
        return await found if kind == "AsyncService" else found

    outcome = asyncio.run(run())
    assert "unknown_outcome" == outcome.code
    assert ["ERROR"] == [record.levelname for record in caplog.records]
    assert "may have taken effect" in outcome.text


class _FullSqlite(sqlite3.Connection):
    """A connection to a disk without space for what is committed."""

    def commit(self) -> None:
        raise sqlite3.OperationalError("database or disk is full")


def test_a_commit_that_sqlite_refused_is_a_failure_through_sqlalchemy_too(
    tmp_path: Path, database: Path
) -> None:
    """SQLite always answers a COMMIT: nothing took effect, and the call may be repeated."""
    built = _built(tmp_path, "sqlite", "sqlalchemy")
    engine = sqlalchemy.create_engine(
        "sqlite://", creator=lambda: sqlite3.connect(database, factory=_FullSqlite)
    )
    with built.load("service").Service(connections={"default": engine}) as service:
        outcome = service.outcome("add", {"name": "a"})
    engine.dispose()
    assert ("failed", []) == (outcome.code, _names(database))


TRIGGER = """
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN PERFORM {call}; RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER {name} AFTER INSERT ON things
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {name}();
"""


def _prepare(target: str, call: str) -> None:
    """Have each COMMIT of a new thing call a function of PostgreSQL."""
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(target, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS things")
        connection.execute("DROP FUNCTION IF EXISTS on_commit")
        connection.execute(CREATE)
        connection.execute(TRIGGER.format(name="on_commit", call=call))


def _stored(target: str) -> list[str]:
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(target) as connection:
        found = connection.execute("SELECT name FROM things").fetchall()
        return [name for (name,) in found]


@pytest.mark.whole
@pytest.mark.parametrize("driver", ["asyncpg", "psycopg", "psycopg2"])
def test_on_postgres_a_commit_is_finished_or_told_to_be_unknown(
    tmp_path: Path, postgres_socket: str, driver: str
) -> None:
    library = pytest.importorskip(driver)
    target = f"host={postgres_socket} user=tester dbname=postgres"
    module: Any = _built(tmp_path, "postgres", driver).load("service")
    opens: Any = {
        "asyncpg": lambda: library.connect(
            host=postgres_socket, user="tester", database="postgres"
        ),
        "psycopg": lambda: library.AsyncConnection.connect(target),
        "psycopg2": lambda: library.connect(target),
    }[driver]

    async def run() -> Any:
        _prepare(target, "pg_sleep(1.5)")
        async with module.AsyncService(
            connections={"default": opens}, timeout=1
        ) as service:
            assert "ok" == (await service.outcome("add", {"name": "a"})).code
        assert ["a"] == _stored(target)
        async with module.AsyncService(connections={"default": opens}) as service:
            task = asyncio.create_task(service.outcome("add", {"name": "b"}))
            await asyncio.sleep(1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert ["a", "b"] == _stored(target)
            _prepare(target, "pg_terminate_backend(pg_backend_pid())")
            assert (
                "unknown_outcome" == (await service.outcome("add", {"name": "c"})).code
            )
            _prepare(target, "1 / 0")
            assert (
                "unknown_outcome" != (await service.outcome("add", {"name": "d"})).code
            )
        assert [] == _stored(target)

    asyncio.run(run())
