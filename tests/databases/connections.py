"""Connections for the matrix: each driver of each database, in a session of a given time zone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from importlib import import_module
from typing import Any

import pytest

from brimgen_runtime.sql._json import keep_digits, read
from databases.shelf import Rows, Run

SHIFTS = {"Asia/Tokyo": "+09:00", "America/St_Johns": "-03:30", "UTC": "+00:00"}
"""The time zones as MariaDB knows them without further tables."""


def _rows(cursor: Any) -> Rows:
    names = [each[0] for each in cursor.description or ()]
    return [(row, names) for row in (cursor.fetchall() if names else [])]


@contextmanager
def _psycopg(socket: str, zone: str) -> Iterator[Run]:
    psycopg = pytest.importorskip("psycopg")
    options = {"host": socket, "user": "tester", "dbname": "postgres"}
    with psycopg.connect(**options, autocommit=True) as connection:
        connection.execute(f"SET TIME ZONE '{zone}'")
        keep_digits(connection)
        yield lambda sql, arguments: _rows(connection.execute(sql, arguments))


@contextmanager
def _psycopg2(socket: str, zone: str) -> Iterator[Run]:
    psycopg2 = pytest.importorskip("psycopg2")
    options = {"host": socket, "user": "tester", "dbname": "postgres"}
    with closing(psycopg2.connect(**options)) as connection:
        connection.autocommit = True
        keep_digits(connection)

        def run(sql: str, arguments: Any) -> Rows:
            with connection.cursor() as cursor:
                cursor.execute(sql, arguments)
                return _rows(cursor)

        run(f"SET TIME ZONE '{zone}'", None)
        yield run


@contextmanager
def _pg8000(socket: str, zone: str) -> Iterator[Run]:
    pg8000 = pytest.importorskip("pg8000.dbapi")
    path = f"{socket}/.s.PGSQL.5432"
    with closing(
        pg8000.connect("tester", database="postgres", unix_sock=path)
    ) as connection:
        connection.autocommit = True
        keep_digits(connection)

        def run(sql: str, arguments: Any) -> Rows:
            cursor = connection.cursor()
            cursor.execute(sql, *(() if arguments is None else (arguments,)))
            return _rows(cursor)

        run(f"SET TIME ZONE '{zone}'", None)
        yield run


@contextmanager
def _asyncpg(socket: str, zone: str) -> Iterator[Run]:
    asyncpg = pytest.importorskip("asyncpg")
    options = {"host": socket, "user": "tester", "database": "postgres"}
    with asyncio.Runner() as runner:
        connection = runner.run(
            asyncpg.connect(**options, server_settings={"timezone": zone})
        )

        def run(sql: str, arguments: Any) -> Rows:
            rows = runner.run(connection.fetch(sql, *(arguments or ())))
            return [(tuple(row.values()), list(row.keys())) for row in rows]

        yield run
        runner.run(connection.close())


def _sqlalchemy(driver: str) -> Callable[[str, str], AbstractContextManager[Run]]:
    """SQLAlchemy over psycopg or psycopg2."""

    @contextmanager
    def connect(socket: str, zone: str) -> Iterator[Run]:
        alchemy = pytest.importorskip("sqlalchemy")
        url = f"postgresql+{driver}://tester@/postgres?host={socket}"
        engine = alchemy.create_engine(url, json_deserializer=read)
        with engine.connect() as connection:
            connection = connection.execution_options(isolation_level="AUTOCOMMIT")

            def run(sql: str, arguments: Any) -> Rows:
                found = connection.execute(alchemy.text(sql), arguments or {})
                if not found.returns_rows:
                    return []
                return [(tuple(row), list(found.keys())) for row in found.fetchall()]

            run(f"SET TIME ZONE '{zone}'", None)
            yield run
        engine.dispose()

    return connect


@contextmanager
def _sqlalchemy_asyncpg(socket: str, zone: str) -> Iterator[Run]:
    alchemy = pytest.importorskip("sqlalchemy")
    asyncio_of = import_module("sqlalchemy.ext.asyncio")
    url = f"postgresql+asyncpg://tester@/postgres?host={socket}"
    with asyncio.Runner() as runner:
        options = {"isolation_level": "AUTOCOMMIT", "json_deserializer": read}
        engine = asyncio_of.create_async_engine(url, **options)
        connection = runner.run(engine.connect().start())

        async def execute(sql: str, arguments: Any) -> Rows:
            found = await connection.execute(alchemy.text(sql), arguments or {})
            if not found.returns_rows:
                return []
            return [(tuple(row), list(found.keys())) for row in found.fetchall()]

        def run(sql: str, arguments: Any) -> Rows:
            return runner.run(execute(sql, arguments))

        run(f"SET TIME ZONE '{zone}'", None)
        yield run
        runner.run(connection.close())
        runner.run(engine.dispose())


@contextmanager
def _duckdb(_: str, zone: str) -> Iterator[Run]:
    duckdb = pytest.importorskip("duckdb")
    with closing(duckdb.connect()) as connection:
        connection.execute(f"SET TimeZone = '{zone}'")
        yield lambda sql, arguments: _rows(connection.execute(sql, arguments))


@contextmanager
def _sqlite3(_: str, __: str) -> Iterator[Run]:
    import sqlite3

    with closing(sqlite3.connect(":memory:")) as connection:
        yield lambda sql, arguments: _rows(connection.execute(sql, arguments or {}))


def _mysql(module: str) -> Callable[[str, str], AbstractContextManager[Run]]:
    @contextmanager
    def connect(socket: str, zone: str) -> Iterator[Run]:
        driver = pytest.importorskip(module)
        options = {"unix_socket": socket, "user": "root", "database": "shelf"}
        with closing(driver.connect(**options)) as connection:

            def run(sql: str, arguments: Any) -> Rows:
                with closing(connection.cursor()) as cursor:
                    cursor.execute(sql, *(() if arguments is None else (arguments,)))
                    rows = _rows(cursor)
                    connection.commit()
                    return rows

            run(f"SET time_zone = '{SHIFTS[zone]}'", None)
            yield run

    return connect


def mysql_async(module: str) -> Callable[[str, str], AbstractContextManager[Run]]:
    """aiomysql and asyncmy."""

    @contextmanager
    def connect(socket: str, zone: str) -> Iterator[Run]:
        driver = pytest.importorskip(module)
        options = {"unix_socket": socket, "user": "root", "charset": "utf8mb4"}
        with asyncio.Runner() as runner:

            async def open_one() -> Any:
                return await driver.connect(db="shelf", **options)

            connection = runner.run(open_one())

            async def execute(sql: str, arguments: Any) -> Rows:
                async with connection.cursor() as cursor:
                    await cursor.execute(sql, arguments)
                    names = [each[0] for each in cursor.description or ()]
                    rows = await cursor.fetchall() if names else []
                    await connection.commit()
                    return [(row, names) for row in rows]

            def run(sql: str, arguments: Any) -> Rows:
                return runner.run(execute(sql, arguments))

            run(f"SET time_zone = '{SHIFTS[zone]}'", None)
            run("SET sql_notes = 0", None)  # aiomysql warns of each note
            yield run
            connection.close()

    return connect


Connect = Callable[[str, str], AbstractContextManager[Run]]
CONNECTIONS: dict[tuple[str, str], Connect] = {
    ("postgres", "psycopg"): _psycopg,
    ("postgres", "psycopg2"): _psycopg2,
    ("postgres", "asyncpg"): _asyncpg,
    ("postgres", "pg8000"): _pg8000,
    ("postgres", "sqlalchemy-psycopg"): _sqlalchemy("psycopg"),
    ("postgres", "sqlalchemy-psycopg2"): _sqlalchemy("psycopg2"),
    ("postgres", "sqlalchemy-asyncpg"): _sqlalchemy_asyncpg,
    ("duckdb", "duckdb"): _duckdb,
    ("sqlite", "sqlite3"): _sqlite3,
    ("mysql", "pymysql"): _mysql("pymysql"),
    ("mysql", "mysql_connector"): _mysql("mysql.connector"),
    ("mysql", "mariadb"): _mysql("mariadb"),
    ("mysql", "aiomysql"): mysql_async("aiomysql"),
    ("mysql", "asyncmy"): mysql_async("asyncmy"),
}
"""What opens a connection, by dialect and driver; SQLAlchemy has a driver below it."""
ZONES = ("UTC", "Asia/Tokyo", "America/St_Johns")
