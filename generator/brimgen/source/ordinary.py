"""The text of ordinary YAML in, its trees out, read row by row; None for any other.

Specs use little of YAML: mappings and lists by indentation, braces and brackets within a line,
words in quotes or without, blocks of text, comments. That is read here in two thirds of the time
that the events of a parser take, and without PyYAML, whose import takes as long as a hundred specs.
What is here only accepts: at anything else, a mistake above all, it gives up, and `tree` reads the
text from its start. What it accepts it reads as `tree` does, to the last column: tests hold it to
that.
"""

from __future__ import annotations

import re

from brimgen.diagnostics import span_of
from brimgen.regex import regex
from brimgen.source.blocks import read_block
from brimgen.source.flow import KEY, QUOTED, Flow, Unusual, read_word
from brimgen.source.nodes import (
    Entry,
    ListNode,
    MapNode,
    Node,
    entry_of,
    scalar_of,
)
from brimgen.source.places import Places

# What has fewer characters has fewer nodes than `tree` admits.
_SHORT = 16_000
_MOST_NODES = 19_000
# As deep as `tree` admits, but for what braces may add to it.
_DEEPEST = 40
# Tabs, and what is no character for every reader of YAML, or ends a line for some.
_UNUSUAL = regex(
    "[^\n -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
# Of every line: the indent, the dash of an item, a key, its colon (each with spaces), and the rest.
_ROW = regex(rf"^( *)(- +)?(?:({KEY})(:(?: +|$)))?(.*)$", re.MULTILINE)
_QUOTED = regex(rf"({QUOTED})(?: +#.*| *)")
_COMMENT = regex(r"(?: +#.*| *)")
# What no word begins with; and what none begins with that has a space, or nothing, behind it.
_INDICATORS = frozenset(",[]{}#&*!|>'\"%@`")
_MARKS = frozenset("-?:")
_BEHIND = -1


def ordinary(places: Places) -> tuple[MapNode, ...] | None:
    """The roots of the documents that are not empty; None for a text that `tree` is to read.

    Raises nothing.
    """
    text = places.text
    if _UNUSUAL.search(text) or (len(text) > _SHORT and _is_large(text)):
        return None
    rows = _ROW.findall(text)
    marks = [number for number, row in enumerate(rows) if row[4][:3] == "---"]
    if any(rows[each][4].rstrip(" ") != "---" or any(rows[each][:4]) for each in marks):
        return None
    try:
        read = [
            _Rows(places, rows, before + 1, end).root()
            for before, end in zip((-1, *marks), (*marks, len(rows)), strict=True)
        ]
    except Unusual:
        return None
    return tuple([each for each in read if each is not None])


def _is_large(text: str) -> bool:
    """Whether a text may hold more nodes than `tree` admits.

    A row has four at most (an item, a key, a value and what they stand in), and besides three
    for each brace and two for each comma.
    """
    braces = text.count("{") + text.count("[")
    return 4 * text.count("\n") + 3 * braces + 2 * text.count(",") > _MOST_NODES


class _Rows:
    """The rows of one document, of which one is at hand: as far as it is not read.

    ``indent`` is that of what follows, `_BEHIND` where nothing does.
    """

    __slots__ = (
        "_end",
        "_number",
        "_places",
        "_rows",
        "colon",
        "dash",
        "indent",
        "key",
        "rest",
    )

    def __init__(
        self,
        places: Places,
        rows: list[tuple[str, str, str, str, str]],
        begin: int,
        end: int,
    ) -> None:
        self._places = places
        self._rows = rows
        self._end = end
        self._take(begin)

    def root(self) -> MapNode | None:
        """The mapping that is the document; None for an empty one. Raises `Unusual`."""
        if self.indent == _BEHIND:
            return None
        root = None if self.dash else self._mapping(self.indent, 0)
        if root is None or self.indent != _BEHIND:
            raise Unusual
        return root

    def _take(self, begin: int) -> None:
        """The first row from ``begin`` on that has more than a comment."""
        rows = self._rows
        for number in range(begin, self._end):
            spaces, self.dash, self.key, self.colon, rest = rows[number]
            if self.key or self.dash or (rest and rest[0] != "#"):
                self.indent, self.rest, self._number = len(spaces), rest, number
                return
        self.indent, self.dash = _BEHIND, ""

    def _mapping(self, indent: int, depth: int) -> MapNode:
        """The mapping whose first key is at hand."""
        file, begun = self._places.file, self._number + 1
        entries: dict[str, Entry] = {}
        while True:
            text, line = self.key, self._number + 1
            if not text or text in entries:
                raise Unusual
            end = indent + 1 + len(text)
            span = span_of((file, line, indent + 1, line, end))
            key = scalar_of((span, text, text, False, None))
            rest = self.rest
            if rest and rest[0] != "#":
                value = self._said(end + len(self.colon), indent)
            else:
                value = self._below(end + 1, indent, depth + 1)
            entries[text] = entry_of((key, value))
            if self.indent != indent or self.dash:
                break
        if self.indent > indent:
            raise Unusual
        span = span_of((file, begun, indent + 1, *value.span[3:]))
        return MapNode(span, tuple(entries.values()))

    def _list(self, indent: int, depth: int) -> ListNode:
        """The list whose first item is at hand."""
        begun = self._number + 1
        items: list[Node] = []
        while self.indent == indent and self.dash:
            inner = indent + len(self.dash)
            if self.key:
                self.indent, self.dash = inner, ""
                items.append(self._mapping(inner, depth + 1))
            elif self.rest:
                items.append(self._said(inner + 1, indent))
            else:
                raise Unusual
        if self.indent > indent:
            raise Unusual
        last = items[-1].span
        span = span_of((self._places.file, begun, indent + 1, *last[3:]))
        return ListNode(span, tuple(items))

    def _below(self, column: int, indent: int, depth: int) -> Node:
        """The value of a key with nothing behind it, whose colon stands before ``column``."""
        line = self._number + 1
        self._take(line)
        if depth > _DEEPEST:
            raise Unusual
        if self.indent > indent and not self.dash:
            return self._mapping(self.indent, depth)
        if self.indent >= indent and self.dash:
            return self._list(self.indent, depth)
        span = span_of((self._places.file, line, column, line, column))
        return scalar_of((span, "", None, False, None))

    def _said(self, column: int, outer: int) -> Node:
        """The value in the row at hand, within a collection with the indent ``outer``."""
        rest, first = self.rest, self.rest[0]
        if first in _INDICATORS:
            return self._marked(column, outer)
        line = self._number + 1
        comment = rest.find(" #")
        if comment >= 0:
            rest = rest[:comment]
        rest = rest.rstrip(" ")
        if ": " in rest or rest[-1] == ":" or (first in _MARKS and rest[1:2] in " "):
            raise Unusual
        self._take(line)
        return read_word(self._places.file, line, column, rest)

    def _marked(self, column: int, outer: int) -> Node:
        """A value that begins with a brace, a bracket, a quote or the mark of a block."""
        places, rest, line = self._places, self.rest, self._number + 1
        following = line
        node: Node
        if rest[0] in "{[":
            node = Flow(places.file, line, column, rest).read()
            if not _COMMENT.fullmatch(rest, node.span.end_column - column):
                raise Unusual
        elif rest[0] in "|>":
            begin, end = (line, column), self._end
            node, following = read_block(
                places, rest, begin=begin, outer=outer, end=end
            )
        else:
            quoted = _QUOTED.fullmatch(rest)
            if quoted is None:
                raise Unusual
            node = read_word(places.file, line, column, quoted[1])
        self._take(following)
        return node
