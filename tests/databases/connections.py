"""Connections: what opens one of each driver, and what runs a statement in a time zone."""

from __future__ import annotations

import asyncio
import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from brimgen_runtime.sql._json import keep_digits, read
from databases.debian import NoPackage, unpacked
from databases.shelf import Rows, Run

DIALECTS = {
    **dict.fromkeys(("sqlite3", "aiosqlite", "apsw"), "sqlite"),
    **dict.fromkeys(("psycopg", "psycopg2", "pg8000", "asyncpg"), "postgres"),
    **dict.fromkeys(("pymysql", "mysqlclient", "mysql_connector", "mariadb"), "mysql"),
    **dict.fromkeys(("aiomysql", "asyncmy"), "mysql"),
    "duckdb": "duckdb",
}
MODULES = {"pg8000": "pg8000.dbapi", "mysql_connector": "mysql.connector"}
SHIFTS = {"Asia/Tokyo": "+09:00", "America/St_Johns": "-03:30", "UTC": "+00:00"}
"""The time zones as MariaDB knows them without further tables."""
ZONES = {
    "postgres": lambda zone: f"SET TIME ZONE '{zone}'",
    "duckdb": lambda zone: f"SET TimeZone = '{zone}'",
    "mysql": lambda zone: f"SET time_zone = '{SHIFTS[zone]}'",
}


def place_of(dialect: str, request: pytest.FixtureRequest) -> str:
    """The socket of a server, which is started; the folder of the test for other databases."""
    fixtures = {"postgres": "postgres_socket", "mysql": "mariadb_socket"}
    return f"{request.getfixturevalue(fixtures.get(dialect, 'tmp_path'))}"


def opens(driver: str, place: str | Path, **options: Any) -> Callable[..., Any]:
    """What opens a connection of a driver, or awaits one, in the database at a place."""
    dialect = DIALECTS[driver]
    if driver == "mysqlclient":
        module = _mysqldb()
    else:
        module = pytest.importorskip(MODULES.get(driver, driver))
    if driver == "apsw":
        return lambda: module.Connection(f"{place}/sqlite.db")
    if driver == "pg8000":
        path = f"{place}/.s.PGSQL.5432"
        given = {"user": "tester", "database": "postgres", "unix_sock": path}
    elif dialect == "postgres":
        name = "database" if driver == "asyncpg" else "dbname"
        given = {"host": f"{place}", "user": "tester", name: "postgres"}
    elif dialect == "mysql":
        name = "db" if driver in ("aiomysql", "asyncmy") else "database"
        given = {"unix_socket": f"{place}", "user": "root", name: "shelf"}
    else:
        given = {"database": f"{place}/{dialect}.db"}
    return partial(module.connect, **given, **options)


def _mysqldb() -> Any:
    """The module of mysqlclient, of which PyPI has only the source, as Debian builds it."""
    try:
        root = unpacked("python3-mysqldb")
    except NoPackage as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))
    tag = f"cpython-{sys.version_info.major}{sys.version_info.minor}-"
    (module,) = root.glob("usr/lib/python3/dist-packages/MySQLdb/_mysql.*.so")
    if tag not in module.name:
        pytest.skip(f"Debian's mysqlclient is {module.name}, and this is {tag}")
    for each in root.glob("usr/lib/*/libmariadb.so.*"):
        ctypes.CDLL(f"{each}", mode=ctypes.RTLD_GLOBAL)
    folder = f"{module.parents[1]}"
    sys.path.append(folder)
    try:
        return pytest.importorskip("MySQLdb")
    finally:
        sys.path.remove(folder)


def _rows(cursor: Any) -> Rows:
    names = [each[0] for each in cursor.description or ()]
    return [(row, names) for row in (cursor.fetchall() if names else [])]


@contextmanager
def _plain(driver: str, place: str) -> Iterator[Run]:
    """A driver with cursors."""
    dialect = DIALECTS[driver]
    options = {"charset": "utf8mb4"} if driver == "mysqlclient" else {}
    with closing(opens(driver, place, **options)()) as connection:
        if dialect == "postgres":
            connection.autocommit = True
            keep_digits(connection)

        def run(sql: str, arguments: Any) -> Rows:
            # A cursor of DuckDB is another session.
            cursor = connection if driver == "duckdb" else connection.cursor()
            cursor.execute(sql, *(() if arguments is None else (arguments,)))
            rows = _rows(cursor)
            if cursor is not connection:
                cursor.close()
            if dialect == "mysql":
                connection.commit()
            return rows

        yield run


@contextmanager
def _apsw(driver: str, place: str) -> Iterator[Run]:
    with closing(opens(driver, place)()) as connection:

        def run(sql: str, arguments: Any) -> Rows:
            cursor = connection.execute(sql, arguments)
            return [(row, [each[0] for each in cursor.description]) for row in cursor]

        yield run


@contextmanager
def _async(driver: str, place: str) -> Iterator[Run]:
    """A driver with cursors that are awaited."""
    options = {"charset": "utf8mb4"} if DIALECTS[driver] == "mysql" else {}
    with asyncio.Runner() as runner:

        async def opened() -> Any:
            return await opens(driver, place, **options)()

        connection = runner.run(opened())

        async def fetch(sql: str, arguments: Any) -> Rows:
            if driver == "asyncpg":
                rows = await connection.fetch(sql, *(arguments or ()))
                return [(tuple(row.values()), list(row.keys())) for row in rows]
            async with connection.cursor() as cursor:
                await cursor.execute(sql, arguments)
                names = [each[0] for each in cursor.description or ()]
                found = await cursor.fetchall() if names else []
                await connection.commit()
                return [(row, names) for row in found]

        async def close() -> None:
            closed = connection.close()
            if closed is not None:
                await closed

        run = lambda sql, arguments: runner.run(fetch(sql, arguments))  # noqa: E731
        if driver == "aiomysql":
            run("SET sql_notes = 0", None)  # it warns of each note
        yield run
        runner.run(close())


@contextmanager
def _engine(url: str, place: str) -> Iterator[Run]:
    """SQLAlchemy with a driver below it."""
    alchemy = pytest.importorskip("sqlalchemy")
    engine = alchemy.create_engine(url.format(place), json_deserializer=read)
    with engine.connect() as connection:
        connection = connection.execution_options(isolation_level="AUTOCOMMIT")
        yield lambda sql, arguments: _results(
            connection.execute(alchemy.text(sql), arguments or {})
        )
    engine.dispose()


@contextmanager
def _async_engine(url: str, place: str) -> Iterator[Run]:
    alchemy = pytest.importorskip("sqlalchemy")
    create = import_module("sqlalchemy.ext.asyncio").create_async_engine
    with asyncio.Runner() as runner:
        options = {"isolation_level": "AUTOCOMMIT", "json_deserializer": read}
        engine = create(url.format(place), **options)
        connection = runner.run(engine.connect().start())

        async def execute(sql: str, arguments: Any) -> Rows:
            found = await connection.execute(alchemy.text(sql), arguments or {})
            return _results(found)

        yield lambda sql, arguments: runner.run(execute(sql, arguments))
        runner.run(connection.close())
        runner.run(engine.dispose())


def _results(found: Any) -> Rows:
    if not found.returns_rows:
        return []
    return [(tuple(row), list(found.keys())) for row in found.fetchall()]


_OPENED: dict[str, Callable[[str, str], AbstractContextManager[Run]]] = {
    **dict.fromkeys(DIALECTS, _plain),
    **dict.fromkeys(("asyncpg", "aiomysql", "asyncmy", "aiosqlite"), _async),
    "apsw": _apsw,
}
_POSTGRES = "://tester@/postgres?host={}"
_ENGINES = {
    ("postgres", "sqlalchemy-psycopg"): f"postgresql+psycopg{_POSTGRES}",
    ("postgres", "sqlalchemy-psycopg2"): f"postgresql+psycopg2{_POSTGRES}",
    ("postgres", "sqlalchemy-asyncpg"): f"postgresql+asyncpg{_POSTGRES}",
    ("sqlite", "sqlalchemy"): "sqlite:///{}/sqlite.db",
    ("mysql", "sqlalchemy"): (
        "mysql+pymysql://root@localhost/shelf?unix_socket={}&charset=utf8mb4"
    ),
}
CONNECTIONS = [
    *(("postgres", each) for each in ("psycopg", "psycopg2", "asyncpg", "pg8000")),
    *(each for each in _ENGINES if each[0] == "postgres"),
    *(("duckdb", "duckdb"), ("sqlite", "sqlite3"), ("mysql", "pymysql")),
    *(("mysql", "mysql_connector"), ("mysql", "mariadb")),
    *(("mysql", "aiomysql"), ("mysql", "asyncmy")),
]
"""Dialects and drivers; SQLAlchemy has a driver below it."""


@contextmanager
def running(
    connection: tuple[str, str], place: str, zone: str = "Asia/Tokyo"
) -> Iterator[Run]:
    """Run statements by a driver, in a session of a time zone."""
    dialect, driver = connection
    url = _ENGINES.get(connection)
    if url is None:
        opened = _OPENED[driver](driver, place)
    else:
        opened = (_async_engine if "asyncpg" in url else _engine)(url, place)
    with opened as run:
        if dialect in ZONES:
            run(ZONES[dialect](zone), None)
        yield run
