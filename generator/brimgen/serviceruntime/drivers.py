"""Recognize the driver of a connection or pool, and choose the text of a statement for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

_MODULES: Final[Mapping[str, str]] = {
    "sqlite3": "sqlite3",
    "aiosqlite": "aiosqlite",
    "apsw": "apsw",
    "psycopg": "psycopg",
    "psycopg_pool": "psycopg",
    "psycopg2": "psycopg2",
    "asyncpg": "asyncpg",
    "duckdb": "duckdb",
    "_duckdb": "duckdb",
    "pymysql": "pymysql",
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
    "psycopg2": "psycopg2",
    "duckdb_engine": "duckdb",
    "pymysql": "pymysql",
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

ALIKE: Final[Mapping[str, tuple[str, ...]]] = {
    "sqlite3": ("aiosqlite", "apsw"),
    "aiosqlite": ("sqlite3", "apsw"),
    "apsw": ("sqlite3", "aiosqlite"),
    "psycopg": ("psycopg2",),
    "psycopg2": ("psycopg",),
    "pymysql": ("mysqlclient",),
    "mysqlclient": ("pymysql",),
}
"""Drivers whose text and arguments another driver takes as they are."""


def _driver_of_class(kind: type[object]) -> str | None:
    for each in kind.__mro__:
        found = _MODULES.get(each.__module__.partition(".")[0])
        if found is not None:
            return found
    return None


def driver_of(connection: object) -> str | None:
    """Return the driver of a connection; None where its class is of none that is known.

    Wrappers of pools (DBUtils, SQLAlchemy) stand for the connection that they hold.
    """
    inner: object = connection
    for _ in range(5):
        found = _driver_of_class(type(inner))
        if found is not None:
            return found
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


def text_for(driver: str, drivers: Sequence[str]) -> str | None:
    """Return the one of ``drivers`` whose text a driver takes; None where it takes none."""
    return next(
        (each for each in (driver, *ALIKE.get(driver, ())) if each in drivers), None
    )


def interrupter(connection: Any) -> Callable[[], object] | None:
    """Return what stops the statement that a connection runs; None where nothing does."""
    match driver_of(connection):
        case "sqlite3" | "duckdb" | "apsw":
            found = getattr(connection, "interrupt", None)
        case "psycopg":
            found = getattr(connection, "cancel_safe", None) or connection.cancel
        case "psycopg2" | "oracledb" | "pyodbc":
            found = getattr(connection, "cancel", None)
        case _:
            found = None
    return found if callable(found) else None
