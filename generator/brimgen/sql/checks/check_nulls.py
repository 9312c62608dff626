"""Check what a statement does while an argument is left out or empty."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from brimgen.diagnostics import Diagnostics, Severity, rules
from brimgen.model.fields import Caller
from brimgen.model.types import Field
from brimgen.sql.checks.check_parameters import Uses
from brimgen.sql.effects import Facts
from brimgen.sql.filters import (
    LISTS_ARE_ARRAYS,
    assignments,
    compared_with_null,
    limit_parameters,
    opening,
)
from brimgen.sql.kinds import SqlKind
from brimgen.sql.parameter_context import context_of
from brimgen.sql.statements import Bound
from brimgen.sql.tokens import Token, TokenKind

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


_CLOCK = re.compile(
    r"(?i)current_timestamp|datetime\(\s*"
    r"(?:(['\"])now\1\s*(?:,\s*(['\"])(?:localtime|utc)\2\s*)?)?\)"
)
"""Defaults that are ``YYYY-MM-DD HH:MM:SS``, without the brackets that SQLite drops."""

_NAMES = frozenset({TokenKind.WORD, TokenKind.QUOTED})


def check_instants(
    statement: Bound,
    defaults: Mapping[str, Mapping[str, str]],
    diagnostics: Diagnostics,
) -> None:
    """Report datetimes that are compared with a column that SQLite's clock fills.

    Reports only certain cases: every table of the statement that has the column fills it so,
    and nothing in the statement gives another value its name. ``defaults`` are those of columns,
    by the names of the column and of its table.
    """
    tokens = statement.statement.significant
    reported: set[tuple[str, str]] = set()
    for bound in statement.statement.parameters:
        column = context_of(statement.statement, bound.start).column
        type, name = statement.types[bound.name], _folded(column)
        instant = type.kind is SqlKind.DATETIME and not type.is_list
        if not instant or (bound.name, name) in reported:
            continue
        reported.add((bound.name, name))
        filled = _filled_by(tokens, name, defaults.get(name, {}))
        if filled:
            diagnostics.add(
                rules.INSTANT_AS_TEXT,
                statement.body.statement.span_at(bound.start, bound.end),
                column=name,
                default=filled,
                name=bound.name,
            )


def _filled_by(
    tokens: tuple[Token, ...], name: str, defaults: Mapping[str, str]
) -> str:
    """Return the default of a column in all tables that are named; empty where it is not the
    clock.
    """
    named = {token.folded for token in tokens if token.kind in _NAMES}
    table_defaults = [default for table, default in defaults.items() if table in named]
    renamed = any(
        token.word == "AS" and following.folded == name
        for token, following in pairwise(tokens)
    )
    if renamed or not all(map(_CLOCK.fullmatch, table_defaults)):
        return ""
    return next(iter(table_defaults), "")


def _folded(column: str) -> str:
    """The name of a column without its table and its quotes, in lower case."""
    return column.rpartition(".")[2].strip('"`[]').casefold()
