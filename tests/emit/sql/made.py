"""Tools with a statement, made by hand, and what is said about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brimgen.diagnostics import Diagnostic, Diagnostics, Severity, Span, TextBlock
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.project import Connection, Project
from brimgen.model.types import (
    EntityType,
    Field,
    ListType,
    NullableType,
    Scalar,
    ScalarType,
    Type,
)
from brimgen.sql.checks.run_checks import check

FILE = "specs/made.yaml"
SCALARS = {each.value: ScalarType(each) for each in Scalar}


def type_of(word: str) -> Type:
    """The type that a word of the language names; an unknown one is an entity."""
    if word.endswith("?"):
        return NullableType(type_of(word[:-1]))
    if word.endswith("[]"):
        return ListType(type_of(word[:-2]))
    return SCALARS.get(word) or EntityType(word)


def field(name: str, word: str, line: int = 1, **values: Any) -> Field:
    """An argument."""
    span = Span(FILE, line, 3, line, 3 + len(name))
    values.setdefault("required", not word.endswith("?"))
    digits = {key: values[key] for key in ("precision", "scale") if key in values}
    schema = {"x-decimal": digits} if digits else {}
    return Field(name=name, type=type_of(word), schema=schema, span=span, **values)


def statement(text: str, line: int = 100) -> TextBlock:
    """A block scalar: every line of it starts at column 3."""
    rows = text.split("\n")
    starts = tuple((line + at, 3) for at in range(len(rows)))
    end = Span(FILE, line, 3, line + len(rows) - 1, 3 + len(rows[-1]))
    return TextBlock(text, end, starts)


def tool(sql: str, arguments: Mapping[str, str | Field], **values: Any) -> Tool:
    """A tool with a statement."""
    fields = tuple(
        each if isinstance(each, Field) else field(name, each, line)
        for line, (name, each) in enumerate(arguments.items(), 1)
    )
    strict = values.pop("strict", True)
    standing: dict[str, Any] = {
        "span": Span(FILE, 1, 1, 1, 5),
        "input_schema": {},
        "bound_schema": {},
    }
    body = SqlBody(statement(sql), "default", strict)
    return Tool(name="probe", body=body, fields=fields, **{**standing, **values})


def catalog(made: Tool, dialect: str, *drivers: str, **values: Any) -> Catalog:
    """A catalog of one tool."""
    connections = {"default": Connection(dialect, drivers)}
    return Catalog(Project(connections=connections, **values), {}, {}, (made,))


def said(made: Tool, dialect: str, *drivers: str, **values: Any) -> list[Diagnostic]:
    """What the target's check says."""
    diagnostics = Diagnostics()
    check(catalog(made, dialect, *drivers, **values), diagnostics)
    return list(diagnostics)


def errors(found: list[Diagnostic]) -> list[str]:
    """The slugs of errors, with the parameter where the message names one first."""
    return [each.rule.reason for each in found if each.rule.severity is Severity.ERROR]
