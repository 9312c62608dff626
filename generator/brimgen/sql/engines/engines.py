"""Prepare statements in database engines, without executing them.

Drivers are imported only where a run asks for a database, and then only the one that is needed.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, Protocol

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass
from brimgen.sql.drivers import DRIVERS, Driver


@dataclass(frozen=True, slots=True)
class DatabaseColumn:
    """A column as a database describes it: its name, and its type in the words of the database."""

    name: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The answer of a database: why it refuses a statement, or the columns of its rows.

    ``columns`` is None where the database does not tell them. ``change`` is what the statement
    does beside reading, in words, where the database tells it.
    """

    refusal: str = ""
    columns: tuple[DatabaseColumn, ...] | None = None
    change: str = ""


_NOT_JUDGED = re.compile("is not a preparable statement|^Permission Error: ")
"""What DuckDB says of MERGE and CALL, and of files that it may not read, right or wrong."""


class CannotVerify(Exception):
    """A database cannot be asked, and why; ``span`` is the place in a schema that it refuses."""

    def __init__(self, why: str, span: Span | None = None) -> None:
        super().__init__(why)
        self.span = span


class Engine(Protocol):
    """A database that prepares statements: its ``name`` in messages, and whose text it takes."""

    name: str
    driver: Driver

    def prepare(self, text: str, names: tuple[str, ...]) -> Prepared | None:
        """Prepare ``text``, with parameters called ``names``, and return what the database says
        of it; None where it judges no such statement.
        """
        ...

    def close(self) -> None:
        """Leave the database as it was found."""
        ...


def _imported(module: str, package: str, why: str) -> Any:
    """Import the module of a driver. Raises `CannotVerify` where it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        message = f"{why} needs the package {package}: pip install '{package}'"
        raise CannotVerify(message) from None


class Postgres:
    """A PostgreSQL server; statements are prepared by the protocol."""

    name = "PostgreSQL"
    driver = DRIVERS["asyncpg"]

    def __init__(self, url: str) -> None:
        psycopg = _imported("psycopg", "psycopg[binary]", "a postgresql:// URL")
        self._ok = psycopg.pq.ExecStatus.COMMAND_OK
        self._field = psycopg.pq.DiagnosticField.MESSAGE_PRIMARY
        try:
            self._connection = psycopg.connect(url, autocommit=True, connect_timeout=10)
            self._connection.execute("SET default_transaction_read_only = on")
        except psycopg.Error as error:
            raise CannotVerify(_line(error)) from error

    def prepare(self, text: str, names: tuple[str, ...]) -> Prepared:
        """Prepare ``text`` and return what the server says of it."""
        wire = self._connection.pgconn
        prepared = wire.prepare(b"", text.encode())
        if prepared.status == self._ok:
            prepared = wire.describe_prepared(b"")
        if prepared.status != self._ok:
            message = prepared.error_field(self._field) or b"it says no more"
            return Prepared(message.decode(errors="replace"))
        oids = [
            (prepared.ftype(at), prepared.fmod(at)) for at in range(prepared.nfields)
        ]
        labels = [
            (prepared.fname(at) or b"").decode() for at in range(prepared.nfields)
        ]
        types = [
            self._connection.execute("SELECT format_type(%s, %s)", oid).fetchone()[0]
            for oid in oids
        ]
        return Prepared(columns=tuple(map(DatabaseColumn, labels, types)))

    def close(self) -> None:
        """End the session."""
        self._connection.close()


class DuckDb:
    """The tables of a DuckDB file, or those of a schema in memory, without rows."""

    name = "DuckDB"
    driver = DRIVERS["duckdb"]

    def __init__(self, *, path: str = "", schema: str = "") -> None:
        duckdb = _imported("duckdb", "duckdb", "a DuckDB database")
        self._error = duckdb.Error
        self._connection = duckdb.connect()
        try:
            if path:
                name = path.replace("'", "''")
                self._connection.execute(f"ATTACH '{name}' AS theirs (READ_ONLY)")
                self._connection.execute("COPY FROM DATABASE theirs TO memory (SCHEMA)")
                self._connection.execute("DETACH theirs")
            self._connection.execute(schema or "SELECT 1")
            self._connection.execute("SET enable_external_access = false")
        except duckdb.Error as error:
            self._connection.close()
            raise CannotVerify(_line(error)) from error

    def prepare(self, text: str, names: tuple[str, ...]) -> Prepared | None:
        """Prepare ``text`` and return what DuckDB says of it."""
        text = text.rstrip().rstrip(";")
        try:
            self._connection.execute(f"PREPARE probe AS {text}")
            self._connection.execute("DEALLOCATE probe")
        except self._error as error:
            refusal = _line(error)
            return None if _NOT_JUDGED.search(refusal) else Prepared(refusal)
        nothing = dict.fromkeys(names)
        try:
            query = (f"DESCRIBE {text}", nothing) if names else (f"DESCRIBE {text}",)
            rows = self._connection.execute(*query).fetchall()
        except self._error:
            return Prepared()
        return Prepared(columns=tuple(DatabaseColumn(row[0], row[1]) for row in rows))

    def close(self) -> None:
        """Forget the database."""
        self._connection.close()


class MySql:
    """A MySQL or MariaDB server; statements are prepared by the protocol."""

    name = "the server"
    driver = DRIVERS["mariadb"]

    def __init__(self, options: dict[str, Any]) -> None:
        connector = _imported(
            "mysql.connector", "mysql-connector-python", "a mysql:// URL"
        )
        self._error = connector.Error
        self._types = connector.FieldType
        try:
            self._connection = connector.connect(
                **options, use_pure=True, connection_timeout=10
            )
        except connector.Error as error:
            raise CannotVerify(_line(error)) from error

    def prepare(self, text: str, names: tuple[str, ...]) -> Prepared:
        """Prepare ``text`` and return what the server says of it."""
        try:
            prepared = self._connection.cmd_stmt_prepare(text.encode())
        except self._error as error:
            return Prepared(error.msg or _line(error))
        self._connection.cmd_stmt_close(prepared["statement_id"])
        columns: list[Any] = prepared["columns"] if prepared["num_columns"] else []
        return Prepared(
            columns=tuple(
                DatabaseColumn(column[0], self._types.get_info(column[1]) or "")
                for column in columns
            )
        )

    def close(self) -> None:
        """End the session."""
        self._connection.close()


def _line(error: Exception) -> str:
    """Return the first line of what a driver says."""
    return f"{error}".strip().partition("\n")[0]
