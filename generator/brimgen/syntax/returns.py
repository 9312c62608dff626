"""Read the ``returns`` of a tool: a type, a block, or a JSON Schema.

``void`` and null are the same as no ``returns`` at all. A mapping with ``entity_ref`` or
``inline`` is a block; one with ``type`` and nothing but a description beside it is a type of this
language (``Order[]``); one with ``fields`` is written like an argument (``type: object[]`` beside
them is a list); any other mapping is JSON Schema, kept verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Set

from brimgen.diagnostics import Note
from brimgen.diagnostics.rules import (
    RETURNS_TWO_FORMS,
    RETURNS_WITHOUT_INLINE,
    VOID_OF_SOMETHING,
)
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode, Text
from brimgen.syntax import shapes
from brimgen.syntax.arguments import read_content
from brimgen.syntax.decls import ArgumentsDecl, ReturnsDecl, TypeText
from brimgen.syntax.fields import read_field, read_fields
from brimgen.syntax.json_schema import KEYWORDS, check_keywords
from brimgen.syntax.keys import BLOCK, FIELDED, TYPED
from brimgen.syntax.reader import (
    Keys,
    Reader,
    Section,
    is_null,
    read_section,
    refuse_unknown,
    shortened,
    similar_keys,
)
from brimgen.syntax.type_text import read_type

VOID = "void"
ROW_WORDS = frozenset({"rows", "row", "count"})
"""Types by which ``returns`` leaves the shape of rows to the schema of the database."""
LAST_ID = "last_id"
"""The type of ``returns`` for the id of the row that an INSERT adds."""
_LONGEST = 140
_DESCRIPTION = ("description",)
_SCHEMA_TYPES = frozenset(
    {"array", "boolean", "integer", "null", "number", "object", "string"}
)
_NO_WORD = re.compile(r"\A[A-Z]|[]>?]\Z")
"""In a type that JSON Schema can have no word for: `Order`, `int[]`, `date?`."""
_COLLECTION = re.compile(r"[]?>]\s*\Z")
"""The end of a type that is no name alone: of `Order[]`, `Order?` and `list[Order]`."""
_RECORD = re.compile(r"(?:object|dict|array|list)\b")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_TYPED = frozenset({"type", "description"})


def read_returns(reader: Reader, entry: Entry) -> ReturnsDecl | None:
    """Read the value of ``returns``; None where there is none."""
    node = entry.value
    if stray := _misplaced_fields(node):
        return _stray_fields(reader, node, stray)
    if not isinstance(node, MapNode):
        if is_null(node) or (
            isinstance(node, ScalarNode) and node.text.strip() == VOID
        ):
            return None
        return ReturnsDecl(span=node.span, type=_type(reader, node))
    keys = {key.text for key, _ in node.entries if not key.text.startswith("x-")}
    if keys & {"inline", "entity_ref"}:
        return _block(reader, node)
    if _is_fielded(node):
        return _fielded(reader, node)
    if "type" in keys and (keys <= _TYPED or _has_misspelt_key(node, keys - _TYPED)):
        return _typed(reader, node)
    if keys and not keys & (KEYWORDS - {"description"}) and keys - {"description"}:
        refuse = BLOCK if keys - {"description"} else TYPED
        read_section(reader, node, keys=refuse, owner="`returns`")
        return ReturnsDecl(span=node.span)
    return _schema(reader, node)


def _misplaced_fields(node: Node) -> Node | None:
    """The fields that stand directly under ``returns``, as a list or a mapping; else None."""
    if isinstance(node, ListNode):
        are_named = all(
            isinstance(item, MapNode) and item.entry("name") for item in node.items
        )
        return node if node.items and are_named else None
    if not isinstance(node, MapNode):
        return None
    entries = tuple(entry for entry in node.entries if not _is_no_field(entry))
    words = {entry.key.text for entry in entries}
    if words <= KEYWORDS or any(similar_keys(word, BLOCK) for word in words):
        return None
    are_types = all(
        (
            isinstance(value.value, str)
            if isinstance(value, ScalarNode)
            else isinstance(value, MapNode) and value.entry("type")
        )
        for _, value in entries
    )
    return MapNode(node.span, entries) if are_types else None


def _is_no_field(entry: Entry) -> bool:
    """Whether a key cannot be a field: one of our own, or a description in prose."""
    key, value = entry
    prose = isinstance(value, ScalarNode) and " " in value.text.strip()
    return key.text.startswith("x-") or (key.text == "description" and prose)


def _stray_fields(reader: Reader, node: Node, stray: Node) -> ReturnsDecl:
    from brimgen.syntax.foreign import in_braces

    at = stray.entries[0].key.span if isinstance(stray, MapNode) else stray.span
    inline_text = f"inline: {in_braces(stray)}"
    suggestions = (inline_text,) if len(inline_text) <= _LONGEST else ()
    reader.report(RETURNS_WITHOUT_INLINE, at, suggestions=suggestions)
    fields = read_fields(reader, stray, key="returns", inherits=False)
    content = ArgumentsDecl(span=node.span, fields=fields, sound=False)
    return ReturnsDecl(span=node.span, content=content)


def _has_misspelt_key(node: MapNode, other_keys: Set[str]) -> bool:
    """Whether the keys beside ``type`` are misspelt, rather than a schema's.

    A type that JSON Schema does not have is one of ours; a misspelt `description` is no keyword.
    """
    kind = node.get("type")
    if isinstance(kind, ScalarNode) and _NO_WORD.search(kind.text):
        return True
    if other_keys & KEYWORDS:
        return False
    is_ours = isinstance(kind, ScalarNode) and kind.text not in _SCHEMA_TYPES
    return is_ours or all(
        similar_keys(key, KEYWORDS) == _DESCRIPTION for key in other_keys
    )


def _type(reader: Reader, node: Node) -> TypeText | None:
    if isinstance(node, ScalarNode) and VOID in _WORD.findall(node.text):
        reader.report(
            VOID_OF_SOMETHING, node.span, suggestions=(VOID,), type=shortened(node.text)
        )
        return None
    return read_type(reader, node)


def _typed(reader: Reader, node: MapNode) -> ReturnsDecl | None:
    section = read_section(reader, node, keys=TYPED, owner="`returns`")
    written = section.node("type")
    if written is None or (
        isinstance(written, ScalarNode) and written.text.strip() == VOID
    ):
        return None
    type_text, text = _type(reader, written), section.text("description")
    return ReturnsDecl(span=node.span, type=type_text, description=text)


def _is_fielded(node: MapNode) -> bool:
    """Whether it has `fields`, or its `items` have, where JSON Schema has `properties`; or
    `items` is a type."""
    items = node.get("items")
    if isinstance(items, ScalarNode) and isinstance(items.value, str):
        return True
    inner = (node, items) if isinstance(items, MapNode) else (node,)
    nested = any(mapping.entry("fields") for mapping in inner)
    return nested and not any(mapping.entry("properties") for mapping in inner)


def _fielded(reader: Reader, node: MapNode) -> ReturnsDecl:
    before = reader.errors
    section = read_section(reader, node, keys=FIELDED, owner="`returns`")
    rows = _rows(reader, node, section)
    if rows is not None:
        return rows
    typed = section.chosen(FIELDED.shapes.keys() - _DESCRIPTION)
    name = Text("returns", node.span)
    field = read_field(reader, name, MapNode(node.span, typed), inherits=False)
    kind, fields = field.type, field.fields or ()
    text = section.text("description")
    if kind is None or not fields:
        return ReturnsDecl(span=node.span, type=kind, description=text)
    return ReturnsDecl(
        span=node.span,
        description=text,
        content=ArgumentsDecl(
            span=node.span, fields=fields, sound=reader.errors == before
        ),
        is_list=kind.is_list,
        is_optional=kind.is_optional,
    )


def _rows(reader: Reader, node: MapNode, section: Section) -> ReturnsDecl | None:
    """Read ``{type: rows, fields: {total: decimal}}``: fields take the place of columns."""
    type, fields = section.node("type"), section.node("fields")
    word = type.text.rstrip("?") if isinstance(type, ScalarNode) else ""
    if fields is None or type is None or word not in ROW_WORDS:
        return None
    before = reader.errors
    columns = read_fields(reader, fields, key="fields", inherits=False)
    return ReturnsDecl(
        span=node.span,
        description=section.text("description"),
        type=read_type(reader, type),
        content=ArgumentsDecl(
            span=fields.span, fields=columns, sound=reader.errors == before
        ),
    )


def _block(reader: Reader, node: MapNode) -> ReturnsDecl:
    before = reader.errors
    collection, node = _collection(reader, node)
    section = read_section(
        reader, node, keys=BLOCK, owner="`returns`", refuse=_refuse_key
    )
    if collection is not None and not section.written.keys() - {
        "entity_ref",
        "description",
    }:
        return ReturnsDecl(
            span=node.span, type=collection, description=section.text("description")
        )
    type_key = section.written.get("type")
    if type_key is not None:
        kind = section.text("type")
        written = kind.value if kind is not None else ""
        first = section.written.get("inline") or section.written.get("entity_ref")
        reader.report(
            RETURNS_TWO_FORMS,
            type_key.span,
            notes=[Note(first.span, "the content")] if first is not None else (),
            suggestions=(
                [f'{{type: "{written}", fields: …}}'] if _RECORD.match(written) else ()
            ),
            first="inline" if first is None else first.text,
            key="type",
        )
    return ReturnsDecl(
        span=node.span,
        description=section.text("description"),
        content=read_content(reader, section, before=before),
        is_list=collection is not None and collection.is_list,
        is_optional=collection is not None and collection.is_optional,
    )


def _collection(reader: Reader, node: MapNode) -> tuple[TypeText | None, MapNode]:
    """The type that `entity_ref: Order[]` writes, and the block with `entity_ref: Order`.

    A result may be a list; what arguments inherit may not.
    """
    ref = node.get("entity_ref")
    if not isinstance(ref, ScalarNode) or not _COLLECTION.search(ref.text):
        return None, node
    kind = read_type(reader, ref)
    if kind is None:
        return None, node
    single = ScalarNode(ref.span, kind.name, kind.name, ref.quoted)
    entries = tuple(
        Entry(key, single) if key.text == "entity_ref" else Entry(key, value)
        for key, value in node.entries
    )
    return kind, MapNode(node.span, entries)


def _refuse_key(
    reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
) -> str | None:
    allowed = Keys({key: shapes.anything for key in keys.shapes if key != "type"})
    return refuse_unknown(reader, entry, owner=owner, keys=allowed)


def _schema(reader: Reader, node: MapNode) -> ReturnsDecl:
    check_keywords(reader, node)
    described_by = node.get("description")
    description = (
        Text(described_by.text, described_by.span)
        if isinstance(described_by, ScalarNode)
        else None
    )
    return ReturnsDecl(span=node.span, description=description, schema=node)
