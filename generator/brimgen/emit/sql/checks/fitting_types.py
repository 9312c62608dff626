"""Decide whether the type of an argument fits the column beside it."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.emit.codecs.sql import SqlKind
from brimgen.emit.sql.types import SqlType, full_type_name
from brimgen.sql.model import Base, ColumnType

_INTEGERS = frozenset({Base.INT2, Base.INT4, Base.INT8, Base.UINT8, Base.INT16})
_NUMBERS = frozenset({*_INTEGERS, Base.FLOAT4, Base.FLOAT8, Base.DECIMAL})
_MOMENTS = frozenset({Base.DATE, Base.DATETIME, Base.INSTANT})
_TEXTS = frozenset(
    {Base.TEXT, Base.ENUM, Base.UUID, Base.JSON, Base.INTERVAL, Base.TIME}
)
_FITTING: Mapping[SqlKind, frozenset[Base]] = {
    SqlKind.INT: _NUMBERS,
    SqlKind.FLOAT: _NUMBERS,
    SqlKind.DECIMAL: _NUMBERS,
    SqlKind.BOOL: frozenset({Base.BOOL}),
    SqlKind.TEXT: _TEXTS,
    SqlKind.DATE: _MOMENTS,
    SqlKind.DATETIME: _MOMENTS,
    SqlKind.UINT64: _NUMBERS,
    SqlKind.BYTES: frozenset({Base.BYTES}),
}
"""The columns that an argument may stand beside. Of other kinds nothing is said."""
_OF_SQLITE: Mapping[SqlKind, frozenset[Base]] = {
    SqlKind.TEXT: _TEXTS | _MOMENTS | {Base.BYTES},
    SqlKind.BOOL: frozenset({Base.BOOL, *_NUMBERS}),
    SqlKind.DATE: _MOMENTS | {Base.TEXT},
    SqlKind.DATETIME: _MOMENTS | {Base.TEXT},
    SqlKind.DECIMAL: _NUMBERS | {Base.TEXT},
    SqlKind.BYTES: frozenset({Base.BYTES, Base.TEXT}),
}
"""SQLite keeps moments as text and booleans as numbers; a decimal may be kept as text."""


def fits(declared: SqlType, column: ColumnType, dialect: str, *, stored: bool) -> bool:
    """Whether values of an argument may be compared with a column, or stored in it."""
    is_array = declared.is_list and column.base is Base.LIST
    if is_array and dialect == "postgres" and not stored:
        # Lists are converted where they are stored, and not where they are compared.
        return full_type_name(declared, dialect) == column.native
    base = column.item.base if column.base is Base.LIST and column.item else column.base
    if base in (Base.OTHER, Base.LIST) or declared.leaf is not None:
        return True
    kind = declared.kind
    fitting = _FITTING.get(kind)
    if dialect == "sqlite":
        fitting = _OF_SQLITE.get(kind, fitting)
    if dialect == "mysql" and kind in (SqlKind.BOOL, SqlKind.INT):
        fitting = _NUMBERS | {Base.BOOL}
    if fitting is None:
        return True
    cuts = kind in (SqlKind.FLOAT, SqlKind.DECIMAL) and base in _INTEGERS and stored
    return base in fitting and not cuts
