"""JSON Schema as an author wrote it in, reports on its shape out; it is kept verbatim.

Each keyword is looked at by its shape (draft-07 and 2020-12); what a keyword refers to, and
whether a default fits, is looked up later. Unknown keywords are legal in JSON Schema; the ones
that are slips, or words of another language, are told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from brimgen.diagnostics import did_you_mean
from brimgen.diagnostics.rules.syntax.documents import EMPTY_LIST
from brimgen.diagnostics.rules.syntax.schemas import (
    MISSPELT_KEYWORD,
    OLD_DRAFT,
    SCHEMA_EXPECTED,
    UNKNOWN_JSON_TYPE,
)
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax import shapes
from brimgen.syntax.fields import is_argument_name
from brimgen.syntax.reader import Reader, Shape, described, shown

JSON_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
_MEANT = {
    **dict.fromkeys(("int", "int32", "int64", "long", "bigint"), "integer"),
    **dict.fromkeys(("float", "double", "decimal", "num"), "number"),
    **dict.fromkeys(("str", "text", "date", "datetime", "uuid", "enum"), "string"),
    **dict.fromkeys(("bool",), "boolean"),
    **dict.fromkeys(("list", "tuple", "set"), "array"),
    **dict.fromkeys(("dict", "map", "mapping", "record"), "object"),
    **dict.fromkeys(("none", "nil", "undefined"), "null"),
}
_FOREIGN = {
    "min": ("minimum",),
    "max": ("maximum",),
    "enum_values": ("enum",),
    "fields": ("properties",),
    "nullable": (),
    "optional": ("required",),
}


def check_schema(reader: Reader, node: MapNode) -> None:
    """Report every keyword of the schema, at any depth, that has not the shape it needs."""
    for entry in node.entries:
        word = entry.key.text
        check = _KEYWORDS.get(word)
        if check is not None:
            check(reader, entry)
        elif not word.startswith("x-"):
            _unknown_keyword(reader, entry)


def _unknown_keyword(reader: Reader, entry: Entry) -> None:
    word = entry.key.text
    meant = _FOREIGN.get(word)
    if meant is None:
        meant = did_you_mean(word, _KEYWORDS)
    if meant or word in _FOREIGN:
        reader.report(
            MISSPELT_KEYWORD, entry.key.span, suggestions=meant, key=shown(word)
        )


def _schema(reader: Reader, key: ScalarNode, node: Node) -> None:
    if isinstance(node, MapNode):
        check_schema(reader, node)
    elif not (isinstance(node, ScalarNode) and isinstance(node.value, bool)):
        reader.report(
            SCHEMA_EXPECTED, node.span, key=shown(key.text), actual=described(node)
        )


def _one(reader: Reader, entry: Entry) -> None:
    _schema(reader, entry.key, entry.value)


def _each(reader: Reader, entry: Entry) -> None:
    """A mapping of names to schemas."""
    if shapes.mapping(reader, entry.key.text, entry.value) and isinstance(
        entry.value, MapNode
    ):
        for each in entry.value.entries:
            _schema(reader, each.key, each.value)


def _properties(reader: Reader, entry: Entry) -> None:
    if isinstance(entry.value, MapNode):
        for each in entry.value.entries:
            is_argument_name(reader, each.key)
    _each(reader, entry)


def _several(reader: Reader, entry: Entry) -> None:
    """A list of at least one schema."""
    if not shapes.items(reader, entry.key.text, entry.value):
        return
    if isinstance(entry.value, ListNode):
        if not entry.value.items:
            reader.report(EMPTY_LIST, entry.value.span, key=entry.key.text)
        for item in entry.value.items:
            _schema(reader, entry.key, item)


def _items(reader: Reader, entry: Entry) -> None:
    """One schema, or (draft-07) a list of them."""
    if isinstance(entry.value, ListNode):
        for item in entry.value.items:
            _schema(reader, entry.key, item)
    else:
        _one(reader, entry)


def _type(reader: Reader, entry: Entry) -> None:
    node = entry.value
    for each in node.items if isinstance(node, ListNode) else (node,):
        if not shapes.text(reader, "type", each) or not isinstance(each, ScalarNode):
            continue
        if each.text not in JSON_TYPES:
            meant = _MEANT.get(each.text.lower())
            reader.report(
                UNKNOWN_JSON_TYPE,
                each.span,
                suggestions=(meant,) if meant else did_you_mean(each.text, JSON_TYPES),
                type=shown(each.text),
            )


def _required(reader: Reader, entry: Entry) -> None:
    if isinstance(entry.value, ScalarNode) and isinstance(entry.value.value, bool):
        _old_draft(reader, entry, "a list of names")
    else:
        shapes.words(reader, "required", entry.value)


def _exclusive(reader: Reader, entry: Entry) -> None:
    if isinstance(entry.value, ScalarNode) and isinstance(entry.value.value, bool):
        _old_draft(reader, entry, "a number")
    else:
        shapes.number(reader, entry.key.text, entry.value)


def _old_draft(reader: Reader, entry: Entry, expected: str) -> None:
    reader.report(
        OLD_DRAFT,
        entry.value.span,
        key=entry.key.text,
        expected=expected,
        actual=described(entry.value),
    )


def _dependent(reader: Reader, entry: Entry) -> None:
    """Names to lists of names (``dependentRequired``), or (``dependencies``) to schemas."""
    if not shapes.mapping(reader, entry.key.text, entry.value):
        return
    if isinstance(entry.value, MapNode):
        for each in entry.value.entries:
            if (
                isinstance(each.value, ListNode)
                or entry.key.text == "dependentRequired"
            ):
                shapes.words(reader, each.key.text, each.value)
            else:
                _schema(reader, each.key, each.value)


def _shape(shape: Shape) -> Callable[[Reader, Entry], None]:
    def check(reader: Reader, entry: Entry) -> None:
        shape(reader, entry.key.text, entry.value)

    return check


Check: TypeAlias = Callable[[Reader, Entry], None]


def _all(check: Check, words: str) -> dict[str, Check]:
    return dict.fromkeys(words.split(), check)


_KEYWORDS: Mapping[str, Check] = {
    **_all(
        _one,
        "additionalItems additionalProperties contains propertyNames not if then else"
        " unevaluatedItems unevaluatedProperties contentSchema",
    ),
    **_all(_each, "patternProperties $defs definitions dependentSchemas"),
    **_all(_several, "allOf anyOf oneOf prefixItems"),
    **_all(_dependent, "dependencies dependentRequired"),
    **_all(
        _shape(shapes.count),
        "minLength maxLength minItems maxItems minProperties maxProperties minContains"
        " maxContains",
    ),
    **_all(
        _shape(shapes.text),
        "$ref $id $schema $anchor $dynamicRef $dynamicAnchor $comment title description"
        " format pattern contentEncoding contentMediaType entity_ref from_context",
    ),
    **_all(_shape(shapes.flag), "uniqueItems deprecated readOnly writeOnly llm"),
    **_all(_shape(shapes.number), "minimum maximum"),
    **_all(_exclusive, "exclusiveMinimum exclusiveMaximum"),
    **_all(_shape(shapes.anything), "const default"),
    **_all(_shape(shapes.items), "enum examples"),
    "multipleOf": _shape(shapes.positive),
    "properties": _properties,
    "items": _items,
    "type": _type,
    "required": _required,
    "$vocabulary": _shape(shapes.mapping),
}
KEYWORDS = frozenset(_KEYWORDS)
