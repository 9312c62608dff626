"""Positioned nodes: what a YAML document says, every piece with its place.

They are tuples, which are made in a third of the time of frozen dataclasses: a run makes a node or
an entry of every word of its specs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from brimgen.diagnostics import Span, TextBlock, span_of
from brimgen.named import NamedTuple

ScalarValue: TypeAlias = bool | int | float | str | None


class _Scalar(NamedTuple):
    """The parts of a scalar, those of its span first."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    value: ScalarValue
    quoted: bool
    lines: TextBlock | None


class ScalarNode(_Scalar):
    """A scalar: ``text`` as written (quotes and block marks undone), ``value`` by YAML 1.2 core.

    ``quoted`` scalars and block scalars are always strings. ``lines`` says where the lines of a
    scalar of several lines stand; of one line, ``span`` says it.

    ``span`` is made when it is asked for, because few are.
    """

    __slots__ = ()

    def __new__(
        cls,
        span: Span,
        text: str,
        value: ScalarValue,
        quoted: bool = False,
        lines: TextBlock | None = None,
    ) -> ScalarNode:
        file, line, column, end_line, end_column = span
        parts = (file, line, column, end_line, end_column, text, value, quoted, lines)
        return scalar_of(parts)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.span, *self[5:]

    @property
    def span(self) -> Span:
        """Where it stands."""
        return span_of(self[:5])

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


class ListNode(NamedTuple):
    """A sequence."""

    span: Span
    items: tuple[Node, ...]


class Entry(NamedTuple):
    """One key and its value; keys are always strings."""

    key: ScalarNode
    value: Node


class MapNode(NamedTuple):
    """A mapping: keys are unique, in the order in which they were written."""

    span: Span
    entries: tuple[Entry, ...]

    def get(self, key: str) -> Node | None:
        """The value under ``key``, or None."""
        for said, value in self.entries:
            if said.text == key:
                return value
        return None

    def entry(self, key: str) -> Entry | None:
        """The key and value under ``key``, or None."""
        for entry in self.entries:
            if entry.key.text == key:
                return entry
        return None


Node: TypeAlias = ScalarNode | ListNode | MapNode

# Without `ScalarNode.__new__` and `Entry.__new__`, as one is made of every word of a file.
scalar_of: Callable[
    [tuple[str, int, int, int, int, str, ScalarValue, bool, TextBlock | None]],
    ScalarNode,
]
scalar_of = partial(tuple[object].__new__, ScalarNode)
entry_of: Callable[[tuple[ScalarNode, Node]], Entry] = partial(
    tuple[object].__new__, Entry
)
