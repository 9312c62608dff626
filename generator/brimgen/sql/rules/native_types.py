"""Read the names of column types, by the table of a dialect or by SQLite's rule of affinity."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from brimgen.sql.model import Base, ColumnType


class TypeName(NamedTuple):
    """A line of `type_names.txt`: the name that a dialect prints, its values, its other names."""

    printed: str
    base: Base
    aliases: str


@cache
def rows_of_types() -> Mapping[str, tuple[TypeName, ...]]:
    """The types of each dialect."""
    rows: dict[str, tuple[TypeName, ...]] = {}
    dialect = ""
    text = Path(__file__).with_name("type_names.txt").read_text(encoding="ascii")
    for line in text.splitlines():
        if line.startswith("["):
            dialect = line.strip("[]")
        elif line and not line.startswith("#"):
            base, printed, *aliases = line.split(" | ")
            row = TypeName(printed, Base(base), "".join(aliases))
            rows[dialect] = (*rows.get(dialect, ()), row)
    return rows


_AFFINITIES = (
    ("INT", Base.INT8, "INTEGER"),
    ("CHAR", Base.TEXT, "TEXT"),
    ("CLOB", Base.TEXT, "TEXT"),
    ("TEXT", Base.TEXT, "TEXT"),
    ("BLOB", Base.BYTES, "BLOB"),
    ("REAL", Base.FLOAT8, "REAL"),
    ("FLOA", Base.FLOAT8, "REAL"),
    ("DOUB", Base.FLOAT8, "REAL"),
)
"""SQLite's rule: the first of these that a declared type contains is its affinity."""

_ARRAY = re.compile(r"\s*\[\s*(\d*)\s*\]\Z|\s+array\Z", re.IGNORECASE)
_ARGUMENTS = re.compile(r"\s*\(([^()]*)\)")
_WRAPPED = re.compile(r"(?:Nullable|LowCardinality)\((.*)\)", re.IGNORECASE)
_LABEL = re.compile(r"'((?:[^']|'')*)'")


def type_name(written: str, dialect: str) -> str:
    """A type as it is looked up: without the default namespace; bare names of PostgreSQL in lower
    case.
    """
    written = re.sub(r'(?i)^"?(?:public|pg_catalog)"?\.', "", written)
    if dialect == "postgres" and '"' not in written and "'" not in written:
        return written.lower()
    return written.strip('"') if re.fullmatch(r'"[^"]+"', written) else written


def column_type(
    dialect: str, written: str, enums: Mapping[str, tuple[str, ...]] | None = None
) -> ColumnType | None:
    """Return the type that is ``written`` in DDL, or that a database prints.

    ``enums`` are the named enums of the schema. None for a column of SQLite without a type.
    """
    name = " ".join(written.split())
    while dialect == "clickhouse" and (wrapped := _WRAPPED.fullmatch(name)):
        name = wrapped[1]
    array = _ARRAY.search(name)
    if array is not None and dialect not in ("sqlite", "mysql"):
        item = column_type(dialect, name[: array.start()], enums)
        return item and list_of(dialect, item, array[1] or "")
    for spelling in (name.strip('"'), name.lower()):
        if enums and spelling in enums:
            return ColumnType(Base.ENUM, spelling, enums[spelling])
    if name[:4].lower() == "enum" and "'" in name:
        labels = tuple(label.replace("''", "'") for label in _LABEL.findall(name))
        return ColumnType(Base.ENUM, name, labels)
    return _type_by_name(dialect, name)


def list_of(dialect: str, item: ColumnType, size: str = "") -> ColumnType:
    """Return the type of a list of items; PostgreSQL has one for all numbers of dimensions."""
    if dialect == "postgres":
        inner = item.item if item.base is Base.LIST and item.item is not None else item
        return ColumnType(Base.LIST, f"{inner.native}[]", item=inner)
    return ColumnType(Base.LIST, f"{item.native}[{size}]", item=item)


@cache
def _type_by_name(dialect: str, name: str) -> ColumnType | None:
    arguments = _ARGUMENTS.search(name)
    size = arguments[1].strip() if arguments else ""
    plain_name = " ".join(_ARGUMENTS.sub("", name).lower().split())
    plain_name = plain_name.removeprefix("pg_catalog.")
    if dialect == "sqlite":
        return _sqlite_type(name, plain_name)
    if dialect == "mysql":
        plain_name = plain_name.split(" character set")[0].split(" collate")[0]
        plain_name = plain_name.replace(" zerofill", "")
        if plain_name == "tinyint" and size == "1":
            return ColumnType(Base.BOOL, "tinyint(1)")
        if plain_name == "set":
            return ColumnType(Base.TEXT, name)
    if plain_name == "float" and size.isdigit() and dialect in ("postgres", "mysql"):
        plain_name = "float4" if int(size) <= _SINGLE else "float8"
        size = ""
    row = _by_name(dialect).get(plain_name)
    if row is None:
        return ColumnType(Base.OTHER, name)
    printed, base = row
    if base is Base.DECIMAL and _is_whole(dialect, size):
        base = Base.INT16
    digits = f"({size.replace(' ', '')})" if size else ""
    head, space, rest = printed.partition(" ")
    if rest.endswith(("zone", "ZONE", "unsigned")):
        return ColumnType(base, f"{head}{digits}{space}{rest}")
    return ColumnType(base, f"{printed}{digits}")


def _is_whole(dialect: str, size: str) -> bool:
    """Whether numbers with these digits have no fraction, and their drivers return an int."""
    has_scale = bool(size.partition(",")[2].strip("0 "))
    return not has_scale and (
        dialect == "snowflake" or (dialect == "oracle" and size != "")
    )


_SINGLE = 24
"""The bits of a float that single precision keeps."""


def _sqlite_type(name: str, plain_name: str) -> ColumnType | None:
    if not plain_name or plain_name == "any":
        return None
    row = _by_name("sqlite").get(plain_name)
    if row is not None:
        return ColumnType(row[1], row[0])
    upper = plain_name.upper()
    for part, base, printed in _AFFINITIES:
        if part in upper:
            return ColumnType(base, printed)
    return ColumnType(Base.OTHER, name)


@cache
def _by_name(dialect: str) -> Mapping[str, tuple[str, Base]]:
    """The printed name and the base by every name."""
    return {
        name: (printed, base)
        for printed, base, aliases in rows_of_types()[dialect]
        for name in (printed.lower(), *filter(None, aliases.split(", ")))
    }


@cache
def names_of_types() -> frozenset[str]:
    """Return the names that types have in any dialect."""
    return frozenset(name for dialect in rows_of_types() for name in _by_name(dialect))


@cache
def type_of(dialect: str, base: Base) -> ColumnType:
    """Return the type that expressions of a base have in a dialect: the first row of it."""
    if dialect == "sqlite":
        names = {row_base: printed for _, row_base, printed in reversed(_AFFINITIES)}
        return ColumnType(base, names.get(base, base.value.upper()))
    preferred = _PREFERRED.get((dialect, base))
    rows = (*rows_of_types()[dialect], *rows_of_types()["postgres"])
    printed = next((row.printed for row in rows if row.base is base), base.value)
    return ColumnType(base, preferred or printed)


_PREFERRED = {
    ("postgres", Base.JSON): "jsonb",
    ("duckdb", Base.INT2): "SMALLINT",
    ("mysql", Base.INT2): "smallint",
    ("mysql", Base.INT4): "int",
    ("mysql", Base.TEXT): "varchar",
    ("mysql", Base.BYTES): "varbinary",
}
"""The type of an expression where that is not the first row."""
