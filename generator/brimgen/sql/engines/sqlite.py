"""SQLite as an engine: a schema in memory, or a file that is opened for reading only.

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

from brimgen.model.project import SchemaFile
from brimgen.sql import DIALECTS, scan
from brimgen.sql.checks.check_syntax import find_syntax_error
from brimgen.sql.ddl.split_statements import span_in, statements_of
from brimgen.sql.drivers import DRIVERS
from brimgen.sql.effects import Kind, facts_of
from brimgen.sql.engines.engines import CannotVerify, DatabaseColumn, Prepared

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
_NOT_PREPARED = frozenset({"PRAGMA", "ATTACH", "DETACH"})
"""What does its work while it is prepared, and is refused here for that."""
_UNKNOWN_FUNCTION = re.compile(r"no such function: (\w+)")
_INTEGER = re.compile(r"(?i)\b(tiny|small|medium|big|long)?int(eger)?\d*\b")
_TABLES = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
_COLUMNS = "SELECT name, type, coalesce(dflt_value, '') FROM pragma_table_info(?)"
_RENAMED = re.compile(r"(.+):\d+")
_NAMED = re.compile(
    r'[a-z]: (.+)\Z|\b(?:table|view|index|trigger) "?(\w+)"? (?:already|has)\b'
)
"""The name that SQLite complains of in a statement of a schema."""


class _Column(NamedTuple):
    """A column of a table or a view, as it is written; ``default`` is empty where it has none."""

    name: str
    type: str
    default: str


class Sqlite:
    """A database with the tables of a schema; its rows are never read."""

    name = "SQLite"
    driver = DRIVERS["sqlite3"]

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._changes: list[tuple[str, str]] = []
        self._functions: set[str] = set()
        self._read = set[tuple[str, str]]()
        self._connection.set_authorizer(self._refuse_outside)

    @staticmethod
    def of_files(files: Iterable[SchemaFile]) -> Sqlite:
        """Create the tables of DDL files in memory. Raises `CannotVerify`."""
        connection = sqlite3.connect(":memory:", isolation_level=None)
        engine = Sqlite(connection)
        for file in files:
            for statement in statements_of(file, "sqlite"):
                try:
                    connection.execute(statement.text)
                except (sqlite3.Error, sqlite3.Warning) as error:
                    at, end = _place_of(statement.text, str(error))
                    connection.close()
                    start = statement.tokens[0].start
                    span = span_in(file, start + at, start + end)
                    raise CannotVerify(str(error), span) from error
        return engine

    @staticmethod
    def of_file(path: Path) -> Sqlite:
        """Open the tables of a database file for reading only. Raises `CannotVerify`."""
        uri = f"{path.absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(uri, uri=True, isolation_level=None)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.Error as error:
            connection.close()
            raise CannotVerify(str(error)) from error
        return Sqlite(connection)

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
    def defaults(self) -> Mapping[str, Mapping[str, str]]:
        """The default of each column, by its name and its table's (both in lower case)."""
        defaults: dict[str, dict[str, str]] = {}
        for table, columns in self._described[0].items():
            for column in columns:
                of_name = defaults.setdefault(column.name.casefold(), {})
                of_name[table.casefold()] = column.default
        return defaults

    def prepare(self, text: str, names: tuple[str, ...]) -> Prepared | None:
        """Prepare ``text``, and return what SQLite says of it; EXPLAIN is not judged."""
        statement = scan(text, DIALECTS["sqlite"])
        if statement.words[:1] == ("EXPLAIN",):
            return None
        refusal = self._explain(text, names)
        verb, subject = self._changes[0] if self._changes else ("", "")
        change = f"{verb} of `{subject}`" if verb else ""
        if refusal and not any(verb in _NOT_PREPARED for verb, _ in self._changes):
            return Prepared(refusal, change=change)
        query = text.rstrip().rstrip(";")
        if facts_of(statement).kind is not Kind.READ:
            words = (token for token in reversed(statement.significant))
            at = next((token.end for token in words if token.word == "RETURNING"), None)
            bound = statement.parameters[-1:]
            if at is None or not verb or (bound and bound[0].start > at):
                return Prepared(change=change)
            table = subject.replace('"', '""')
            query = f'SELECT {query[at:]}\nFROM "{table}"'
        return Prepared(columns=self._columns(query, names), change=change)

    def _explain(self, text: str, names: tuple[str, ...]) -> str:
        """Return why SQLite refuses a text; a function that it lacks the program registers."""
        self._changes.clear()
        self._connection.set_authorizer(self._note)
        try:
            self._connection.execute(f"EXPLAIN {text}", dict.fromkeys(names))
        except sqlite3.Error as error:
            unknown = _UNKNOWN_FUNCTION.search(str(error))
            if unknown is None or unknown[1] in self._functions:
                return str(error)
            self._functions.add(unknown[1])
            self._connection.create_function(unknown[1], -1, _nothing)
            return self._explain(text, names)
        return ""

    def _columns(
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
        # A second column of a name is numbered, as `name:1`.
        renamed = [_RENAMED.fullmatch(name) for name in column_names]
        original = [
            match[1] if match and match[1] in column_names else name
            for name, match in zip(column_names, renamed, strict=True)
        ]
        return tuple(map(DatabaseColumn, original, types))

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
            self._changes.append((_CHANGES.get(action, "DDL"), table))
        refused = action in _REACHES_OUT
        return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK


def _nothing(*_: object) -> None:
    """Stand for a function that the program registers."""


def _place_of(text: str, refusal: str) -> tuple[int, int]:
    """Return the place where SQLite stops in a statement, or of the first name in its message;
    else of the first word.
    """
    statement = scan(text, DIALECTS["sqlite"])
    stop = find_syntax_error(statement, ())
    named = _NAMED.search(refusal)
    name = next((group for group in named.groups() if group), "") if named else ""
    folded = name.rpartition(".")[2].casefold()
    matches = [token for token in statement.significant if token.folded == folded]
    if refusal.startswith("duplicate column"):
        matches = matches[1:]
    found = [*filter(None, [stop]), *matches, *statement.significant][:1]
    return (found[0].start, found[0].end) if found else (0, 0)
