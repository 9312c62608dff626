"""Check for schemas and descriptors that are too large for a model (S1.39)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brimgen.diagnostics import Rule, rules
from brimgen.lint.arguments import Argument, exported_tools
from brimgen.lint.finding import Finding
from brimgen.lint.options import Scope
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.lint import Subject
from brimgen.model.scalars import SCALARS
from brimgen.model.tokens import estimate
from brimgen.model.types import (
    Field,
    JsonType,
    MapType,
    NullableType,
    ScalarType,
)

MOST_ARGUMENTS = 15
MOST_TOOLS = 40
MOST_TOKENS = 2000
_NARROWING = frozenset(
    ["$ref", "allOf", "anyOf", "const", "enum", "if", "not", "oneOf", "properties"]
)
"""Keywords of pasted JSON Schema that narrow a value where the type does not."""


def check_sizes(
    catalog: Catalog, arguments: Sequence[Argument], scope: Scope
) -> Iterator[Finding]:
    """Too many tools, too many arguments, too much text for one tool."""
    tools = exported_tools(catalog)
    for tool in tools[MOST_TOOLS : MOST_TOOLS + 1]:
        yield Finding(
            rule=rules.TOO_MANY_TOOLS,
            span=tool.span,
            subject=Subject(tool.name, True),
            values={"count": len(tools), "limit": MOST_TOOLS},
        )
    for tool in exported_tools(catalog):
        count = len(tool.fields)
        if count > MOST_ARGUMENTS:
            count = len(tool.caller_fields)
        if count > MOST_ARGUMENTS:
            yield _size_finding(rules.TOO_MANY_ARGUMENTS, tool, count, MOST_ARGUMENTS)
        count = _tokens(tool)
        if count > MOST_TOKENS:
            yield _size_finding(rules.TOOL_TOO_LARGE, tool, count, MOST_TOKENS)


def _size_finding(rule: Rule, tool: Tool, count: int, limit: int) -> Finding:
    return Finding(
        rule=rule,
        span=tool.span,
        subject=Subject(tool.name, True),
        values={"tool": tool.name, "count": count, "limit": limit},
    )


def _tokens(tool: Tool) -> int:
    """About how many tokens the descriptor of a tool takes, rounded to two digits."""
    words = " ".join(filter(None, (tool.description, tool.when_to_use)))
    count = estimate(
        {"name": tool.name, "description": words, "parameters": tool.input_schema}
    )
    return round(count, -2) if count >= 1000 else count


def check_types(
    catalog: Catalog, arguments: Sequence[Argument], scope: Scope
) -> Iterator[Finding]:
    """Results that are anything without being meant to, and arguments that take anything."""
    for tool in catalog.tools:
        if tool.returns is not None and not tool.returns.is_known:
            yield Finding(
                rule=rules.RESULT_UNTYPED,
                span=tool.returns.span,
                subject=Subject(tool.name, True),
                values={"tool": tool.name},
            )
    if not scope.asks(rules.ARGUMENT_UNTYPED):
        return
    for argument in arguments:
        admitted = _untyped(argument.field)
        if admitted is not None:
            yield Finding(
                rule=rules.ARGUMENT_UNTYPED,
                span=argument.field.span,
                subject=argument.subject,
                values={"name": argument.field.name, "what": admitted},
            )


def _untyped(field: Field) -> str | None:
    """Return what an argument admits if it has no narrower type, else None."""
    kind = field.type.inner if isinstance(field.type, NullableType) else field.type
    match kind:
        case ScalarType(scalar, choices):
            return None if choices else SCALARS[scalar].anything
        case JsonType():
            return None if _NARROWING & field.schema.keys() else "JSON"
        case MapType(value=JsonType()):
            return "object"
        case _:
            return None
