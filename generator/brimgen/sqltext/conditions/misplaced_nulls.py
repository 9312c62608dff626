"""Find places of a statement where NULL is useless or wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brimgen.sqltext.effects.statement_kind import verb_at
from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import Token, TokenKind, words

_COMPARISONS = frozenset({"=", "==", "<>", "!="})
_OPERATOR = re.compile(r"[^\w\s'\"`)\]]+\s*\Z")
_FILTERS = words("WHERE HAVING ON WHEN QUALIFY")
_OTHERS = words(
    "SET SELECT VALUES FROM BY LIMIT RETURNING DEFAULT THEN ELSE DO EXEC CALL"
)
_GROUPED = _FILTERS | words("AND OR NOT")
"""Words behind which a bracket holds a part of a condition."""

_LIMITS = words("LIMIT OFFSET TOP")
_NUMBERED = words("FIRST NEXT")
_CASTS = words("CAST TRY_CAST SAFE_CAST")
_GOES_ON = frozenset({"+", "-", "*", "/", "%", "|", "||", "::", ":"})


def compared_with_null(statement: Statement) -> Iterator[tuple[Token, str]]:
    """Return every NULL of ``a = NULL`` in a condition, with its operator."""
    if "NULL" not in statement.vocabulary:
        return
    for at, word in enumerate(statement.words):
        if word != "NULL" or not at:
            continue
        token = statement.significant[at]
        operator = _OPERATOR.search(statement.text[: token.start])
        sign = operator[0].strip() if operator else ""
        if sign in _COMPARISONS and _in_filter(statement, at):
            yield token, sign


def _in_filter(statement: Statement, at: int) -> bool:
    """Whether the clause around a place keeps or drops rows."""
    levels, token_words, level = statement.levels, statement.words, statement.levels[at]
    for index in range(at - 1, -1, -1):
        if levels[index] < level:
            if not index or token_words[index - 1] not in _GROUPED:
                return False
            level = levels[index]
        elif levels[index] == level and token_words[index] in _FILTERS | _OTHERS:
            return token_words[index] in _FILTERS
    return False


def limit_parameters(statement: Statement) -> tuple[tuple[Token, str], ...]:
    """Return every parameter that is the whole of a LIMIT, OFFSET, TOP or FETCH FIRST, with
    that word.
    """
    return statement.computed_once(_read_limits)


def _read_limits(statement: Statement) -> tuple[tuple[Token, str], ...]:
    return tuple(_find_limits(statement))


def _find_limits(statement: Statement) -> Iterator[tuple[Token, str]]:
    tokens, token_words = statement.significant, statement.words
    for at in statement.uses:
        before, after = _span_with_casts(statement, at)
        word = token_words[before - 1] if before else ""
        follows = tokens[after].text if after < len(tokens) else ""
        if word == "LIMIT" and follows == ",":  # LIMIT offset, count
            yield tokens[at], "OFFSET"
        elif word in _LIMITS and follows not in _GOES_ON:
            yield tokens[at], word
        elif token_words[max(at - 3, 0)] == "LIMIT" and tokens[at - 1].text == ",":
            yield tokens[at], "LIMIT"
        elif word in _NUMBERED and before > 1 and token_words[before - 2] == "FETCH":
            yield tokens[at], "FETCH"


def _span_with_casts(statement: Statement, at: int) -> tuple[int, int]:
    """Return where a parameter begins and ends with the casts and brackets around it:
    ``:n::int``, ``CAST(:n AS int)``, and ``TOP (:n)`` of T-SQL.
    """
    tokens, token_words = statement.significant, statement.words
    before, after = at, at + 1
    while after < len(tokens):
        opened = before > 0 and tokens[before - 1].text == "("
        if tokens[after].text == "::":
            after = _after_type(statement, after + 1)
        elif opened and tokens[after].text == ")":
            before, after = before - 1, after + 1
        elif (
            opened and token_words[after] == "AS" and token_words[before - 2] in _CASTS
        ):
            before, after = before - 2, _closing_bracket(statement, after) + 1
        else:
            break
    return before, after


def _after_type(statement: Statement, at: int) -> int:
    """Return the place after the type at ``at``: a word, and its size in brackets."""
    tokens = statement.significant
    if at + 1 < len(tokens) and tokens[at + 1].text == "(":
        return _closing_bracket(statement, at + 2) + 1
    return at + 1


def _closing_bracket(statement: Statement, at: int) -> int:
    """Return the place of the bracket that closes the ones around ``at``."""
    levels, level = statement.levels, statement.levels[at]
    return next((x for x in range(at, len(levels)) if levels[x] < level), len(levels))


_AFTER_SET = words("WHERE FROM RETURNING OUTPUT ORDER LIMIT")


def assignments(statement: Statement) -> Iterator[tuple[Token, str]]:
    """Return every parameter that alone is assigned to a column by an UPDATE, with the column."""
    tokens, token_words, levels = (
        statement.significant,
        statement.words,
        statement.levels,
    )
    at = verb_at(tokens)
    if at is None or token_words[at] != "UPDATE":
        return
    is_set = False
    for index in range(at, len(tokens)):
        if levels[index] != levels[at]:
            continue
        if token_words[index] == "SET":
            is_set = True
        elif is_set and token_words[index] in _AFTER_SET:
            return
        elif is_set and tokens[index].kind is TokenKind.PARAM:
            ends = index + 1 == len(tokens) or tokens[index + 1].text in (",", ";")
            alone = ends or token_words[index + 1] in _AFTER_SET
            if alone and tokens[index - 1].text == "=":
                yield tokens[index], tokens[index - 2].text
