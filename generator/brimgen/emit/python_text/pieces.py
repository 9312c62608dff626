"""Expressions of Python as pieces that know their parts.

A piece is its own text on one line. Its parts tell the layout where names, literals, operators and
brackets are, so that nobody has to look for them in the text: what a literal holds is never read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Self, cast

from brimgen.emit.code import Code, py
from brimgen.emit.python_text.marks import (
    ALWAYS,
    AND,
    BRACE_CLOSE,
    BRACE_OPEN,
    CALL_CLOSE,
    CALL_OPEN,
    COLON,
    COMMA,
    DOT,
    ELSE,
    EQUAL,
    FOR,
    HIDDEN_CLOSE,
    HIDDEN_OPEN,
    IF,
    IN,
    LIST_CLOSE,
    LIST_OPEN,
    MAGIC,
    NOT,
    OR,
    PAREN_CLOSE,
    PAREN_OPEN,
    SUBSCRIPT_CLOSE,
    SUBSCRIPT_OPEN,
    UNION,
    Mark,
    operator,
    word,
)
from brimgen.model.json import Json


class Piece(Code):
    """Source on one line, made of ``parts``: names, literals, other pieces, and marks."""

    __slots__ = ("parts",)
    parts: tuple[str, ...]

    @classmethod
    def of(cls, parts: tuple[str, ...]) -> Self:
        """The parts one after the other."""
        whole = cls("".join(parts))
        whole.parts = parts
        return whole


class Group(Piece):
    """An expression in parentheses that some places do without."""

    __slots__ = ()

    @property
    def inner(self) -> Code:
        """The expression without the parentheses."""
        return cast("Code", self.parts[1])


class Tuple(Piece):
    """A tuple in its parentheses."""

    __slots__ = ()


class Union(Piece):
    """``A | B``, in an annotation."""

    __slots__ = ()


class Comparison(Piece):
    """``a == b``, ``1 <= a < 2``."""

    __slots__ = ()


class Condition(Piece):
    """``value if test else other``."""

    __slots__ = ()


class Items(Piece):
    """``a, b``: what stands in a bracket."""

    __slots__ = ()


def piece(*parts: str) -> Piece:
    """The parts one after the other."""
    return Piece.of(parts)


def literal(value: Json) -> Code:
    """A JSON-like value: an opaque literal, or a display of such literals."""
    if isinstance(value, Mapping):
        return mapping([(py(key), literal(member)) for key, member in value.items()])
    if isinstance(value, Sequence) and not isinstance(value, str):
        return listed([literal(item) for item in value])
    return py(value)


def lines_of(text: str) -> Code:
    """A text as a literal for each of its lines, which Python joins."""
    literals = [py(line) for line in text.splitlines(keepends=True)] or [py("")]
    return _joined_by(ADJACENT, literals)


ADJACENT: Final = operator("", " ", "", 12)


def call(function: Code, *arguments: Code) -> Piece:
    """``function(arguments)``; what is too wide is broken as black breaks it."""
    return _bracketed(function, CALL_OPEN, arguments, CALL_CLOSE)


def spread(function: Code, *arguments: Code) -> Piece:
    """``function(arguments)``; with one argument a line where the whole is too wide."""
    return _bracketed(function, CALL_OPEN, arguments, CALL_CLOSE, MAGIC)


def _bracketed(
    before: str, opening: Mark, items: Sequence[Code], closing: Mark, *last: Mark
) -> Piece:
    parts: list[str] = [before, opening] if before else [opening]
    for item in items:
        parts += (item, COMMA)
    if items:
        parts[-1:] = last
    parts.append(closing)
    return piece(*parts)


def keyword(name: str, value: Code) -> Piece:
    """``name=value``, an argument."""
    return piece(name, EQUAL, value)


def attribute(owner: Code, name: str) -> Piece:
    """``owner.name``."""
    return piece(owner, DOT, name)


def subscript(owner: Code, *keys: Code) -> Piece:
    """``owner[keys]``."""
    return _bracketed(owner, SUBSCRIPT_OPEN, keys, SUBSCRIPT_CLOSE)


def spread_subscript(owner: Code, *keys: Code) -> Piece:
    """``owner[keys]``; with one key a line where the whole is too wide."""
    last = (MAGIC,) if len(keys) > 1 else ()
    return _bracketed(owner, SUBSCRIPT_OPEN, keys, SUBSCRIPT_CLOSE, *last)


def listed(items: Sequence[Code], *, is_broken: bool = False) -> Piece:
    """``[items]``; with one item a line however short it is, if ``is_broken``."""
    last = ALWAYS if is_broken else MAGIC
    return _bracketed("", LIST_OPEN, items, LIST_CLOSE, last)


def set_of(items: Sequence[Code]) -> Piece:
    """``{items}``, of one at least."""
    return _bracketed("", BRACE_OPEN, items, BRACE_CLOSE, MAGIC)


def mapping(entries: Iterable[tuple[Code, Code]], *, is_broken: bool = False) -> Piece:
    """``{key: value}``; with one entry a line however short it is, if ``is_broken``."""
    last = ALWAYS if is_broken else MAGIC
    items = [entry(key, value) for key, value in entries]
    return _bracketed("", BRACE_OPEN, items, BRACE_CLOSE, last)


def entry(key: Code, value: Code) -> Piece:
    """``key: value``, in a display."""
    return piece(key, COLON, value)


def tuple_of(items: Sequence[Code]) -> Piece:
    """Return ``(items)``; a single item has a comma behind it."""
    parts: list[str] = [PAREN_OPEN]
    for item in items:
        parts += (item, COMMA)
    if len(items) == 1:
        parts[-1] = SOLE
    elif items:
        parts.pop()
    return Tuple.of((*parts, PAREN_CLOSE))


SOLE: Final = operator(",", "", "", COMMA.priority, is_comma=True)


def grouped(inner: Code) -> Piece:
    """``(inner)``."""
    return Group.of((PAREN_OPEN, inner, PAREN_CLOSE))


def conditional(value: Code, test: Code, other: Code) -> Piece:
    """``value if test else other``."""
    return Condition.of((HIDDEN_OPEN, value, IF, test, ELSE, other, HIDDEN_CLOSE))


def all_of(tests: Sequence[Code]) -> Code:
    """``a and b``; the test itself where there is one only."""
    return _joined_by(AND, tests)


def any_of(tests: Sequence[Code]) -> Code:
    """``a or b``; the test itself where there is one only."""
    return _joined_by(OR, tests)


def either(options: Sequence[Code]) -> Code:
    """``A | B``, in an annotation; the type itself where there is one only."""
    union = _joined_by(UNION, options)
    return (
        Union.of(union.parts)
        if isinstance(union, Piece) and len(options) > 1
        else union
    )


def _joined_by(mark: Mark, items: Sequence[Code]) -> Code:
    if len(items) == 1:
        return items[0]
    parts: list[str] = []
    for item in items:
        parts += (item, mark)
    return piece(*parts[:-1])


_COMPARED: Final[dict[str, Mark]] = {}


def compared(first: Code, *rest: str) -> Comparison:
    """``a == b``, ``1 <= a < 2``: operators and operands in turns."""
    parts: list[str] = [first]
    for at in range(0, len(rest), 2):
        sign = rest[at]
        mark = _COMPARED.get(sign)
        if mark is None:
            mark = _COMPARED[sign] = operator(sign, " ", " ", 10)
        parts += (mark, rest[at + 1])
    return Comparison.of(tuple(parts))


def negated(test: Code) -> Piece:
    """``not test``; one with operators of its own is `grouped`."""
    return piece(NOT, test)


def less(left: Code, right: Code) -> Piece:
    """``left - right``."""
    return piece(left, _MINUS, right)


def total(terms: Sequence[Code]) -> Code:
    """``a + b``; the term itself where there is one only."""
    return _joined_by(_PLUS, terms)


_MINUS: Final = operator("-", " ", " ", 5)
_PLUS: Final = operator("+", " ", " ", 5)


def generated(value: Code, name: str, source: Code, test: Code | None = None) -> Piece:
    """``value for name in source if test``."""
    condition = () if test is None else (WHERE, test)
    return piece(value, FOR, name, IN, source, *condition)


WHERE: Final = operator("if", " ", " ", FOR.priority)


def list_of(value: Code, name: str, source: Code, test: Code | None = None) -> Piece:
    """``[value for name in source if test]``."""
    return piece(LIST_OPEN, generated(value, name, source, test), LIST_CLOSE)


def mapping_of(key: Code, value: Code, names: str, source: Code) -> Piece:
    """``{key: value for names in source}``."""
    inner = generated(entry(key, value), names, source)
    return piece(BRACE_OPEN, inner, BRACE_CLOSE)


def lambda_of(name: str, value: Code) -> Piece:
    """``lambda name: value``."""
    return piece(word("lambda"), name, COLON, value)


def starred(stars: str, value: Code) -> Piece:
    """``*value`` or ``**value``."""
    return piece(operator(stars, "", "", 0), value)


def awaited(value: Code) -> Piece:
    """``await value``."""
    return piece(word("await"), value)


def joined(items: Sequence[Code]) -> Items:
    """The items with commas between them, for the bracket of a template."""
    parts = [part for item in items for part in (item, COMMA)]
    return Items.of(tuple(parts[:-1]))
