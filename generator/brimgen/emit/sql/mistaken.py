"""Mistaken: parameters that PostgreSQL would take for another type than that of their values."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from brimgen.emit.sql.types import SqlKind, SqlType
from brimgen.sqltext import Statement
from brimgen.sqltext.guessed import OPERAND, guessed
from brimgen.sqltext.places import Place
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


def is_mistaken(statement: Statement, place: Place, type: SqlType) -> bool:
    """Whether the server would take a value for another one than it is (`guessed`)."""
    found = guessed(statement).get(place.start)
    if found == OPERAND:
        return type.kind in _CALCULATED
    return found in _CAST.get(type.kind, ())
