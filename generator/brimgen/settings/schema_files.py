"""Read the ``schema`` of a connection: DDL files, a dump, or folders of migrations.

A folder stands for its migrations that lead up, in the order in which they are applied. The file
names of these tools are understood: golang-migrate and sqlx (``1_x.up.sql``), Flyway
(``V1__x.sql``, ``B1__x.sql``, ``R__x.sql``), Diesel (``1_x/up.sql``), Prisma
(``1_x/migration.sql``), and all that number their files (dbmate, goose, sql-migrate).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from brimgen.diagnostics import Span
from brimgen.diagnostics.rules import UNREADABLE_SCHEMA
from brimgen.model.project import SchemaFile, SchemaSource
from brimgen.settings.setting_errors import shown_path, similar_paths
from brimgen.settings.values import SettingsReader
from brimgen.source.files import relative_name
from brimgen.source.nodes import ListNode, Node, ScalarNode

_EXPECTED = "the path of a DDL file or of a folder of migrations, or a list of such"
_DOWN = re.compile(r"(?:.*[._-])?down\.sql|U[\d._]+__.*\.sql", re.IGNORECASE | re.ASCII)
_FLYWAY = re.compile(r"([VB])(\d+(?:[._]\d+)*)__", re.ASCII)
_REPEATABLE = re.compile(r"R__", re.ASCII)
_DIGITS = re.compile(r"(\d+)", re.ASCII)

_Part: TypeAlias = tuple[int, int, str]
_Key: TypeAlias = tuple[bool, tuple[tuple[_Part, ...], ...]]


def take_schema(
    reader: SettingsReader, node: Node | None, folder: Path, beside: Path
) -> SchemaSource | None:
    """Return what ``node``, a ``schema``, names, or None where it is absent or wrong.

    Its paths begin in ``folder``; the names of files are relative to ``beside``.
    """
    if node is None:
        return None
    nodes: Iterable[Node] = node.items if isinstance(node, ListNode) else (node,)
    files: list[SchemaFile] = []
    folders: list[str] = []
    before = len(reader.diagnostics)
    for item in nodes:
        if not isinstance(item, ScalarNode) or not item.text or "\0" in item.text:
            reader.refuse("schema", item, expected=_EXPECTED)
            continue
        path = folder / item.text
        try:
            paths = migrations(path) if path.is_dir() else [path]
            if path.is_dir():
                folders += [
                    relative_name(searched, beside) for searched in _folders(path)
                ]
            files += [_read(file, beside) for file in paths]
        except (OSError, UnicodeDecodeError, NoMigrations, _NulCharacter) as problem:
            reader.diagnostics.add(
                UNREADABLE_SCHEMA,
                problem.span if isinstance(problem, _NulCharacter) else item.span,
                suggestions=similar_paths(path, Path(item.text)),
                file=shown_path(path),
                name=f"{reader.prefix}schema",
                reason=_reason(problem),
            )
    if len(reader.diagnostics) > before or not files:
        if not files and len(reader.diagnostics) == before:
            reader.refuse("schema", node, expected=_EXPECTED)
        return None
    return SchemaSource(tuple(files), tuple(folders))


class NoMigrations(Exception):
    """A folder has no file that leads up."""


class _NulCharacter(Exception):
    """A file holds a NUL, which no database takes in SQL; its place."""

    def __init__(self, span: Span) -> None:
        super().__init__()
        self.span = span


def _read(path: Path, beside: Path) -> SchemaFile:
    text = path.read_text(encoding="utf-8-sig")
    nul = text.find("\0")
    if nul >= 0:
        from brimgen.sql.ddl.split_statements import span_in  # it brings sqlglot

        raise _NulCharacter(span_in(SchemaFile(shown_path(path), text), nul, nul + 1))
    return SchemaFile(relative_name(path, beside), text)


def _folders(root: Path) -> list[Path]:
    """The folder and all below it: a change of any of them may bring a migration."""
    return [root, *sorted(path for path in root.rglob("*") if path.is_dir())]


def migrations(root: Path) -> list[Path]:
    """The migrations below a folder, in the order in which they are applied.

    Raises `NoMigrations` where there is none.
    """
    migrations = [
        path
        for path in root.rglob("*.sql")
        if path.is_file()
        and not _DOWN.fullmatch(path.name)
        and not any(part.startswith(".") for part in path.relative_to(root).parts)
    ]
    if not migrations:
        raise NoMigrations
    migrations.sort(key=lambda path: _order(path.relative_to(root)))
    baselines = [at for at, path in enumerate(migrations) if _is_baseline(path)]
    return migrations[baselines[-1] :] if baselines else migrations


def _is_baseline(path: Path) -> bool:
    match = _FLYWAY.match(path.name)
    return match is not None and match[1] == "B"


def _order(path: Path) -> _Key:
    """Return the sort key of a migration: numbers by value, repeatable ones of Flyway last."""
    is_repeated = _REPEATABLE.match(path.name) is not None
    return is_repeated, tuple(map(_numbered, path.parts))


def _numbered(name: str) -> tuple[_Part, ...]:
    flyway = _FLYWAY.match(name)
    if flyway is not None:
        version = re.split(r"[._]", flyway[2])
        return (*((1, int(number), "") for number in version), (0, 0, name))
    parts = [part for part in _DIGITS.split(name) if part]
    return tuple(
        (1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts
    )


def _reason(problem: Exception) -> str:
    match problem:
        case FileNotFoundError():
            return "there is no such file"
        case OSError():
            return problem.strerror or "the system refuses"
        case NoMigrations():
            return "the folder holds no migration that leads up (`*.sql`)"
        case _NulCharacter():
            return "it holds a NUL character"
        case _:
            return "it is not UTF-8"
