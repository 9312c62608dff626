"""Rewrite a value of the wrong shape as the text that was intended."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode


def as_prose(entry: Entry) -> ScalarNode:
    """Join the words of a refused value to a text, so that it is not also reported as missing."""
    words = " ".join(_words(entry.value))
    return ScalarNode(entry.value.span, words, words, quoted=True)


def _words(node: Node) -> Iterator[str]:
    match node:
        case ScalarNode():
            yield node.text
        case ListNode():
            for item in node.items:
                yield from _words(item)
        case MapNode():
            for key, value in node.entries:
                yield key.text
                yield from _words(value)
