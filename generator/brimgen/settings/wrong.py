"""A setting that is wrong in; what it is, in words, and what was probably meant out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from brimgen.diagnostics import did_you_mean
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode

_BOOLEANS = {
    **dict.fromkeys(("yes", "on", "y", "true", "1"), True),
    **dict.fromkeys(("no", "off", "n", "false", "0"), False),
}


def in_words(node: Node) -> str:
    """What stands there, as a message says it."""
    match node:
        case MapNode():
            return "a mapping"
        case ListNode(items=()):
            return "an empty list"
        case ListNode(items=items):
            return "a list of " + ", ".join(in_words(each) for each in items)
        case ScalarNode(text=text):
            return f"`{text}`" if text else "nothing"


def shown_path(path: Path) -> str:
    """``path`` from the working directory, or as it is where it does not lie below that."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def meant(
    node: Node, read: Callable[[Node], object], known: Collection[str] = ()
) -> tuple[str, ...]:
    """What ``read`` would take in the place of ``node``, as it would be written; mostly nothing.

    ``known`` are the words that it takes, where there are few.
    """
    if not isinstance(node, ScalarNode):
        return ()
    near = did_you_mean(node.text, known)
    return near or tuple(
        each.text
        for each in _variants(node)
        if each.text != node.text and read(each) is not None
    )


def _variants(node: ScalarNode) -> Iterator[ScalarNode]:
    """What people write otherwise: booleans of YAML 1.1, URLs for hosts, dashes in names."""
    text = node.text
    value = _BOOLEANS.get(text.casefold())
    if value is not None:
        yield ScalarNode(node.span, str(value).lower(), value)
    host = text.partition("://")[2].partition("/")[0]
    for other in (host, re.sub(r"[^A-Za-z0-9_]+", "_", text)):
        if other.strip("_"):
            yield ScalarNode(node.span, other, other)
