"""The ``returns`` of a tool in, a ReturnsDecl out: a type, a block, or a JSON Schema.

``void`` and null are the same as no ``returns`` at all. A mapping with ``entity_ref`` or
``inline`` is a block; one with ``type`` and nothing but a description beside it is a type of this
language (``Order[]``); any other mapping is JSON Schema, kept verbatim.
"""

from __future__ import annotations

from collections.abc import Set

from brimgen.diagnostics import Note
from brimgen.diagnostics.rules.syntax.documents import (
    RETURNS_TWO_FORMS,
    VOID_OF_SOMETHING,
)
from brimgen.regex import regex
from brimgen.source.nodes import Entry, MapNode, Node, ScalarNode
from brimgen.syntax import shapes
from brimgen.syntax.arguments import CONTENT, read_content
from brimgen.syntax.decls import ReturnsDecl, Text, TypeText
from brimgen.syntax.json_schema import KEYWORDS, check_keywords
from brimgen.syntax.reader import (
    Keys,
    Reader,
    is_null,
    meant,
    read_section,
    refuse_unknown,
    shown,
)
from brimgen.syntax.type_text import read_type

VOID = "void"
_DESCRIPTION = ("description",)
_SCHEMA_TYPES = frozenset(
    {"array", "boolean", "integer", "null", "number", "object", "string"}
)
_WORD = regex(r"[A-Za-z][A-Za-z0-9_-]*")
_TYPED = frozenset({"type", "description"})
_TYPE = Keys(
    {"type": shapes.anything, "description": shapes.text}, nullable=frozenset({"type"})
)
_BLOCK = Keys({**CONTENT.shapes, "description": shapes.text, "type": shapes.anything})


def read_returns(reader: Reader, entry: Entry) -> ReturnsDecl | None:
    """What stands under ``returns``; None for nothing."""
    node = entry.value
    if not isinstance(node, MapNode):
        if is_null(node) or (
            isinstance(node, ScalarNode) and node.text.strip() == VOID
        ):
            return None
        return ReturnsDecl(span=node.span, type=_type(reader, node))
    keys = {
        each.key.text for each in node.entries if not each.key.text.startswith("x-")
    }
    if keys & {"inline", "entity_ref"}:
        return _block(reader, node)
    if "type" in keys and (keys <= _TYPED or _is_slip(node, keys - _TYPED)):
        return _typed(reader, node)
    if keys and not keys & (KEYWORDS - {"description"}) and keys - {"description"}:
        refuse = _BLOCK if keys - {"description"} else _TYPE
        read_section(reader, node, keys=refuse, owner="`returns`")
        return ReturnsDecl(span=node.span)
    return _schema(reader, node)


def _is_slip(node: MapNode, others: Set[str]) -> bool:
    """Whether the keys beside ``type`` are misspelt, rather than a schema's.

    What has a type that no schema has is none; and a slip of `description` is told in any case.
    """
    if others & KEYWORDS:
        return False
    kind = node.get("type")
    is_ours = isinstance(kind, ScalarNode) and kind.text not in _SCHEMA_TYPES
    return is_ours or all(meant(each, KEYWORDS) == _DESCRIPTION for each in others)


def _type(reader: Reader, node: Node) -> TypeText | None:
    if isinstance(node, ScalarNode) and VOID in _WORD.findall(node.text):
        reader.report(
            VOID_OF_SOMETHING, node.span, suggestions=(VOID,), type=shown(node.text)
        )
        return None
    return read_type(reader, node)


def _typed(reader: Reader, node: MapNode) -> ReturnsDecl | None:
    section = read_section(reader, node, keys=_TYPE, owner="`returns`")
    written = section.node("type")
    if written is None or (
        isinstance(written, ScalarNode) and written.text.strip() == VOID
    ):
        return None
    read, text = _type(reader, written), section.text("description")
    return ReturnsDecl(span=node.span, type=read, description=text)


def _block(reader: Reader, node: MapNode) -> ReturnsDecl:
    before = reader.errors
    section = read_section(
        reader, node, keys=_BLOCK, owner="`returns`", refuse=_refuse_key
    )
    extra = section.written.get("type")
    if extra is not None:
        first = section.written.get("inline") or section.written.get("entity_ref")
        reader.report(
            RETURNS_TWO_FORMS,
            extra.span,
            notes=[Note(first.span, "the content")] if first is not None else (),
            first="inline" if first is None else first.text,
            key="type",
        )
    return ReturnsDecl(
        span=node.span,
        description=section.text("description"),
        content=read_content(reader, section, before=before),
    )


def _refuse_key(
    reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
) -> str | None:
    known = Keys({key: shapes.anything for key in keys.shapes if key != "type"})
    return refuse_unknown(reader, entry, owner=owner, keys=known)


def _schema(reader: Reader, node: MapNode) -> ReturnsDecl:
    check_keywords(reader, node)
    described_by = node.get("description")
    description = (
        Text(described_by.text, described_by.span)
        if isinstance(described_by, ScalarNode)
        else None
    )
    return ReturnsDecl(span=node.span, description=description, schema=node)
