"""Schemas and queries in the shapes of sqlc's examples: authors, booktest, jets and ondeck."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from brimgen.api import Diagnostics
from brimgen.model.project import SchemaFile
from brimgen.sql.ddl.read_ddl import read_ddl
from brimgen.sql.model import Schema
from sqlschema.shop import TYPES


class Shape(NamedTuple):
    """Tables, their rows, and statements about them."""

    ddl: str
    rows: str
    statements: str


_ENUMS = {
    "book_type": ("FICTION", "NONFICTION"),
    "venue_status": ("open", "closed"),
}
_PIECES = re.split(
    r"^-- (tables|rows|statements) of (\w+)\n",
    Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"),
    flags=re.M,
)[1:]
SHAPES = {
    name: Shape(*_PIECES[at + 1 : at + 8 : 3])
    for at, name in list(enumerate(_PIECES))[1::9]
}


def _types(dialect: str) -> dict[str, str]:
    named = dialect in ("postgres", "duckdb")
    listed = {
        name: ", ".join(f"'{each}'" for each in labels)
        for name, labels in _ENUMS.items()
    }
    if named:
        return dict(TYPES[dialect]) | {name: name for name in _ENUMS}
    if dialect == "mysql":
        return dict(TYPES[dialect]) | {
            name: f"enum({each})" for name, each in listed.items()
        }
    return dict(TYPES[dialect]) | dict.fromkeys(_ENUMS, "TEXT")


def ddl_of(shape: Shape, dialect: str) -> str:
    """Return the CREATE statements of a shape."""
    enums = ""
    if dialect in ("postgres", "duckdb"):
        for name, labels in _ENUMS.items():
            listed = ", ".join(f"'{each}'" for each in labels)
            enums += f"CREATE TYPE {name} AS ENUM ({listed});\n"
    return enums + shape.ddl.format(**_types(dialect))


def script_of(shape: Shape, dialect: str) -> list[str]:
    """Return the statements that make the tables of a shape and their rows."""
    text = ddl_of(shape, dialect) + shape.rows
    return [each.strip() for each in text.split(";") if each.strip()]


def schema_of(shape: Shape, dialect: str) -> Schema:
    """Return the schema of a shape, as DDL is read."""
    diagnostics = Diagnostics()
    schema = read_ddl(
        [SchemaFile("shape.sql", ddl_of(shape, dialect))], dialect, diagnostics
    )
    assert list(diagnostics) == []
    return schema


def statements_of(shape: Shape) -> list[str]:
    """Return the statements of a shape."""
    return [each.strip() for each in shape.statements.split(";") if each.strip()]
