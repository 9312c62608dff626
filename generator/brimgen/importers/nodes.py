"""Look into positioned nodes, walk through them, and make new ones of plain data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from brimgen.diagnostics import Span
from brimgen.model.json import is_list, is_object
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen_runtime.schema.json_pointer import escape_step, unescape_step

_INDEX = re.compile(r"[0-9]{1,9}")
"""The index of a list item in a JSON Pointer."""


def text_at(node: object, key: str) -> str:
    """The string under ``key`` of a mapping; empty where there is none."""
    value = node.get(key) if isinstance(node, MapNode) else None
    text = value.value if isinstance(value, ScalarNode) else None
    return text if isinstance(text, str) else ""


def text_of(node: object, key: str) -> str | None:
    """The string under ``key`` of a mapping; None where there is none, or an empty one."""
    return text_at(node, key) or None


def is_null(node: Node | None) -> bool:
    """Whether a node is null."""
    return isinstance(node, ScalarNode) and node.value is None


def is_true(node: Node | None) -> bool:
    """Whether a node is true."""
    return isinstance(node, ScalarNode) and node.value is True


def items_of(node: Node) -> tuple[Node, ...]:
    """The items of a list; any other node is the only item."""
    return node.items if isinstance(node, ListNode) else (node,)


def items_at(node: Node | None, key: str) -> tuple[Node, ...]:
    """The items of the list under ``key`` of a mapping; none where there is no list."""
    value = node.get(key) if isinstance(node, MapNode) else None
    return value.items if isinstance(value, ListNode) else ()


def entries_at(node: Node | None, *keys: str) -> tuple[Entry, ...]:
    """The entries of the mapping that ``keys`` lead to; none where there is no mapping."""
    for key in keys:
        node = node.get(key) if isinstance(node, MapNode) else None
    return node.entries if isinstance(node, MapNode) else ()


def node_at(root: Node | None, reference: str) -> Node | None:
    """Return the node that a JSON Pointer with ``#`` leads to; None where there is none."""
    node = root
    for step in reference.split("/")[1:]:
        name = unescape_step(unquote(step))
        if isinstance(node, MapNode):
            node = node.get(name)
        elif isinstance(node, ListNode) and _INDEX.fullmatch(name):
            node = node.items[int(name)] if int(name) < len(node.items) else None
        else:
            return None
    return node


def mappings_at(root: Node | None) -> Iterator[tuple[str, MapNode]]:
    """Yield every mapping in a document, each with the reference that leads to it."""
    waiting = [("#", root)]
    while waiting:
        pointer, node = waiting.pop()
        if isinstance(node, ListNode):
            waiting += [(f"{pointer}/{n}", item) for n, item in enumerate(node.items)]
        elif isinstance(node, MapNode):
            for key, value in node.entries:
                if not isinstance(value, ScalarNode):
                    waiting.append((f"{pointer}/{escape_step(key.text)}", value))
            yield pointer, node


def references_in(root: Node) -> Iterator[str]:
    """Yield the references that a document has."""
    for _, node in mappings_at(root):
        reference = node.get("$ref")
        if isinstance(reference, ScalarNode):
            yield reference.text


def with_references(node: Node, change: Callable[[str], str]) -> Node:
    """Return a part of a document in which each reference is the ``change`` of what it was."""
    if isinstance(node, ListNode):
        items = tuple(with_references(item, change) for item in node.items)
        return ListNode(node.span, items)
    if not isinstance(node, MapNode):
        return node
    entries: list[Entry] = []
    for key, value in node.entries:
        if key.text == "$ref" and isinstance(value, ScalarNode):
            text = change(value.text)
            if text != value.text:
                value = ScalarNode(value.span, text, text)
        else:
            value = with_references(value, change)
        entries.append(Entry(key, value))
    return MapNode(node.span, tuple(entries))


def node_of(value: object, span: Span) -> Node:
    """Return JSON data, which may hold nodes, as a node; what is new stands at ``span``."""
    if isinstance(value, ScalarNode | ListNode | MapNode):
        return value
    if is_object(value):
        entries = [
            Entry(ScalarNode(span, key, key), node_of(member, span))
            for key, member in value.items()
        ]
        return MapNode(span, tuple(entries))
    if is_list(value):
        return ListNode(span, tuple(node_of(item, span) for item in value))
    if isinstance(value, str):
        return ScalarNode(span, value, value, quoted=True)
    assert value is None or isinstance(value, bool | int | float)
    return ScalarNode(span, json.dumps(value), value)
