"""An unknown key in any mapping of a spec is told, or handed on; it never vanishes."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

from brimgen.api import Diagnostics
from brimgen.diagnostics.catalogue import KINDS
from brimgen.frozen import replace
from brimgen.model.project import Project
from brimgen.resolve.link import resolve
from brimgen.source.compose import compose
from brimgen.source.document import Document, SourceFile
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.documents import parse
from support.linked import CONNECTIONS

LOST = "zz_lost"
INJECTED = "specs/injected.yaml"


def test_an_unknown_key_is_told_or_handed_on() -> None:
    [document] = _documents(INJECTED, f"{LOST}: {LOST}\n")
    extra = document.root.entries[0]
    asked, vanished = set[tuple[str, ...]](), list[object]()
    for kind in KINDS:
        documents = _documents("specs/right.yaml", kind.right)
        for place, document in enumerate(documents):
            said = document.root.get("type")
            named = said.text if isinstance(said, ScalarNode) else ""
            for path in _mappings(document.root):
                where = (named, *(name for _, name in path))
                if where in asked:
                    continue
                asked.add(where)
                root = _injected(document.root, path, extra)
                changed = [*documents]
                changed[place] = replace(document, root=root)
                if not _is_noticed(changed):
                    vanished.append((kind.code, where))
    assert len(asked) > 80
    assert [] == vanished


def _documents(name: str, text: str) -> list[Document]:
    return [*compose(SourceFile(name, name, text), Diagnostics())]


def _is_noticed(documents: list[Document]) -> bool:
    diagnostics = Diagnostics()
    catalog = resolve(
        parse(documents, diagnostics), Project(connections=CONNECTIONS), diagnostics
    )
    if any(LOST in each.message or each.span.file == INJECTED for each in diagnostics):
        return True
    is_empty = not (catalog.tools or catalog.entities or catalog.bundles)
    return is_empty or LOST.encode() in pickle.dumps(catalog)


def _mappings(node: Node, path: tuple[tuple[int, str], ...] = ()) -> Iterator[Any]:
    """The way to each mapping: places, with the keys that stand there."""
    if isinstance(node, MapNode):
        yield path
        for place, entry in enumerate(node.entries):
            yield from _mappings(entry.value, (*path, (place, entry.key.text)))
    elif isinstance(node, ListNode):
        for place, item in enumerate(node.items):
            yield from _mappings(item, (*path, (place, "[]")))


def _injected(node: Any, path: tuple[tuple[int, str], ...], extra: Entry) -> Any:
    if not path:
        return MapNode(node.span, (*node.entries, extra))
    (place, _), *rest = path
    if isinstance(node, MapNode):
        entries = [*node.entries]
        inner = _injected(entries[place].value, tuple(rest), extra)
        entries[place] = Entry(entries[place].key, inner)
        return MapNode(node.span, tuple(entries))
    items = [*node.items]
    items[place] = _injected(items[place], tuple(rest), extra)
    return ListNode(node.span, tuple(items))
