"""Mistaken: parameters that PostgreSQL would take for another type than that of their values."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from brimgen.emit.sql.types import SqlKind, SqlType, full_type_name
from brimgen.sqltext import Statement
from brimgen.sqltext.inferred_types import LONE, OPERAND, STEP, guessed, partner
from brimgen.sqltext.parameter_uses import Place
from brimgen.sqltext.tokens import words

_TEXTS = words("TEXT VARCHAR CHAR CHARACTER BPCHAR")
_INTEGERS = words("INT INTEGER BIGINT SMALLINT INT2 INT4 INT8")
_FLAGS = words("BOOL BOOLEAN")
_BROKEN = words("NUMERIC DECIMAL FLOAT FLOAT4 FLOAT8 REAL DOUBLE")
_MOMENTS = words("DATE TIME TIMETZ TIMESTAMP TIMESTAMPTZ INTERVAL")
_CALCULATED: Mapping[SqlKind, frozenset[str]] = MappingProxyType(
    {
        SqlKind.INT: _TEXTS | _FLAGS,
        SqlKind.FLOAT: _TEXTS | _INTEGERS,
        SqlKind.DECIMAL: _TEXTS | _INTEGERS,
        SqlKind.BOOL: _TEXTS,
        SqlKind.DATE: _TEXTS,
        SqlKind.DATETIME: _TEXTS,
    }
)
_CAST: Mapping[SqlKind, frozenset[str]] = MappingProxyType(
    {**_CALCULATED, SqlKind.TEXT: _INTEGERS | _FLAGS | _BROKEN | _MOMENTS}
)
"""The types to which the author casts values of a kind, and as which drivers do not send them."""


def mistaken_for(
    statement: Statement, place: Place, type: SqlType, types: Mapping[str, SqlType]
) -> str:
    """The type to cast a value to that the server would take for another one than it is."""
    found = guessed(statement).get(place.start)
    name = full_type_name(type, "postgres")
    if found == STEP:
        return "int" if type.kind is SqlKind.INT else ""
    if found == LONE:
        return "" if type.kind is SqlKind.TEXT else name
    if found == OPERAND:
        other = types.get(partner(statement, place.start))
        if type.kind is SqlKind.INT and other and other.kind is SqlKind.DATE:
            return "int"
        return name if type.kind in _CALCULATED else ""
    return name if found in _CAST.get(type.kind, ()) else ""
