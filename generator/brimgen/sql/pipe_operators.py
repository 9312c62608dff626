"""Find `

` that was meant to join texts in a dialect where it means OR, as in MySQL.
"""

from __future__ import annotations

from collections.abc import Collection

from brimgen.sql.statement import Statement
from brimgen.sql.tokens import Token, TokenKind, words

_PIPES = "||"
_ENDS = words(
    """AND OR XOR NOT SELECT DISTINCT FROM WHERE GROUP ORDER HAVING LIMIT SET VALUES ON WHEN THEN
    ELSE END AS CASE RETURNING UNION"""
)


def pipes_as_or(statement: Statement, flags: Collection[str]) -> Token | None:
    """Return the first `

    ` of MySQL beside a text or a parameter, for which OR makes no sense.
    """
    if statement.dialect.name != "mysql" or _PIPES not in statement.text:
        return None
    tokens = statement.significant
    for at, token in enumerate(tokens):
        if token.text == _PIPES and any(
            _is_text(operand, flags)
            for operand in (_operand(statement, at, -1), _operand(statement, at, 1))
        ):
            return token
    return None


def _is_text(operand: list[Token], flags: Collection[str]) -> bool:
    if len(operand) != 1:
        return False
    only = operand[0]
    is_value = only.kind is TokenKind.PARAM and only.name not in flags
    return is_value or only.kind is TokenKind.STRING


def _operand(statement: Statement, at: int, step: int) -> list[Token]:
    """Return the operand on one side of the place ``at``, up to the next operator of
    conditions.
    """
    tokens, levels = statement.significant, statement.levels
    operand: list[Token] = []
    index = at + step
    while 0 <= index < len(tokens) and levels[index] >= levels[at]:
        token = tokens[index]
        ends = token.text in (_PIPES, ",", ";", "(", ")") or token.word in _ENDS
        if ends and levels[index] == levels[at]:
            # A call and a bracket are more than one value.
            return [*operand, token] if token.text in "()" and token.text else operand
        operand.append(token)
        index += step
    return operand
