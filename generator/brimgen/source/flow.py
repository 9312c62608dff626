"""Words, braces and brackets within a line in, their nodes out: for `ordinary`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from brimgen.diagnostics import span_of
from brimgen.regex import regex
from brimgen.source.nodes import (
    Entry,
    ListNode,
    MapNode,
    Node,
    ScalarNode,
    entry_of,
    scalar_of,
)
from brimgen.source.scalars import (
    CONSTANTS,
    FIRST_OF_NUMBERS,
    NumberRange,
    core_value,
)

KEY = r"(?![0-9])[\w$][\w.$/-]{0,99}+"
QUOTED = r"""(?:"[^"\\]*+(?:\\[nt"\\][^"\\]*+)*+"|'[^']*+(?:''[^']*+)*+')"""
_QUOTES = frozenset("'\"")
_ESCAPE = regex(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t"}
# What words begin with that do not simply mean themselves, if they are words at all.
_TELLING = _QUOTES | FIRST_OF_NUMBERS | {each[:1] for each in CONSTANTS}
_DEEPEST = 20
# No colon makes a key of what begins so far before it.
_LONGEST = 1000
# Spaces, a key with its colon, a word with the spaces behind it, and one character: a mark. As it
# may be any, no character is passed over, and what has no place comes out as a mark without sense.
_PIECE = regex(
    rf"""( *)(?:({KEY}|{QUOTED})(: +|(?<=["']):))?"""
    r"""([\w$./(~+=^;\\-][^,\[\]{}:#?]*+"""
    r"""(?:(?::(?=[\w/])|\?(?= *[,\]}]))[^,\[\]{}:#?]*+)*+"""
    rf"|{QUOTED} *+)?(.)"
)
# A key and its column, a word and its column, the mark behind them and the column behind that.
_Piece: TypeAlias = tuple[int, str, int, str, str, int]
_NO_PIECE: _Piece = (0, "", 0, "", "", 0)


class Unusual(Exception):
    """What is read is no ordinary YAML, or none at all."""


def read_word(file: str, line: int, column: int, written: str) -> ScalarNode:
    """A word, in quotes or not, with spaces behind it. Raises `Unusual`."""
    text = written.rstrip(" ")
    span = span_of((file, line, column, line, column + len(text)))
    first = text[0]
    if first not in _TELLING:
        return scalar_of((span, text, text, False, None))
    if first in _QUOTES:
        text = _unquoted(text)
        return scalar_of((span, text, text, True, None))
    if first == "-" and text[1:2] in " ":  # nothing, or a space
        raise Unusual
    try:
        return scalar_of((span, text, core_value(text), False, None))
    except NumberRange as problem:
        raise Unusual from problem


def _unquoted(written: str) -> str:
    text = written[1:-1]
    if written[0] == "'":
        return text.replace("''", "'")
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), text)


class Flow:
    """What stands in braces or brackets, from a column of a line on, read piece by piece."""

    __slots__ = ("_file", "_line", "_pieces")

    def __init__(self, file: str, line: int, column: int, written: str) -> None:
        if len(written) > _LONGEST:
            raise Unusual
        self._file = file
        self._line = line
        self._pieces = _pieces(column, written)

    def read(self) -> Node:
        """The collection; what stands behind it is not looked at. Raises `Unusual`."""
        return self._inner(next(self._pieces), _DEEPEST)

    def _inner(self, opening: _Piece, depth: int) -> Node:
        """What the mark of a piece opens."""
        _, _, column, _, mark, _ = opening
        if mark == "{" and depth:
            return self._mapping(column, depth - 1)
        if mark == "[" and depth:
            return self._list(column, depth - 1)
        raise Unusual

    def _mapping(self, begun: int, depth: int) -> MapNode:
        """The mapping whose brace stands at ``begun``."""
        file, line, pieces = self._file, self._line, self._pieces
        entries: dict[str, Entry] = {}
        mark, end = ",", 0
        while mark == ",":
            piece = column, text, begin, word, mark, end = next(pieces, _NO_PIECE)
            if not text and not word:  # the end, of nothing or behind a comma
                break
            if text in entries or not text:
                raise Unusual
            span = span_of((file, line, column, line, column + len(text)))
            key = scalar_of((span, text, text, False, None))
            if text[0] in _QUOTES:
                text = _unquoted(text)
                key = scalar_of((span, text, text, True, None))
            value: Node
            if word:
                value = read_word(file, line, begin, word)
            else:
                value = self._inner(piece, depth)
                mark, end = self._behind()
            entries[text] = entry_of((key, value))
        if mark != "}":
            raise Unusual
        return MapNode(span_of((file, line, begun, line, end)), tuple(entries.values()))

    def _list(self, begun: int, depth: int) -> ListNode:
        """The list whose bracket stands at ``begun``."""
        items: list[Node] = []
        mark, end = ",", 0
        while mark == ",":
            piece = _, key, begin, word, mark, end = next(self._pieces, _NO_PIECE)
            if key:
                raise Unusual
            if word:
                items.append(read_word(self._file, self._line, begin, word))
            elif mark == "]":  # of nothing, or behind a comma
                break
            else:
                items.append(self._inner(piece, depth))
                mark, end = self._behind()
        if mark != "]":
            raise Unusual
        span = span_of((self._file, self._line, begun, self._line, end))
        return ListNode(span, tuple(items))

    def _behind(self) -> tuple[str, int]:
        """The mark behind an inner collection, and the column behind that."""
        _, key, _, word, mark, end = next(self._pieces, _NO_PIECE)
        if key or word:
            raise Unusual
        return mark, end


def _pieces(column: int, written: str) -> Iterator[_Piece]:
    read: list[_Piece] = []
    for lead, key, colon, word, mark in _PIECE.findall(written):
        column += len(lead)
        begin = column + len(key) + len(colon)
        end = begin + len(word) + 1
        read.append((column, key, begin, word, mark, end))
        column = end
    return iter(read)
