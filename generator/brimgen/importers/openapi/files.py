"""Take the files that an OpenAPI document refers to into it.

Each stands once under `PLACE`, by its path from the document, and references to it lead there. What
cannot be read stays a reference to another file, which is told where it is followed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import TypeAlias
from urllib.parse import unquote

from brimgen.importers.openapi.unmapped_keys import references_in
from brimgen.importers.schemas.references import node_at
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen_runtime.schema.json_pointer import escape_step

PLACE = "x-files"
"""The key of the document under which the other files stand."""

Load: TypeAlias = Callable[[str], Node | None]
"""Returns the content of a file, by its path from the document; None where there is none."""


def with_files(root: MapNode, name: str, load: Load) -> MapNode:
    """Return the document ``name`` with the files that it refers to, and those that these do."""
    bundle = _Bundle(name, load)
    moved = bundle.moved(root, name)
    if not isinstance(moved, MapNode) or not bundle.files:
        return root
    files = tuple(
        Entry(ScalarNode(node.span, path, path), node)
        for path, node in bundle.files.items()
        if node is not None
    )
    key = ScalarNode(root.span, PLACE, PLACE)
    return MapNode(root.span, (*moved.entries, Entry(key, MapNode(root.span, files))))


def schemas_in_files(root: MapNode) -> tuple[dict[str, Node], dict[str, str]]:
    """Return what is referred to in other files, by reference, and a name for each."""
    schemas: dict[str, Node] = {}
    names: dict[str, str] = {}
    for reference in references_in(root):
        node = node_at(root, reference) if reference.startswith(f"#/{PLACE}/") else None
        if node is not None:
            schemas[reference] = node
            last = posixpath.basename(unquote(reference).replace("~1", "/"))
            names[reference] = last.partition(".")[0]
    return schemas, names


class _Bundle:
    def __init__(self, name: str, load: Load) -> None:
        self._name = name
        self._load = load
        self.files: dict[str, Node | None] = {}

    def moved(self, node: Node, path: str) -> Node:
        """Return a part of the file ``path`` with references to where the files stand."""
        if isinstance(node, ListNode):
            items = tuple(self.moved(item, path) for item in node.items)
            return ListNode(node.span, items)
        if not isinstance(node, MapNode):
            return node
        entries = [
            Entry(
                key,
                (
                    self._reference(value, path)
                    if key.text == "$ref" and isinstance(value, ScalarNode)
                    else self.moved(value, path)
                ),
            )
            for key, value in node.entries
        ]
        return MapNode(node.span, tuple(entries))

    def _reference(self, node: ScalarNode, path: str) -> ScalarNode:
        file, _, pointer = node.text.partition("#")
        if "://" in file:
            return node
        target = path
        if file:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if target == self._name:
            text = f"#{pointer}"
        elif self._is_there(target):
            text = f"#/{PLACE}/{escape_step(target)}{pointer}"
        else:
            return node
        return node if text == node.text else ScalarNode(node.span, text, text)

    def _is_there(self, path: str) -> bool:
        if path not in self.files:
            self.files[path] = None
            node = self._load(path)
            if node is not None:
                # It may refer to itself.
                self.files[path] = node
                self.files[path] = self.moved(node, path)
        return self.files[path] is not None
