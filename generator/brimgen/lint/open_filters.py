"""Check for filters of a statement that admit every row while a hidden argument is absent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brimgen.diagnostics.rules import lint_statements as rules
from brimgen.lint.arguments import Argument as Reached
from brimgen.lint.finding import Finding
from brimgen.lint.options import Scope
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.fields import Caller, Host
from brimgen.model.lint import Subject
from brimgen.model.scalars import SCALARS
from brimgen.model.types import Field, ListType, NullableType, ScalarType


def check_filters(
    catalog: Catalog, arguments: Sequence[Reached], scope: Scope
) -> Iterator[Finding]:
    """Arguments of the host without which a condition holds for everybody's rows."""
    if not scope.asks(rules.HIDDEN_OPENS_FILTER):
        return
    for tool in catalog.tools:
        for field, absent in _opening(catalog, tool):
            yield Finding(
                rule=rules.HIDDEN_OPENS_FILTER,
                span=field.span,
                subject=Subject(tool.name, True, field.name),
                values={"name": field.name, "absent": absent},
            )


def _opening(catalog: Catalog, tool: Tool) -> Iterator[tuple[Field, str]]:
    """The arguments of the host that open a filter, and by which value."""
    fields = {field.name: field for field in tool.fields}
    hosts = [
        name
        for name, each in fields.items()
        if isinstance(each.origin, Host) and each.absent_values
    ]
    if not hosts or not isinstance(tool.body, SqlBody):
        return
    from brimgen.sqltext import find_dialect, scan
    from brimgen.sqltext.conditions.open_filters import Argument, find_open_filters

    connection = catalog.project.connections.get(tool.body.connection)
    dialect = find_dialect(connection.dialect) if connection is not None else None
    if dialect is None:
        return
    known = {
        name: Argument.of(
            each.absent_values,
            hidden=not isinstance(each.origin, Caller),
            is_list=isinstance(_plain(each), ListType),
            is_bool=_is_bool(_plain(each)),
        )
        for name, each in fields.items()
    }
    for found in find_open_filters(scan(tool.body.statement.text, dialect), known):
        if found.token.name in hosts:
            yield fields[found.token.name], found.description


def _plain(field: Field) -> object:
    return field.type.inner if isinstance(field.type, NullableType) else field.type


def _is_bool(type: object) -> bool:
    return isinstance(type, ScalarType) and SCALARS[type.scalar].is_boolean
