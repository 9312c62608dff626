"""Positioned nodes: what a YAML document says, every piece with its place."""

from __future__ import annotations

from typing import TypeAlias

from brimgen.diagnostics import Span, TextBlock
from brimgen.frozen import dataclass

ScalarValue: TypeAlias = bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """A scalar: ``text`` as written (quotes and block marks undone), ``value`` by YAML 1.2 core.

    ``quoted`` scalars and block scalars are always strings. ``lines`` says where the lines of a
    scalar of several lines stand; of one line, ``span`` says it.
    """

    span: Span
    text: str
    value: ScalarValue
    quoted: bool = False
    lines: TextBlock | None = None

    @property
    def block(self) -> TextBlock:
        """The text with the place of every character in it.

        Exact for plain and quoted scalars of one line without escapes, and for literal blocks;
        elsewhere (folded, escaped) every offset answers with the whole scalar.
        """
        if self.lines is not None:
            return self.lines
        span, length = self.span, len(self.text)
        # Every escape, `''` too, is wider than what it stands for: width tells that there is none.
        width = span.end_column - span.column if span.line == span.end_line else -1
        if width == length:
            return TextBlock(self.text, span, ((span.line, span.column),))
        if self.quoted and width == length + 2:
            return TextBlock(self.text, span, ((span.line, span.column + 1),))
        return TextBlock(self.text, span, exact=False)


@dataclass(frozen=True, slots=True)
class ListNode:
    """A sequence."""

    span: Span
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One key and its value; keys are always strings."""

    key: ScalarNode
    value: Node


@dataclass(frozen=True, slots=True)
class MapNode:
    """A mapping: keys are unique, in the order in which they were written."""

    span: Span
    entries: tuple[Entry, ...]

    def get(self, key: str) -> Node | None:
        """The value under ``key``, or None."""
        for entry in self.entries:
            if entry.key.text == key:
                return entry.value
        return None

    def entry(self, key: str) -> Entry | None:
        """The key and value under ``key``, or None."""
        for entry in self.entries:
            if entry.key.text == key:
                return entry
        return None


Node: TypeAlias = ScalarNode | ListNode | MapNode
