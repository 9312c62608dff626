"""Prepare statements against a schema in SQLite's memory, without executing them.

Every statement is prepared by EXPLAIN; an authorizer notes what it would do, and refuses whatever
reaches beyond the database.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from brimgen.diagnostics import Span
from brimgen.emit.sql.databases.engines import DatabaseColumn
from brimgen.emit.sql.databases.locate_schema_error import locate_error
from brimgen.frozen import dataclass, field
from brimgen.model.project import SchemaFile
from brimgen.sqlschema.ddl.split_statements import span_in, statements_of

_REACHES_OUT = frozenset(
    {sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH, sqlite3.SQLITE_PRAGMA}
)
_READS = frozenset(
    {
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
    }
)
_CHANGES = {
    sqlite3.SQLITE_INSERT: "INSERT",
    sqlite3.SQLITE_UPDATE: "UPDATE",
    sqlite3.SQLITE_DELETE: "DELETE",
    sqlite3.SQLITE_PRAGMA: "PRAGMA",
    sqlite3.SQLITE_ATTACH: "ATTACH",
    sqlite3.SQLITE_DETACH: "DETACH",
}
_UNKNOWN_FUNCTION = re.compile(r"no such function: (\w+)")
_INTEGER = re.compile(r"(?i)\b(tiny|small|medium|big|long)?int(eger)?\d*\b")
_TABLES = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
_COLUMNS = "SELECT name, type, coalesce(dflt_value, '') FROM pragma_table_info(?)"
_UNBOUND = re.compile(r"value for binding parameter [:@$](\w+)")


class SchemaRefused(Exception):
    """SQLite refuses a statement of the schema: why, and its place in a file, if it has one."""

    def __init__(self, why: str, span: Span | None = None) -> None:
        super().__init__(why)
        self.span = span


@dataclass(slots=True)
class Prepared:
    """The answer of SQLite about a statement.

    ``refusal`` is in its own words. ``changes`` are what the statement does beside reading, each
    with the table that it changes; ``unbound`` are parameters that SQLite alone finds.
    """

    refusal: str | None = None
    changes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    unknown_functions: list[str] = field(default_factory=list[str])
    unbound: tuple[str, ...] = ()


class _Column(NamedTuple):
    """A column of a table or a view, as it is written; ``default`` is empty where it has none."""

    name: str
    type: str
    default: str


class SqliteSchema:
    """A database with the tables of a schema; its rows are never read."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._noted = Prepared()
        self._read = set[tuple[str, str]]()
        self._connection.set_authorizer(self._refuse_outside)

    @staticmethod
    def of_files(files: Iterable[SchemaFile]) -> SqliteSchema:
        """Create the tables of DDL files in memory. Raises `SchemaRefused`."""
        connection = sqlite3.connect(":memory:", isolation_level=None)
        sqlite_schema = SqliteSchema(connection)
        for file in files:
            for statement in statements_of(file, "sqlite"):
                try:
                    connection.execute(statement.text)
                except (sqlite3.Error, sqlite3.Warning) as error:
                    at, end = locate_error(statement.text, str(error), connection)
                    connection.close()
                    start = statement.tokens[0].start
                    span = span_in(file, start + at, start + end)
                    raise SchemaRefused(str(error), span) from error
        return sqlite_schema

    @staticmethod
    def of_file(path: Path) -> SqliteSchema:
        """Open the tables of a database file for reading only. Raises `SchemaRefused`."""
        uri = f"{path.absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(uri, uri=True, isolation_level=None)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.Error as error:
            connection.close()
            raise SchemaRefused(str(error)) from error
        return SqliteSchema(connection)

    def close(self) -> None:
        """Forget the database."""
        self._connection.close()

    @cached_property
    def _described(self) -> tuple[Mapping[str, tuple[_Column, ...]], Mapping[str, str]]:
        """The columns of each table and view, and why SQLite cannot tell those of others."""
        known: dict[str, tuple[_Column, ...]] = {}
        unknown: dict[str, str] = {}
        with self._unwatched():
            for (table,) in self._connection.execute(_TABLES).fetchall():
                try:
                    rows = self._connection.execute(_COLUMNS, (table,)).fetchall()
                except sqlite3.Error as error:
                    unknown[table] = str(error)
                else:
                    known[table] = tuple(_Column(*row) for row in rows)
        return known, unknown

    @property
    def unknown_tables(self) -> Mapping[str, str]:
        """The views and virtual tables whose columns SQLite cannot tell, and why."""
        return self._described[1]

    @cached_property
    def tables(self) -> Mapping[str, tuple[str, ...]]:
        """The tables and views, each with the names of its columns."""
        return {
            table: tuple(column.name for column in columns)
            for table, columns in self._described[0].items()
        }

    @cached_property
    def defaults(self) -> Mapping[str, Mapping[str, str]]:
        """The default of each column, by its name and its table's (both in lower case)."""
        defaults: dict[str, dict[str, str]] = {}
        for table, columns in self._described[0].items():
            for column in columns:
                of_name = defaults.setdefault(column.name.casefold(), {})
                of_name[table.casefold()] = column.default
        return defaults

    def prepare(self, text: str, names: tuple[str, ...]) -> Prepared:
        """Prepare ``text``, with parameters called ``names``."""
        prepared = self._noted = Prepared()
        self._connection.set_authorizer(self._note)
        while True:
            refusal = self._explain(text, names)
            unknown = _UNKNOWN_FUNCTION.search(refusal or "")
            if unknown is None or unknown[1] in prepared.unknown_functions:
                break
            prepared.unknown_functions.append(unknown[1])
            self._connection.create_function(unknown[1], -1, _nothing)
        unbound = _UNBOUND.search(refusal or "")
        if unbound:
            prepared.unbound = (unbound[1],)
        elif not any(
            verb in ("PRAGMA", "ATTACH", "DETACH") for verb, _ in prepared.changes
        ):
            prepared.refusal = refusal
        return prepared

    def _explain(self, text: str, names: tuple[str, ...]) -> str | None:
        self._noted.changes.clear()
        try:
            self._connection.execute(f"EXPLAIN {text}", dict.fromkeys(names))
        except sqlite3.Error as error:
            return str(error)
        return None

    def columns(
        self, query: str, names: tuple[str, ...]
    ) -> tuple[DatabaseColumn, ...] | None:
        """Return the columns of a query; None where it cannot stand in another one.

        Their types are affinities (``INT``, ``TEXT``, ``REAL``), by which SQLite converts what it
        stores; empty where values stay what they are, as those of most expressions do, or where a
        type has an affinity by accident (`_misnamed`).
        """
        misnamed, self._read = self._misnamed, set[tuple[str, str]]()
        self._connection.set_authorizer(self._refuse_outside)
        empty, nothing = f"SELECT * FROM (\n{query}\n) LIMIT 0", dict.fromkeys(names)
        try:
            cursor = self._connection.execute(empty, nothing)
        except sqlite3.Error:
            return None
        column_names = [column[0] for column in cursor.description]
        with self._unwatched():
            types = self._affinities(empty, nothing)
        if len(types) != len(column_names):
            types = [""] * len(column_names)
        if misnamed & self._read:
            types = ["" if type_ == "INT" else type_ for type_ in types]
        return tuple(map(DatabaseColumn, column_names, types))

    def _affinities(self, query: str, nothing: dict[str, None]) -> list[str]:
        """Return the affinities of a query's columns: those of a table that is created from it."""
        try:
            self._connection.execute(f"CREATE TEMP TABLE brimgen AS {query}", nothing)
        except sqlite3.Error:
            return []
        rows = self._connection.execute("PRAGMA temp.table_info(brimgen)").fetchall()
        self._connection.execute("DROP TABLE temp.brimgen")
        return ["" if row[2] == "NUM" else row[2] for row in rows]

    @contextmanager
    def _unwatched(self) -> Generator[None, None, None]:
        self._connection.set_authorizer(None)
        try:
            yield
        finally:
            self._connection.set_authorizer(self._refuse_outside)

    @cached_property
    def _misnamed(self) -> frozenset[tuple[str, str]]:
        """The columns, each with its table, that SQLite takes for integers by the letters ``INT``.

        So it takes INTERVAL and POINT, whose values stay texts.
        """
        return frozenset(
            (table, column.name)
            for table, columns in self._described[0].items()
            for column in columns
            if "int" in column.type.casefold() and not _INTEGER.search(column.type)
        )

    def _refuse_outside(
        self, action: int, table: str | None, column: str | None, *_: str | None
    ) -> int:
        if action == sqlite3.SQLITE_READ:
            self._read.add((table or "", column or ""))
        refused = action in (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH)
        return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK

    def _note(
        self,
        action: int,
        subject: str | None,
        _: str | None,
        __: str | None,
        trigger: str | None,
    ) -> int:
        table = subject or ""
        internal = table.startswith("sqlite_") and action in _CHANGES
        if action not in _READS and trigger is None and not internal:
            self._noted.changes.append((_CHANGES.get(action, "DDL"), table))
        refused = action in _REACHES_OUT
        return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK


def _nothing(*_: object) -> None:
    """Stand for a function that the program registers."""
