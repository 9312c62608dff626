"""Events in, positioned nodes out, under a budget of depth and size (language.md 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from brimgen.diagnostics import Diagnostics, Span, span_of
from brimgen.diagnostics.rules.source import (
    NUMBER_RANGE,
    SELF_REFERENCE,
    SURROGATE,
    TAG,
    TOO_DEEP,
    TOO_MANY_NODES,
    UNKNOWN_ALIAS,
)
from brimgen.frozen import dataclass
from brimgen.source.entries import mapping_entries
from brimgen.source.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    events,
)
from brimgen.source.nodes import (
    ListNode,
    MapNode,
    Node,
    ScalarNode,
    ScalarValue,
    scalar_of,
)
from brimgen.source.places import Places
from brimgen.source.scalars import (
    CONSTANTS,
    FIRST_OF_NUMBERS,
    NumberRange,
    core_value,
)

DEEPEST = 64
MOST_NODES = 20_000


class OverBudget(Exception):
    """A document is too deep or too large, as was reported at ``line`` (from 1)."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come yet: where it begins, and where its last child ends."""

    event: Event
    is_map: bool
    size_before: int
    begin: Span
    last: Span
    children: list[Node | None] = field(default_factory=list[Node | None])
    height: int = 0


@dataclass(frozen=True, slots=True)
class _Anchored:
    """What an alias repeats: a node, and what repeating it costs (None while it is open)."""

    node: Node | None
    size: int
    height: int


def trees(places: Places, found: Diagnostics) -> Iterator[Node | None]:
    """The root of each document, None for an empty one.

    Raises `YamlFailure` where the text is not YAML, and `OverBudget`.
    """
    builder = _Builder(places, found)
    for event in events(places.text):
        kind: type = type(event)
        if kind is ScalarEvent:
            builder.scalar(event)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            builder.open(event, kind is MappingStartEvent)
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            builder.close(event)
        elif kind is AliasEvent:
            builder.alias(event)
        elif kind is DocumentStartEvent:
            builder = _Builder(places, found)
        elif kind is DocumentEndEvent:
            yield builder.root


class _Builder:
    """Builds the tree of one document with a stack of its own, so that no depth can break it."""

    def __init__(self, places: Places, found: Diagnostics) -> None:
        self.root: Node | None = None
        self._places = places
        self._file = places.file
        self._found = found
        self._stack: list[_Open] = []
        self._anchors: dict[str, _Anchored] = {}
        self._size = 0

    def scalar(self, event: Event) -> None:
        """A scalar, as a value, an item or a key; most are plain, without anchor or tag."""
        begin, end, text = event.start_mark, event.end_mark, event.value
        is_named = event.anchor is not None or event.tag is not None
        line, column = begin.line + 1, begin.column + 1
        if is_named:
            line, column = self._places.start(event)
        span = span_of((self._file, line, column, end.line + 1, end.column + 1))
        if event.style:
            node = self._marked_scalar(event, span)
            span = node.span
        elif text[:1] in FIRST_OF_NUMBERS:
            node = ScalarNode(span, text, self._number(text, span))
        elif text or self._stack or is_named:
            node = scalar_of((span, text, CONSTANTS.get(text, text), False, None))
        else:
            return
        self._size += 1
        if self._size > MOST_NODES:
            self._give_up_size(event, 1)
        if is_named:
            self._name(event, node, 1, 0)
        if self._stack:
            parent = self._stack[-1]
            parent.children.append(node)
            parent.last = span
        else:
            self.root = node

    def _marked_scalar(self, event: Event, span: Span) -> ScalarNode:
        """A quoted scalar or a block scalar."""
        text, lines = event.value, None
        if event.style == "|" or event.style == ">":
            span, lines = self._places.block_scalar(event)
        if not text.isascii():
            text = self._without_surrogates(text, span)
        return ScalarNode(span, text, text, True, lines)

    def open(self, event: Event, is_map: bool) -> None:
        """The start of a mapping or list."""
        self._size += 1
        if self._size > MOST_NODES:
            self._give_up_size(event, 1)
        if len(self._stack) == DEEPEST:
            self._give_up_depth(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = _Anchored(None, 0, 0)
        line, column = self._places.start(event)
        begin = span_of((self._file, line, column, line, column + 1))
        self._stack.append(_Open(event, is_map, self._size - 1, begin, begin))

    def close(self, event: Event) -> None:
        """The end of a mapping or list: a flow one ends at its bracket, others with a child."""
        done = self._stack.pop()
        _, line, column, _, _ = done.begin
        end: tuple[int, int] = done.last[3:]
        if done.event.flow_style:
            end = event.end_mark.line + 1, event.end_mark.column + 1
        span = span_of((self._file, line, column, *end))
        node: Node
        if done.is_map:
            node = MapNode(span, mapping_entries(done.children, self._found))
        else:
            items = tuple(each for each in done.children if each is not None)
            node = ListNode(span, items)
        height = done.height + 1
        if done.event.anchor is not None or done.event.tag is not None:
            self._name(done.event, node, self._size - done.size_before, height)
        self._attach(node, height, span)

    def alias(self, event: Event) -> None:
        """A repetition of an anchored node; the node itself is shared, not copied."""
        name = event.anchor or ""
        anchored = self._anchors.get(name)
        if anchored is None or anchored.node is None:
            rule = UNKNOWN_ALIAS if anchored is None else SELF_REFERENCE
            self._found.add(rule, self._places.marked(event), name=name)
            anchored = _Anchored(None, 0, 0)
        self._size += anchored.size
        if self._size > MOST_NODES:
            self._give_up_size(event, anchored.size)
        if len(self._stack) + anchored.height > DEEPEST:
            self._give_up_depth(event)
        self._attach(anchored.node, anchored.height, self._places.marked(event))

    def _name(self, event: Event, node: Node, size: int, height: int) -> None:
        """Puts a finished node under its anchor, and reports its tag."""
        if event.tag is not None:
            written, span = self._places.tag(event)
            self._found.add(TAG, span, tag=written)
        if event.anchor is not None:
            self._anchors[event.anchor] = _Anchored(node, size, height)

    def _attach(self, node: Node | None, height: int, span: Span) -> None:
        """Puts a node, or the gap of one that was reported, into the innermost collection."""
        if not self._stack:
            self.root = node
            return
        parent = self._stack[-1]
        parent.children.append(node)
        parent.last = span
        if height > parent.height:
            parent.height = height

    def _number(self, text: str, span: Span) -> ScalarValue:
        """What begins like a number: mostly it is one."""
        try:
            return core_value(text)
        except NumberRange as problem:
            shown = text if len(text) <= 40 else f"{text[:40]}…"
            self._found.add(NUMBER_RANGE, span, text=shown)
            return problem.nearest

    def _without_surrogates(self, text: str, span: Span) -> str:
        """Only the pure loader lets halves of characters through; they fit into no file."""
        try:
            text.encode()
        except UnicodeEncodeError as problem:
            code = f"U+{ord(text[problem.start]):04X}"
            self._found.add(SURROGATE, span, code=code)
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text

    def _give_up_size(self, event: Event, added: int) -> None:
        cause = ", counting what its aliases repeat" if added > 1 else ""
        here = self._here(event)
        self._found.add(TOO_MANY_NODES, here, limit=MOST_NODES, cause=cause)
        raise OverBudget(here.line)

    def _give_up_depth(self, event: Event) -> None:
        here = self._here(event)
        self._found.add(TOO_DEEP, here, limit=DEEPEST)
        raise OverBudget(here.line)

    def _here(self, event: Event) -> Span:
        return self._places.mark(event.start_mark.line, event.start_mark.column)
