"""Write the placeholders of a query of sqlc, aiosql or Toolbox as ``:name``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from brimgen.frozen import dataclass, field
from brimgen.sql import Statement, Token, TokenKind
from brimgen.sql.tokens import BEFORE_EXPRESSION, ends_operand, words

_FOREIGN = re.compile(
    r"(?:\?|%s|[$:](?=\d))(?P<number>\d*)|(?:[@$]|%\()(?P<name>\w+)(?:\)s)?"
)
_ARGUMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MACROS = words("ARG NARG SLICE EMBED")
_NAMES = frozenset({TokenKind.WORD, TokenKind.QUOTED})
_COMPARISONS = frozenset({"=", "<>", "!=", "<=", ">=", "<", ">"})
_OPERATORS = words("LIKE ILIKE GLOB REGEXP RLIKE IN")
_QUANTIFIERS = words("ANY ALL SOME")
_ROW_LIMITS = words("LIMIT OFFSET")
_SOURCES = words("VALUES SELECT WITH DEFAULT SET")
_TYPE_MARKS = frozenset({"::", ".", "(", ")", "[", "]", ","})
_TYPE_ENDS = BEFORE_EXPRESSION - {"WITH"}


@dataclass(slots=True)
class NamedQuery:
    """A query whose placeholders have names.

    ``nullable`` are parameters that may be NULL (``sqlc.narg``, or ``$1 IS NULL OR …``), ``lists``
    those that are lists (``sqlc.slice``), ``embedded`` the tables of ``sqlc.embed``.
    """

    text: str
    names: list[str] = field(default_factory=list[str])
    nullable: set[str] = field(default_factory=set[str])
    lists: set[str] = field(default_factory=set[str])
    embedded: list[str] = field(default_factory=list[str])


class _Placeholder(NamedTuple):
    """The tokens ``first`` to ``last``; ``number`` tells which one it is if it has no name."""

    first: int
    last: int
    name: str = ""
    number: int = 0
    macro: str = ""


def body(statement: Statement) -> str:
    """Return a statement without the comments and white space around it, and without its ``;``."""
    tokens = [*statement.significant]
    while tokens and tokens[-1].text == ";":
        tokens.pop()
    return statement.text[tokens[0].start : tokens[-1].end] if tokens else ""


def with_embedded(
    statement: Statement, columns_of: Callable[[str], Sequence[str]]
) -> tuple[str, list[str]]:
    """Write each ``sqlc.embed(table)`` whose columns are known as ``table.id AS table_id, …``.

    Return the text, and the tables that are written so.
    """
    text, at, tables = "", 0, list[str]()
    for each in _placeholders(statement):
        columns = columns_of(each.name) if each.macro == "EMBED" else ()
        if not columns:
            continue
        listed = [f"{each.name}.{name} AS {each.name}_{name}" for name in columns]
        start = statement.significant[each.first].start
        text += f"{statement.text[at:start]}{', '.join(listed)}"
        at = statement.significant[each.last].end
        tables.append(each.name)
    return text + statement.text[at:], tables


def with_names(statement: Statement) -> NamedQuery:
    """Return a query with named placeholders. One without a name is called like its column."""
    surroundings = _Surroundings(statement)
    placeholders = [*_placeholders(statement)]
    query = NamedQuery("")
    query.embedded += [each.name for each in placeholders if each.macro == "EMBED"]
    placeholders = [each for each in placeholders if each.macro != "EMBED"]
    given = {each.name for each in placeholders}
    numbered: dict[int, str] = {}
    for each in placeholders:
        number = each.number
        if number and not numbered.get(number):
            numbered[number] = surroundings.column(each)
    for number, column in numbered.items():
        name = column if _ARGUMENT.fullmatch(column) else f"arg{number}"
        numbered[number] = f"{name}_{number}" if name in given else name
        given.add(numbered[number])
    names = [each.name or numbered[each.number] for each in placeholders]
    query.names += dict.fromkeys(names)
    for each, name in zip(placeholders, names, strict=True):
        if each.macro == "NARG" or surroundings.is_tested_for_null(each):
            query.nullable.add(name)
        if each.macro == "SLICE":
            query.lists.add(name)
    query.text = _replaced(statement, zip(placeholders, names, strict=True))
    return query


def with_given_names(statement: Statement, names: Sequence[str]) -> str:
    """Return a statement whose placeholders by position have ``names``, and others their own.

    ``$2`` and ``?2`` are the second one; each ``?`` is the next one. A word such as ``@name`` is a
    placeholder if ``name`` is one of ``names``, and else a variable of the database.
    """
    named: list[tuple[_Placeholder, str]] = []
    for each in _placeholders(statement, names):
        index = each.number - 1
        if not each.macro:
            name = names[index] if 0 <= index < len(names) else f"arg{each.number}"
            named.append((each, each.name or name))
    return _replaced(statement, named)


def _replaced(statement: Statement, names: Iterable[tuple[_Placeholder, str]]) -> str:
    text, at = "", 0
    for placeholder, name in names:
        start = statement.significant[placeholder.first].start
        text += f"{statement.text[at:start]}:{name}"
        at = statement.significant[placeholder.last].end
    return text + statement.text[at:]


def _placeholders(
    statement: Statement, names: Sequence[str] = ()
) -> Iterator[_Placeholder]:
    tokens, highest = statement.significant, 0
    for index, token in enumerate(tokens):
        if token.kind in (TokenKind.PARAM, TokenKind.AMBIGUOUS):
            yield _Placeholder(index, index, token.name)
        elif token.kind is TokenKind.FOREIGN:
            match = _FOREIGN.fullmatch(token.text)
            if match is None:
                continue
            if match["name"]:
                yield _Placeholder(index, index, match["name"])
                continue
            number = int(match["number"] or highest + 1)
            highest = max(highest, number)
            yield _Placeholder(index, index, number=number)
        elif token.text[0] in "@$" and token.text[1:] in names:
            yield _Placeholder(index, index, token.text[1:])
        elif token.word == "SQLC":
            macro = _macro(tokens[index : index + 6])
            if macro is not None:
                yield macro._replace(first=index, last=index + 5)


def _macro(tokens: Sequence[Token]) -> _Placeholder | None:
    """Read ``sqlc.arg(name)``; the name may be in quotes."""
    if len(tokens) < 6 or tokens[2].word not in _MACROS:
        return None
    if [tokens[at].text for at in (1, 3, 5)] != [".", "(", ")"]:
        return None
    return _Placeholder(0, 0, tokens[4].text.strip("'\"`"), macro=tokens[2].word)


class _Surroundings:
    """What stands around placeholders. Texts and words end with empty ones, for what is outside."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.tokens = statement.significant
        self.levels = statement.levels
        self.texts = (*[token.text for token in self.tokens], "", "")
        self.words = (*statement.words, "", "")
        self.stored = dict(self._stored_columns())

    def column(self, placeholder: _Placeholder) -> str:
        """The column that a placeholder is compared with or stored in, ``limit`` or ``offset``.

        ``LIMIT ?, ?`` has the offset first. The text is empty if there is none of them.
        """
        at, first = placeholder.first - 1, placeholder.first
        if self.texts[at] == "," and self.words[first - 3] == "LIMIT":
            return "limit"
        if self.words[at] == "LIMIT" and self.texts[placeholder.last + 1] == ",":
            return "offset"
        while at > 0 and (self.texts[at] == "(" or self.words[at] in _QUANTIFIERS):
            at -= 1
        if self.words[at] in _ROW_LIMITS:
            return self.words[at].lower()
        return self.stored.get(first) or self._compared(at)

    def _compared(self, at: int) -> str:
        """The column left of the operator that ends at ``at``."""
        if self.texts[at] not in _COMPARISONS and self.words[at] not in _OPERATORS:
            return ""
        at -= 2 if self.words[at - 1] == "NOT" else 1
        while at > 1 and self.texts[at - 1] == "::":
            at -= 2
        return self._name(at) if at >= 0 else ""

    def _name(self, at: int) -> str:
        token = self.tokens[at]
        is_name = token.kind in _NAMES and token.word not in BEFORE_EXPRESSION
        return token.text.strip('"`[]') if is_name else ""

    def is_tested_for_null(self, placeholder: _Placeholder) -> bool:
        """Whether ``IS NULL`` stands behind a placeholder, its casts and its brackets."""
        first, last = placeholder.first, placeholder.last
        while True:
            last = self._last_of_cast(last)
            if self.words[last + 1] == "IS":
                return "NULL" in self.words[last + 2 : last + 4]
            opening = first - 1
            if opening < 0 or self.texts[opening] != "(":
                return False
            before = self.tokens[opening - 1] if opening else None
            closing = self.statement.closing_bracket(opening)
            is_cast = before is not None and before.word == "CAST"
            if closing is None or (ends_operand(before) and not is_cast):
                return False
            if not is_cast and closing != last + 1:
                return False
            first, last = opening - 1 if is_cast else opening, closing

    def _last_of_cast(self, last: int) -> int:
        """The last token of the casts ``::type`` behind the token at ``last``."""
        level, end = self.levels[last], last
        if self.texts[end + 1] != "::":
            return last
        while end + 1 < len(self.tokens) and self.levels[end + 1] >= level:
            following = self.tokens[end + 1]
            is_type = following.kind in (*_NAMES, TokenKind.NUMBER)
            is_type = is_type and following.word not in _TYPE_ENDS
            if not is_type and following.text not in _TYPE_MARKS:
                break
            end += 1
        return end

    def _stored_columns(self) -> Iterator[tuple[int, str]]:
        """The first token of each value of ``INSERT INTO … (columns) VALUES``, and its column."""
        for at, word in enumerate(self.words):
            opening = self._columns_of_insert(at) if word == "INTO" else None
            closing = self.statement.closing_bracket(opening) if opening else None
            if opening is None or closing is None:
                continue
            columns = [self._name(end - 1) for _, end in self._items(opening, closing)]
            row = self._first_row(closing + 1)
            while row is not None and self.texts[row] == "(":
                end = self.statement.closing_bracket(row)
                if end is None:
                    break
                items = self._items(row, end)
                yield from zip([start for start, _ in items], columns, strict=False)
                row = end + 2 if self.texts[end + 1] == "," else None

    def _columns_of_insert(self, at: int) -> int | None:
        """Where the columns of ``INTO table (columns)`` open."""
        for index in range(at + 1, len(self.tokens)):
            if self.texts[index] == "(":
                return index
            if self.words[index] in _SOURCES:
                return None
        return None

    def _first_row(self, start: int) -> int | None:
        for index in range(start, len(self.tokens)):
            if self.words[index] in _SOURCES:
                return index + 1 if self.words[index] == "VALUES" else None
        return None

    def _items(self, opening: int, closing: int) -> list[tuple[int, int]]:
        """The first token of each item in brackets, and the one behind it."""
        level = self.levels[opening] + 1
        commas = [
            at
            for at in range(opening + 1, closing)
            if self.texts[at] == "," and self.levels[at] == level
        ]
        starts = [opening + 1, *[comma + 1 for comma in commas]]
        return [*zip(starts, [*commas, closing], strict=True)]
