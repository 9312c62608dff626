"""Read YAML text without special features by libyaml's composer, which is faster than events.

A tree made of composed nodes takes two thirds of the time of one made of events. Only text that
`tree` reads without a diagnostic is read this way: at anything else, this reader gives up, and
`tree` reads the text from its start. Tests hold both to the same trees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from brimgen.source.events import (
    UNTAGGED,
    MappingNode,
    SequenceNode,
    YamlNode,
    composed,
)
from brimgen.source.events import ScalarNode as YamlScalar
from brimgen.source.nodes import (
    Entry,
    ListNode,
    MapNode,
    Mark,
    Node,
    ScalarNode,
    entry_of,
    list_of,
    map_of,
    scalar_of,
)
from brimgen.source.places import Places
from brimgen.source.scalars import (
    FIRST_OF_NUMBERS,
    FIRST_OF_VALUES,
    NumberRange,
    core_value,
)
from brimgen.source.tree import DEEPEST, MOST_NODES

# Of so many characters, lines that are nested nest no thousand levels deep.
_LONGEST = 100_000
_MOST_BRACKETS = 500
_MARKS = ",:?-[{\n"
_NODES_A_MARK = 3  # `[:,:]`: for each pair a mapping, a key and a value
# By the letter that each begins with, which few texts have.
_TRICKS = {
    # Items and keys that begin in one line: `- - a`, `? - a`.
    **{
        mark: re.compile(rf"{re.escape(mark)}[ \t]+[-?:](?:[ \t\n]|\Z)")
        for mark in "-?:"
    },
    # An anchor or alias, which are text behind a letter or a parenthesis (`count(*)`, `R&D`).
    "*": re.compile(r"\*(?<![\w(]\*)[\w-]"),
    "&": re.compile(r"&(?<![\w(]&)[\w-]"),
    # The one tag that composed nodes do not show.
    "!": re.compile(r"!(?<![\w(]!)(?:[\s,\]}]|\Z)"),
}
_BLOCKS = frozenset("|>")
_MERGE = "<<"


class _Unusual(Exception):
    """The text must be read from events, by `tree`."""


def by_libyaml(places: Places) -> tuple[MapNode, ...] | None:
    """The mappings of a text, one for each document that is not empty; None: ask `tree`.

    Raises nothing.
    """
    if not _is_plain(places.text):
        return None
    roots = composed(places.text)
    if roots is None:
        return None
    mappings: list[MapNode] = []
    try:
        for root in roots:
            kind: type = type(root)
            if kind is MappingNode:
                mappings.append(_mapping(root, places, 0))
            elif kind is not YamlScalar or root.value or root.style or root.tag:
                return None
    except (_Unusual, NumberRange):
        return None
    return tuple(mappings)


def _is_plain(text: str) -> bool:
    """Return whether a text has few nodes and levels and no aliases, judged by its punctuation."""
    if len(text) > _LONGEST:
        return False
    if text.count("[") + text.count("{") > _MOST_BRACKETS:
        return False
    is_long = len(text) * _NODES_A_MARK > MOST_NODES
    if is_long and sum(map(text.count, _MARKS)) * _NODES_A_MARK > MOST_NODES:
        return False
    return not any(
        mark in text and pattern.search(text) for mark, pattern in _TRICKS.items()
    )


def _mapping(yaml_node: YamlNode, places: Places, depth: int) -> MapNode:
    """Raises what `_scalar` raises, and `_Unusual` for unusual keys."""
    if yaml_node.tag is not UNTAGGED or depth == DEEPEST:
        raise _Unusual
    file = places.file
    entries: dict[str, Entry] = {}
    last: Node | None = None
    pairs: list[tuple[YamlNode, YamlNode]] = yaml_node.value
    for written, value_node in pairs:
        kind: type = type(written)
        if kind is not YamlScalar or written.tag is not UNTAGGED:
            raise _Unusual
        text, style = written.value, written.style
        if style in _BLOCKS:
            raise _Unusual
        if not style and text[:1] in FIRST_OF_NUMBERS:
            core_value(text)  # raises for a key beyond all numbers, as for a value
        begin, end = written.start_mark, written.end_mark
        lines = places.written_scalar(written)
        key = scalar_of((file, begin, end, text, text, bool(style), lines))
        last = _MADE_FROM[type(value_node)](value_node, places, depth + 1)
        entries[text] = entry_of((key, last))
    if len(entries) < len(pairs) or _MERGE in entries:
        raise _Unusual
    parts = file, yaml_node.start_mark, _end(yaml_node, last), tuple(entries.values())
    return map_of(parts)


def _list(yaml_node: YamlNode, places: Places, depth: int) -> ListNode:
    """Raises as `_scalar` does."""
    if yaml_node.tag is not UNTAGGED or depth == DEEPEST:
        raise _Unusual
    items = [
        _MADE_FROM[type(item)](item, places, depth + 1) for item in yaml_node.value
    ]
    end = _end(yaml_node, items[-1] if items else None)
    return list_of((places.file, yaml_node.start_mark, end, tuple(items)))


def _end(yaml_node: YamlNode, last: Node | None) -> Mark:
    """A collection in braces or brackets ends with them, any other with the ``last`` in it."""
    return yaml_node.end_mark if last is None or yaml_node.flow_style else last.end


def _scalar(yaml_node: YamlNode, places: Places, depth: int) -> ScalarNode:
    """Raises `_Unusual` and `NumberRange`."""
    text, style = yaml_node.value, yaml_node.style
    if yaml_node.tag is not UNTAGGED:
        raise _Unusual
    begin, end = yaml_node.start_mark, yaml_node.end_mark
    if style in _BLOCKS:
        span, lines = places.block_scalar((begin.line + 1, begin.column + 1), yaml_node)
        return ScalarNode(span, text, text, True, lines)
    value = core_value(text) if not style and text[:1] in FIRST_OF_VALUES else text
    lines = places.written_scalar(yaml_node)
    return scalar_of((places.file, begin, end, text, value, bool(style), lines))


_MADE_FROM: Mapping[type, Callable[[YamlNode, Places, int], Node]] = {
    MappingNode: _mapping,
    SequenceNode: _list,
    YamlScalar: _scalar,
}
