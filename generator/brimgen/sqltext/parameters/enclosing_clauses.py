"""Find the bracket and the clause that each token of a statement stands in."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import CLOSING, OPENING, TokenKind, words

_CLAUSES = words(
    """SELECT FROM WHERE GROUP ORDER HAVING LIMIT OFFSET VALUES SET RETURNING UNION INTERSECT
    EXCEPT WINDOW QUALIFY USING FETCH PARTITION ON JOIN WHEN"""
)
_AROUND = ("",) * 4
_LIVE_OPEN, _LIVE_CLOSE = TokenKind.LIVE_OPEN, TokenKind.LIVE_CLOSE


class Around(NamedTuple):
    """The bracket around a token (-1: none), its clause, and whether it is in an executable
    comment.
    """

    opener: int
    clause: str
    live: bool


class Surroundings:
    """The significant tokens of a statement, and what is around each.

    ``words`` and ``texts`` end with empty ones, so that looking around needs no care: what
    stands before the first piece is found there, too.
    """

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.tokens = statement.significant
        self.words = (*statement.words, *_AROUND)
        self.texts = (*[token.text for token in self.tokens], *_AROUND)
        self.has_live = _LIVE_OPEN in statement.kinds

    @cached_property
    def around(self) -> list[Around]:
        """The surroundings of each token, for uses that their neighbours do not decide."""
        current, outer, live = Around(-1, "", False), list[Around](), 0
        surroundings: list[Around] = []
        for index, (kind, text, _) in enumerate(self.tokens):
            word = self.words[index]
            if word:
                if word in _CLAUSES and self._is_clause(index, current):
                    current = Around(current.opener, word, current.live)
            elif text in CLOSING and outer:
                current = outer.pop()._replace(live=live > 0)
            elif kind is _LIVE_OPEN or kind is _LIVE_CLOSE:
                live += 1 if kind is _LIVE_OPEN else -1
                current = current._replace(live=live > 0)
            surroundings.append(current)
            if text in OPENING:
                outer.append(current)
                current = Around(index, "", current.live)
        return surroundings

    def _is_clause(self, index: int, current: Around) -> bool:
        words = self.words
        if words[index] != "FROM":
            return True
        if words[index - 1] == "DISTINCT" and words[index - 2] in ("IS", "NOT"):
            return False
        return (
            bool(current.clause) or index == current.opener + 1 or current.opener == -1
        )
