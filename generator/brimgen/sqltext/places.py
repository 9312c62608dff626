"""Places: what stands around each parameter, which decides lists, casts and misuse."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.sqltext.roles import Place, Role
from brimgen.sqltext.scanner import Statement
from brimgen.sqltext.tokens import (
    BEFORE_EXPRESSION,
    Token,
    TokenKind,
    ends_operand,
    words,
)

__all__ = ["Place", "Role", "places"]

_COMPARISONS = frozenset({"=", "<", ">", "<=", ">=", "<>", "!=", "=="})
_TIGHT_MARKS = _COMPARISONS | {"::"}
_TIGHT_WORDS = words("BETWEEN LIKE ILIKE")
_CLAUSES = words(
    """SELECT FROM WHERE GROUP ORDER HAVING LIMIT OFFSET VALUES SET RETURNING UNION INTERSECT
    EXCEPT WINDOW QUALIFY USING FETCH PARTITION ON JOIN WHEN"""
)
_ITEM_END = words(
    """FROM WHERE GROUP ORDER HAVING LIMIT OFFSET UNION INTERSECT EXCEPT WINDOW QUALIFY FETCH FOR
    AS INTO"""
)
_ORDER_END = _ITEM_END | words("ASC DESC NULLS ROWS RANGE GROUPS COLLATE")
_BOUNDARIES = words(
    "AND OR NOT WHERE WHEN THEN ELSE ON HAVING SELECT CASE RETURNING QUALIFY SET"
)


def places(statement: Statement) -> tuple[Place, ...]:
    """Every use of a parameter with its surroundings, in order."""
    return statement.once(_read) if statement.parameters else ()


def _read(statement: Statement) -> tuple[Place, ...]:
    return tuple(_Reader(statement.significant, statement.words).places())


class _Reader:
    """Reads the surroundings of each parameter from the significant tokens."""

    def __init__(self, tokens: Sequence[Token], words: Sequence[str]) -> None:
        self.tokens = tokens
        self.words = words
        self.openers: list[int] = []
        self.clauses: list[str] = []
        self.live: list[bool] = []
        self._survey()

    def _survey(self) -> None:
        """For each token: the bracket it stands in, the clause, and executable comments."""
        stack, clause, live = [-1], [""], 0
        for index, (token, word) in enumerate(
            zip(self.tokens, self.words, strict=True)
        ):
            kind, text = token.kind, token.text
            mark = kind is TokenKind.MARK
            live += kind is TokenKind.LIVE_OPEN
            live -= kind is TokenKind.LIVE_CLOSE
            if mark and text in ")]}" and len(stack) > 1:
                stack.pop()
                clause.pop()
            self.openers.append(stack[-1])
            if word in _CLAUSES and self._is_clause(index, clause[-1], stack[-1]):
                clause[-1] = word
            self.clauses.append(clause[-1])
            self.live.append(live > 0)
            if mark and text in "([{":
                stack.append(index)
                clause.append("")

    def _is_clause(self, index: int, clause: str, opener: int) -> bool:
        if self.tokens[index].word != "FROM":
            return True
        if self._word(index - 1) == "DISTINCT" and self._word(index - 2) in (
            "IS",
            "NOT",
        ):
            return False
        return bool(clause) or opener == -1 or index == opener + 1

    def places(self) -> list[Place]:
        return [
            self._place(index, token)
            for index, token in enumerate(self.tokens)
            if token.kind is TokenKind.PARAM
        ]

    def _place(self, index: int, token: Token) -> Place:
        cast = self._text(index + 1) == "::"
        cast = cast or self._call(index, whole=False) in (
            "cast",
            "try_cast",
            "safe_cast",
        )
        in_list = self._in_list(index, token)
        if in_list is not None:
            return in_list
        return Place(
            token=token,
            role=self._role(index, cast=cast),
            start=token.start,
            end=token.end,
            cast=cast,
            function=self._call(index, whole=True),
            subscripted=self._text(index + 1) == "[",
            live=self.live[index],
        )

    def _in_list(self, index: int, token: Token) -> Place | None:
        """The whole ``[NOT] IN :x`` or ``[NOT] IN (:x)`` around a parameter."""
        first, last = index, index
        if self._text(index - 1) == "(" and self._text(index + 1) == ")":
            first, last = index - 1, index + 1
        if self._word(first - 1) != "IN":
            return None
        negated = self._word(first - 2) == "NOT"
        left = first - (3 if negated else 2)
        return Place(
            token=token,
            role=Role.IN_LIST,
            start=self.tokens[first - 2 if negated else first - 1].start,
            end=self.tokens[last].end,
            negated=negated,
            bare=first == index,
            tight=self._is_tight(left, last + 1),
            of_row=self._is_row(left),
            live=self.live[index],
        )

    def _is_tight(self, before: int, after: int) -> bool:
        """Whether a comparison stands on either side, at the same level."""
        if self._text(after) in _TIGHT_MARKS or self._word(after) in _TIGHT_WORDS:
            return True
        level = self.openers[before] if before >= 0 else -1
        for index in range(before, level, -1):
            if self.openers[index] != level:
                continue
            if self.words[index] in _BOUNDARIES or self.tokens[index].text == ",":
                return False
            if self.tokens[index].text in _COMPARISONS:
                return True
        return False

    def _is_row(self, last: int) -> bool:
        """Whether the operand that ends at ``last`` is a row, as in ``(a, b)``."""
        if self._text(last) != ")" or self.tokens[last].kind is not TokenKind.MARK:
            return False
        opener = self.openers[last + 1] if last + 1 < len(self.tokens) else -1
        found = [
            index
            for index in range(last - 1, -1, -1)
            if self.openers[index] == opener and self._text(index) == "("
        ]
        start = found[0] if found else last
        before = self._token(start - 1)
        called = ends_operand(before) and self._word(start - 1) != "ROW"
        several = any(
            self._text(index) == "," and self.openers[index] == start
            for index in range(start, last)
        )
        query = self._word(start + 1) in ("SELECT", "WITH", "VALUES")
        return several and not called and not query

    def _role(self, index: int, *, cast: bool) -> Role:
        before, after = self._word(index - 1), self._word(index + 1)
        if self._is_identifier(index):
            return Role.IDENTIFIER
        if self._is_order_item(index):
            return Role.ORDER_ITEM
        if before in ("LIMIT", "OFFSET", "TOP"):
            return Role.ROWS
        alone = self._text(index - 1) == "(" and self._text(index + 1) == ")"
        if alone and self._word(index - 2) in ("ANY", "ALL", "SOME"):
            return Role.QUANTIFIED
        if self._is_part_of_in(index):
            return Role.IN_PART
        if after == "IS" and "NULL" in (self._word(index + 2), self._word(index + 3)):
            return Role.VALUE if self._continues(index) else Role.NULL_TEST
        if self._is_select_item(index):
            return Role.SELECT_ITEM
        if self._is_compared(index, cast=cast):
            return Role.COMPARED
        return Role.CALL if self._call(index, whole=True) else Role.VALUE

    def _is_part_of_in(self, index: int) -> bool:
        opener = self.openers[index]
        return (
            opener > 0
            and self.tokens[opener].text == "("
            and self._word(opener - 1) == "IN"
            and self._text(index - 1) in ("(", ",")
            and self._text(index + 1) in (")", ",")
        )

    def _continues(self, index: int) -> bool:
        """Whether the parameter is only the end of a longer operand."""
        previous = self._token(index - 1)
        return previous is not None and (
            previous.text in ("+", "-", "*", "/", "||", "%", "::", ".")
            or (ends_operand(previous) and previous.word not in BEFORE_EXPRESSION)
        )

    def _is_compared(self, index: int, *, cast: bool) -> bool:
        if self._text(index - 1) in _COMPARISONS:
            return True
        if self._word(index - 1) in ("LIKE", "ILIKE", "BETWEEN", "GLOB", "REGEXP"):
            return True
        return not cast and self._text(index + 1) in _COMPARISONS

    def _is_select_item(self, index: int) -> bool:
        if self.clauses[index] != "SELECT":
            return False
        starts = self._word(index - 1) in ("SELECT", "DISTINCT", "ALL")
        if not starts and self._text(index - 1) != ",":
            return False
        after = self._token(index + 1)
        if after is None or after.text in (",", ")", ";"):
            return True
        if after.kind is TokenKind.QUOTED or after.word in _ITEM_END:
            return True
        return after.kind is TokenKind.WORD and after.word not in (
            BEFORE_EXPRESSION | {"COLLATE", "AT", "NOTNULL", "ISNULL", "DIV", "MOD"}
        )

    def _is_order_item(self, index: int) -> bool:
        if self.clauses[index] != "ORDER":
            return False
        if self._word(index - 1) != "BY" and self._text(index - 1) != ",":
            return False
        after = self._token(index + 1)
        return (
            after is None or after.text in (",", ")", ";") or after.word in _ORDER_END
        )

    def _is_identifier(self, index: int) -> bool:
        before, text = self._word(index - 1), self._text(index - 1)
        dotted = self._text(index + 1) == "." and self._touches(index, index + 1)
        if dotted or (text == "." and self._touches(index - 1, index)):
            return True
        if self._text(index + 1) == "(" or before in ("JOIN", "AS", "COLLATE", "TABLE"):
            return True
        if self.clauses[index] == "FROM" and (before == "FROM" or text == ","):
            return True
        if before == "INTO":
            return self._word(index - 2) in ("INSERT", "REPLACE", "MERGE", "IGNORE")
        if before == "UPDATE":
            return self._word(index - 2) not in ("FOR", "DO", "KEY")
        assigned = before == "SET" or (text == "," and self.clauses[index] == "SET")
        return assigned and self._text(index + 1) == "="

    def _touches(self, left: int, right: int) -> bool:
        return self.tokens[left].end == self.tokens[right].start

    def _call(self, index: int, *, whole: bool) -> str:
        """The function whose argument the parameter is (all of it, or the start of it)."""
        opener = self.openers[index]
        if opener < 1 or self.tokens[opener].text != "(":
            return ""
        name = self.tokens[opener - 1]
        if name.kind is not TokenKind.WORD or name.word in BEFORE_EXPRESSION:
            return ""
        if self._text(index - 1) not in ("(", ","):
            return ""
        if whole and self._text(index + 1) not in (")", ","):
            return ""
        return name.text.lower() if whole or self._word(index + 1) == "AS" else ""

    def _token(self, index: int) -> Token | None:
        return self.tokens[index] if 0 <= index < len(self.tokens) else None

    def _text(self, index: int) -> str:
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def _word(self, index: int) -> str:
        return self.words[index] if 0 <= index < len(self.words) else ""
