"""Build positioned nodes from events, within limits of depth and size (spec-language.md)."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence

from brimgen.diagnostics import Diagnostics, Note, Span, did_you_mean
from brimgen.diagnostics.rules import (
    DUPLICATE_KEY,
    KEY_IS_NOT_TEXT,
    MERGE_VALUE,
    MISSING_DIVIDER,
    NUMBER_RANGE,
    SELF_REFERENCE,
    TAG,
    TOO_DEEP,
    TOO_MANY_VALUES,
    UNKNOWN_ALIAS,
    UNPAIRED_SURROGATE,
)
from brimgen.frozen import dataclass
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
    Entry,
    ListNode,
    MapNode,
    Node,
    ScalarNode,
    ScalarValue,
)
from brimgen.source.places import Places

CONSTANTS: dict[str, ScalarValue] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
FIRST_OF_NUMBERS = frozenset("+-.0123456789")
_INT = re.compile(r"[-+]?[0-9]+\Z")
_OCTAL = re.compile(r"0o[0-7]+\Z")
_HEX = re.compile(r"0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")
_SAFE_DIGITS = 300  # fit into a double
_INFINITE = float("inf")


class NumberRange(ValueError):
    """A number that JSON cannot carry: not finite, or beyond the range of a double.

    ``nearest`` is a number to use in its place, so that later checks do not report it again.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        largest = -sys.float_info.max if text.startswith("-") else sys.float_info.max
        self.nearest = 0.0 if text.casefold().endswith("nan") else largest


def core_value(text: str) -> ScalarValue:
    """The value of a plain scalar (spec-language.md): ``NO`` and ``1:30`` and dates are texts.

    Raises `NumberRange`.
    """
    if text[:1] not in FIRST_OF_NUMBERS:
        return CONSTANTS.get(text, text)
    if len(text) <= _SAFE_DIGITS and text.isascii() and text.isdecimal():
        return int(text)
    if _INT.match(text):
        return _finite(text, 10)
    if _HEX.match(text) or _OCTAL.match(text):
        return _finite(text, 0)
    if _FLOAT.match(text):
        value = float(text)
        if abs(value) == _INFINITE:
            raise NumberRange(text)
        return value
    if _NOT_FINITE.match(text):
        raise NumberRange(text)
    return text


def _finite(text: str, base: int) -> int:
    """The integer, if a double is wide enough to hold one of its size."""
    try:
        value = int(text, base)
        float(value)
    except (ValueError, OverflowError) as problem:
        raise NumberRange(text) from problem
    return value


_MERGE = "<<"
_BEGINNINGS = ("type", "name")


class OpenCollection:
    """A collection whose end has not come yet: where it begins, and its children so far.

    ``last`` is where the ``counted``-th child ends if it is an alias, whose node ends elsewhere.
    ``is_partial`` says that a child was refused.
    """

    __slots__ = (
        "begin",
        "children",
        "counted",
        "event",
        "height",
        "is_map",
        "is_partial",
        "last",
        "size_before",
    )

    def __init__(
        self, event: Event, is_map: bool, size_before: int, begin: tuple[int, int]
    ) -> None:
        self.event = event
        self.is_map = is_map
        self.size_before = size_before
        self.begin = begin
        self.children: list[Node | None] = []
        self.counted = 0
        self.last = begin
        self.height = 0
        self.is_partial = False

    def node(self, event: Event, file: str, diagnostics: Diagnostics) -> Node:
        """The node of the collection that ``event`` ends."""
        mark, children = event.end_mark, self.children
        end = (mark.line + 1, mark.column + 1) if self.event.flow_style else self._end()
        span = Span(file, *self.begin, *end)
        if not self.is_map:
            return ListNode(
                span, tuple([item for item in children if item is not None])
            )
        reports = diagnostics.reports
        entries = mapping_entries(children, diagnostics)
        is_partial = self.is_partial or diagnostics.reports != reports
        return MapNode(span, entries, is_partial)

    def _end(self) -> tuple[int, int]:
        """(line, column) where its last child ends; of an empty one, where it begins."""
        count, children = self.counted, self.children
        if count < len(children):
            last = children[-1]
            assert last is not None
            return last.span[3:]
        return self.last


def mapping_entries(
    children: Sequence[Node | None], diagnostics: Diagnostics
) -> tuple[Entry, ...]:
    """The entries of a mapping, from its keys and values in turn (None: reported already).

    Of keys that stand twice the first is kept. The entries of ``<<`` stand where it stands; the
    mapping's own entries replace merged ones of the same key in place, and of several merged
    mappings the first wins (the merge key of YAML 1.1, which YAML 1.2 left out).
    """
    if second := _second_spec(children):
        _report_divider(children, second, diagnostics)
        children = children[:second]
    entries: dict[str, Entry] = {}
    own_keys: dict[str, ScalarNode] = {}
    for key, value in zip(children[::2], children[1::2], strict=True):
        if key is None:
            continue
        if not isinstance(key, ScalarNode):
            diagnostics.add(KEY_IS_NOT_TEXT, key.span, kind=kind_of(key))
            continue
        text = key.text
        if text in own_keys:
            _report_duplicate(own_keys[text], key, diagnostics)
            continue
        own_keys[text] = key
        if value is None:
            continue
        if text == _MERGE and not key.quoted:
            for entry in _merged(value, diagnostics):
                entries.setdefault(entry.key.text, entry)
        else:
            entries[text] = Entry(_as_text(key), value)
    return tuple(entries.values())


def _second_spec(children: Sequence[Node | None]) -> int:
    """Return the index of the key in ``children`` that begins another spec; 0 if there is none.

    Such a key repeats the first one, and other keys before it are repeated behind it.
    """
    first = children[0] if children else None
    if (
        not isinstance(first, ScalarNode)
        or first.text not in _BEGINNINGS
        or first.span.column > 1
        or not first.span.file.casefold().endswith((".yaml", ".yml"))
    ):
        return 0
    keys = [
        child.text if isinstance(child, ScalarNode) else None for child in children[::2]
    ]
    repeated_at = keys.index(first.text, 1) if keys.count(first.text) > 1 else 0
    return (
        2 * repeated_at if len({*keys[:repeated_at]} & {*keys[repeated_at:]}) > 1 else 0
    )


def _report_divider(
    children: Sequence[Node | None], second: int, diagnostics: Diagnostics
) -> None:
    first, second_key = children[0], children[second]
    assert isinstance(first, ScalarNode) and isinstance(second_key, ScalarNode)
    notes = [Note(first.span, "the first one begins here")]
    diagnostics.add(MISSING_DIVIDER, second_key.span, notes=notes, key=second_key.text)


def kind_of(node: Node) -> str:
    """What a message calls the shape of a node."""
    if isinstance(node, MapNode):
        return "mapping"
    return "list" if isinstance(node, ListNode) else "single value"


def _as_text(key: ScalarNode) -> ScalarNode:
    """Keys are strings, also where a value would be a number, a boolean or null."""
    if key.value is key.text:
        return key
    return ScalarNode(key.span, key.text, key.text, key.quoted, key.lines)


def _merged(value: Node, diagnostics: Diagnostics) -> list[Entry]:
    sources = value.items if isinstance(value, ListNode) else (value,)
    merged: list[Entry] = []
    for source in sources:
        if isinstance(source, MapNode):
            merged.extend(source.entries)
        else:
            diagnostics.add(MERGE_VALUE, source.span, kind=kind_of(source))
    return merged


def _lines(first: int, second: int) -> str:
    return f"line {first}" if first == second else f"lines {first} and {second}"


def _report_duplicate(
    first: ScalarNode, second: ScalarNode, diagnostics: Diagnostics
) -> None:
    diagnostics.add(
        DUPLICATE_KEY,
        second.span,
        notes=[Note(first.span, "first here")],
        key=second.text,
        lines=_lines(first.span.line, second.span.line),
    )


DEEPEST = 64
_TEXT = "tag:yaml.org,2002:str"
MOST_NODES = 20_000


class OverBudget(Exception):
    """A document is too deep or too large, as was reported at ``line`` (from 1)."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


@dataclass(frozen=True, slots=True)
class Anchored:
    """What an alias repeats: a node, and what repeating it costs (None while it is open)."""

    node: Node | None
    size: int
    height: int


def trees(
    places: Places, diagnostics: Diagnostics, most: int = MOST_NODES
) -> Iterator[Node | None]:
    """The root of each document, None for an empty one; ``most`` is the budget of its values.

    Raises `YamlFailure` where the text is not YAML, and `OverBudget`.
    """
    coming = events(places.text)
    for event in coming:
        kind: type = type(event)
        if kind is DocumentStartEvent:
            yield _Builder(places, diagnostics, most).root(coming)


class _Builder:
    """Builds the tree of one document with a stack of its own, so that no depth can break it."""

    def __init__(self, places: Places, diagnostics: Diagnostics, most: int) -> None:
        self._places = places
        self._file = places.file
        self._diagnostics = diagnostics
        self._most = most
        self._top: list[Node | None] = []
        self._stack: list[OpenCollection] = []
        self._anchors: dict[str, Anchored] = {}
        self._size = 0

    def root(self, coming: Iterator[Event]) -> Node | None:
        """The root of the document of which every event but its start is coming."""
        children = self._top
        for event in coming:
            kind: type = type(event)
            if kind is ScalarEvent:
                if (
                    self._stack
                    or event.value
                    or event.style
                    or event.anchor
                    or event.tag
                ):
                    children.append(self._scalar(event))
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                children = self._open(event, kind is MappingStartEvent)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                children = self._close(event)
            elif kind is AliasEvent:
                self._alias(event)
            elif kind is DocumentEndEvent:
                break
        return self._top[0] if self._top else None

    def _scalar(self, event: Event) -> ScalarNode | None:
        """A scalar. A tag is reported; the value of a key is None then, as its type is unknown."""
        end, text = event.end_mark, event.value
        line, column = self._places.start(event)
        span = Span(self._file, line, column, end.line + 1, end.column + 1)
        if event.style:
            node = self._marked_scalar(event, span)
        else:
            is_long = line != span.end_line
            lines = self._places.written_scalar(event) if is_long else None
            node = ScalarNode(span, text, self._value(text, span), False, lines)
        self._grow(event, 1)
        if event.anchor is not None or event.tag is not None:
            self._name(event, node, 1, 0)
        return node if event.tag is None else self._tagged(event, node)

    def _grow(self, event: Event, added: int) -> None:
        self._size += added
        if self._size > self._most:
            self._give_up_size(event, added)

    def _tagged(self, event: Event, node: ScalarNode) -> ScalarNode | None:
        """Return a scalar without its refused tag; a text stays a text."""
        if event.tag == _TEXT and node.text:
            return ScalarNode(node.span, node.text, node.text, True, node.lines)
        parent = self._stack[-1] if self._stack else None
        if parent is None or not parent.is_map or len(parent.children) % 2 == 0:
            return node
        parent.is_partial = True
        parent.last, parent.counted = node.span[3:], len(parent.children) + 1
        return None

    def _marked_scalar(self, event: Event, span: Span) -> ScalarNode:
        """A quoted scalar or a block scalar."""
        text, lines = event.value, None
        if event.style == "|" or event.style == ">":
            begin = span.line, span.column
            span, lines = self._places.block_scalar(begin, event)
        else:
            lines = self._places.written_scalar(event)
        if not text.isascii():
            text = self._without_surrogates(text, span)
        return ScalarNode(span, text, text, True, lines)

    def _open(self, event: Event, is_map: bool) -> list[Node | None]:
        """The start of a mapping or list; the list of its children, which is empty."""
        self._grow(event, 1)
        if len(self._stack) == DEEPEST:
            self._give_up_depth(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = Anchored(None, 0, 0)
        opened = OpenCollection(
            event, is_map, self._size - 1, self._places.start(event)
        )
        self._stack.append(opened)
        return opened.children

    def _close(self, event: Event) -> list[Node | None]:
        """The end of a mapping or list: a flow one ends at its bracket, others with a child.

        Returns the children of what it stands in, itself the last of them.
        """
        stack = self._stack
        frame = stack.pop()
        start_event = frame.event
        node = frame.node(event, self._file, self._diagnostics)
        height = frame.height + 1
        if start_event.anchor is not None or start_event.tag is not None:
            self._name(start_event, node, self._size - frame.size_before, height)
        if not stack:
            self._top.append(node)
            return self._top
        parent = stack[-1]
        parent.children.append(node)
        if height > parent.height:
            parent.height = height
        return parent.children

    def _alias(self, event: Event) -> None:
        """A repetition of an anchored node; the node itself is shared, not copied."""
        name = event.anchor or ""
        anchored, span = self._anchors.get(name), self._places.marked(event)
        if anchored is None or anchored.node is None:
            rule = UNKNOWN_ALIAS if anchored is None else SELF_REFERENCE
            near = () if anchored else did_you_mean(name, self._anchors)
            suggestions = [f"*{anchor}" for anchor in near]
            self._diagnostics.add(rule, span, suggestions=suggestions, name=name)
            anchored = Anchored(None, 0, 0)
            if self._stack:
                self._stack[-1].is_partial = True
        self._grow(event, anchored.size)
        if len(self._stack) + anchored.height > DEEPEST:
            self._give_up_depth(event)
        if not self._stack:
            self._top.append(anchored.node)
            return
        parent = self._stack[-1]
        parent.children.append(anchored.node)
        parent.last, parent.counted = span[3:], len(parent.children)
        parent.height = max(parent.height, anchored.height)

    def _name(self, event: Event, node: Node, size: int, height: int) -> None:
        """Puts a finished node under its anchor, and reports its tag."""
        if event.tag is not None:
            written, span = self._places.tag(event)
            self._diagnostics.add(TAG, span, tag=written)
        if event.anchor is not None:
            self._anchors[event.anchor] = Anchored(node, size, height)

    def _value(self, text: str, span: Span) -> ScalarValue:
        """The value of a plain scalar."""
        try:
            return core_value(text)
        except NumberRange as problem:
            shown = text if len(text) <= 40 else f"{text[:40]}…"
            self._diagnostics.add(NUMBER_RANGE, span, text=shown)
            return problem.nearest

    def _without_surrogates(self, text: str, span: Span) -> str:
        """PyYAML's own loader lets halves of characters through; they fit into no file."""
        try:
            text.encode()
        except UnicodeEncodeError as problem:
            code = f"U+{ord(text[problem.start]):04X}"
            self._diagnostics.add(UNPAIRED_SURROGATE, span, code=code)
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text

    def _give_up_size(self, event: Event, added: int) -> None:
        cause = ", counting what its aliases repeat" if added > 1 else ""
        span = self._start(event)
        self._diagnostics.add(TOO_MANY_VALUES, span, limit=self._most, cause=cause)
        raise OverBudget(span.line)

    def _give_up_depth(self, event: Event) -> None:
        span = self._start(event)
        self._diagnostics.add(TOO_DEEP, span, limit=DEEPEST)
        raise OverBudget(span.line)

    def _start(self, event: Event) -> Span:
        return self._places.mark(event.start_mark.line, event.start_mark.column)
