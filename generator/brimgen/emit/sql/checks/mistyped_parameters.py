"""Find parameters whose type PostgreSQL would infer wrongly."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from brimgen.emit.codecs.sql import KINDS, SqlKind
from brimgen.emit.sql.types import SqlType, full_type_name
from brimgen.sqltext import Statement
from brimgen.sqltext.parameters.inferred_types import (
    LONE,
    OPERAND,
    STEP,
    calculation_partner,
    inferred_types,
)
from brimgen.sqltext.parameters.uses import Place
from brimgen.sqltext.tokens import words

_FAMILIES = {
    "text": words("TEXT VARCHAR CHAR CHARACTER BPCHAR"),
    "integer": words("INT INTEGER BIGINT SMALLINT INT2 INT4 INT8"),
    "boolean": words("BOOL BOOLEAN"),
    "fraction": words("NUMERIC DECIMAL FLOAT FLOAT4 FLOAT8 REAL DOUBLE"),
    "moment": words("DATE TIME TIMETZ TIMESTAMP TIMESTAMPTZ INTERVAL"),
}
_CAST: Mapping[SqlKind, frozenset[str]] = MappingProxyType(
    {
        kind: frozenset[str]().union(*(_FAMILIES[cast] for cast in row.casts))
        for kind, row in KINDS.items()
        if row.casts
    }
)
"""The types that authors cast values of a kind to, although drivers send another type."""


def correcting_cast(
    statement: Statement, place: Place, type: SqlType, types: Mapping[str, SqlType]
) -> str:
    """Return the type to cast a value to if the server would infer another one."""
    inferred = inferred_types(statement).get(place.start)
    name = full_type_name(type, "postgres")
    if inferred == STEP:
        return "int" if type.kind is SqlKind.INT else ""
    if inferred == LONE:
        return "" if type.kind is SqlKind.TEXT else name
    if inferred == OPERAND:
        partner = types.get(calculation_partner(statement, place.start))
        if type.kind is SqlKind.INT and partner and partner.kind is SqlKind.DATE:
            return "int"
        is_calculated = type.kind in _CAST and type.kind is not SqlKind.TEXT
        return name if is_calculated else ""
    return name if inferred in _CAST.get(type.kind, ()) else ""
