"""Check comparisons of instants in SQLite, which keeps and compares them as text.

A `datetime` is bound with fixed microseconds; what ``CURRENT_TIMESTAMP`` fills in has none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from brimgen.diagnostics import Diagnostics, rules
from brimgen.emit.codecs.sql import SqlKind
from brimgen.emit.sql.statements import Bound
from brimgen.sql.parameter_context import context_of
from brimgen.sql.tokens import Token, TokenKind

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
