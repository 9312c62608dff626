"""Texts and offsets in, exact places in the file out."""

from __future__ import annotations

from brimgen.diagnostics import Span, TextBlock
from brimgen.source.nodes import ScalarNode


def span_within(node: ScalarNode, start: int, end: int) -> Span | None:
    """The place of ``node.text[start:end]``; None where its lines have no exact places."""
    span = node.span
    if start == 0 and end == len(node.text) and not node.quoted:
        return span
    block = node.block
    return block.span_at(start, end) if block.exact else None


def part(block: TextBlock, start: int, end: int) -> TextBlock:
    """``block.text[start:end]``, each line with its place."""
    text = block.text[start:end]
    span = block.span_at(start, end)
    if not block.exact:
        return TextBlock(text, span, exact=False)
    starts: list[tuple[int, int]] = []
    for line in text.split("\n"):
        place = block.span_at(start, start)
        starts.append((place.line, place.column))
        start += len(line) + 1
    return TextBlock(text, span, tuple(starts))
