"""A setting that is wrong in; what was probably meant, which its own reader would take, out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from brimgen.diagnostics import did_you_mean
from brimgen.source.nodes import Node, ScalarNode

_BOOLEANS = {
    **dict.fromkeys(("yes", "on", "y", "true", "1"), True),
    **dict.fromkeys(("no", "off", "n", "false", "0"), False),
}


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
