"""Read a Python module that is an input of the build: its classes are specs.

Every part of such a spec has a position in the class, so that diagnostics point there.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import IMPORT_CLASS_NOT_IMPORTED
from brimgen.importers.draft import Draft
from brimgen.importers.nodes import node_of
from brimgen.importers.python.functions import aliases_of
from brimgen.importers.python.import_module import (
    known_classes,
    looks_like_tool,
    parse_module,
    read_classes,
)
from brimgen.importers.python.reader import (
    ENUMS,
    TOOL,
    PythonPlaces,
    Reader,
    described_in,
)
from brimgen.importers.python.types import TYPES, last_name
from brimgen.model.json import Json, is_object
from brimgen.source.document import Document, SourceFile
from brimgen.source.nodes import Entry, MapNode, Node, ScalarNode

_NO_ENTITIES = frozenset({*TYPES, *ENUMS, TOOL})


def documents(file: SourceFile, diagnostics: Diagnostics) -> tuple[Document, ...]:
    """The specs in the classes of a module, which is not run.

    Classes that it imports may be entities of other modules and specs. A module with an error adds
    a broken document, so that names which it may declare are not reported as missing.
    """
    errors = diagnostics.errors
    module = parse_module(file.name, file.text, diagnostics)
    specs: list[Document] = []
    if module is not None:
        places = PythonPlaces(file.name, file.text)
        classes = known_classes(module)
        reader = Reader(
            places,
            classes | _imported_names(module),
            diagnostics,
            aliases=aliases_of(module),
            is_input=True,
        )
        for statement in module.body:
            if isinstance(statement, ast.ClassDef) and statement.name not in classes:
                _report_lost_tool(statement, reader, diagnostics)
        for node, draft in read_classes(module, reader):
            specs.append(Document(file, _SpecNodes(node, reader).root(draft)))
    if diagnostics.errors > errors:
        root = MapNode(Span.at_file(file.name), ())
        specs.append(Document(file, root, is_broken=True))
    return tuple(specs)


def _imported_names(module: ast.Module) -> set[str]:
    """The names of other modules that may be entities."""
    return {
        alias.name
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and not _is_library(node)
        for alias in node.names
        if alias.asname in (None, alias.name) and alias.name not in _NO_ENTITIES
    }


def _is_library(node: ast.ImportFrom) -> bool:
    first = (node.module or "").partition(".")[0]
    is_known = first in sys.stdlib_module_names or first == "typing_extensions"
    return is_known and not node.level


def _report_lost_tool(
    node: ast.ClassDef, reader: Reader, diagnostics: Diagnostics
) -> None:
    """Report a class that is named or described as the input of a tool, and is not read."""
    if looks_like_tool(node):
        diagnostics.add(
            IMPORT_CLASS_NOT_IMPORTED, reader.places.name_of(node), name=node.name
        )


_OF_FIELDS = ("fields", "inline", "properties")
"""The keys of a spec under which its fields stand."""


class _SpecNodes:
    """Builds the positioned nodes of the spec of one class."""

    def __init__(self, node: ast.ClassDef, reader: Reader) -> None:
        self._node = node
        self._places = reader.places
        self._classes = reader.classes
        self._name = reader.places.name_of(node)
        self._fields = {
            statement.target.id: statement
            for statement in node.body
            if isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
        }

    def root(self, draft: Draft) -> MapNode:
        """The whole spec."""
        return _map(self._name, self._entries(draft.document))

    def _entries(self, document: Mapping[str, Json]) -> dict[str, tuple[Span, Node]]:
        entries: dict[str, tuple[Span, Node]] = {}
        for key, value in document.items():
            place = self._place_of(key)
            holds_fields = (
                key == "inline" and is_object(value) and "properties" in value
            )
            if is_object(value) and (key == "arguments" or holds_fields):
                node: Node = _map(place, self._entries(value))
            elif key in _OF_FIELDS and is_object(value):
                fields = {
                    name: self._field(name, content) for name, content in value.items()
                }
                node = _map(place, fields)
            else:
                node = node_of(value, place)
            entries[key] = place, node
        return entries

    def _place_of(self, key: str) -> Span:
        """The place in the class of the value under ``key`` of its spec."""
        if key == "description":
            return self._places.span(self._node.body[0])
        if key == "entity_ref":
            bases = (
                base for base in self._node.bases if last_name(base) in self._classes
            )
            return self._places.span(next(bases))
        return self._name

    def _field(self, name: str, content: Json) -> tuple[Span, Node]:
        """The place of the name of a field, and the node of its content."""
        if name not in self._fields:
            return self._inherited_field(name, content)
        node = self._fields[name]
        place, type = self._places.span(node.target), self._places.span(node.annotation)
        if not isinstance(content, Mapping):
            return place, node_of(content, type)
        value = type if node.value is None else self._places.span(node.value)
        spans = {"default": value, "description": self._text(node, name, content)}
        entries = {
            key: (spans.get(key, type), node_of(member, spans.get(key, type)))
            for key, member in content.items()
        }
        return place, _map(place, entries)

    def _inherited_field(self, name: str, content: Json) -> tuple[Span, Node]:
        """The place of the description of a field that another class has."""
        place = text = self._name
        for key, value in described_in(self._node, name):
            place, text = self._places.span(key), self._places.span(value)
        assert isinstance(content, Mapping)
        entries = {
            key: (place, node_of(member, text)) for key, member in content.items()
        }
        return place, _map(place, entries)

    def _text(
        self, node: ast.AnnAssign, name: str, content: Mapping[str, Json]
    ) -> Span:
        """The place of the description of a field."""
        text = str(content.get("description")).strip()
        after = self._node.body[self._node.body.index(node) + 1 :][:1]
        described = [text for _, text in described_in(self._node, name)]
        for part in (node, *described, *after):
            for child in ast.walk(part):
                if isinstance(child, ast.Constant) and _text_of(child) == text:
                    return self._places.span(child)
        return self._places.span(node.target)


def _text_of(node: ast.Constant) -> str | None:
    return node.value.strip() if isinstance(node.value, str) else None


def _map(span: Span, entries: Mapping[str, tuple[Span, Node]]) -> MapNode:
    return MapNode(
        span,
        tuple(
            Entry(ScalarNode(place, key, key), node)
            for key, (place, node) in entries.items()
        ),
    )
