"""Check what a statement does while an argument is left out or empty."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.diagnostics import Diagnostics, Severity, rules
from brimgen.emit.sql.checks.check_parameters import Uses
from brimgen.model.fields import Caller
from brimgen.model.types import Field
from brimgen.sql.filters import (
    LISTS_ARE_ARRAYS,
    assignments,
    compared_with_null,
    limit_parameters,
    opening,
)
from brimgen.sql.statement_kind import Facts

_NEEDS_NUMBER = frozenset({"sqlite", "mysql", "bigquery"})
"""Dialects whose LIMIT and OFFSET refuse NULL; elsewhere it means no limit."""


def check_nulls(uses: Uses, facts: Facts, diagnostics: Diagnostics) -> None:
    """Report effects of absent arguments on changes, columns and limits, and comparisons with
    NULL.
    """
    statement = uses.statement
    for token, sign in compared_with_null(statement):
        span = uses.body.statement.span_at(token.start, token.end)
        operator = "IS NULL" if sign in ("=", "==") else "IS NOT NULL"
        diagnostics.add(
            rules.COMPARED_WITH_NULL, span, suggestions=[operator], sign=sign
        )
    if not statement.parameters:
        return
    fields = {field.name: field for field in uses.tool.fields}
    if statement.dialect.name in _NEEDS_NUMBER:
        _check_limits(uses, fields, diagnostics)
    _check_set(uses, fields, diagnostics)
    if facts.has_where:
        _check_opening(uses, fields, facts, diagnostics)


def _check_limits(
    uses: Uses, fields: Mapping[str, Field], diagnostics: Diagnostics
) -> None:
    for token, word in limit_parameters(uses.statement):
        field, type = fields.get(token.name), uses.types.get(token.name)
        if field is None or type is None or not type.nullable:
            continue
        if not _is_reported(field, diagnostics):
            span = uses.body.statement.span_at(token.start, token.end)
            dialect = uses.statement.dialect.name
            diagnostics.add(
                rules.NULL_LIMIT, span, name=token.name, word=word, dialect=dialect
            )


def _check_set(
    uses: Uses, fields: Mapping[str, Field], diagnostics: Diagnostics
) -> None:
    """Report columns that lose their value when a caller leaves an argument out.

    A default is reported only where several columns are set: alone, it is what the change is
    for.
    """
    assigned = assignments(uses.statement)
    for token, column in assigned:
        field, type = fields.get(token.name), uses.types.get(token.name)
        if field is None or type is None or not isinstance(field.origin, Caller):
            continue
        value = None if field.default is None else field.default.value
        if field.required or (value is not None and len(assigned) == 1):
            continue
        if (value is None and not type.nullable) or _is_reported(field, diagnostics):
            continue
        stored = "NULL" if value is None else "its default"
        diagnostics.add(
            rules.LEFT_OUT_SET,
            uses.body.statement.span_at(token.start, token.end),
            suggestions=[f"COALESCE(:{token.name}, {column})"] if value is None else [],
            column=column,
            name=token.name,
            what=stored,
        )


def _is_reported(field: Field, diagnostics: Diagnostics) -> bool:
    """Whether an argument is reported for something else; a default that was refused is absent."""
    at = field.span
    return diagnostics.has_errors and any(
        (diagnostic.span.file, diagnostic.span.line) == (at.file, at.line)
        for diagnostic in diagnostics
        if diagnostic.rule.severity is Severity.ERROR
    )


def _check_opening(
    uses: Uses, fields: Mapping[str, Field], facts: Facts, diagnostics: Diagnostics
) -> None:
    callers = {
        name: uses.types[name]
        for name, field in fields.items()
        if isinstance(field.origin, Caller)
    }
    absent = {name for name, type in callers.items() if type.nullable}
    is_empty = uses.statement.dialect.name not in LISTS_ARE_ARRAYS
    empty = {
        name
        for name, type in callers.items()
        if type.is_list
        and (not fields[name].schema.get("minItems", 0) or (is_empty and type.nullable))
    }
    tokens = opening(uses.statement, absent, empty)
    whys = [
        f"`:{token.name}` is {'left out' if token.name in absent else 'empty'}"
        for token in tokens
    ]
    if tokens:
        span = uses.body.statement.span_at(tokens[0].start, tokens[0].end)
        diagnostics.add(
            rules.OPEN_CHANGE,
            span,
            verb=facts.verb,
            whys=" and ".join(dict.fromkeys(whys)),
        )
