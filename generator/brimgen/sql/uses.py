"""Find every use of a parameter and what stands around it, for lists, casts and misuse."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from brimgen.sql.statement import Statement
from brimgen.sql.tokens import (
    BEFORE_EXPRESSION,
    CLOSING,
    OPENING,
    Token,
    TokenKind,
    ends_operand,
    words,
)


class Role(StrEnum):
    """What a parameter is used as."""

    VALUE = "value"
    COMPARED = "compared"
    IN_LIST = "in-list"
    IN_PART = "in-part"
    QUANTIFIED = "quantified"
    NULL_TEST = "null-test"
    SELECT_ITEM = "select-item"
    CALL = "call"
    ROWS = "rows"
    ORDER_ITEM = "order-item"
    PATH = "path"
    IDENTIFIER = "identifier"


class Place(NamedTuple):
    """One use of a parameter.

    ``cast`` says that the author gives it a type (``::t``, ``CAST(:x AS t)``); ``function`` is
    the call that it is a whole argument of, in lower case. For `Role.IN_LIST`, ``start`` and
    ``end`` enclose the whole ``[NOT] IN (:x)``, ``negated`` is true with NOT, ``unbracketed``
    without brackets (``IN :x``), ``tight`` if a comparison or a cast stands beside it, so that it
    cannot become one itself, and ``of_row`` if a row such as ``(a, b)`` stands on its left.
    ``subscripted`` is true if a ``[`` follows.
    ``live`` is true inside an executable comment of MySQL.
    """

    token: Token
    role: Role
    start: int
    end: int
    cast: bool = False
    function: str = ""
    negated: bool = False
    unbracketed: bool = False
    tight: bool = False
    of_row: bool = False
    subscripted: bool = False
    live: bool = False


__all__ = ["Place", "Role", "find_places"]

_COMPARISONS = frozenset({"=", "<", ">", "<=", ">=", "<>", "!=", "=="})
_COMPARING = words("LIKE ILIKE BETWEEN GLOB REGEXP")
_JOINED = frozenset({".", "(", "[", "::"})
"""Marks by which a parameter is the start of something else."""
_TIGHT_MARKS = _COMPARISONS | {"::"}
_TIGHT_WORDS = words("BETWEEN LIKE ILIKE")
_ITEM_END = words(
    """FROM WHERE GROUP ORDER HAVING LIMIT OFFSET UNION INTERSECT EXCEPT WINDOW QUALIFY FETCH FOR
    AS INTO"""
)
_ORDER_END = _ITEM_END | words("ASC DESC NULLS ROWS RANGE GROUPS COLLATE")
_PATHS = frozenset({"#>", "#>>", "#-"})
"""Operators of PostgreSQL whose right side is a list of texts."""
_NEXT_ITEM = frozenset({"", ",", ")", ";"})
"""What may follow an item of a list: the text after the last piece is empty."""
_OPERATORS = BEFORE_EXPRESSION | words("COLLATE AT NOTNULL ISNULL DIV MOD")
# A member of an enum is looked up in Python where its class is asked for it.
_COMPARED = Role.COMPARED
_BOUNDARIES = words(
    "AND OR NOT WHERE WHEN THEN ELSE ON HAVING SELECT CASE RETURNING QUALIFY SET"
)


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


def find_places(statement: Statement) -> tuple[Place, ...]:
    """Return every use of a parameter with its surroundings, in order."""
    return statement.computed_once(_read) if statement.parameters else ()


def _read(statement: Statement) -> tuple[Place, ...]:
    return tuple(_Reader(statement).places())


class _Reader(Surroundings):
    """Determines what each parameter is used as."""

    def places(self) -> list[Place]:
        return [
            self._compared(index, token)
            or self._in_list(index, token)
            or self._parameter_use(index, token)
            for index in self.statement.uses
            for token in [self.tokens[index]]
        ]

    def _compared(self, index: int, token: Token) -> Place | None:
        """Return a plain ``column = :name``, the most common use."""
        if self.texts[index - 1] not in _COMPARISONS:
            return None
        if self.texts[index + 1] in _JOINED or self.words[index + 1] == "IS":
            return None
        _, text, start = token
        end = start + len(text)
        return Place(token, _COMPARED, start, end, live=self._is_live(index))

    def _is_live(self, index: int) -> bool:
        return self.has_live and self.around[index].live

    def _parameter_use(self, index: int, token: Token) -> Place:
        after, called = self.texts[index + 1], self._called(index)
        cast = after == "::"
        if called and self.words[index + 1] == "AS":
            cast = called in ("cast", "try_cast", "safe_cast")
        function = called if after in (")", ",") else ""
        return Place(
            token=token,
            role=self._role(index, function, cast=cast),
            start=token.start,
            end=token.end,
            cast=cast,
            function=function,
            subscripted=after == "[",
            live=self._is_live(index),
        )

    def _in_list(self, index: int, token: Token) -> Place | None:
        """Return the whole ``[NOT] IN :x`` or ``[NOT] IN (:x)`` around a parameter."""
        first, last = index, index
        if self.texts[index - 1] == "(" and self.texts[index + 1] == ")":
            first, last = index - 1, index + 1
        if self.words[first - 1] != "IN":
            return None
        negated = self.words[first - 2] == "NOT"
        operand = first - (3 if negated else 2)
        return Place(
            token=token,
            role=Role.IN_LIST,
            start=self.tokens[first - 2 if negated else first - 1].start,
            end=self.tokens[last].end,
            negated=negated,
            unbracketed=first == index,
            tight=self._is_tight(operand, last + 1),
            of_row=self._is_row(operand),
            live=self._is_live(index),
        )

    def _is_tight(self, before: int, after: int) -> bool:
        """Whether a comparison stands on either side, at the same level."""
        if self.texts[after] in _TIGHT_MARKS or self.words[after] in _TIGHT_WORDS:
            return True
        levels = self.statement.levels
        level = levels[before] if before >= 0 else 0
        for index in range(before, -1, -1):
            if levels[index] > level:
                continue
            ends = levels[index] < level or self.words[index] in _BOUNDARIES
            if ends or self.texts[index] == ",":
                return False
            if self.texts[index] in _COMPARISONS:
                return True
        return False

    def _is_row(self, last: int) -> bool:
        """Whether the operand that ends at ``last`` is a row, as in ``(a, b)``."""
        if self.texts[last] != ")" or self.tokens[last].kind is not TokenKind.MARK:
            return False
        opener = self.around[last + 1].opener if last + 1 < len(self.tokens) else -1
        opening_brackets = [
            index
            for index in range(last - 1, -1, -1)
            if self.around[index].opener == opener and self.texts[index] == "("
        ]
        start = opening_brackets[0] if opening_brackets else last
        operand = start > 0 and ends_operand(self.tokens[start - 1])
        called = operand and self.words[start - 1] != "ROW"
        several = any(
            self.texts[index] == "," and self.around[index].opener == start
            for index in range(start, last)
        )
        query = self.words[start + 1] in ("SELECT", "WITH", "VALUES")
        return several and not called and not query

    def _role(self, index: int, function: str, *, cast: bool) -> Role:
        words, texts = self.words, self.texts
        before, after = words[index - 1], words[index + 1]
        left, right = texts[index - 1], texts[index + 1]
        if self._is_identifier(index):
            return Role.IDENTIFIER
        if self._is_order_item(index):
            return Role.ORDER_ITEM
        if before in ("LIMIT", "OFFSET", "TOP"):
            return Role.ROWS
        if left in _PATHS:
            return Role.PATH
        alone = left == "(" and right == ")"
        if alone and words[index - 2] in ("ANY", "ALL", "SOME"):
            return Role.QUANTIFIED
        if self._is_part_of_in(index):
            return Role.IN_PART
        if after == "IS" and "NULL" in (words[index + 2], words[index + 3]):
            return Role.VALUE if self._continues(index) else Role.NULL_TEST
        if self._is_select_item(index):
            return Role.SELECT_ITEM
        if left in _COMPARISONS or before in _COMPARING:
            return Role.COMPARED
        if not cast and right in _COMPARISONS:
            return Role.COMPARED
        return Role.CALL if function else Role.VALUE

    def _is_part_of_in(self, index: int) -> bool:
        if self.texts[index - 1] not in ("(", ","):
            return False
        opener = self.around[index].opener
        return (
            opener > 0
            and self.texts[opener] == "("
            and self.words[opener - 1] == "IN"
            and self.texts[index + 1] in (")", ",")
        )

    def _continues(self, index: int) -> bool:
        """Whether the parameter is only the end of a longer operand."""
        joined = self.texts[index - 1] in ("+", "-", "*", "/", "||", "%", "::", ".")
        return joined or (index > 0 and ends_operand(self.tokens[index - 1]))

    def _is_select_item(self, index: int) -> bool:
        starts = self.words[index - 1] in ("SELECT", "DISTINCT", "ALL")
        if not starts and self.texts[index - 1] != ",":
            return False
        if self.around[index].clause != "SELECT":
            return False
        if self.texts[index + 1] in _NEXT_ITEM:
            return True
        word = self.words[index + 1]
        quoted = self.tokens[index + 1].kind is TokenKind.QUOTED
        return quoted or word in _ITEM_END or bool(word and word not in _OPERATORS)

    def _is_order_item(self, index: int) -> bool:
        if self.words[index - 1] != "BY" and self.texts[index - 1] != ",":
            return False
        if self.around[index].clause != "ORDER":
            return False
        ends = self.texts[index + 1] in _NEXT_ITEM
        return ends or self.words[index + 1] in _ORDER_END

    def _is_identifier(self, index: int) -> bool:
        before, left = self.words[index - 1], self.texts[index - 1]
        right = self.texts[index + 1]
        dotted = right == "." and self._touches(index, index + 1)
        if dotted or (left == "." and self._touches(index - 1, index)):
            return True
        if right == "(" or before in ("JOIN", "AS", "COLLATE", "TABLE"):
            return True
        source = before == "FROM" or left == ","
        if source and self.around[index].clause == "FROM":
            return True
        if before == "INTO":
            return self.words[index - 2] in ("INSERT", "REPLACE", "MERGE", "IGNORE")
        if before == "UPDATE":
            return self.words[index - 2] not in ("FOR", "DO", "KEY")
        assigned = before == "SET" or (
            left == "," and self.around[index].clause == "SET"
        )
        return assigned and right == "="

    def _touches(self, left: int, right: int) -> bool:
        return self.tokens[left].end == self.tokens[right].start

    def _called(self, index: int) -> str:
        """The function that has the parameter at the start of an argument, in lower case."""
        if self.texts[index - 1] not in ("(", ","):
            return ""
        opener = self.around[index].opener
        if opener < 1 or self.texts[opener] != "(":
            return ""
        word = self.words[opener - 1]
        called = word and word not in BEFORE_EXPRESSION
        return self.texts[opener - 1].lower() if called else ""
