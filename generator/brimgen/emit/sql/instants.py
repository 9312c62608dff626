"""Write instants for PostgreSQL and DuckDB with the type of the column beside them.

``timestamp`` and ``timestamptz`` are compared in the time zone of the session, so that a typed
value is wrong beside one of them. A value without a type takes that of the column. Beside a
``date`` it would lose its time: ``column + NULL::interval`` is NULL, and a ``timestamp`` there.
"""

from __future__ import annotations

from typing import NamedTuple

from brimgen.emit.codecs.sql import SqlKind
from brimgen.emit.sql.types import SqlType, full_type_name
from brimgen.sql import Statement
from brimgen.sql.uses import Place


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
