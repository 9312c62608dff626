"""Nodes in, plain JSON data out: what is copied verbatim, in the author's order."""

from __future__ import annotations

from typing import TypeAlias

from brimgen.regex import regex
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"

_NUMBER = regex(r"([-+]?)0*([0-9]*)(?:\.([0-9]*))?([eE][-+]?[0-9]+)?\Z")


def plain(node: Node) -> Plain:
    """The data of a node: new dicts, lists and values by YAML 1.2 core, keys in their order."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, ListNode):
        return [plain(each) for each in node.items]
    return plain_object(node)


def plain_object(node: MapNode) -> dict[str, Plain]:
    """The data of a mapping."""
    return {entry.key.text: plain(entry.value) for entry in node.entries}


def number_text(node: ScalarNode) -> str | None:
    """A number as JSON writes it with no digit lost (``+1.10`` is ``1.10``), or None.

    None stands for whatever is not a number: a text, a boolean, null.
    """
    if isinstance(node.value, bool | str) or node.value is None:
        return None
    match = _NUMBER.match(node.text)
    if match is None:
        return str(node.value)
    sign, whole, fraction, exponent = match.groups()
    digits = f".{fraction}" if fraction else ""
    return f"{sign.strip('+')}{whole or '0'}{digits}{exponent or ''}"
