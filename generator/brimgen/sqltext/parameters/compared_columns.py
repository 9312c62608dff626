"""Find the column that each parameter is compared with or stored in.

``placed_at >= :since`` stands beside ``placed_at``, and so do ``placed_at BETWEEN :a AND :b``,
``placed_at IN (:a, :b)`` and ``COALESCE(:since, placed_at)``. A parameter that is calculated with
(``:since - interval '1 day'``) stands beside none.
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import TokenKind, words

__all__ = ["STORED", "is_stored", "parameter_columns"]

STORED = "="
"""Stands for the column that a parameter is stored in; it has no name where it is stored."""
OTHER = "?"
"""Stands for an expression that is no plain column."""

_COMPARISONS = frozenset({"=", "<", ">", "<=", ">=", "<>", "!="})
_STARTS = frozenset({"(", ","})
_ENDS = frozenset({"", ")", ",", ";"})
_START_WORDS = words("WHERE AND OR NOT ON WHEN HAVING SET CASE THEN ELSE SELECT FILTER")
_END_WORDS = words(
    """AND OR THEN ELSE END WHEN WHERE GROUP ORDER LIMIT OFFSET HAVING RETURNING UNION EXCEPT
    INTERSECT FROM FOR WINDOW ON IS"""
)
_NAMES = frozenset({TokenKind.WORD, TokenKind.QUOTED})
_CHOOSING = words("COALESCE NULLIF GREATEST LEAST")
_VALUELESS = words(
    "NULL TRUE FALSE DEFAULT CURRENT_DATE CURRENT_TIMESTAMP LOCALTIMESTAMP"
)
_DATES = words("DATE CURRENT_DATE")
_COMBINING = words("UNION INTERSECT EXCEPT DISTINCT GROUP")


def parameter_columns(statement: Statement) -> Mapping[int, str]:
    """Map the place of each parameter to the column that it stands beside.

    It is the text of the column, `STORED`, or `OTHER`; a parameter beside none has no entry.
    """
    return statement.computed_once(_read_columns) if statement.parameters else {}


def is_stored(statement: Statement, start: int) -> bool:
    """Whether a parameter is a whole value that a column is given."""
    return parameter_columns(statement).get(start) == STORED


def _read_columns(statement: Statement) -> dict[int, str]:
    reader = _Reader(statement)
    columns: dict[int, str] = {}
    for index in statement.uses:
        column = reader.column(index)
        if column:
            columns[statement.significant[index].start] = column
    return columns


class _Reader:
    """Reads what is around parameters. The texts and words end with empty ones, for what is
    outside.
    """

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.tokens = statement.significant
        self.levels = statement.levels
        self.texts = (*[token.text for token in self.tokens], "", "", "", "")
        self.words = (*statement.words, "", "", "", "")

    def column(self, index: int) -> str:
        left, right = self.texts[index - 1] if index else "", self.texts[index + 1]
        starts = left in _STARTS or self.words[index - 1] in _START_WORDS or not index
        ends = right in _ENDS or self.words[index + 1] in _END_WORDS
        if ends and left in _COMPARISONS:
            return self._assigned(index) or self._before(index - 2)
        if starts and right in _COMPARISONS:
            return self._after(index + 2)
        if ends and self.words[index - 2 : index] == ("DISTINCT", "FROM"):
            negated = self.words[index - 3] == "NOT"
            return self._before(index - (5 if negated else 4))
        if ends and self.words[index - 1] in ("BETWEEN", "AND"):
            return self._between(index)
        if self.words[index - 1] == "IN":
            return self._before(index - (3 if self.words[index - 2] == "NOT" else 2))
        if ends and left in _STARTS:
            return self._item(index)
        is_first = self.words[index - 1] in ("SELECT", "ALL")
        return STORED if ends and is_first and self._is_inserted(index) else ""

    def _assigned(self, index: int) -> str:
        """`STORED` for ``SET column = :value``."""
        if self.texts[index - 1] != "=":
            return ""
        first = self._name_start(index - 2)
        if first is None:
            return ""
        at, level = first - 1, self.levels[index]
        while at >= 0:
            if self.words[at] == "SET" and self.levels[at] == level:
                comma = self.texts[first - 1] == ","
                return STORED if comma or at == first - 1 else ""
            if self.words[at] in ("WHERE", "FROM", "ON", "SELECT", "JOIN"):
                return ""
            at -= 1
        return ""

    def _name_start(self, last: int) -> int | None:
        """Where the name that ends at ``last`` begins, such as ``orders.placed_at``."""
        first = last
        while first >= 0 and self.tokens[first].kind in _NAMES:
            if self.words[first] in _START_WORDS | _VALUELESS:
                return None
            if first < 2 or self.texts[first - 1] != ".":
                return first
            first -= 2
        return None

    def _text(self, first: int, last: int) -> str:
        start, end = self.tokens[first].start, self.tokens[last].end
        return self.statement.text[start:end]

    def _before(self, last: int) -> str:
        """The operand that ends at ``last``, left of an operator."""
        first = self._name_start(last)
        if first is None:
            return "" if last < 0 or self._is_date(last) else OTHER
        starts = self.texts[first - 1] in _STARTS or not first
        if starts or self.words[first - 1] in _START_WORDS:
            return self._text(first, last)
        return "" if self._is_date(last) or self.words[first - 1] in _DATES else OTHER

    def _is_date(self, last: int) -> bool:
        """Whether the operand that ends at ``last`` is a date: a literal, or a cast to one."""
        if self.words[last] in _DATES or self.words[last - 1] in _DATES:
            return True
        if self.texts[last] != ")":
            return False
        level, at = self.levels[last], last - 1
        if self.words[at] == "DATE" and self.words[at - 1] == "AS":
            return True
        while at > 0 and self.levels[at] > level:
            at -= 1
        return self.words[at - 1] == "DATE"

    def _after(self, first: int) -> str:
        """The operand that begins at ``first``, right of an operator."""
        last = first
        if self.words[first] in _DATES:
            return ""
        if first >= len(self.tokens) or self.tokens[first].kind not in _NAMES:
            return "" if first >= len(self.tokens) or self._casts(first) else OTHER
        while self.texts[last + 1] == "." and self.tokens[last + 2].kind in _NAMES:
            last += 2
        plain = self.texts[last + 1] in _ENDS or self.words[last + 1] in _END_WORDS
        if plain and self.words[first] not in _VALUELESS:
            return self._text(first, last)
        return "" if self._casts(first) else OTHER

    def _casts(self, first: int) -> bool:
        """Whether the operand that begins at ``first`` is cast to a day."""
        for at in range(first, min(first + 40, len(self.tokens))):
            if self.words[at] in _END_WORDS and self.levels[at] <= self.levels[first]:
                return False
            if self.words[at] == "DATE" and self.texts[at - 1] in ("::", "AS", "as"):
                return True
        return False

    def _between(self, index: int) -> str:
        at, level = index - 1, self.levels[index]
        if self.words[at] == "AND":
            at -= 1
            while at > 0 and self.words[at] != "BETWEEN":
                is_outside = self.levels[at] < level or self.words[at] in _START_WORDS
                if is_outside:
                    return ""
                at -= 1
        if self.words[at] != "BETWEEN":
            return ""
        return self._before(at - (2 if self.words[at - 1] == "NOT" else 1))

    def _item(self, index: int) -> str:
        """The column of an item in brackets with others, or of an item after SELECT."""
        opener = self._opener(index)
        if opener is None:
            return STORED if self._is_inserted(index) else ""
        word = self.words[opener - 1] if opener else ""
        if word == "IN":
            return self._before(opener - (3 if self.words[opener - 2] == "NOT" else 2))
        if word in ("ANY", "ALL", "SOME") and self.texts[opener - 2] in _COMPARISONS:
            return self._before(opener - 3)
        if word in _CHOOSING:
            return self._sibling(opener)
        values = word == "VALUES" or self.texts[opener - 1] == ","
        is_row = values and self.levels[opener] == 0 and "VALUES" in self.words
        inserted = not self.statement.vocabulary.isdisjoint({"INSERT", "REPLACE"})
        return STORED if is_row and inserted else ""

    def _opener(self, index: int) -> int | None:
        level = self.levels[index]
        for at in range(index - 1, -1, -1):
            if self.levels[at] < level:
                return at
        return None

    def _sibling(self, opener: int) -> str:
        """Find a plain column among the arguments of a function that chooses one of them."""
        at, level = opener + 1, self.levels[opener]
        while at < len(self.tokens) and self.levels[at] > level:
            if self.texts[at - 1] in _STARTS and self.tokens[at].kind in _NAMES:
                column = self._after(at)
                if column not in ("", OTHER) and self.levels[at] == level + 1:
                    return column
            at += 1
        return ""

    def _is_inserted(self, index: int) -> bool:
        """Whether an item is one of those that ``INSERT … SELECT`` stores."""
        statement = self.statement
        if self.levels[index] or not statement.vocabulary.isdisjoint(_COMBINING):
            return False
        if "INSERT" not in statement.vocabulary:
            return False
        for at in range(index - 1, -1, -1):
            if self.words[at] == "SELECT" and not self.levels[at]:
                return "INSERT" in self.words[:at]
            if self.words[at] in ("FROM", "WHERE", "VALUES") and not self.levels[at]:
                return False
        return False
