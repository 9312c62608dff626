"""Read the entries of collections: unique text keys, merges resolved."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.diagnostics import Diagnostics, Note, span_of
from brimgen.diagnostics.rules import (
    DUPLICATE_KEY,
    KEY_IS_NOT_TEXT,
    MERGE_VALUE,
    MISSING_DIVIDER,
)
from brimgen.source.events import Event
from brimgen.source.nodes import (
    Entry,
    ListNode,
    MapNode,
    Node,
    PartialMapNode,
    ScalarNode,
    entry_of,
)

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
        span = span_of((file, *self.begin, *end))
        if not self.is_map:
            return ListNode(
                span, tuple([item for item in children if item is not None])
            )
        reports = diagnostics.reports
        entries = mapping_entries(children, diagnostics)
        if self.is_partial or diagnostics.reports != reports:
            return PartialMapNode(span, entries)
        return MapNode(span, entries)

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
    entries: dict[str, Entry] = {}
    for key, value in zip(children[::2], children[1::2], strict=True):
        if value is None or not isinstance(key, ScalarNode):
            return _unusual(children, diagnostics)
        text = key.text
        if key.value is not text:
            key = _as_text(key)
        entries[text] = entry_of((key, value))
    if 2 * len(entries) < len(children) or _MERGE in entries:
        return _unusual(children, diagnostics)
    return tuple(entries.values())


def _unusual(
    children: Sequence[Node | None], diagnostics: Diagnostics
) -> tuple[Entry, ...]:
    """Read the entries of a mapping that merges others, or that loses entries."""
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
    first = children[0]
    if (
        not isinstance(first, ScalarNode)
        or first.text not in _BEGINNINGS
        or first.begin.column
        or not first.file.casefold().endswith((".yaml", ".yml"))
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
