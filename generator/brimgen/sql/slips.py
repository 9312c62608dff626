"""Find slips of the pen in statements that sqlglot cannot read, where they are certain.

A word is misspelt if the statement can be read with a keyword in its place. All else that cannot
be read is unknown: it may be sound.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from brimgen.diagnostics import did_you_mean
from brimgen.sql import Statement, Token, scan
from brimgen.sql.model import Unreadable
from brimgen.sql.tokens import BEFORE_EXPRESSION, words
from brimgen.sql.tree import Parsed, parse

_VERBS = words("SELECT WITH INSERT UPDATE DELETE REPLACE MERGE VALUES FROM")
KEYWORDS = _VERBS | words(
    "WHERE GROUP ORDER HAVING LIMIT OFFSET JOIN UNION AND LIKE SET INTO BETWEEN"
)
_DANGLING = words("WHERE AND OR HAVING BY FROM JOIN BETWEEN")
_NEXT = words("WHERE HAVING FROM GROUP ORDER UNION")
_OPEN_ENDS = frozenset("=<>+-/")
_WITHOUT_LAST_COMMA = frozenset({"sqlite", "postgres", "mysql", "oracle", "tsql"})
"""Dialects that take no comma behind the last item of a list; sqlglot does."""
_LAST_COMMA = re.compile(r"(?i),\s*(?:FROM\b|WHERE\b|\))")


class Slip(NamedTuple):
    """A word that cannot stand where it does, the reason, and what it was probably meant to be."""

    token: Token
    why: str
    meant: tuple[str, ...] = ()


def find_slip(statement: Statement) -> Slip | None:
    """Return the first certain mistake in a query or a change; None where there is none."""
    first = statement.words[0] if statement.words else ""
    if first not in _VERBS and not did_you_mean(first, _VERBS):
        return None
    parsed = statement.computed_once(parse)
    if isinstance(parsed, Parsed):
        return _last_comma(statement) if first in _VERBS else _misspelt(statement, 0)
    at = _stop(statement, parsed)
    return _unfinished(statement, at) or _misspelt(statement, at)


def _stop(statement: Statement, unreadable: Unreadable) -> int:
    """The place among the significant tokens at which sqlglot stops."""
    start = unreadable.place.start if unreadable.place is not None else 0
    ends = enumerate(statement.significant)
    return next((index for index, token in ends if token.end > start), 0)


def _last_comma(statement: Statement) -> Slip | None:
    strict = statement.dialect.name in _WITHOUT_LAST_COMMA
    if not strict or _LAST_COMMA.search(statement.text) is None:
        return None
    for token, following in pairwise(statement.significant):
        if token.text == "," and following.text.upper() in ("FROM", "WHERE", ")"):
            return Slip(token, f"has nothing before `{following.text}`")
    return None


def _unfinished(statement: Statement, at: int) -> Slip | None:
    """Find a word that needs an operand, but is followed by a clause or nothing."""
    tokens = [token for token in statement.significant if token.text != ";"]
    before, stop = tokens[max(at - 1, 0)], tokens[at]
    if stop == tokens[-1] and (stop.word in _DANGLING or stop.text in _OPEN_ENDS):
        return Slip(stop, "has nothing behind it")
    if before.word in _DANGLING and stop.word in _NEXT:
        return Slip(before, f"has nothing before `{stop.text}`")
    return None


def _misspelt(statement: Statement, at: int) -> Slip | None:
    """Find a word near the place that is a keyword but for a letter or two."""
    for index in (at, at - 1, 0):
        token = statement.significant[max(index, 0)]
        if token.word in BEFORE_EXPRESSION | KEYWORDS:
            continue
        for keyword in did_you_mean(token.word, KEYWORDS):
            if index > 0 and token.word.startswith(keyword):
                continue  # rather a name, such as `limits`
            text = (
                f"{statement.text[:token.start]}{keyword}{statement.text[token.end:]}"
            )
            if isinstance(parse(scan(text, statement.dialect)), Parsed):
                why = "is no word of SQL, and one is due here"
                return Slip(token, why, (keyword,))
    return None
