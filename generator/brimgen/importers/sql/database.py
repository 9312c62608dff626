"""Make a tool of each table and view of an SQLite database, which lists its rows.

What a build would refuse is made less or left out, as `settle` does with drafts.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from brimgen.diagnostics import Diagnostic
from brimgen.diagnostics.rules import COLUMN_UNKNOWN
from brimgen.frozen import dataclass, field
from brimgen.importers.settle import ErrorsByFile, until_sound

SCHEMA = "schema.sql"
"""The file of the CREATE statements."""
CheckFiles: TypeAlias = Callable[[Mapping[str, str]], Iterable[Diagnostic]]
"""Judges a project, of which it takes the files by their paths."""
_MOST_LETTERS = 40
"""So many letters of a table's name stand in that of its tool: some clients take 48 in all."""
_MOST_TOLD = 5
_PLAIN = re.compile(r"\w[\w $.-]*")
"""A text that YAML reads as it is written."""
_IDENTIFIER = re.compile(r'"(?:[^"]|"")*"')
_TOOL = """\
/*
---
name: {tool}
description: {description}
arguments:
  inline:
    limit: {{ type: int, default: 20, minimum: 1, maximum: 100, description: How many to list }}
returns: {returns}
---
*/
SELECT {columns}
FROM {quoted}
{order}LIMIT :limit
"""


class CannotSettle(Exception):
    """A build refuses what is no part of the database; says why."""


class _Object(NamedTuple):
    """A table, view, index or trigger, the table that it belongs to, and its CREATE statement."""

    kind: str
    name: str
    table: str
    sql: str


@dataclass(slots=True)
class _Table:
    """A table or a view: its ``keys`` give the order, no value of its ``filled`` columns is NULL.

    ``untold`` are the columns whose types the schema does not tell.
    """

    name: str
    tool: str
    columns: Sequence[str]
    keys: Sequence[str]
    filled: Collection[str]
    untold: list[str] = field(default_factory=list[str])

    @property
    def file(self) -> str:
        """The path of its tool in the project."""
        return f"specs/{self.tool}.sql"

    def text(self) -> str:
        """Return the spec of its tool."""
        fields = ", ".join(
            f"{_escaped(name)}: {self._type(name)}" for name in self.untold
        )
        description = f"List rows of {self.name}."
        is_plain = _PLAIN.fullmatch(self.name) is not None
        order = ", ".join(map(_quoted, self.keys))
        return _TOOL.format(
            tool=self.tool,
            description=description if is_plain else _escaped(description),
            returns=f"{{ type: rows, fields: {{ {fields} }} }}" if fields else "rows",
            columns=", ".join(map(_quoted, self.columns)),
            quoted=_quoted(self.name),
            order=f"ORDER BY {order}\n" if order else "",
        )

    def _type(self, column: str) -> str:
        return "any" if column in self.filled else "any?"

    def lessen(self, errors: Iterable[Diagnostic]) -> str:
        """Leave the types open that ``errors`` ask for; return why that does not do, or nothing."""
        text, before, reason = self.text(), len(self.untold), ""
        for error in errors:
            if error.rule is not COLUMN_UNKNOWN:
                return error.message
            lines = [0, *(match.end() for match in re.finditer("\n", text))]
            at = lines[error.span.line - 1] + error.span.column - 1
            told = _IDENTIFIER.match(text, at)
            found = [name for name in self.columns if told and _quoted(name) == told[0]]
            self.untold += [name for name in found if name not in self.untold]
            reason = error.message
        return "" if len(self.untold) > before else reason


@dataclass(slots=True)
class Database:
    """What is taken of a database, and why the rest is not, by what it is."""

    objects: list[_Object]
    tables: list[_Table] = field(default_factory=list[_Table])
    left_out: dict[str, str] = field(default_factory=dict[str, str])

    def leave_out(self, kind: str, name: str, reason: str) -> None:
        """Leave an object out; of a table, what belongs to it, too."""
        self.left_out.setdefault(f"the {kind} {name!r}", reason)
        self.objects = [
            each for each in self.objects if (each.kind, each.name) != (kind, name)
        ]
        if kind in ("table", "view"):
            self.objects = [each for each in self.objects if each.table != name]
            self.tables = [each for each in self.tables if each.name != name]

    def settled(self, rest: Mapping[str, str], check: CheckFiles) -> dict[str, str]:
        """Take out what ``check`` refuses in the files of a project, and return these.

        ``rest`` are its other files. Raises `CannotSettle` where no part is the cause of an error.
        """

        def files() -> dict[str, str]:
            tools = {each.file: each.text() for each in self.tables}
            return {**tools, SCHEMA: "".join(map(_statement, self.objects)), **rest}

        errors = until_sound(
            lambda: check(files()) if self.tables else (),
            lambda found, _: self._lessen(found),
        )
        for found in errors.values():
            raise CannotSettle(found[0].message)
        return files()

    def _lessen(self, by_file: ErrorsByFile) -> bool:
        """Take the causes of errors out; return whether there were any."""
        changed = False
        line = 1
        for each in self.objects:
            first, line = line, line + _statement(each).count("\n")
            for error in by_file.get(SCHEMA, ()):
                if first <= error.span.line < line:
                    self.leave_out(each.kind, each.name, error.message)
                    changed = True
        # A tool is judged by a schema that nothing is wrong with.
        for table in () if changed else tuple(self.tables):
            if table.file in by_file:
                reason = table.lessen(by_file[table.file])
                changed = True
                if reason:
                    self.left_out[f"a tool for {table.name!r}"] = reason
                    self.tables.remove(table)
        return changed

    def notices(self) -> Iterator[str]:
        """Yield a line for each part that is less than in the database."""
        for what, reason in self.left_out.items():
            yield f"left out {what}: {reason}"
        for table in self.tables:
            if table.untold:
                names = ", ".join(f"`{name}`" for name in table.untold[:_MOST_TOLD])
                more = len(table.untold) - _MOST_TOLD
                names += f" and {more} more" if more > 0 else ""
                yield f"{table.file} declares {names} as any: the schema tells no type"


def read(connection: sqlite3.Connection) -> Database:
    """Return what a database holds, without the tables that virtual tables store their rows in."""
    listed = connection.execute("PRAGMA main.table_list").fetchall()
    shadows = {row[1] for row in listed if row[2] == "shadow"}
    rows = connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
    ).fetchall()
    database = Database(
        [each for each in map(_Object._make, rows) if each.table not in shadows]
    )
    tools: set[str] = set()
    for each in sorted(database.objects, key=lambda each: each.name):
        if each.kind not in ("table", "view"):
            continue
        try:
            columns = connection.execute(
                "SELECT name, pk, [notnull] FROM pragma_table_xinfo(?) WHERE hidden <> 1",
                (each.name,),
            ).fetchall()
        except sqlite3.Error as problem:
            database.leave_out(each.kind, each.name, str(problem))
            continue
        keys = [row[0] for row in sorted(columns, key=lambda row: row[1]) if row[1]]
        names = [row[0] for row in columns]
        filled = {row[0] for row in columns if row[2]}
        tool = _tool_name(each.name, tools)
        database.tables.append(_Table(each.name, tool, names, keys, filled))
        tools.add(tool)
    return database


def _tool_name(table: str, taken: set[str]) -> str:
    words = re.sub("[^a-z0-9]+", "_", table.lower()).strip("_")[:_MOST_LETTERS]
    name = f"list_{words or 'table'}"
    numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (name, *numbered) if each not in taken)


def _statement(each: _Object) -> str:
    """Return the text of a statement in a file of its own lines."""
    has_comment = "--" in each.sql.rpartition("\n")[2]
    return each.sql + ("\n;\n" if has_comment else ";\n")


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def _escaped(text: str) -> str:
    """Return a text as YAML reads it within a comment of SQL."""
    return json.dumps(text, ensure_ascii=False).replace("*/", "*\\/")
