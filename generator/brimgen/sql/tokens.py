"""Tokens of a statement, and tests on them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple


class TokenKind(StrEnum):
    """What a piece of a statement is."""

    SPACE = "space"
    COMMENT = "comment"
    STRING = "string"
    QUOTED = "quoted"
    WORD = "word"
    NUMBER = "number"
    PARAM = "param"
    AMBIGUOUS = "ambiguous"
    FOREIGN = "foreign"
    ESCAPED = "escaped"
    MARK = "mark"
    LIVE_OPEN = "live-open"
    LIVE_CLOSE = "live-close"
    OPEN_STRING = "open-string"
    OPEN_COMMENT = "open-comment"


class Token(NamedTuple):
    """One piece: its kind, its text as written, and where it starts."""

    kind: TokenKind
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset after the piece."""
        return self.start + len(self.text)

    @property
    def name(self) -> str:
        """The name of a parameter, without its colon."""
        return self.text[1:]

    @property
    def word(self) -> str:
        """A bare word in upper case; empty for everything else."""
        return self.text.upper() if self.kind is TokenKind.WORD else ""

    @property
    def folded(self) -> str:
        """The text without the quotes of a quoted name, in one case."""
        is_quoted = self.kind is TokenKind.QUOTED
        return (self.text[1:-1] if is_quoted else self.text).casefold()


def words(text: str) -> frozenset[str]:
    """Split ``text`` into a set of words, for the tables of keywords."""
    return frozenset(text.split())


INSIGNIFICANT = frozenset({TokenKind.SPACE, TokenKind.COMMENT, TokenKind.OPEN_COMMENT})
QUOTED_TEXT = frozenset({TokenKind.STRING, TokenKind.QUOTED, TokenKind.OPEN_STRING})

BEFORE_EXPRESSION = words(
    """ALL AND ANY AS BETWEEN BY CASE DISTINCT DIV ELSE ESCAPE EXCEPT FETCH FIRST FROM GLOB HAVING
    ILIKE IN INTERSECT INTERVAL INTO IS LIKE LIMIT MATCH MINUS MOD NEXT NOT OFFSET ON OR ORDER
    QUALIFY REGEXP RETURN RETURNING RLIKE SELECT SET SIMILAR SOME THEN TO TOP UNION USING VALUES
    WHEN WHERE WITH XOR LATERAL"""
)

OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
_BRACKETS = OPENING | CLOSING
_OPERANDS = frozenset(
    {
        TokenKind.NUMBER,
        TokenKind.STRING,
        TokenKind.QUOTED,
        TokenKind.PARAM,
        TokenKind.AMBIGUOUS,
        TokenKind.FOREIGN,
    }
)


def ends_operand(token: Token | None) -> bool:
    """Whether an expression may end with ``token``, so that an operator is due next."""
    if token is None:
        return False
    if token.kind is TokenKind.WORD:
        return token.text.upper() not in BEFORE_EXPRESSION
    return token.kind in _OPERANDS or token.text in (")", "]", "}")


def starts_operand(token: Token | None) -> bool:
    """Whether an expression may start with ``token``."""
    if token is None:
        return False
    if token.kind is TokenKind.WORD:
        return token.text.upper() in ("CASE", "NOT", "INTERVAL") or ends_operand(token)
    return token.kind in _OPERANDS or token.text in ("(", "[", "{", "-", "+", "~")


def depths(tokens: Sequence[Token]) -> tuple[int, ...]:
    """How many brackets are open at each token, and after the last one.

    An opening bracket counts as outside itself, and so does the one that closes it.
    """
    open_brackets: list[int] = []
    depth = 0
    for _, text, _ in tokens:
        if text not in _BRACKETS:
            open_brackets.append(depth)
        elif text in OPENING:
            open_brackets.append(depth)
            depth += 1
        else:
            depth = max(0, depth - 1)
            open_brackets.append(depth)
    return (*open_brackets, depth)
