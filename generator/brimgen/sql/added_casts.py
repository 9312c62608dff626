"""Add casts for PostgreSQL and DuckDB to parameters whose types they cannot infer."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from brimgen.sql import Statement
from brimgen.sql.kinds import KINDS, SqlKind
from brimgen.sql.parameter_types import SqlType, full_type_name, type_name
from brimgen.sql.tokens import words
from brimgen.sql.uses import Place, Role

CASTING = ("postgres", "duckdb")
"""Dialects in which ``::`` is a cast, and in which some values need one."""
POLYMORPHIC = words(
    """concat concat_ws format jsonb_build_object json_build_object jsonb_build_array
    json_build_array to_json to_jsonb generate_series to_char date_trunc date_part pg_typeof
    num_nulls num_nonnulls quote_literal quote_nullable age abs row"""
)
_CUT = frozenset(
    {SqlKind.FLOAT, SqlKind.DECIMAL, SqlKind.DATETIME, SqlKind.UINT64, SqlKind.DURATION}
)
"""A driver that cuts sends 1.25 as 1 beside an integer, an instant as its day beside a date; it
takes a duration beside an instant for an instant.
"""

_FAMILIES = {
    "text": words("TEXT VARCHAR CHAR BPCHAR"),
    "integer": words("INT BIGINT SMALLINT"),
    "boolean": words("BOOLEAN"),
    "fraction": words("DECIMAL FLOAT DOUBLE"),
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


def is_cut(type: SqlType) -> bool:
    """Whether a driver that cuts would change a value."""
    return type.kind in _CUT and not type.is_list


def added_cast(
    statement: Statement, place: Place, type: SqlType, types: Mapping[str, SqlType]
) -> str:
    """Return the type to add at a place where the database cannot infer it (sql.md)."""
    dialect = statement.dialect.name
    if dialect not in CASTING:
        return ""
    if dialect == "postgres" and not type.is_list:
        cast = _correcting_cast(statement, place, type, types)
        if cast:
            return cast
    if place.cast:
        return ""
    if type.is_list and place.role is not Role.NULL_TEST:
        typed = place.role in (Role.QUANTIFIED, Role.IN_LIST)
        return array_type(type, dialect, typed=typed)
    if dialect != "postgres" or not type_name(type, dialect):
        return ""
    untyped = place.role in (Role.NULL_TEST, Role.SELECT_ITEM)
    if untyped:
        from brimgen.sql.parameter_context import STORED, context_of

        untyped = context_of(statement, place.start).column != STORED
    if untyped or place.function in POLYMORPHIC:
        return full_type_name(type, dialect)
    return ""


def _correcting_cast(
    statement: Statement, place: Place, type: SqlType, types: Mapping[str, SqlType]
) -> str:
    """Return the type to cast a value to if PostgreSQL would infer another one."""
    # It imports sqlglot.
    from brimgen.sql.parameter_context import LONE, OPERAND, STEP, context_of

    context = context_of(statement, place.start)
    name = full_type_name(type, "postgres")
    if context.type == STEP:
        return "int" if type.kind is SqlKind.INT else ""
    if context.type == LONE:
        return "" if type.kind is SqlKind.TEXT else name
    if context.type == OPERAND:
        partner = types.get(context.partner)
        if type.kind is SqlKind.INT and partner and partner.kind is SqlKind.DATE:
            return "int"
        is_calculated = type.kind in _CAST and type.kind is not SqlKind.TEXT
        return name if is_calculated else ""
    return name if context.type in _CAST.get(type.kind, ()) else ""


def array_type(type: SqlType, dialect: str, *, typed: bool) -> str:
    """Return the array type of a list; strings take that of the column they are compared with."""
    if dialect == "postgres" and typed and type.kind is SqlKind.TEXT:
        return ""
    if dialect == "duckdb" and type.kind is SqlKind.DECIMAL and not type.digits:
        return ""
    if dialect == "duckdb" and typed and type.leaf and type.leaf.is_uuid:
        return "UUID[]"
    return full_type_name(type, dialect)


class Form(NamedTuple):
    """What is written around an instant, and the type in it that we added.

    Uses of one ``kind`` have the same type in a statement, and share a value.
    """

    before: str
    after: str
    cast: str
    kind: str


def instant_form(statement: Statement, place: Place, type: SqlType) -> Form:
    """Return what is written around an instant, or a list of them, whose type the server
    infers.
    """
    # It imports sqlglot.
    from brimgen.sql.parameter_context import OTHER, STORED, context_of

    start = place.token.start
    column = context_of(statement, start).column
    if place.cast or column in (STORED, OTHER):
        return Form("", "", "", f"{start}")
    if column:
        null = f"{column} + NULL::interval"
        null = f"ARRAY[{null}]" if type.is_list else null
        return Form("COALESCE(", f", {null})", "", column)
    cast = full_type_name(type, statement.dialect.name)
    return Form("CAST(", f" AS {cast})", cast, "")


def is_made_zoned(statement: Statement, place: Place, type: SqlType) -> bool:
    """Whether the author casts what is bound without a time zone to an instant."""
    naive = type.kind is SqlKind.DATETIME and not (type.zoned or type.is_list)
    if not (naive and place.cast):
        return False
    from brimgen.sql.parameter_context import context_of

    return context_of(statement, place.start).type == "TIMESTAMPTZ"
