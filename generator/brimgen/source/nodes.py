"""Positioned nodes: what a YAML document says, every piece with its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from brimgen.diagnostics import Span, TextBlock

ScalarValue: TypeAlias = None | bool | int | float | str


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """A scalar: ``text`` as written (quotes and block marks undone), ``value`` by YAML 1.2 core.

    ``quoted`` scalars and block scalars are always strings. ``block`` maps offsets of the text
    back into the file where the scalar has several lines.
    """

    span: Span
    text: str
    value: ScalarValue
    quoted: bool = False
    block: TextBlock | None = None


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
