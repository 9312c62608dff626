"""An unknown key in any mapping of a spec is told, or handed on; it never vanishes."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.catalogue import KINDS
from brimgen.frozen import replace
from brimgen.model.project import Project
from brimgen.resolve.link import resolve
from brimgen.source.compose import compose
from brimgen.source.document import Document, SourceFile
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.documents import parse
from support.linked import CONNECTIONS, tool

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


@pytest.mark.parametrize(
    "said",
    ["{type: int}", "{enum: [a]}", "int", "date?", "string[]", "array<int>", "Point"],
)
def test_an_argument_beside_properties_is_an_error(said: str) -> None:
    point = "type: entity\nname: Point\nfields: {x: float}"
    linked = tool(f"properties: {{a: {{type: string}}}}\nb: {said}", point)
    assert [("property-beside-properties", "b")] == linked.told
    assert "properties: {…, b: …}" in str(linked.only.suggestions)


@pytest.mark.parametrize(
    "beside",
    [
        {
            "title": "Search",
            "x-note": {"type": "string"},
            "example": {"type": "object"},
        },
        {"$defs": {"b": {"type": "string"}}},
        {"b": "any text", "c": {"type": "Point"}, "d": 3, "e": {"label": "x"}},
        {"Place": {"type": "object"}, "allOf": [{"$ref": "#/Place"}]},
    ],
)
def test_what_is_no_argument_may_stand_there(beside: dict[str, Any]) -> None:
    linked = tool(json.dumps({"properties": {"a": {"type": "string"}}, **beside}))
    assert "property-beside-properties" not in linked.slugs


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
