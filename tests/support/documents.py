"""Spec files in, their documents as plain data out: what an editor sees."""

from __future__ import annotations

from typing import Any

from brimgen.api import Diagnostics
from brimgen.source.compose import compose
from brimgen.source.document import Document, SourceFile
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode


def plain(node: Node) -> Any:
    """A node as the JSON value that it is to an editor."""
    match node:
        case MapNode():
            return {each.key.text: plain(each.value) for each in node.entries}
        case ListNode():
            return [plain(each) for each in node.items]
        case ScalarNode():
            return node.value


def documents(text: str, name: str = "specs/a.yaml") -> list[Any]:
    """The documents of a file; those of `.sql` and `.md` files as if they were YAML."""
    diagnostics = Diagnostics()
    read = compose(SourceFile(name, name, text), diagnostics)
    return [_as_yaml(each) for each in read if not each.is_bare]


def _as_yaml(document: Document) -> Any:
    value = plain(document.root)
    body = document.body.text if document.body is not None else ""
    if isinstance(value, dict) and body.strip():
        if document.file.name.endswith(".sql"):
            return {"type": "sql_function", "sql": body, **value}
        if document.file.name.endswith(".md"):
            return {"type": "template_function", "template": body, **value}
    return value
