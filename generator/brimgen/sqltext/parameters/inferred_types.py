"""Find parameters whose type PostgreSQL infers from a cast or cannot infer.

``:n::text`` makes a text of what is bound, which a driver that encodes by the server's types
refuses for a number. ``:page * :size`` are two unknowns, or two of the smallest integers that hold
them, whose product is none.
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import Token, TokenKind, ends_operand, words

_ARITHMETIC = frozenset({"+", "-", "*", "/", "%"})
_OPERATORS = _ARITHMETIC | {"=", "<", ">", "<=", ">=", "<>", "!="}
_LONGER = _ARITHMETIC | {"::", "[", ".", "||"}
"""What makes a longer operand of one."""
_CASTS = frozenset({"CAST", "TRY_CAST"})
OPERAND = "operand"
"""Stands for the type of an operand that nothing shows."""
LONE = "lone"
"""Stands for the type of one of several values that none of them shows: ``COALESCE(:a, :b)``."""
STEP = "step"
"""Stands for a small integer: of days that are added to a day, or of an item in JSON."""
_OF_ONE_TYPE = words("COALESCE NULLIF GREATEST LEAST MOD POWER ARRAY")
_SILENT = frozenset({TokenKind.PARAM, TokenKind.STRING})


def inferred_types(statement: Statement) -> Mapping[int, str]:
    """Map the place of each such parameter to the first word of the type it is cast to, or
    `OPERAND`.
    """
    return statement.computed_once(_infer_types)


def _infer_types(statement: Statement) -> dict[int, str]:
    tokens = statement.significant
    targets: dict[int, str] = {}
    for index in statement.uses:
        target = _target(tokens, index)
        if target:
            targets[tokens[index].start] = target
        elif _is_step(tokens, index):
            targets[tokens[index].start] = STEP
        elif _has_no_typed_sibling(statement, index):
            targets[tokens[index].start] = LONE
        elif _is_negated(tokens, index):
            targets[tokens[index].start] = OPERAND
        elif _opens_pair(tokens, index):
            targets |= {
                tokens[operand].start: OPERAND for operand in (index, index + 2)
            }
    return targets


def calculation_partner(statement: Statement, start: int) -> str:
    """Return the name of the parameter that the one at ``start`` is calculated with, or an
    empty text.
    """
    tokens = statement.significant
    (index,) = [use for use in statement.uses if tokens[use].start == start]
    for partner in (index - 2, index + 2):
        if 0 <= partner < len(tokens) and tokens[partner].kind is TokenKind.PARAM:
            return tokens[partner].name
    return ""


def _is_step(tokens: tuple[Token, ...], index: int) -> bool:
    before = _text(tokens, index - 1)
    if before in ("->", "->>"):
        return True
    if before not in ("+", "-") or index < 2:
        return False
    day, prefix = _text(tokens, index - 2).upper(), _text(tokens, index - 3).upper()
    is_literal = prefix == "DATE" and tokens[index - 2].kind is TokenKind.STRING
    return is_literal or day == "CURRENT_DATE" or (day == "DATE" and prefix == "::")


def _has_no_typed_sibling(statement: Statement, index: int) -> bool:
    """Whether a parameter is one of several values of one type, and no value shows the type."""
    tokens, word = statement.significant, statement.words
    before, after = _text(tokens, index - 1), _text(tokens, index + 1)
    if before.upper() == "FROM" and _text(tokens, index - 2).upper() == "DISTINCT":
        left = index - (5 if _text(tokens, index - 3).upper() == "NOT" else 4)
        return left >= 0 and tokens[left].kind is TokenKind.PARAM
    if after.upper() == "IS":
        at = index + (3 if _text(tokens, index + 2).upper() == "NOT" else 2)
        last = at + 2 if _text(tokens, at).upper() == "DISTINCT" else len(tokens)
        return last < len(tokens) and tokens[last].kind is TokenKind.PARAM
    if before not in ("(", "[", ",") or after not in (")", "]", ","):
        return False
    levels = statement.levels
    openers = [at for at in range(index) if levels[at] < levels[index]]
    if not openers:
        return False
    opener = openers[-1]
    if opener and word[opener - 1] in _OF_ONE_TYPE:
        inner = range(opener + 1, statement.closing_bracket(opener) or len(tokens))
        return all(
            tokens[at].kind in _SILENT or tokens[at].text == "," or word[at] == "NULL"
            for at in inner
        )
    is_row = _text(tokens, opener - 1).upper() in ("VALUES", ",") and levels[opener]
    return bool(is_row) and "VALUES" in word[:opener] and _is_values(statement, opener)


def _is_values(statement: Statement, opener: int) -> bool:
    """Whether a bracket opens a row of VALUES: only rows and commas stand between the two."""
    tokens, levels, at = statement.significant, statement.levels, opener - 1
    while at > 0 and tokens[at].word != "VALUES":
        if levels[at] < levels[opener] or (
            levels[at] == levels[opener] and tokens[at].text not in (",", "(", ")")
        ):
            return False
        at -= 1
    return tokens[at].word == "VALUES"


def _text(tokens: tuple[Token, ...], index: int) -> str:
    return tokens[index].text if 0 <= index < len(tokens) else ""


def _target(tokens: tuple[Token, ...], index: int) -> str:
    """Return the first word of the type that a parameter is cast to."""
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
    """Whether two parameters and an operator between them are all that is calculated or
    compared.
    """
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


def is_cast_to_instant(statement: Statement, start: int) -> bool:
    """Whether the parameter at ``start`` is cast to a type with a time zone."""
    tokens = statement.significant
    (index,) = [use for use in statement.uses if tokens[use].start == start]
    target = _target(tokens, index)
    after = [_text(tokens, index + offset).upper() for offset in range(3, 8)]
    with_zone = "WITH" in after and "ZONE" in after
    return target == "TIMESTAMPTZ" or (target == "TIMESTAMP" and with_zone)
