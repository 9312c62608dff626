"""Report syntax that no database of the dialect can read, whatever tables it has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from brimgen.diagnostics import Diagnostics, did_you_mean, rules
from brimgen.sql.checks.check_parameters import Uses
from brimgen.sql.model import Unreadable
from brimgen.sql.scanner import scan
from brimgen.sql.statement import Statement
from brimgen.sql.tokens import BEFORE_EXPRESSION, Token, TokenKind, ends_operand, words
from brimgen.sql.tree import Parsed, parse
from brimgen.sql.uses import Place, Role

if TYPE_CHECKING:
    from sqlite3 import Connection


def check_syntax(uses: Uses, diagnostics: Diagnostics) -> bool:
    """Report the first certain mistake; return False where there is one.

    SQLite's own parser checks its statements; of other dialects only slips are told, for which
    a fix is sure. A `::` cast is reported in both where the dialect has none.
    """
    mistake = _mistake(uses)
    if mistake is None:
        return True
    span = uses.body.statement.span_at(mistake.token.start, mistake.token.end)
    text = mistake.token.text.split("\n")[0][:40]
    diagnostics.add(
        rules.SYNTAX_ERROR, span, suggestions=mistake.meant, text=text, why=mistake.why
    )
    return False


def _mistake(uses: Uses) -> Slip | None:
    statement, token = uses.statement, None
    if cast := foreign_cast(statement):
        return cast
    if statement.dialect.name == "sqlite" and is_available():
        token = find_syntax_error(statement, uses.places)
        if token is None:
            return None

    slip = find_slip(statement)
    if token is None or (slip is not None and slip.token.start <= token.start):
        return slip
    return Slip(token, "cannot stand here: SQLite reads no further")


_OLDEST = (3, 35)
_SINCE = {">": (3, 38), "DISTINCT": (3, 39), "ORDER": (3, 44), "WITHIN": (3, 47)}
"""Words that an older SQLite stumbles over, and that are right all the same."""

_COMPILED_IN = frozenset({"ORDER", "LIMIT"})
"""Clauses of UPDATE and DELETE that SQLite has where it was compiled so."""

_STUMBLES = re.compile(r'(?s)(?:near|unrecognized token:) "(.*)"(?:: syntax error)?')
_CUT = "incomplete input"
_NOT_ASKED = frozenset({"PRAGMA", "ATTACH", "DETACH", "EXPLAIN", "VACUUM"})
"""Statements that do something while they are prepared, or cannot be explained."""


def is_available() -> bool:
    """Whether this Python has SQLite, in a version that is new enough."""
    return _open_database() is not None


def find_syntax_error(statement: Statement, uses: tuple[Place, ...]) -> Token | None:
    """Return the first token at which SQLite stops, or the last one where it expects more."""
    words = statement.words
    if (
        not words
        or words[0] in _NOT_ASKED
        or any(
            use.role is Role.IDENTIFIER for use in uses  # another check reports that
        )
    ):
        return None
    text = _plain(statement, uses)
    refusal = _refusal(text)
    stumbles = _STUMBLES.fullmatch(refusal)
    if stumbles is None:
        return _last(statement) if refusal == _CUT else None
    tokens = zip(statement.significant, statement.levels, strict=False)
    near = [(token, level) for token, level in tokens if token.text == stumbles[1]]
    refused_alike = [
        (mark, level)
        for mark, level in near[:-1]
        if _refusal(text[: mark.end]) == refusal
    ]
    token, level = next(iter([*refused_alike, *near[-1:]]), (None, 0))
    return None if _may_be_right(stumbles[1].upper(), level, words) else token


def _may_be_right(word: str, level: int, words: tuple[str, ...]) -> bool:
    """Whether another SQLite reads a word, which stands in ``level`` brackets."""
    if word in _COMPILED_IN and not {"UPDATE", "DELETE"}.isdisjoint(words):
        return True
    if word[:1].isdigit():
        return "_" in word  # `1_000` since 3.46
    if word == "ORDER" and level == 0:  # it is new among the arguments of an aggregate
        return False
    return word in _SINCE and _version() < _SINCE[word]


def _plain(statement: Statement, uses: tuple[Place, ...]) -> str:
    """Return the text as SQLite knows it, every token at its place."""
    text = statement.text
    for use in uses:
        if use.role is Role.IN_LIST and use.unbracketed:
            at, end = use.token.start, use.token.end
            text = (
                f"{text[:at]}{'x' * (end - at)}{text[end:]}"  # a table may stand there
            )
    if TokenKind.ESCAPED in statement.kinds:
        for token in statement.tokens:
            if token.kind is TokenKind.ESCAPED:
                text = f"{text[:token.start]} {text[token.start + 1:]}"
    return text


def _last(statement: Statement) -> Token:
    return [token for token in statement.significant if token.text != ";"][-1]


def _refusal(text: str) -> str:
    connection = _open_database()
    try:
        if connection is not None:
            connection.execute(f"EXPLAIN {text}")
    except Exception as error:  # sqlite3.Error, whose module is not imported
        return str(error)
    return ""


@cache
def _open_database() -> Connection | None:
    """Open a database without tables; None where this Python has none, or one that is too old."""
    try:
        from _sqlite3 import connect
    except ImportError:
        return None
    if _version() < _OLDEST:
        return None
    return connect(":memory:", isolation_level=None, check_same_thread=False)


@cache
def _version() -> tuple[int, ...]:
    from _sqlite3 import sqlite_version

    return tuple(map(int, sqlite_version.split(".")))


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


_MARK = "::"
_WITHOUT = {
    "sqlite": "SQLite",
    "mysql": "MySQL",
    "oracle": "Oracle",
    "tsql": "T-SQL",
    "bigquery": "BigQuery",
}
"""The dialects that have no such casts, as they are called."""

_OF_TYPES = frozenset({"tsql"})
"""Dialects in which ``type::Method()`` calls a method of a type, and ``SCHEMA::name`` names one."""

_SURE = frozenset({TokenKind.PARAM, TokenKind.NUMBER, TokenKind.STRING})
_WHOLE = words("INT INTEGER BIGINT SMALLINT INT2 INT4 INT8 INT64")
_TEXT = words("TEXT VARCHAR CHAR STRING CHARACTER")
_BROKEN = words("FLOAT DOUBLE REAL FLOAT4 FLOAT8 FLOAT64")
_TYPES: Mapping[str, tuple[str, str, str]] = {
    "sqlite": ("INTEGER", "TEXT", "REAL"),
    "mysql": ("SIGNED", "CHAR", "DOUBLE"),
    "oracle": ("INTEGER", "VARCHAR2(4000)", "BINARY_DOUBLE"),
    "tsql": ("BIGINT", "NVARCHAR(MAX)", "FLOAT"),
    "bigquery": ("INT64", "STRING", "FLOAT64"),
}
"""What whole numbers, texts and floats are cast to; of other types each dialect has its own."""


def foreign_cast(statement: Statement) -> Slip | None:
    """Find the first `::` that the dialect does not have, and its replacement there."""
    name = statement.dialect.name
    if name not in _WITHOUT or _MARK not in statement.text:
        return None
    tokens = statement.significant
    marks = (i for i, token in enumerate(tokens) if token.text == _MARK)
    for at in marks:
        if at and _is_cast(tokens[at - 1], name):
            replacement = (
                f"CAST({_operand(statement, at)} AS {_type(tokens, at, name)})"
            )
            why = f"casts nothing in {_WITHOUT[name]}: write `{replacement}`"
            return Slip(tokens[at], why)
    return None


def _is_cast(before: Token, dialect: str) -> bool:
    sure = before.kind in _SURE or before.text == ")"
    return sure or (dialect not in _OF_TYPES and ends_operand(before))


def _operand(statement: Statement, at: int) -> str:
    """Return what is cast if it is a name or a value; brackets are not followed."""
    tokens, first = statement.significant, at - 1
    while first > 1 and tokens[first - 1].text == ".":
        first -= 2
    text = statement.text[tokens[first].start : tokens[at - 1].end]
    return "…" if text == ")" or "\n" in text else text


def _type(tokens: tuple[Token, ...], at: int, dialect: str) -> str:
    type_name = tokens[at + 1].word if at + 1 < len(tokens) else ""
    for spellings, replacement in zip(
        (_WHOLE, _TEXT, _BROKEN), _TYPES[dialect], strict=True
    ):
        if type_name in spellings:
            return replacement
    return "…"
