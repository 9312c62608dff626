"""Find words that can stand where they do in no dialect, where that is certain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from brimgen.sqltext.keywords import VERBS
from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import (
    BEFORE_EXPRESSION,
    Token,
    TokenKind,
    ends_operand,
    words,
)

_READ = words("SELECT WITH INSERT UPDATE DELETE REPLACE MERGE VALUES FROM")
_SPELT_ALIKE = BEFORE_EXPRESSION | VERBS | words("VALUE LIKEC INT ANTI ADD ONLY ROLE")
"""Words of some dialect, some of which are one letter away from others."""

_MODIFIERS = words(
    """ONLY TABLE IGNORE LOW_PRIORITY HIGH_PRIORITY QUICK DELAYED OVERWRITE JOIN STRAIGHT_JOIN
    APPLY LATERAL FINAL ESCAPE COLLATE END"""
)
"""Words behind which no operator is due, as an operand is still to come."""

_BEFORE_STAR = words("SELECT DISTINCT , .")
_AFTER = {
    "FROM": words("SELECT"),
    "WHERE": words("FROM SET"),
    "GROUP": words("FROM"),
    "ORDER": words("FROM"),
    "HAVING": words("FROM"),
    "LIMIT": words("FROM"),
    "OFFSET": words("LIMIT"),
    "JOIN": words("FROM"),
    "UNION": words("FROM"),
    "AND": words("WHERE ON HAVING"),
    "LIKE": words("WHERE ON HAVING"),
    "SET": words("UPDATE"),
}
"""The words that a slip may be one of, each with those that come before it, at the same level."""

_ONCE = words("FROM WHERE SET")
_WITH_BY = words("GROUP ORDER")
_OPERANDS = frozenset(
    {TokenKind.NUMBER, TokenKind.STRING, TokenKind.QUOTED, TokenKind.PARAM}
)

_DANGLING = words("WHERE AND OR HAVING BY FROM JOIN BETWEEN")
_NEXT = words("WHERE HAVING FROM GROUP ORDER UNION")
_PAIRS = frozenset(
    (first, then)
    for first in _DANGLING - {"BETWEEN"}
    for then in _NEXT
    if (first, then) != ("BY", "ORDER")
)
_OPEN_ENDS = frozenset("=<>+-/")
_WITHOUT_LAST_COMMA = frozenset({"sqlite", "postgres", "mysql", "oracle", "tsql"})
"""Dialects that take no comma behind the last item of a list."""

_ENDING = words("FROM WHERE )")
_LAST_COMMA = re.compile(r"(?i),\s*(?:FROM\b|WHERE\b|\))")


class MisspeltWord(NamedTuple):
    """A word that cannot stand where it does, the reason, and what it was probably meant to be."""

    token: Token
    why: str
    meant: tuple[str, ...] = ()


def find_slip(statement: Statement) -> MisspeltWord | None:
    """Return the first certain mistake in a query or a change; None where there is none."""
    if statement.words[:1] and statement.words[0] not in _READ:
        return None
    slips = [*_misspelt(statement), *_unfinished(statement)]
    return min(slips, key=lambda slip: slip.token.start, default=None)


def _misspelt(statement: Statement) -> Iterator[MisspeltWord]:
    """Find words between two operands that differ from a word of SQL by one letter."""
    near = {word for word in statement.vocabulary if _intended_word(word)}
    if not near:
        return
    tokens, levels = statement.significant, statement.levels
    for at, token in enumerate(tokens[:-1]):
        intended = _intended_word(token.word) if token.word in near and at else ""
        if intended and levels[at - 1] == levels[at] == levels[at + 1]:
            fits = _is_due(statement, at) and _follows(statement, at, intended)
            if fits and _stands_after(statement, at, intended):
                yield MisspeltWord(
                    token, "is no word of SQL, and one is due here", (intended,)
                )


def _is_due(statement: Statement, at: int) -> bool:
    """Whether an operand ends before the word, so that an operator or a clause is due."""
    before = statement.significant[at - 1]
    if before.text == "*":
        return at > 1 and statement.significant[at - 2].text.upper() in _BEFORE_STAR
    return ends_operand(before) and before.word not in VERBS | _MODIFIERS


def _follows(statement: Statement, at: int, intended: str) -> bool:
    after = statement.significant[at + 1]
    if intended in _WITH_BY:
        return after.word == "BY"
    if after.kind is TokenKind.WORD:
        return after.word not in _SPELT_ALIKE | _MODIFIERS
    return after.kind in _OPERANDS


def _stands_after(statement: Statement, at: int, intended: str) -> bool:
    """Whether the clauses before it lack the word that was meant."""
    levels, level = statement.levels, statement.levels[at]
    start = max((i for i in range(at) if levels[i] < level), default=-1) + 1
    end = next((i for i in range(at, len(levels) - 1) if levels[i] < level), None)
    token_words = statement.words
    before = {token_words[i] for i in range(start, at) if levels[i] == level}
    after = {
        token_words[i] for i in range(at, end or len(token_words)) if levels[i] == level
    }
    return not _AFTER[intended].isdisjoint(before) and not (
        intended in _ONCE and intended in before | after
    )


@lru_cache(maxsize=4096)
def _intended_word(word: str) -> str:
    """Return the word that another is a misspelling of: one letter more, less or other, or two
    swapped.
    """
    if not 2 < len(word) < 8 or word in _SPELT_ALIKE or word in _AFTER:
        return ""
    for key in {*_with_letter_removed(word), word}:
        for intended in _NEIGHBOURS.get(key, ()):
            if _differ_by_one_edit(word, intended):
                return intended
    return ""


def _with_letter_removed(word: str) -> Iterator[str]:
    return (word[:at] + word[at + 1 :] for at in range(len(word)))


def _differ_by_one_edit(word: str, intended: str) -> bool:
    """Whether one changed letter, or two swapped ones, turn one word into the other."""
    if len(word) != len(intended):
        longer, shorter = sorted((word, intended), key=len, reverse=True)
        return shorter in _with_letter_removed(longer)
    differing = [at for at in range(len(word)) if word[at] != intended[at]]
    if len(differing) == 2:
        first, second = differing
        turned = word[first] == intended[second] and word[second] == intended[first]
        return turned and second == first + 1
    return len(differing) == 1


def _neighbours() -> dict[str, tuple[str, ...]]:
    neighbours: dict[str, tuple[str, ...]] = {}
    for intended in _AFTER:
        for key in {*_with_letter_removed(intended), intended}:
            neighbours[key] = (*neighbours.get(key, ()), intended)
    return neighbours


_NEIGHBOURS = _neighbours()


def _unfinished(statement: Statement) -> Iterator[MisspeltWord]:
    """Find words and commas that need an operand, but are followed by a clause or nothing."""
    tokens, token_words = statement.significant, statement.words
    strict = statement.dialect.name in _WITHOUT_LAST_COMMA
    comma = strict and _LAST_COMMA.search(statement.text) is not None
    if comma or not _PAIRS.isdisjoint(pairwise(token_words)):
        for at, (token, following) in enumerate(pairwise(tokens)):
            hangs = token_words[at : at + 2] in _PAIRS and not _is_name(tokens, at)
            if hangs or (
                comma and token.text == "," and following.text.upper() in _ENDING
            ):
                yield MisspeltWord(token, f"has nothing before `{following.text}`")
    at = next((i for i in reversed(range(len(tokens))) if tokens[i].text != ";"), 0)
    hangs = bool(tokens) and (
        token_words[at] in _DANGLING or tokens[at].text in _OPEN_ENDS
    )
    if hangs and not _is_name(tokens, at):
        yield MisspeltWord(tokens[at], "has nothing behind it")


def _is_name(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether a word of SQL may be a name: behind a dot or AS some dialects take any word."""
    return at > 0 and (tokens[at - 1].text == "." or tokens[at - 1].word == "AS")
