"""Check SQL statements: rows that a model may ask for without limit, and filters that open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from brimgen.diagnostics import rules
from brimgen.lint.arguments import Argument, exported_tools
from brimgen.lint.finding import Finding
from brimgen.lint.options import Scope
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.fields import Caller
from brimgen.model.lint import Subject
from brimgen.model.scalars import SCALARS
from brimgen.model.types import Field, NullableType, ScalarType, Type

if TYPE_CHECKING:
    from brimgen.sql import Dialect

_BOUNDS = frozenset(
    {"maximum", "exclusiveMaximum", "enum", "const", "$ref", "allOf", "anyOf"}
)


class _SqlTool(NamedTuple):
    """A tool with a statement, in a dialect that we know."""

    tool: Tool
    text: str
    dialect: Dialect


def _sql_tools(catalog: Catalog, tools: Iterable[Tool]) -> Iterator[_SqlTool]:
    for tool in tools:
        if isinstance(tool.body, SqlBody):
            from brimgen.sql import find_dialect

            connection = catalog.project.connections.get(tool.body.connection)
            dialect = find_dialect(connection.dialect) if connection else None
            if dialect is not None:
                yield _SqlTool(tool, tool.body.statement.text, dialect)


def check_limits(
    catalog: Catalog, arguments: Sequence[Argument], scope: Scope
) -> Iterator[Finding]:
    """Check that arguments which say how many rows come have a greatest value."""
    if not scope.asks(rules.LIMIT_UNBOUNDED):
        return
    seen: set[tuple[object, str]] = set()
    for sql_tool in _sql_tools(catalog, exported_tools(catalog)):
        for field in _unbounded_limits(sql_tool):
            place = field.span, field.name
            if place not in seen:
                seen.add(place)
                declared = (each.subject for each in arguments if each.field is field)
                own = Subject(sql_tool.tool.name, True, field.name)
                yield Finding(
                    rule=rules.LIMIT_UNBOUNDED,
                    span=field.span,
                    subject=next(declared, own),
                    values={"name": field.name},
                )


def _unbounded_limits(sql_tool: _SqlTool) -> Iterator[Field]:
    """The arguments of callers that are all of a LIMIT, and have no greatest value."""
    fields = [field for field in sql_tool.tool.fields if _is_unbounded(field)]
    if not fields:
        return
    from brimgen.sql import scan
    from brimgen.sql.filters import limit_parameters

    statement = scan(sql_tool.text, sql_tool.dialect)
    keywords = {token.name: word for token, word in limit_parameters(statement)}
    for field in fields:
        if keywords.get(field.name, "OFFSET") != "OFFSET":
            yield field


def _is_unbounded(field: Field) -> bool:
    type = _without_null(field)
    if not isinstance(type, ScalarType) or not SCALARS[type.scalar].is_integer:
        return False
    return isinstance(field.origin, Caller) and _BOUNDS.isdisjoint(field.schema)


def _without_null(field: Field) -> Type:
    return field.type.inner if isinstance(field.type, NullableType) else field.type
