"""The files of a project over an SQLite database that is there: a tool that lists each table."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

from brimgen.importers.yaml_text import yaml_document
from brimgen.model.json import Json

_URL = "sqlite:///"
_MAGIC = b"SQLite format 3\0"
_NAME = re.compile(r"\w[\w $.-]*")
_TOOL = """\
/*
---
name: {tool}
description: List rows of {table}.
arguments:
  inline:
    limit: {{ type: int, default: 20, minimum: 1, maximum: 100, description: How many to list }}
returns: rows
---
*/
SELECT {columns}
FROM {quoted}
{order}LIMIT :limit
"""


@dataclass(frozen=True, slots=True)
class DatabaseProject:
    """The ``files`` by their paths, the name of the first tool, and the tables left out."""

    files: dict[str, bytes]
    tool: str
    left_out: Sequence[str]


def database_path(source: str) -> Path | None:
    """Return the path of an SQLite database, named by a URL or a path; None for other files."""
    if source.startswith(_URL):
        return Path(source.removeprefix(_URL))
    path = Path(source)
    if not path.is_file():
        return None
    with path.open("rb") as stream:
        return path if stream.read(len(_MAGIC)) == _MAGIC else None


def of_database(path: Path, folder: Path, package: str) -> DatabaseProject:
    """Return the files of a project in ``folder`` over the database at ``path``.

    The database is only read. Raises `click.UsageError` if it is not there, cannot be read, or
    has no table that a tool can list.
    """
    if not path.is_file():
        raise click.UsageError(f"There is no database {str(path)!r}.")
    files: dict[str, bytes] = {}
    left_out: list[str] = []
    try:
        uri = f"{path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            made = connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL "
                "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
            ).fetchall()
            tables = connection.execute(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
                "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
            ).fetchall()
            for (table,) in tables:
                tool = f"list_{re.sub('[^a-z0-9]+', '_', table.lower()).strip('_')}"
                file = f"specs/{tool}.sql"
                if not _NAME.fullmatch(table) or file in files:
                    left_out.append(table)
                    continue
                quoted = _quoted(table)
                columns = connection.execute(f"PRAGMA table_info({quoted})").fetchall()
                files[file] = _tool(tool, table, columns).encode("utf-8")
    except sqlite3.Error as problem:
        raise click.UsageError(f"{path} cannot be read: {problem}.") from None
    if not files:
        raise click.UsageError(f"{path} has no table that a tool could list.")
    first = Path(min(files)).stem
    files["schema.sql"] = "".join(f"{sql};\n" for _, sql in made).encode("utf-8")
    settings: dict[str, Json] = {
        "specs": "specs",
        "out": "out",
        "package": package,
        "targets": ["default", "server"],
        "connections": {
            "default": {
                "dialect": "sqlite",
                "drivers": ["sqlite3"],
                "schema": "schema.sql",
                "target": _from(folder, path),
            }
        },
    }
    files["brimgen.yaml"] = yaml_document(settings).encode("utf-8")
    return DatabaseProject(files, first, left_out)


def _tool(tool: str, table: str, columns: Sequence[tuple[object, ...]]) -> str:
    keys = sorted((each[5], each[1]) for each in columns if each[5])
    order = ", ".join(_quoted(str(name)) for _, name in keys)
    return _TOOL.format(
        tool=tool,
        table=table,
        columns=", ".join(_quoted(str(each[1])) for each in columns),
        quoted=_quoted(table),
        order=f"ORDER BY {order}\n" if order else "",
    )


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def _from(folder: Path, path: Path) -> str:
    """Return the path as a project in ``folder`` writes it; whole on another drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return path.resolve().as_posix()
