"""Positioned nodes: the content of a YAML document, each part with its place.

They are tuples because tuples are made in a third of the time of frozen dataclasses, and a run
makes a node or an entry of every word of its specs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias

from brimgen.diagnostics import Span, TextBlock, span_of

ScalarValue: TypeAlias = bool | int | float | str | None
Plain: TypeAlias = ScalarValue | list[Any] | dict[str, Any]


class Mark(Protocol):
    """A place in a file, counted from 0: what PyYAML says of where something begins and ends."""

    @property
    def line(self) -> int:
        """The line."""
        ...

    @property
    def column(self) -> int:
        """The code points before it in its line."""
        ...


class _Mark(NamedTuple):
    """A place that PyYAML did not mark."""

    line: int
    column: int


def _marks(span: Span) -> tuple[str, Mark, Mark]:
    """The place that all nodes begin with."""
    file, line, column, end_line, end_column = span
    return file, _Mark(line - 1, column - 1), _Mark(end_line - 1, end_column - 1)


class _Placed:
    """A tuple that begins with a place, and computes its span on demand.

    Only one node in five is asked for its span, and reading the numbers of PyYAML's marks costs as
    much as all else of a node. Nodes are equal if their spans are, whoever made their marks.
    """

    __slots__ = ()

    @property
    def span(self: Any) -> Span:
        """Where it stands."""
        begin, end = self.begin, self.end
        line, column = begin.line + 1, begin.column + 1
        return span_of((self.file, line, column, end.line + 1, end.column + 1))

    def __eq__(self: Any, other: Any) -> bool:
        if self.__class__ is not other.__class__:
            return NotImplemented
        return bool(self.span == other.span and self[3:] == other[3:])

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self: Any) -> int:
        return hash(self.__getnewargs__())

    def __getnewargs__(self: Any) -> tuple[Any, ...]:
        return self.span, *self[3:]


class _Scalar(NamedTuple):
    """The parts of a scalar."""

    file: str
    begin: Mark
    end: Mark
    text: str
    value: ScalarValue
    quoted: bool
    lines: TextBlock | None


class ScalarNode(_Placed, _Scalar):
    """A scalar: ``text`` as written (quotes and block marks undone), ``value`` by YAML 1.2 core.

    ``quoted`` scalars and block scalars are always strings. ``lines`` says where the lines of a
    scalar of several lines stand; of one line, ``span`` says it.
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
        return scalar_of((*_marks(span), text, value, quoted, lines))

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


class _List(NamedTuple):
    """The parts of a sequence."""

    file: str
    begin: Mark
    end: Mark
    items: tuple[Node, ...]


class ListNode(_Placed, _List):
    """A sequence."""

    __slots__ = ()

    def __new__(cls, span: Span, items: tuple[Node, ...]) -> ListNode:
        return list_of((*_marks(span), items))


class Entry(NamedTuple):
    """One key and its value; keys are always strings."""

    key: ScalarNode
    value: Node


class _Map(NamedTuple):
    """The parts of a mapping."""

    file: str
    begin: Mark
    end: Mark
    entries: tuple[Entry, ...]


class MapNode(_Placed, _Map):
    """A mapping: keys are unique, in the order in which they were written."""

    __slots__ = ()
    is_partial = False
    """Whether something of it was refused."""

    def __new__(cls, span: Span, entries: tuple[Entry, ...]) -> MapNode:
        return map_of((*_marks(span), entries))

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


class PartialMapNode(MapNode):
    """A mapping that lost a refused entry: no missing key of it is reported."""

    __slots__ = ()
    is_partial = True

    def __new__(cls, span: Span, entries: tuple[Entry, ...]) -> PartialMapNode:
        return _Map.__new__(cls, *_marks(span), entries)


Node: TypeAlias = ScalarNode | ListNode | MapNode

# Without any `__new__`, as one is made of every word of a file.
scalar_of: Callable[
    [tuple[str, Mark, Mark, str, ScalarValue, bool, TextBlock | None]],
    ScalarNode,
]
scalar_of = partial(tuple[object].__new__, ScalarNode)
list_of: Callable[[tuple[str, Mark, Mark, tuple[Node, ...]]], ListNode]
list_of = partial(tuple[object].__new__, ListNode)
map_of: Callable[[tuple[str, Mark, Mark, tuple[Entry, ...]]], MapNode]
map_of = partial(tuple[object].__new__, MapNode)
entry_of: Callable[[tuple[ScalarNode, Node]], Entry] = partial(
    tuple[object].__new__, Entry
)


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
