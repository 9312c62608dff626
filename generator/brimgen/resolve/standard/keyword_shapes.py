"""The shape of each keyword's value in the metaschemas of 2020-12 and draft-07."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode


def _is_text(node: Node) -> bool:
    return isinstance(node, ScalarNode) and isinstance(node.value, str)


def _is_flag(node: Node) -> bool:
    return isinstance(node, ScalarNode) and isinstance(node.value, bool)


def _is_list(node: Node) -> bool:
    return isinstance(node, ListNode)


def _number(node: Node) -> float | None:
    value = node.value if isinstance(node, ScalarNode) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else 0


def _is_number(node: Node) -> bool:
    return _number(node) is not None


def _is_positive(node: Node) -> bool:
    value = _number(node)
    return value is not None and value > 0


def _is_count(node: Node) -> bool:
    value = _number(node)
    return value is not None and value >= 0 and value == int(value)


def is_name_list(node: Node) -> bool:
    """Return whether a node is a list of strings without repetition."""
    if not isinstance(node, ListNode) or not all(map(_is_text, node.items)):
        return False
    names = [item.text for item in node.items if isinstance(item, ScalarNode)]
    return len(set(names)) == len(names)


def _is_dependent(node: Node) -> bool:
    return isinstance(node, MapNode) and all(
        is_name_list(entry.value) for entry in node.entries
    )


_Shape = tuple[str, Callable[[Node], bool]]


_COUNT: _Shape = ("a whole number of at least 0", _is_count)


_NUMBER: _Shape = ("a number", _is_number)


_TEXT: _Shape = ("a string", _is_text)


_FLAG: _Shape = ("true or false", _is_flag)


SHAPES: Mapping[str, _Shape] = {
    **dict.fromkeys(
        [
            "maxLength",
            "minLength",
            "maxItems",
            "minItems",
            "maxContains",
            "minContains",
            "maxProperties",
            "minProperties",
        ],
        _COUNT,
    ),
    **dict.fromkeys(
        ["maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"], _NUMBER
    ),
    **dict.fromkeys(
        [
            "format",
            "title",
            "description",
            "$comment",
            "$id",
            "$ref",
            "$anchor",
            "$dynamicRef",
            "$dynamicAnchor",
            "contentMediaType",
            "contentEncoding",
            "$schema",
            "pattern",
        ],
        _TEXT,
    ),
    **dict.fromkeys(["uniqueItems", "readOnly", "writeOnly", "deprecated"], _FLAG),
    "multipleOf": ("a number above 0", _is_positive),
    "enum": ("a list", _is_list),
    "examples": ("a list", _is_list),
    "required": ("a list of names without repetition", is_name_list),
    "dependentRequired": ("a mapping of names to lists of names", _is_dependent),
}
