"""All documents in, their declarations out: which document is what.

A document says with ``type`` what it is. A ``.sql`` file that leaves it out is a sql_function, a
``.md`` file a template_function, because their bodies say so. A bare ``.sql`` file is no document
of its own but a statement, see `bodies`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from brimgen.diagnostics import Diagnostics, Span, did_you_mean
from brimgen.diagnostics.rules.syntax.documents import (
    BAD_NAME,
    FOREIGN_TOOL_KEY,
    MISSING_KEY,
    UNKNOWN_DOCUMENT_TYPE,
    UNSUPPORTED_DOCUMENT_TYPE,
)
from brimgen.source.document import Document
from brimgen.source.nodes import MapNode, ScalarNode
from brimgen.syntax import shapes
from brimgen.syntax.bodies import Statements, report_unused_body
from brimgen.syntax.decls import EntityDecl, SpecSet, Text, ToolDecl, ToolKind
from brimgen.syntax.entities import read_entity
from brimgen.syntax.reader import Reader, is_null, shown
from brimgen.syntax.tools import read_tool

ENTITY_TYPE = "entity"
TOOL_TYPES: Mapping[str, ToolKind] = MappingProxyType(
    {kind.value: kind for kind in ToolKind}
)
LATER_TYPES = frozenset({"leaf", "http_function", "bundle", "go", "api_function"})
_TYPE_OF_SUFFIX = {".sql": ToolKind.SQL.value, ".md": ToolKind.TEMPLATE.value}
_TELLING_KEYS = {
    "sql": ToolKind.SQL.value,
    "template": ToolKind.TEMPLATE.value,
    "messages": ToolKind.TEMPLATE.value,
    "path": ToolKind.RESOURCE.value,
    "fields": ENTITY_TYPE,
    "properties": ENTITY_TYPE,
    "enum": ENTITY_TYPE,
    "handler": ToolKind.PYTHON.value,
}
_NAME = re.compile(r"\A[A-Za-z][A-Za-z0-9_-]{0,63}\Z")


def parse(documents: Sequence[Document], found: Diagnostics) -> SpecSet:
    """Read the documents of a run into declarations, in their order.

    Everything that is wrong with the shape of a document is reported, each mistake once, at its
    place; what is sound is declared all the same, so that later stages can look at it. Raises
    nothing.
    """
    reader = Reader(found)
    statements = Statements(documents)
    entities: list[EntityDecl] = []
    tools: list[ToolDecl] = []
    refused: set[str] = set()
    for document in documents:
        if document.is_bare:
            continue
        kind = _type_of(reader, document)
        name = _name_of(reader, document, kind)
        label = name or Text("?", document.root.span)
        if kind == ENTITY_TYPE:
            report_unused_body(reader, document, f"entity `{shown(label.value)}`")
            entity = read_entity(reader, document, label)
            if name is not None:
                entities.append(entity)
        elif kind is not None:
            tool = read_tool(
                reader, document, label, kind=TOOL_TYPES[kind], statements=statements
            )
            if name is not None:
                tools.append(tool)
        if kind is None or name is None:
            refused.update(_said_name(document.root))
    statements.report_unused(reader)
    return SpecSet(tuple(entities), tuple(tools), frozenset(refused))


def _type_of(reader: Reader, document: Document) -> str | None:
    """The type of a document that can be read, or None after a report."""
    node = document.root.get("type")
    if node is None or is_null(node):
        file = document.file.name.casefold()
        for suffix, kind in _TYPE_OF_SUFFIX.items():
            if file.endswith(suffix):
                return kind
        _report_missing_type(reader, document.root)
        return None
    if not shapes.word(reader, "type", node) or not isinstance(node, ScalarNode):
        return None
    if node.text == ENTITY_TYPE or node.text in TOOL_TYPES:
        return node.text
    later = node.text in LATER_TYPES
    reader.report(
        UNSUPPORTED_DOCUMENT_TYPE if later else UNKNOWN_DOCUMENT_TYPE,
        node.span,
        suggestions=() if later else _meant(node.text),
        type=shown(node.text),
    )
    return None


def _meant(written: str) -> tuple[str, ...]:
    """The type that was probably meant: a slip, or ``sql`` for ``sql_function``."""
    short = f"{written.lower().replace('-', '_')}_function"
    known = (ENTITY_TYPE, *TOOL_TYPES)
    return (short,) if short in TOOL_TYPES else did_you_mean(written, known)


def _report_missing_type(reader: Reader, root: MapNode) -> None:
    foreign = root.entry("tool_type")
    if foreign is not None:
        reader.report(
            FOREIGN_TOOL_KEY, foreign.key.span, suggestions=("type",), key="tool_type"
        )
        return
    near = _near(root, "type")
    telling = [kind for key, kind in _TELLING_KEYS.items() if root.get(key) is not None]
    reader.report(
        MISSING_KEY,
        near[0].span if near else _head(root),
        suggestions=[f"type: {telling[0]}"] if telling else (),
        owner="the document",
        key="type",
    )


def _near(root: MapNode, key: str) -> list[ScalarNode]:
    """The keys of a document that are slips of ``key``."""
    return [
        each.key
        for each in root.entries
        if each.key.text != key and did_you_mean(each.key.text, (key,))
    ]


def _head(root: MapNode) -> Span:
    return root.entries[0].key.span if root.entries else root.span


def _name_of(reader: Reader, document: Document, kind: str | None) -> Text | None:
    """The name of a document, or None after a report.

    A document whose type is not known is reported once, for that.
    """
    root = document.root
    node = root.get("name")
    if kind is None:
        return None
    if node is None or is_null(node):
        if not _near(root, "name") and root.get("tool_name") is None:
            place = root.entry("type")
            at = _head(root) if place is None else place.value.span
            reader.report(MISSING_KEY, at, owner=f"the {kind}", key="name")
        return None
    if not isinstance(node, ScalarNode):
        return None
    if _NAME.match(node.text) is None:
        reader.report(
            BAD_NAME,
            node.span,
            suggestions=_tidied(node.text),
            name=shown(node.text),
            owner="an entity" if kind == ENTITY_TYPE else "a tool",
        )
        return None
    return Text(node.text, node.span)


def _tidied(name: str) -> tuple[str, ...]:
    """The name with `_` for what it cannot hold, if that makes it one."""
    tidy = re.sub(r"[^A-Za-z0-9-]+", "_", name).strip("_-")
    return (tidy,) if _NAME.match(tidy) else ()


def _said_name(root: MapNode) -> tuple[str, ...]:
    node = root.get("name")
    return (node.text,) if isinstance(node, ScalarNode) else ()
