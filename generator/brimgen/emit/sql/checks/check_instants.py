"""Check comparisons of instants in SQLite, which keeps and compares them as text.

A `datetime` is bound with fixed microseconds; what ``CURRENT_TIMESTAMP`` fills in has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from brimgen.diagnostics import Diagnostics, rules
from brimgen.emit.codecs.sql import SqlKind
from brimgen.emit.sql.statements import Bound
from brimgen.sqltext.tokens import Token, TokenKind, words

_CLOCK = re.compile(
    r"(?i)current_timestamp|datetime\(\s*"
    r"(?:(['\"])now\1\s*(?:,\s*(['\"])(?:localtime|utc)\2\s*)?)?\)"
)
"""Defaults that are ``YYYY-MM-DD HH:MM:SS``, without the brackets that SQLite drops."""

_SIGNS = frozenset({"=", "==", "<", ">", "<=", ">=", "<>", "!="})
_BEFORE = words("WHERE AND OR NOT ON HAVING WHEN (")
_AFTER = words(
    "AND OR THEN GROUP ORDER HAVING LIMIT UNION EXCEPT INTERSECT RETURNING WINDOW ) ;"
)
"""What stands around a whole comparison. An assignment of UPDATE is none, and behind SET."""

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
    for bound, column in _compared(tokens):
        type, name = statement.types[bound.name], column.folded
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


def _compared(tokens: tuple[Token, ...]) -> Iterator[tuple[Token, Token]]:
    """Return each parameter that is compared with a column alone, and the column."""
    for at, token in enumerate(tokens):
        if token.kind is TokenKind.PARAM:
            column = _on_left(tokens, at) or _on_right(tokens, at)
            if column is not None:
                yield token, column


def _on_left(tokens: tuple[Token, ...], at: int) -> Token | None:
    """Return the column of ``column >= :x``, and of ``column BETWEEN :x AND :y`` for both."""
    if at < 3 or not _ends(tokens, at + 1):
        return None
    sign = at - 1
    if tokens[sign].word == "AND" and tokens[sign - 1].kind is TokenKind.PARAM:
        sign -= 2
    if tokens[sign].word != "BETWEEN" and (
        sign != at - 1 or tokens[sign].text not in _SIGNS
    ):
        return None
    last = sign - (2 if tokens[sign - 1].word == "NOT" else 1)
    first = last - 2 if tokens[last - 1].text == "." else last
    is_whole = first > 0 and tokens[first - 1].text.upper() in _BEFORE
    return tokens[last] if is_whole and tokens[last].kind in _NAMES else None


def _on_right(tokens: tuple[Token, ...], at: int) -> Token | None:
    """Return the column of ``:x <= column``."""
    last = at + 4 if at + 3 < len(tokens) and tokens[at + 3].text == "." else at + 2
    if last >= len(tokens) or tokens[at + 1].text not in _SIGNS:
        return None
    is_whole = at > 0 and tokens[at - 1].text.upper() in _BEFORE
    is_whole = is_whole and _ends(tokens, last + 1)
    return tokens[last] if is_whole and tokens[last].kind in _NAMES else None


def _ends(tokens: tuple[Token, ...], at: int) -> bool:
    return at >= len(tokens) or tokens[at].text.upper() in _AFTER
