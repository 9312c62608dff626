"""Nulls: places of a statement that NULL makes useless or wrong, read from its text."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.regex import regex
from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import Token, words

_COMPARISONS = frozenset({"=", "==", "<>", "!="})
_OPERATOR = regex(r"[^\w\s'\"`)\]]+\s*\Z")
_FILTERS = words("WHERE HAVING ON WHEN QUALIFY")
_OTHERS = words(
    "SET SELECT VALUES FROM BY LIMIT RETURNING DEFAULT THEN ELSE DO EXEC CALL"
)
_GROUPED = _FILTERS | words("AND OR NOT")
"""Words behind which a bracket holds a part of a condition."""

_LIMITS = words("LIMIT OFFSET")
_GOES_ON = frozenset({"+", "-", "*", "/", "%", "|", "||", "::", ":"})


def compared_with_null(statement: Statement) -> Iterator[tuple[Token, str]]:
    """Every NULL of ``a = NULL`` in a condition, and its operator."""
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
    """Whether the clause around a place is one that keeps or drops rows."""
    levels, read, level = statement.levels, statement.words, statement.levels[at]
    for index in range(at - 1, -1, -1):
        if levels[index] < level:
            if not index or read[index - 1] not in _GROUPED:
                return False
            level = levels[index]
        elif levels[index] == level and read[index] in _FILTERS | _OTHERS:
            return read[index] in _FILTERS
    return False


def limits(statement: Statement) -> Iterator[tuple[Token, str]]:
    """Every parameter that is all of a LIMIT or OFFSET, and that word."""
    tokens, read = statement.significant, statement.words
    for at in statement.uses:
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if at and read[at - 1] in _LIMITS and after not in _GOES_ON:
            yield tokens[at], read[at - 1]
