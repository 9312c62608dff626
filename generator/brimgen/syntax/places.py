"""Convert offsets in a text to places in its file."""

from __future__ import annotations

from brimgen.diagnostics import Span
from brimgen.source.nodes import ScalarNode


def span_within(node: ScalarNode, start: int, end: int) -> Span | None:
    """The place of ``node.text[start:end]``; None where its lines have no exact places."""
    span = node.span
    if start == 0 and end == len(node.text) and not node.quoted:
        return span
    block = node.block
    return block.span_at(start, end) if block.exact else None
