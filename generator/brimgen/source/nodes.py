"""Positioned nodes: the content of a YAML document, each part with its place.

They are tuples because tuples are made in a third of the time of frozen dataclasses, and a run
makes a node or an entry of every word of its specs.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from brimgen.diagnostics import Span, TextBlock

ScalarValue: TypeAlias = bool | int | float | str | None
Plain: TypeAlias = ScalarValue | list[Any] | dict[str, Any]


class ScalarNode(NamedTuple):
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

        Where they are not known (scalars with an anchor), every offset answers with the whole
        scalar.
        """
        if self.lines is not None:
            return self.lines
        span, length = self.span, len(self.text)
        # Every escape, `''` too, is wider than its character: an equal width means no escapes.
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
    """A mapping: keys are unique, in the order in which they were written.

    ``is_partial``: something of it was refused, so that no missing key of it is reported.
    """

    span: Span
    entries: tuple[Entry, ...]
    is_partial: bool = False

    def get(self, key: str) -> Node | None:
        """The value under ``key``, or None."""
        for name, value in self.entries:
            if name.text == key:
                return value
        return None

    def entry(self, key: str) -> Entry | None:
        """The key and value under ``key``, or None."""
        for entry in self.entries:
            if entry.key.text == key:
                return entry
        return None


Node: TypeAlias = ScalarNode | ListNode | MapNode


def plain(node: Node) -> Plain:
    """The JSON value of a node, new: values by YAML 1.2 core, keys in their order."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    return plain_object(node)


def plain_object(node: MapNode) -> dict[str, Any]:
    """The JSON object of a mapping."""
    return {entry.key.text: plain(entry.value) for entry in node.entries}


class Text(NamedTuple):
    """A string and its place."""

    value: str
    span: Span


def span_within(node: ScalarNode, start: int, end: int) -> Span | None:
    """The place of ``node.text[start:end]``; None where its lines have no exact places."""
    span = node.span
    if start == 0 and end == len(node.text) and not node.quoted:
        return span
    block = node.block
    return block.span_at(start, end) if block.exact else None
