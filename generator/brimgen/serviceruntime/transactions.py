"""Transactions of statements.

Where the service opens a connection, or a pool lends one, a call is a transaction: committed if all
goes well, and else rolled back. A connection that the host program gives keeps its transaction: the
statement joins it, nothing is committed, and what a failed call did is undone by a savepoint where
the database has them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final

READ_ONLY: Final[Mapping[str, str]] = {
    "psycopg": "SET TRANSACTION READ ONLY",
    "psycopg2": "SET TRANSACTION READ ONLY",
    "duckdb": "BEGIN TRANSACTION READ ONLY",
    "oracledb": "SET TRANSACTION READ ONLY",
    "pymysql": "START TRANSACTION READ ONLY",
    "mysqlclient": "START TRANSACTION READ ONLY",
    "mysql_connector": "START TRANSACTION READ ONLY",
    "mariadb": "START TRANSACTION READ ONLY",
}
"""What makes the database refuse writes until the transaction ends, by driver."""

POSTGRES: Final = ("psycopg", "psycopg2")
_MYSQL: Final = ("pymysql", "mysqlclient", "mysql_connector", "mariadb")
SAVEPOINTS: Final = (*POSTGRES, *_MYSQL)
"""Drivers of databases whose transactions have savepoints, SQLite's aside."""

GUARDED_GIVEN: Final = ("sqlite3", *POSTGRES)
"""Drivers of which a connection in the middle of a transaction can be made to refuse writes."""


@contextmanager
def transaction(
    driver: str, kind: str, connection: Any, cursor: Any, *, reads: bool
) -> Generator[None, None, None]:
    """Run a statement in a transaction that is committed if all goes well, and else rolled back;
    one that ``reads`` in a transaction in which the database refuses writes.
    """
    if reads and driver == "sqlite3":
        with _query_only(cursor), _undone(connection.rollback):
            yield
            connection.commit()
        return
    is_automatic = getattr(connection, "autocommit", False) is True
    if driver in POSTGRES and is_automatic and (reads or kind == "write"):
        ending = "COMMIT"
        cursor.execute("BEGIN READ ONLY" if reads else "BEGIN")
    elif reads and driver in READ_ONLY:
        ending = "COMMIT" if driver == "duckdb" else ""
        cursor.execute(READ_ONLY[driver])
    else:
        # The driver would commit by itself: DuckDB's always, MySQL's on some connections, SQLite's
        # if WITH precedes the verb.
        begins = kind == "write" and (
            driver in ("duckdb", *_MYSQL)
            or (driver == "sqlite3" and not connection.in_transaction)
        )
        ending = "COMMIT" if begins and driver == "duckdb" else ""
        if begins:
            cursor.execute("BEGIN")
    if ending:
        with _undone(partial(cursor.execute, "ROLLBACK")):
            yield
            cursor.execute(ending)
    elif driver == "duckdb":
        yield
    else:
        with _undone(connection.rollback):
            yield
            connection.commit()


@contextmanager
def joined(
    driver: str, kind: str, connection: Any, cursor: Any, *, reads: bool
) -> Generator[None, None, None]:
    """Run a statement in the transaction of a connection that the host program gave."""
    if driver == "sqlite3":
        with _joined_sqlite(kind, connection, cursor, reads=reads):
            yield
    elif driver == "sqlalchemy":
        with connection.begin_nested():
            yield
    elif driver in POSTGRES and getattr(connection, "autocommit", False) is True:
        if _is_idle(connection):
            cursor.execute("BEGIN READ ONLY" if reads else "BEGIN")
            with _undone(partial(cursor.execute, "ROLLBACK")):
                yield
                cursor.execute("COMMIT")
        else:
            with _savepoint(driver, cursor, reads=reads):
                yield
    elif driver in SAVEPOINTS and (kind == "write" or driver in POSTGRES):
        with _savepoint(driver, cursor, reads=reads):
            yield
    else:
        yield


def _is_idle(connection: Any) -> bool:
    """Return whether a connection of PostgreSQL is in no transaction."""
    status = getattr(getattr(connection, "info", None), "transaction_status", None)
    return status is None or int(status) == 0


@contextmanager
def _joined_sqlite(
    kind: str, connection: Any, cursor: Any, *, reads: bool
) -> Generator[None, None, None]:
    if reads:
        with _query_only(cursor):
            yield
    elif kind != "write":
        yield
    else:
        # A savepoint outside of a transaction would be committed when it is released.
        is_automatic = connection.isolation_level is None and (
            getattr(connection, "autocommit", -1) == -1
        )
        begins = not connection.in_transaction and not is_automatic
        if begins:
            cursor.execute("BEGIN")
        undo = connection.rollback if begins else None
        with _savepoint("sqlite3", cursor, reads=False, undo=undo):
            yield


@contextmanager
def _savepoint(
    driver: str,
    cursor: Any,
    *,
    reads: bool,
    undo: Callable[[], object] | None = None,
) -> Generator[None, None, None]:
    """Undo what a failed block did, and nothing before it; ``undo`` undoes it in another way."""
    cursor.execute("SAVEPOINT brimgen_call")

    def back() -> None:
        if undo is not None:
            undo()
            return
        cursor.execute("ROLLBACK TO SAVEPOINT brimgen_call")
        cursor.execute("RELEASE SAVEPOINT brimgen_call")

    with _undone(back):
        if reads and driver in POSTGRES:
            cursor.execute("SET TRANSACTION READ ONLY")
        yield
    cursor.execute("RELEASE SAVEPOINT brimgen_call")


@contextmanager
def _undone(undo: Callable[[], object]) -> Generator[None, None, None]:
    """Leave no transaction open behind a statement that failed."""
    try:
        yield
    except BaseException:
        with suppress(
            Exception
        ):  # the connection may be lost, which the first error tells
            undo()
        raise


@contextmanager
def _query_only(cursor: Any) -> Generator[None, None, None]:
    """Have SQLite refuse writes, and put the connection back as it was."""
    (before,) = cursor.execute("PRAGMA query_only").fetchone()
    cursor.execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        if not before:
            cursor.execute("PRAGMA query_only = OFF")
