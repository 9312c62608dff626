"""Read the names of column types: one table per dialect, and SQLite's rule of affinity.

A row maps the name that a dialect prints to what its values are (`Base`) and to the other names
that the dialect takes for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from brimgen.sqlschema.model import Base, ColumnType

_Rows = tuple[tuple[str, Base, str], ...]

_POSTGRES: _Rows = (
    ("smallint", Base.INT2, "int2, smallserial, serial2"),
    ("integer", Base.INT4, "int, int4, serial, serial4"),
    ("bigint", Base.INT8, "int8, bigserial, serial8"),
    ("real", Base.FLOAT4, "float4"),
    ("double precision", Base.FLOAT8, "float8, float, double"),
    ("numeric", Base.DECIMAL, "decimal, dec"),
    ("boolean", Base.BOOL, "bool"),
    ("text", Base.TEXT, "string"),
    ("character varying", Base.TEXT, "varchar"),
    ("character", Base.TEXT, "char, bpchar"),
    ("citext", Base.TEXT, ""),
    ("name", Base.TEXT, ""),
    ("date", Base.DATE, ""),
    ("time without time zone", Base.TIME, "time"),
    ("time with time zone", Base.TIME, "timetz"),
    ("timestamp without time zone", Base.DATETIME, "timestamp"),
    ("timestamp with time zone", Base.INSTANT, "timestamptz"),
    ("interval", Base.INTERVAL, ""),
    ("json", Base.JSON, ""),
    ("jsonb", Base.JSON, ""),
    ("uuid", Base.UUID, ""),
    ("bytea", Base.BYTES, "blob, bytes"),
)
_DUCKDB: _Rows = (
    ("TINYINT", Base.INT2, "int1"),
    ("SMALLINT", Base.INT2, "int2, short, int16"),
    ("INTEGER", Base.INT4, "int, int4, signed, int32"),
    ("BIGINT", Base.INT8, "int8, long, int64, oid"),
    ("HUGEINT", Base.INT16, "int128"),
    ("BIGNUM", Base.INT16, "varint"),
    ("UTINYINT", Base.INT2, "uint8"),
    ("USMALLINT", Base.INT4, "uint16"),
    ("UINTEGER", Base.INT8, "uint32"),
    ("UBIGINT", Base.UINT8, "uint64"),
    ("UHUGEINT", Base.INT16, "uint128"),
    ("FLOAT", Base.FLOAT4, "float4, real"),
    ("DOUBLE", Base.FLOAT8, "float8, double precision"),
    ("DECIMAL", Base.DECIMAL, "numeric, dec"),
    ("BOOLEAN", Base.BOOL, "bool, logical"),
    ("VARCHAR", Base.TEXT, "text, string, char, bpchar, character varying, nvarchar"),
    ("DATE", Base.DATE, ""),
    ("TIME", Base.TIME, "time without time zone"),
    ("TIME WITH TIME ZONE", Base.TIME, "timetz"),
    ("TIMESTAMP", Base.DATETIME, "datetime, timestamp without time zone, timestamp_us"),
    ("TIMESTAMP_S", Base.DATETIME, ""),
    ("TIMESTAMP_MS", Base.DATETIME, ""),
    ("TIMESTAMP_NS", Base.DATETIME, ""),
    ("TIMESTAMP WITH TIME ZONE", Base.INSTANT, "timestamptz"),
    ("INTERVAL", Base.INTERVAL, ""),
    ("JSON", Base.JSON, ""),
    ("UUID", Base.UUID, "guid"),
    ("BLOB", Base.BYTES, "bytea, binary, varbinary"),
)
_MYSQL: _Rows = (
    ("tinyint", Base.INT2, "int1"),
    ("tinyint unsigned", Base.INT2, ""),
    ("smallint", Base.INT2, "int2"),
    ("smallint unsigned", Base.INT4, ""),
    ("mediumint", Base.INT4, "int3, middleint"),
    ("mediumint unsigned", Base.INT4, ""),
    ("int", Base.INT4, "integer, int4, signed"),
    ("int unsigned", Base.INT8, "integer unsigned"),
    ("bigint", Base.INT8, "int8, signed integer"),
    ("bigint unsigned", Base.UINT8, "serial, unsigned, unsigned integer"),
    ("year", Base.INT2, ""),
    ("float", Base.FLOAT4, "float4"),
    ("double", Base.FLOAT8, "float8, double precision, real"),
    ("decimal", Base.DECIMAL, "numeric, dec, fixed"),
    ("boolean", Base.BOOL, "bool"),
    ("char", Base.TEXT, "character, nchar"),
    ("varchar", Base.TEXT, "character varying, nvarchar, varchar2"),
    ("tinytext", Base.TEXT, ""),
    ("text", Base.TEXT, ""),
    ("mediumtext", Base.TEXT, "long, long varchar"),
    ("longtext", Base.TEXT, ""),
    ("date", Base.DATE, ""),
    ("time", Base.TIME, ""),
    ("datetime", Base.DATETIME, ""),
    ("timestamp", Base.DATETIME, ""),
    ("json", Base.JSON, ""),
    ("uuid", Base.UUID, ""),
    ("binary", Base.BYTES, ""),
    ("varbinary", Base.BYTES, ""),
    ("tinyblob", Base.BYTES, ""),
    ("blob", Base.BYTES, ""),
    ("mediumblob", Base.BYTES, ""),
    ("longblob", Base.BYTES, ""),
)
_SQLITE: _Rows = (
    ("BOOLEAN", Base.BOOL, "bool"),
    ("DATE", Base.DATE, ""),
    ("DATETIME", Base.DATETIME, "timestamp"),
    ("DECIMAL", Base.DECIMAL, "numeric, number, money"),
    ("JSON", Base.JSON, "jsonb"),
    ("UUID", Base.UUID, "guid"),
)
"""Names that have no affinity of their own but say what people store under them."""

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

ROWS: Mapping[str, _Rows] = {
    "postgres": _POSTGRES,
    "duckdb": _DUCKDB,
    "mysql": _MYSQL,
    "sqlite": _SQLITE,
}
_ARRAY = re.compile(r"\s*\[\s*(\d*)\s*\]\Z|\s+array\Z", re.IGNORECASE)
_ARGUMENTS = re.compile(r"\s*\(([^()]*)\)")
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
    digits = f"({size.replace(' ', '')})" if size else ""
    head, space, rest = printed.partition(" ")
    if rest.endswith(("zone", "ZONE", "unsigned")):
        return ColumnType(base, f"{head}{digits}{space}{rest}")
    return ColumnType(base, f"{printed}{digits}")


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
    """The printed name and the base by every name; other dialects know the names of all."""
    rows = ROWS.get(dialect) or (*_MYSQL, *_DUCKDB, *_POSTGRES)
    return {
        name: (printed, base)
        for printed, base, aliases in rows
        for name in (printed.lower(), *filter(None, aliases.split(", ")))
    }


@cache
def type_of(dialect: str, base: Base) -> ColumnType:
    """Return the type that expressions of a base have in a dialect: the first row of it."""
    if dialect == "sqlite":
        names = {row_base: printed for _, row_base, printed in reversed(_AFFINITIES)}
        return ColumnType(base, names.get(base, base.value.upper()))
    rows = ROWS.get(dialect, _POSTGRES)
    preferred = _PREFERRED.get((dialect, base))
    printed = next((row[0] for row in rows if row[1] is base), base.value)
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
