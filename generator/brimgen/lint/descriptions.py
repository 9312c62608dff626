"""Check for missing, empty, long and contradicting descriptions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brimgen.diagnostics import Rule, rules
from brimgen.lint.arguments import Argument, exported_tools
from brimgen.lint.described_values import (
    default_text,
    lists_choices,
    mentioned_default,
    same_value,
)
from brimgen.lint.finding import Finding
from brimgen.lint.options import Scope
from brimgen.lint.word_comparison import adds_to
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.lint import Subject
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EnumType,
    Field,
    ListType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)

_NARROWING = frozenset({"pattern", "format", "enum", "const"})

_LONGEST = 500
"""The characters of the description of an argument."""


def check_tool_texts(
    catalog: Catalog, arguments: Sequence[Argument], scope: Scope
) -> Iterator[Finding]:
    """Check the description of each tool (S1.38)."""
    for tool in exported_tools(catalog):
        for rule in filter(scope.asks, _broken_tool_rules(tool)):
            yield Finding(
                rule=rule,
                span=tool.span,
                subject=Subject(tool.name, True),
                values={"tool": tool.name},
            )


def _broken_tool_rules(tool: Tool) -> Iterator[Rule]:
    text = (tool.description or "").strip()
    if not text:
        yield rules.TOOL_WITHOUT_DESCRIPTION
    elif not adds_to(text, tool.name) and not (tool.when_to_use or "").strip():
        yield rules.DESCRIPTION_SAYS_NOTHING
    if not (tool.when_to_use or "").strip():
        yield rules.WHEN_TO_USE_MISSING
    returns = tool.returns
    if returns is not None and not returns.description:
        yield rules.RETURN_WITHOUT_DESCRIPTION


def check_argument_texts(
    catalog: Catalog, arguments: Sequence[Argument], scope: Scope
) -> Iterator[Finding]:
    """Check the description of each argument."""
    for argument in arguments:
        field = argument.field
        text = argument.description
        for rule, more in _broken_text_rules(field, text, scope):
            if not scope.asks(rule):
                continue
            yield Finding(
                rule=rule,
                span=field.span,
                subject=argument.subject,
                values={"name": field.name, **more},
            )


def _broken_text_rules(
    field: Field, text: str, scope: Scope
) -> Iterator[tuple[Rule, dict[str, object]]]:
    if not text:
        asked = scope.asks(rules.ARGUMENT_WITHOUT_DESCRIPTION)
        if asked and not _explains_itself(field.type):
            yield rules.ARGUMENT_WITHOUT_DESCRIPTION, {}
        return
    limit = _LONGEST
    if len(text) > limit:
        yield rules.ARGUMENT_DESCRIPTION_TOO_LONG, {"length": len(text), "limit": limit}
    asked = scope.asks(rules.ARGUMENT_DESCRIPTION_REPEATS_NAME) and bool(
        field.description
    )
    if asked and not adds_to(text, field.name):
        yield rules.ARGUMENT_DESCRIPTION_REPEATS_NAME, {}
    if "default" in text.lower():
        yield from _broken_default_rules(field, text)
    asked = scope.asks(rules.CHOICES_IN_DESCRIPTION)
    if asked and _is_open_text(field) and lists_choices(text):
        yield rules.CHOICES_IN_DESCRIPTION, {}


def _broken_default_rules(
    field: Field, text: str
) -> Iterator[tuple[Rule, dict[str, object]]]:
    mentioned = mentioned_default(text, field)
    if mentioned is None:
        return
    default = field.default
    if default is not None and same_value(mentioned, default):
        yield rules.DEFAULT_IN_DESCRIPTION, {}
        return
    truth = "it has none" if default is None else f"it is `{default_text(default)}`"
    yield rules.DEFAULT_CONTRADICTED, {"said": mentioned, "truth": truth}


def _explains_itself(type: Type) -> bool:
    """Whether the values of a type, or the texts of its fields, say what is meant."""
    match type:
        case EnumType() | RecordType():
            return True
        case ScalarType(choices=choices):
            return bool(choices)
        case ListType(item=inner) | NullableType(inner=inner):
            return _explains_itself(inner)
        case _:
            return False


def _is_open_text(field: Field) -> bool:
    """Whether any text will do: no enum, pattern or format says otherwise."""
    kind = field.type.inner if isinstance(field.type, NullableType) else field.type
    kind = kind.item if isinstance(kind, ListType) else kind
    if not isinstance(kind, ScalarType) or not SCALARS[kind.scalar].is_open_text:
        return False
    return not kind.choices and _NARROWING.isdisjoint(field.schema)
