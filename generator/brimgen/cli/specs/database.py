"""Make a project of an SQLite database, which `importers.sql.database` reads."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from brimgen.diagnostics import Diagnostics
from brimgen.importers.sql.database import SCHEMA, CannotSettle, read
from brimgen.importers.yaml_text import yaml_document
from brimgen.model.json import Json
from brimgen.settings.configuration import YAML_NAME
from brimgen.source.files import relative_name

_URL = "sqlite:///"
_MAGIC = b"SQLite format 3\0"
_IGNORED = ".gitignore"


@dataclass(frozen=True, slots=True)
class DatabaseProject:
    """The ``files`` by their paths, the name of the first tool, and ``notices`` of what is less."""

    files: Mapping[str, bytes]
    tool: str
    notices: Sequence[str]


def database_path(source: str) -> Path | None:
    """Return the path of an SQLite database, named by a URL or a path; None for other files."""
    if source.startswith(_URL):
        return Path(source.removeprefix(_URL))
    path = Path(source)
    if not path.is_file():
        return None
    with path.open("rb") as stream:
        return path if stream.read(len(_MAGIC)) == _MAGIC else None


def of_database(
    path: Path, folder: Path, package: str, ignored: bytes
) -> DatabaseProject:
    """Return the files of a project in ``folder`` over the database at ``path``.

    The database is only read; ``ignored`` is what git leaves alone besides it. Raises
    `click.UsageError` if it is not there, cannot be read, or has no table that a tool can list.
    """
    if not path.is_file():
        raise click.UsageError(
            f"There is no database {path.name!r} in '{path.parent.resolve()}'."
        )
    try:
        uri = f"{path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            database = read(connection)
    except sqlite3.Error as problem:
        raise click.UsageError(f"{path} cannot be read: {problem}.") from None
    target = _from(folder, path)
    settings = {YAML_NAME: yaml_document(_settings(package, target))}
    try:
        files = database.settled(settings, _judged)
    except CannotSettle as problem:
        raise click.UsageError(f"No project can be made: {problem}.") from None
    notices = [*database.notices()]
    if not database.tables:
        reasons = "".join(f"\n{notice}" for notice in notices)
        raise click.UsageError(f"{path} has no table that a tool could list.{reasons}")
    contents = {name: text.encode("utf-8") for name, text in files.items()}
    if not target.startswith("../") and not Path(target).is_absolute():
        pattern = re.sub(r"([*?\[\\])", r"\\\1", target)
        contents[_IGNORED] = ignored + f"/{pattern}\n".encode()
    return DatabaseProject(
        contents, min(each.tool for each in database.tables), notices
    )


def _judged(files: Mapping[str, str]) -> Diagnostics:
    """Return what a build says of a project with these files."""
    from brimgen.api import lint
    from brimgen.settings.load import Flags, load_settings

    found = Diagnostics()
    with TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode("utf-8"))
        settings = load_settings(Flags(config=Path(folder, YAML_NAME)), found)
        found.extend(lint(settings).diagnostics)
    return found


def _settings(package: str, target: str) -> dict[str, Json]:
    return {
        "specs": "specs",
        "out": "out",
        "package": package,
        "targets": ["default", "server"],
        "connections": {
            "default": {
                "dialect": "sqlite",
                "drivers": ["sqlite3"],
                "schema": SCHEMA,
                "target": target,
            }
        },
    }


def _from(folder: Path, path: Path) -> str:
    """Return the path as a project in ``folder`` writes it; whole on another drive."""
    try:
        return relative_name(path, folder)
    except ValueError:
        return path.resolve().as_posix()
