"""Find syntax errors with SQLite's parser, which needs no schema.

Its complaints about tables mean nothing: there are none. The C module is imported directly,
because the module in front of it takes longer to import than a changed tool to build.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from brimgen.sql import Statement, Token, TokenKind
from brimgen.sql.uses import Place, Role

if TYPE_CHECKING:
    from sqlite3 import Connection

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
    if not words or words[0] in _NOT_ASKED or any(_is_other(use) for use in uses):
        return None
    text = _plain(statement, uses)
    refusal = _refusal(text)
    stumbles = _STUMBLES.fullmatch(refusal)
    if stumbles is None:
        return _last(statement) if refusal == _CUT else None
    word = stumbles[1]
    if _may_be_right(word.upper(), words):
        return None
    near = [token for token in statement.significant if token.text == word]
    refused_alike = [
        mark for mark in near[:-1] if _refusal(text[: mark.end]) == refusal
    ]
    return next(iter([*refused_alike, *near[-1:]]), None)


def _is_other(place: Place) -> bool:
    """Whether a parameter stands where none can: another check reports that."""
    return place.role is Role.IDENTIFIER


def _may_be_right(word: str, words: tuple[str, ...]) -> bool:
    if word in _COMPILED_IN and not {"UPDATE", "DELETE"}.isdisjoint(words):
        return True
    if word[:1].isdigit():  # `1_000` since 3.46
        return True
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
