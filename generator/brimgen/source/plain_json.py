"""Convert nodes to plain JSON data, in the author's order."""

from __future__ import annotations

from typing import TypeAlias

from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"


def plain(node: Node) -> Plain:
    """The data of a node: new dicts, lists and values by YAML 1.2 core, keys in their order."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    return plain_object(node)


def plain_object(node: MapNode) -> dict[str, Plain]:
    """The data of a mapping."""
    return {entry.key.text: plain(entry.value) for entry in node.entries}
