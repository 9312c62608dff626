"""Guesses: parameters of which PostgreSQL takes the type from a cast around them, or from nothing.

``:n::text`` makes a text of what is bound, which a driver that encodes by the server's types
refuses for a number. ``:page * :size`` are two unknowns, or two of the smallest integers that hold
them, whose product is none.
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import Token, TokenKind, ends_operand

_ARITHMETIC = frozenset({"+", "-", "*", "/", "%"})
_OPERATORS = _ARITHMETIC | {"=", "<", ">", "<=", ">=", "<>", "!="}
_LONGER = _ARITHMETIC | {"::", "[", ".", "||"}
"""What makes a longer operand of one."""
_CASTS = frozenset({"CAST", "TRY_CAST"})
OPERAND = "operand"
"""Stands for the type of an operand of which nothing tells it."""


def guessed(statement: Statement) -> Mapping[int, str]:
    """What types parameters: by the place of each, the first word of the type that it is cast to,
    or `OPERAND`.
    """
    return statement.once(_guessed)


def _guessed(statement: Statement) -> dict[int, str]:
    tokens = statement.significant
    found: dict[int, str] = {}
    for index in statement.uses:
        target = _target(tokens, index)
        if target:
            found[tokens[index].start] = target
        elif _is_negated(tokens, index):
            found[tokens[index].start] = OPERAND
        elif _opens_pair(tokens, index):
            found |= {tokens[each].start: OPERAND for each in (index, index + 2)}
    return found


def _text(tokens: tuple[Token, ...], index: int) -> str:
    return tokens[index].text if 0 <= index < len(tokens) else ""


def _target(tokens: tuple[Token, ...], index: int) -> str:
    """The first word of the type that a parameter is cast to."""
    after = _text(tokens, index + 1)
    called = (
        _text(tokens, index - 1) == "(" and _text(tokens, index - 2).upper() in _CASTS
    )
    if after == "::" or (called and after.upper() == "AS"):
        return _text(tokens, index + 2).upper()
    return ""


def _is_negated(tokens: tuple[Token, ...], index: int) -> bool:
    if _text(tokens, index - 1) != "-":
        return False
    return index < 2 or not ends_operand(tokens[index - 2])


def _opens_pair(tokens: tuple[Token, ...], index: int) -> bool:
    """Whether a parameter, an operator and a parameter are all that is calculated or compared."""
    operator, last = _text(tokens, index + 1), index + 2
    if last >= len(tokens) or tokens[last].kind is not TokenKind.PARAM:
        return False
    after = _text(tokens, last + 1)
    beyond = tokens[last + 2].kind if last + 2 < len(tokens) else None
    if after in _ARITHMETIC and beyond is TokenKind.NUMBER:
        after = ""  # what is added to an integer is one
    around = {_text(tokens, index - 1), after}
    if around == {"(", ")"} and operator in _ARITHMETIC:
        # `day + (:a * :b)` is no sum of integers.
        around |= {_text(tokens, index - 2), _text(tokens, last + 2)}
    return operator in _OPERATORS and around.isdisjoint(_LONGER)
