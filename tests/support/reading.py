"""Spec texts, read without a disk: the documents and what was found."""

from __future__ import annotations

from typing import Any

from brimgen.diagnostics import Diagnostic, Diagnostics, Span
from brimgen.source.compose import compose
from brimgen.source.document import Document, SourceFile
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode, plain_object


def read(
    text: str, name: str = "specs/a.yaml"
) -> tuple[tuple[Document, ...], list[Diagnostic]]:
    """The documents of one spec text, and the diagnostics in reading order."""
    diagnostics = Diagnostics()
    documents = compose(SourceFile(name, name, text), diagnostics)
    return tuple(each for each in documents if not each.is_broken), list(diagnostics)


def read_data(text: str) -> dict[str, Any]:
    """The data of a text of one document with nothing wrong."""
    (document,), found = read(text)
    assert found == []
    return plain_object(document.root)


def read_root(text: str) -> MapNode:
    """The mapping of a text of one document with nothing wrong."""
    (document,), found = read(text)
    assert found == []
    return document.root


def told(diagnostic: Diagnostic) -> str:
    """``line:column-end_line:end_column slug``."""
    span = diagnostic.span
    place = f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"
    return f"{place} {diagnostic.rule.reason}"


def cut(text: str, span: Span) -> str:
    """What stands at ``span`` in ``text``."""
    lines = text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


def all_nodes(node: Node) -> list[Node]:
    """``node`` and everything in it, keys too."""
    if isinstance(node, ScalarNode):
        return [node]
    if isinstance(node, ListNode):
        return [node, *(below for each in node.items for below in all_nodes(each))]
    return [
        node,
        *(
            below
            for entry in node.entries
            for each in (entry.key, entry.value)
            for below in all_nodes(each)
        ),
    ]
