"""Recognize the driver of a connection or pool, and choose its text and its cursors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from itertools import islice
from typing import Any, Final

from ._json import keep_digits

_MODULES: Final[Mapping[str, str]] = {
    "sqlite3": "sqlite3",
    "aiosqlite": "aiosqlite",
    "apsw": "apsw",
    "psycopg": "psycopg",
    "psycopg_pool": "psycopg",
    "psycopg2": "psycopg2",
    "asyncpg": "asyncpg",
    "pg8000": "pg8000",
    "duckdb": "duckdb",
    "_duckdb": "duckdb",
    "pymysql": "pymysql",
    "aiomysql": "aiomysql",
    "asyncmy": "asyncmy",
    "MySQLdb": "mysqlclient",
    "mysql": "mysql_connector",
    "mariadb": "mariadb",
    "pyodbc": "pyodbc",
    "oracledb": "oracledb",
    "snowflake": "snowflake",
    "databricks": "databricks",
    "google": "bigquery",
}
"""The driver of a class, by the first part of the name of its module."""

_DIALECTS: Final[Mapping[str, str]] = {
    "pysqlite": "sqlite3",
    "psycopg": "psycopg",
    "aiosqlite": "aiosqlite",
    "psycopg2": "psycopg2",
    "asyncpg": "asyncpg",
    "pg8000": "pg8000",
    "duckdb_engine": "duckdb",
    "pymysql": "pymysql",
    "aiomysql": "aiomysql",
    "asyncmy": "asyncmy",
    "mysqldb": "mysqlclient",
    "mysqlconnector": "mysql_connector",
    "mariadbconnector": "mariadb",
    "pyodbc": "pyodbc",
    "oracledb": "oracledb",
    "snowflake": "snowflake",
    "databricks": "databricks",
    "bigquery": "bigquery",
}
"""The driver below an engine of SQLAlchemy, by its name there."""

_ALIKE = (
    ("sqlite3", "aiosqlite", "apsw"),
    ("psycopg", "psycopg2"),
    ("pymysql", "mysqlclient", "aiomysql", "asyncmy"),
)
ALIKE: Final[Mapping[str, tuple[str, ...]]] = {
    driver: tuple(other for other in drivers if other != driver)
    for drivers in _ALIKE
    for driver in drivers
}
"""Drivers whose text and arguments another driver takes as they are."""


def _driver_of_class(kind: type[object]) -> str | None:
    for base in kind.__mro__:
        driver = _MODULES.get(base.__module__.partition(".")[0])
        if driver is not None:
            return driver
    return None


def driver_of(connection: object) -> str | None:
    """Return the driver of a connection; None where its class is of none that is known.

    Wrappers of pools (DBUtils, SQLAlchemy) stand for the connection that they hold.
    """
    if is_async_alchemy(connection):
        return "sqlalchemy"
    inner: object = connection
    for _ in range(5):
        driver = _driver_of_class(type(inner))
        if driver is not None:
            return driver
        holders = ("driver_connection", "dbapi_connection", "_con", "_conn")
        inner = next(
            (held for name in holders if (held := getattr(inner, name, None))), None
        )
        if inner is None:
            break
    return None


def driver_of_engine(engine: Any) -> str | None:
    """Return the driver below an engine of SQLAlchemy."""
    return _DIALECTS.get(str(engine.driver))


def text_for(driver: str, drivers: Collection[str]) -> str | None:
    """Return the one of ``drivers`` whose text a driver takes; None where it takes none."""
    return next(
        (
            candidate
            for candidate in (driver, *ALIKE.get(driver, ()))
            if candidate in drivers
        ),
        None,
    )


def interrupter(connection: Any) -> Callable[[], object] | None:
    """Return what stops the statement that a connection runs; None where nothing does."""
    match driver_of(connection):
        case "sqlite3" | "duckdb" | "apsw":
            interrupt = getattr(connection, "interrupt", None)
        case "psycopg":
            interrupt = getattr(connection, "cancel_safe", None) or connection.cancel
        case "psycopg2" | "oracledb" | "pyodbc":
            interrupt = getattr(connection, "cancel", None)
        case _:
            interrupt = None
    return interrupt if callable(interrupt) else None


def cursor_of(connection: Any, drivers: Collection[str]) -> tuple[str, Any]:
    """Return the driver of a connection and a cursor of it.

    A session of SQLAlchemy stands for its connection, which executes the text for it, if
    ``drivers`` have one, and else gives the cursor of the driver below. Raises TypeError for what
    is no connection of a known driver.
    """
    if is_session(connection):
        connection = connection.connection()
    if is_alchemy(connection):
        if "sqlalchemy" in drivers:
            return "sqlalchemy", AlchemyCursor(connection)
        connection = begun(connection)
    driver = driver_of(connection)
    if driver is None:
        kind = f"{type(connection).__module__}.{type(connection).__qualname__}"
        raise TypeError(f"no driver is known for a {kind}")
    return driver, connection.cursor()


def is_alchemy(connection: object) -> bool:
    """Return whether a connection is one of SQLAlchemy."""
    return hasattr(connection, "exec_driver_sql") and hasattr(
        connection, "begin_nested"
    )


def is_session(connection: object) -> bool:
    """Return whether a connection is a session of SQLAlchemy, also an async one."""
    return hasattr(connection, "begin_nested") and hasattr(connection, "get_bind")


def is_async_alchemy(connection: object) -> bool:
    """Return whether a connection is an async one of SQLAlchemy, or an async session."""
    return hasattr(connection, "run_sync") and hasattr(connection, "begin_nested")


def begun(connection: Any) -> Any:
    """Return the connection of the driver below one of SQLAlchemy, whose transaction is begun, so
    that its ``commit`` ends it.
    """
    if not connection.in_transaction():
        connection.begin()
    return connection.connection


def begin_nested(connection: Any) -> Any:
    """Begin a savepoint on a connection of SQLAlchemy.

    Python's driver of SQLite begins no transaction before it, and so commits at its end what the
    savepoint has changed: BEGIN is executed here.
    """
    if connection.dialect.name == "sqlite":
        held = connection.connection.driver_connection
        if held.isolation_level is not None and not held.in_transaction:
            connection.exec_driver_sql("BEGIN")
    return connection.begin_nested()


class AlchemyCursor:
    """A connection of SQLAlchemy as a cursor: it executes texts with ``:name`` in them."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._result: Any = None

    def execute(self, statement: str, arguments: Any = None) -> None:
        """Execute a statement."""
        text = import_module("sqlalchemy").text
        self._result = self._connection.execute(text(statement), arguments or {})

    def executemany(self, statement: str, arguments: Any) -> None:
        """Execute a statement with each of several arguments."""
        text = import_module("sqlalchemy").text
        self._result = self._connection.execute(text(statement), list(arguments))

    @property
    def description(self) -> list[tuple[str]] | None:
        """The names of the columns; None where there are none."""
        if not self._result.returns_rows:
            return None
        columns: Any = self._result.keys()
        return [(str(name),) for name in columns]

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return int(self._result.rowcount)

    @property
    def lastrowid(self) -> Any:
        """The id of the row that was added; None where the database does not tell it."""
        dialect = self._result.context.dialect.name
        tells = dialect in ("sqlite", "mysql", "mariadb")
        return self._result.lastrowid if tells else None

    def fetchall(self) -> list[Any]:
        """Return all rows."""
        return [*self._result.fetchall()]

    def fetchmany(self, size: int) -> list[Any]:
        """Return the next rows."""
        return [*self._result.fetchmany(size)]

    def close(self) -> None:
        """Give up the rows that nobody has fetched."""
        if self._result is not None:
            self._result.close()


class _Streamed:
    """A cursor of psycopg that fetches its rows one by one from the server."""

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor
        self._rows: Any = None

    def execute(self, statement: str, arguments: Any = None) -> None:
        """Begin to execute a statement."""
        self._rows = self._cursor.stream(statement, arguments)

    def fetchmany(self, size: int) -> list[Any]:
        """Return the next rows."""
        return [*islice(self._rows, size)]

    @property
    def description(self) -> Any:
        """The columns, once the first row is there."""
        return self._cursor.description

    def close(self) -> None:
        """Stop the statement."""
        if self._rows is not None:
            self._rows.close()
        self._cursor.close()


def streaming_cursor(
    connection: Any, drivers: Collection[str], size: int
) -> tuple[str, Any]:
    """Return the driver of a connection and a cursor that does not fetch all rows at once."""
    driver = None if is_session(connection) else driver_of(connection)
    match driver:
        case "psycopg":
            cursor = connection.cursor()
            keep_digits(cursor)
            return driver, _Streamed(cursor)
        case "psycopg2" if not connection.autocommit:
            cursor = connection.cursor("brimgen_rows")
            cursor.itersize = size
            return driver, cursor
        case "pymysql":
            kind = import_module("pymysql.cursors").SSCursor
            return driver, connection.cursor(kind)
        case "mysqlclient":
            kind = import_module("MySQLdb.cursors").SSCursor
            return driver, connection.cursor(kind)
        case _:
            return cursor_of(connection, drivers)
