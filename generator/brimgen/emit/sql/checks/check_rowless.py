"""Report ``returns`` of a statement that gives no rows, and suggest what was intended."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.diagnostics import Diagnostics, rules
from brimgen.emit.sql.checks.check_columns import RowShape, is_count
from brimgen.emit.sql.statements import Bound
from brimgen.model.catalog import Returns
from brimgen.model.types import Field
from brimgen.sql.known_schema import known_schema
from brimgen.sql.statement_kind import Facts

_GIVING = frozenset({"sqlite", "postgres", "duckdb"})
"""Dialects that have RETURNING behind every change."""


def report_rowless_returns(
    bound: Bound,
    facts: Facts,
    returns: Returns,
    diagnostics: Diagnostics,
) -> None:
    """Report that ``returns`` is the shape of rows, although the statement of ``bound`` gives
    none.
    """
    diagnostics.add(
        rules.SHAPE_WITHOUT_ROWS,
        returns.span,
        suggestions=_suggestions(bound, facts),
        tool=bound.tool.name,
        verb=facts.verb,
    )


def _suggestions(bound: Bound, facts: Facts) -> tuple[str, ...]:
    """Suggest a clause that makes the statement give those rows, or the number of changed rows."""
    shape = RowShape.of(bound.tool, bound.catalog)
    fields = shape.fields if shape is not None else ()
    names = [field.name for field in fields]
    if not facts.counts or not names:
        return ()
    statement = bound.statement
    unknown = _lacks_column(names, bound)
    if _counts(fields) and (unknown or _is_new(names[0], statement.vocabulary)):
        return ("returns: int",)
    giving = statement.dialect.name in _GIVING
    if unknown or not giving or not all(map(str.isidentifier, names)):
        return ()
    return (f"RETURNING {', '.join(names)}",)


def _lacks_column(names: Iterable[str], bound: Bound) -> bool:
    """Whether a table of the statement is known to lack a column of one of ``names``."""
    connection = bound.catalog.project.connections[bound.body.connection]
    known = known_schema(connection)
    column_names = {
        column.name.casefold()
        for table in (known.schema.tables.values() if known is not None else ())
        if table.name.upper() in bound.statement.vocabulary
        for column in table.columns
    }
    wanted = {name.casefold() for name in names}
    return bool(column_names) and not column_names.issuperset(wanted)


def _counts(fields: tuple[Field, ...]) -> bool:
    return len(fields) == 1 and is_count(fields[0].type)


def _is_new(name: str, vocabulary: frozenset[str]) -> bool:
    """Whether a name is not in the statement, and not one of a key that the database makes."""
    return name.upper() not in vocabulary and not name.casefold().endswith("id")
