"""Services and statements on real servers: drivers sync and async, pools, transactions, streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from databases.connections import DIALECTS, opens, place_of
from support.project import Built, build, connection_to

SPEC = (Path(__file__).parent / "service_calls.yaml").read_text("utf-8")
DROP = "DROP TABLE IF EXISTS things"
CREATE = "CREATE TABLE things (name VARCHAR(9) PRIMARY KEY, size INTEGER)"
FILL = "INSERT INTO things VALUES ('a', 1), ('b', 2)"


def _built(folder: Path, dialect: str, *drivers: str) -> Built:
    connections = {"default": connection_to(dialect, *drivers)}
    made = build(folder, {"a.yaml": SPEC}, connections=connections)
    made.load()
    return made


def _sizes(connect: Callable[[], Any]) -> dict[str, int]:
    with closing(connect()) as connection, closing(connection.cursor()) as cursor:
        cursor.execute("SELECT name, size FROM things")
        return dict(cursor.fetchall())


def _fill(connect: Callable[[], Any]) -> None:
    with closing(connect()) as connection, closing(connection.cursor()) as cursor:
        for statement in (DROP, CREATE, FILL):
            cursor.execute(statement)
        connection.commit()


def _check_service(built: Built, connect: Callable[[], Any]) -> None:
    """One call is one transaction of a function; a connection that is given keeps its own."""
    _fill(connect)
    module = built.load("service")
    service = module.Service(connections={"default": connect})
    assert ["a", "b"] == service.call("names")
    assert {"changed": 1} == service.call("add", {"name": "c", "size": 3})
    assert service.outcome("grow", {"name": "%"}).is_error
    assert "already" in service.outcome("add", {"name": "c", "size": 3}).text
    assert 1 == service.call("grow", {"name": "a"})
    assert {"a": 2, "b": 2, "c": 3} == _sizes(connect)
    with closing(connect()) as given:
        service = module.Service(connections={"default": given})
        assert {"changed": 1} == service.call("add", {"name": "d", "size": 4})
        assert service.outcome("add", {"name": "d", "size": 4}).is_error
        assert service.outcome("grow", {"name": "%"}).is_error
        # What failed is undone, and what went well is still there.
        assert ["a", "b", "c", "d"] == service.call("names")
        assert ["d"] == service.call("names", {"least": 4})
        given.rollback()
    assert {"a": 2, "b": 2, "c": 3} == _sizes(connect)


def _check_statements(built: Built, connect: Callable[[], Any]) -> None:
    """Rows are streamed, and batches are one execution."""
    names, add = built.load("sql.names"), built.load("sql.add")
    kind = built.tool("add").input_type
    with closing(connect()) as connection:
        calls = [kind(f"n{number}", 9) for number in range(7)]
        assert 7 == add.run_many(connection, calls)
        rows = names.iterate(
            connection, built.tool("names").input_type(least=9), size=3
        )
        assert [f"n{number}" for number in range(7)] == [*rows]
        connection.rollback()


GIVEN = ["psycopg", "psycopg2", "pg8000", "pymysql", "mysql_connector", "mariadb"]


@pytest.mark.parametrize("driver", GIVEN)
def test_calls_of_a_service(
    tmp_path: Path, request: pytest.FixtureRequest, driver: str
) -> None:
    dialect = DIALECTS[driver]
    built = _built(tmp_path, dialect, driver)
    flags: dict[str, Any] = {}
    if dialect == "mysql":
        is_oracle = driver == "mysql_connector"
        flags = {"client_flags": [2]} if is_oracle else {"client_flag": 2}
    connect = opens(driver, place_of(dialect, request), **flags)
    _check_service(built, connect)
    _check_statements(built, connect)
    if dialect == "mysql":
        return

    def automatic() -> Any:
        connection = connect()
        connection.autocommit = True
        return connection

    _fill(connect)
    service = built.load("service").Service(connections={"default": automatic})
    assert service.outcome("grow", {"name": "%"}).is_error
    assert 1 == service.call("grow", {"name": "a"})
    assert {"a": 2, "b": 2} == _sizes(connect)
    with closing(automatic()) as given:
        service = built.load("service").Service(connections={"default": given})
        assert service.outcome("grow", {"name": "%"}).is_error
        assert 1 == service.call("grow", {"name": "b"})
    assert {"a": 2, "b": 3} == _sizes(connect)


def test_postgres_engine(tmp_path: Path, postgres_socket: str) -> None:
    """An engine of SQLAlchemy lends connections, with its own text or that of the driver below."""
    sqlalchemy = pytest.importorskip("sqlalchemy")
    psycopg = pytest.importorskip("psycopg")
    url = f"postgresql+psycopg://tester@/postgres?host={postgres_socket}"
    for drivers in (("psycopg",), ("sqlalchemy",)):
        built = _built(tmp_path / drivers[0], "postgres", *drivers)
        target = f"host={postgres_socket} user=tester dbname=postgres"
        _fill(lambda target=target: psycopg.connect(target))  # type: ignore[misc]
        engine = sqlalchemy.create_engine(url)
        service = built.load("service").Service(connections={"default": engine})
        assert service.outcome("grow", {"name": "%"}).is_error
        assert 1 == service.call("grow", {"name": "a"})
        assert ["a", "b"] == service.call("names", {"least": 2})
        with engine.connect() as given:
            service = built.load("service").Service(connections={"default": given})
            assert {"changed": 1} == service.call("add", {"name": "c", "size": 1})
            assert service.outcome("add", {"name": "c", "size": 1}).is_error
            assert ["a", "b", "c"] == service.call("names")
            given.rollback()
        with engine.connect() as given:
            service = built.load("service").Service(connections={"default": given})
            assert ["a", "b"] == service.call("names")
        engine.dispose()


def test_a_call_whose_connection_was_lost_is_told_that_it_may_be_repeated(
    tmp_path: Path, postgres_socket: str
) -> None:
    """A pool still holds connections that a restart of the database has ended."""
    sqlalchemy = pytest.importorskip("sqlalchemy")
    psycopg = pytest.importorskip("psycopg")
    url = f"postgresql+psycopg://tester@/postgres?host={postgres_socket}"
    target = f"host={postgres_socket} user=tester dbname=postgres"
    built = _built(tmp_path, "postgres", "psycopg")
    _fill(lambda: psycopg.connect(target))
    engine = sqlalchemy.create_engine(url)
    service = built.load("service").Service(connections={"default": engine})
    ends = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE usename = 'tester' AND pid <> pg_backend_pid()"
    )
    lost = "the connection to the database was lost; the same call may go through now"
    for call, before, value in (
        (("names",), "", ["a", "b"]),
        (("grow", {"name": "a"}), "nothing was changed: ", 1),
    ):
        service.call("names")
        with psycopg.connect(target, autocommit=True) as other:
            other.execute(ends)
        told = service.outcome(*call)
        assert ("refused", f"{call[0]}: {before}{lost}") == (told.code, told.text)
        assert value == service.call(*call)
    engine.dispose()


async def _check_async(built: Built, given: Any) -> list[str]:
    """What a service makes of an async connection, pool or function; the names afterwards."""
    service = built.load("service").AsyncService(connections={"default": given})
    assert ["a", "b"] == await service.call("names")
    assert (await service.outcome("grow", {"name": "%"})).is_error
    assert 1 == await service.call("grow", {"name": "a"})
    assert {"changed": 1} == await service.call("add", {"name": "c", "size": 9})
    assert "already" in (await service.outcome("add", {"name": "c", "size": 9})).text
    found: list[str] = await service.call("names", {"least": 2})
    return found


KEYED = """\
---
type: sql_function
name: add_key
arguments: {inline: {name: string}}
returns: last_id
sql: INSERT INTO keyed (name) VALUES (:name)
"""
ASYNC = ["psycopg", "asyncpg", "aiomysql", "asyncmy", "sqlalchemy"]


@pytest.mark.parametrize("driver", ASYNC)
def test_calls_of_an_async_service(
    tmp_path: Path, request: pytest.FixtureRequest, driver: str
) -> None:
    """One call is one transaction of a function, an engine or a pool, and keeps a connection's."""
    dialect = DIALECTS.get(driver, "mysql")
    is_mysql, place = dialect == "mysql", place_of(dialect, request)
    flags: dict[str, Any] = {"client_flag": 2} if is_mysql else {}
    connections = {"default": connection_to(dialect, driver)}
    specs = SPEC + KEYED if is_mysql else SPEC
    built = build(tmp_path, {"a.yaml": specs}, connections=connections)
    names = built.load("sql.names")
    connect = opens("pymysql" if is_mysql else "psycopg", place, **flags)
    grown = {"a": 2, "b": 2, "c": 9}

    async def run() -> None:
        _fill(connect)
        source: Any = _source(driver, place)
        assert ["a", "b", "c"] == await _check_async(built, source)
        assert grown == _sizes(connect)
        if driver == "asyncpg":
            service = built.load("service").AsyncService(
                connections={"default": source}, timeout=0.3
            )
            holder = await source()
            async with holder.transaction():
                await holder.execute("SELECT * FROM things FOR UPDATE")
                outcome = await service.outcome("grow", {"name": "b"})
            assert "timeout" == outcome.code
            assert grown == _sizes(connect)
            await holder.close()
        if driver in ("asyncpg", "aiomysql", "asyncmy"):
            _fill(connect)
            async with import_module(driver).create_pool(**source.keywords) as pool:
                assert ["a", "b", "c"] == await _check_async(built, pool)
            assert grown == _sizes(connect)
        if driver != "sqlalchemy":
            _fill(connect)
            connection = await source()
            transaction = None
            if driver == "asyncpg":
                transaction = connection.transaction()
                await transaction.start()
            assert ["a", "b", "c"] == await _check_async(built, connection)
            call = built.tool("names").input_type()
            rows = [row async for row in names.iterate_async(connection, call, size=2)]
            assert ["a", "b", "c"] == rows
            await (transaction or connection).rollback()
            closed = connection.close()
            if closed is not None:
                await closed
            assert {"a": 1, "b": 2} == _sizes(connect)
        if is_mysql:
            with closing(connect()) as made, closing(made.cursor()) as cursor:
                cursor.execute("DROP TABLE IF EXISTS keyed")
                cursor.execute(
                    "CREATE TABLE keyed (id INTEGER AUTO_INCREMENT PRIMARY KEY, name TEXT)"
                )
            service = built.load("service").AsyncService(
                connections={"default": source}
            )
            ids = [await service.call("add_key", {"name": name}) for name in "xy"]
            assert [1, 2] == ids
        if driver == "sqlalchemy":
            await source.dispose()

    asyncio.run(run())


def _source(driver: str, place: str) -> Any:
    if driver == "sqlalchemy":
        alchemy = pytest.importorskip("sqlalchemy.ext.asyncio")
        url = f"mysql+aiomysql://root@/shelf?unix_socket={place}"
        return alchemy.create_async_engine(url)
    if driver == "psycopg":
        psycopg = pytest.importorskip("psycopg")
        target = f"host={place} user=tester dbname=postgres"
        return lambda: psycopg.AsyncConnection.connect(target)
    flags = {} if driver == "asyncpg" else {"client_flag": 2}
    return opens(driver, place, **flags)


@pytest.mark.parametrize("driver", ["sqlalchemy", "asyncpg"])
def test_async_engine_of_postgres(
    tmp_path: Path, postgres_socket: str, driver: str
) -> None:
    """Statements run on its connections with text for SQLAlchemy, or for asyncpg below it."""
    alchemy = pytest.importorskip("sqlalchemy.ext.asyncio")
    built = _built(tmp_path, "postgres", driver)
    connect = opens("psycopg", postgres_socket)

    async def run() -> None:
        _fill(connect)
        url = f"postgresql+asyncpg://tester@/postgres?host={postgres_socket}"
        engine = alchemy.create_async_engine(url)
        if driver == "sqlalchemy":
            assert ["a", "b", "c"] == await _check_async(built, engine)
            assert {"a": 2, "b": 2, "c": 9} == _sizes(connect)
            _fill(connect)
        async with alchemy.AsyncSession(engine) as session, session.begin():
            grown = await built.load("sql.grow").run_async(session, name="a")
            assert 1 == grown
            assert ["a", "b"] == await built.load("sql.names").run_async(session)
        assert {"a": 2, "b": 2} == _sizes(connect)
        await engine.dispose()

    asyncio.run(run())


COPIED = (Path(__file__).parent / "service_calls_copied.yaml").read_text("utf-8")
STOCK = """\
CREATE TABLE stock."Things" (
  id int GENERATED BY DEFAULT AS IDENTITY, whole integer, ratio double precision, amount numeric,
  flag boolean, name text, day date, moment timestamp, clock time, span interval,
  large numeric(20), packed bytea, data jsonb, tags text[], sizes bigint[], seen timestamptz
)"""
STORED: dict[str, Any] = {
    "whole": 3,
    "ratio": 1.25,
    "amount": Decimal("12345678901234567890.123"),
    "flag": True,
    "name": "a\tb\\N\n'%s",
    "day": date(2024, 2, 29),
    "moment": datetime(2024, 5, 6, 7, 8, 9, 10, tzinfo=timezone(timedelta(hours=3))),
    "clock": time(9, 30, 0, 1),
    "span": timedelta(days=2, hours=1),
    "large": 2**64 - 1,
    "packed": b"\0\xff\\",
    "data": {"a": [1, "\\"]},
    "tags": ["a,b", '"', "NULL"],
    "sizes": [1, 2],
    "seen": datetime(2024, 5, 6, 7, 8, 9, 10, tzinfo=timezone(timedelta(hours=3))),
}


@pytest.mark.parametrize("driver", ["psycopg", "asyncpg", "psycopg-async"])
def test_copy_stores_what_insert_stores(
    tmp_path: Path, postgres_socket: str, driver: str
) -> None:
    psycopg = pytest.importorskip("psycopg")
    name = driver.partition("-")[0]
    tables = f"CREATE SCHEMA stock;\n{STOCK};\n"
    connections = {"default": connection_to("postgres", name, tables=tables)}
    built = build(tmp_path, {"a.yaml": COPIED}, connections=connections)
    built.load()
    put, kind = built.load("sql.put"), built.tool("put").bound_type
    calls = [kind(**STORED), kind(whole=4)]
    target = f"host={postgres_socket} user=tester dbname=postgres"

    async def copied() -> int:
        if name == "asyncpg":
            connection = await opens("asyncpg", postgres_socket)()
        else:
            connection = await psycopg.AsyncConnection.connect(target, autocommit=True)
        inserted = [await put.run_async(connection, call) for call in calls]
        assert [1, 1] == inserted
        count = await put.copy_async(connection, calls)
        await connection.close()
        return int(count)

    with psycopg.connect(target, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS stock CASCADE")
        connection.execute("CREATE SCHEMA stock")
        connection.execute(STOCK)
        if driver == "psycopg":
            assert 1 == put.run(connection, calls[0]) == put.run(connection, calls[1])
            assert 2 == put.copy(connection, calls)
            assert 0 == put.copy(connection, [])
        else:
            assert 2 == asyncio.run(copied())
        found = connection.execute('SELECT * FROM stock."Things" ORDER BY id')
        first, second, third, fourth = (row[1:] for row in found.fetchall())
    assert (first, second) == (third, fourth)
    assert (STORED["whole"], STORED["name"]) == (third[0], third[4])


def test_a_batch_is_copied_whole_or_not_at_all(
    tmp_path: Path, postgres_socket: str
) -> None:
    psycopg = pytest.importorskip("psycopg")
    built = _built(tmp_path, "postgres", "psycopg", "psycopg2")
    add, kind = built.load("sql.add"), built.tool("add").input_type
    target = f"host={postgres_socket} user=tester dbname=postgres"
    connect = opens("psycopg", postgres_socket)
    _fill(connect)
    with psycopg.connect(target, autocommit=True) as connection:
        with pytest.raises(ValueError, match="64 bits"):
            add.copy(connection, [kind("c", 3), kind("d", 2**70)])
        with pytest.raises(psycopg.errors.UniqueViolation):
            add.copy(connection, [kind("c", 3), kind("a", 1)])
    assert {"a": 1, "b": 2} == _sizes(connect)
    psycopg2 = pytest.importorskip("psycopg2")
    with (
        closing(psycopg2.connect(target)) as other,
        pytest.raises(LookupError, match="copied by psycopg and asyncpg, not by"),
    ):
        add.copy(other, [kind("c", 3)])
