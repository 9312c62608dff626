"""Check that statements limit the number of rows that a model may ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brimgen.diagnostics.rules import lint_statements as rules
from brimgen.lint.arguments import Argument, exported
from brimgen.lint.finding import Finding
from brimgen.lint.options import Scope
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.fields import Caller
from brimgen.model.lint import Subject
from brimgen.model.scalars import SCALARS
from brimgen.model.types import Field, NullableType, ScalarType

_BOUNDS = frozenset(
    {"maximum", "exclusiveMaximum", "enum", "const", "$ref", "allOf", "anyOf"}
)


def check_limits(
    catalog: Catalog, arguments: Sequence[Argument], scope: Scope
) -> Iterator[Finding]:
    """Arguments that say how many rows come, and may be any number."""
    if not scope.asks(rules.LIMIT_UNBOUNDED):
        return
    seen: set[tuple[object, str]] = set()
    for tool in exported(catalog):
        for field in _unbounded(catalog, tool):
            place = field.span, field.name
            if place not in seen:
                seen.add(place)
                known = (argument for argument in arguments if argument.field is field)
                found = next(known, Argument(Subject(tool.name, True), field))
                yield Finding(
                    rule=rules.LIMIT_UNBOUNDED,
                    span=field.span,
                    subject=found.subject,
                    values={"name": field.name},
                )


def _unbounded(catalog: Catalog, tool: Tool) -> Iterator[Field]:
    """The arguments of callers that are all of a limit, and have no greatest value."""
    if not isinstance(tool.body, SqlBody):
        return
    connection = catalog.project.connections.get(tool.body.connection)
    open_ones = [each for each in tool.fields if _is_open(each)]
    if connection is None or not open_ones:
        return
    from brimgen.sqltext import find_dialect, scan
    from brimgen.sqltext.conditions.misplaced_nulls import limit_parameters

    dialect = find_dialect(connection.dialect)
    if dialect is None:
        return
    statement = scan(tool.body.statement.text, dialect)
    named = {token.name: word for token, word in limit_parameters(statement)}
    for field in open_ones:
        if named.get(field.name, "OFFSET") != "OFFSET":
            yield field


def _is_open(field: Field) -> bool:
    type = field.type.inner if isinstance(field.type, NullableType) else field.type
    if not isinstance(type, ScalarType) or not SCALARS[type.scalar].is_integer:
        return False
    return isinstance(field.origin, Caller) and _BOUNDS.isdisjoint(field.schema)
