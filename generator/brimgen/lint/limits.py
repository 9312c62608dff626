"""Statements in, findings about how many rows a model may ask for out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brimgen.diagnostics.rules import lint_statements as rules
from brimgen.lint.arguments import Argument, exported
from brimgen.lint.finding import Finding
from brimgen.lint.options import Scope
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.fields import Caller, Field
from brimgen.model.lint import Subject
from brimgen.model.types import NullableType, Scalar, ScalarType
from brimgen.regex import regex

_LIMITING = regex(r"(?i)\b(?:LIMIT|TOP|FETCH)\b")
_BOUNDS = ("maximum", "exclusiveMaximum", "enum", "const", "$ref", "allOf", "anyOf")


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
                known = (each for each in arguments if each.field is field)
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
    text = tool.body.statement.text
    connection = catalog.project.connections.get(tool.body.connection)
    if connection is None or not _LIMITING.search(text):
        return
    from brimgen.sqltext import find_dialect, scan
    from brimgen.sqltext.nulls import limits

    dialect = find_dialect(connection.dialect)
    if dialect is None:
        return
    named = {token.name: word for token, word in limits(scan(text, dialect))}
    for field in tool.fields:
        if named.get(field.name, "OFFSET") != "OFFSET" and _is_open(field):
            yield field


def _is_open(field: Field) -> bool:
    type = field.type.inner if isinstance(field.type, NullableType) else field.type
    is_number = isinstance(type, ScalarType) and type.scalar is Scalar.INT
    is_bound = any(each in field.schema for each in _BOUNDS)
    return is_number and not is_bound and isinstance(field.origin, Caller)
