"""Find the schemas inside of a schema, and change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from brimgen.model.json import is_list
from brimgen.schema.walk import FOR_READERS, LISTS, NAMED, ONE, is_object
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode, plain

_PARTS = frozenset(
    {"allOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"}
)
_BRANCHES = frozenset({"anyOf", "oneOf"})
_OF_OBJECTS = frozenset(
    {"properties", "patternProperties", "required", "additionalProperties", "allOf"}
)


def plain_schema(node: Node) -> Any:
    """Return the data of a schema as `plain` does, but keep the values of texts as written.

    YAML reads the version 1.10 as the number 1.1, which `type: string` refuses.
    """
    if isinstance(node, ListNode):
        return [plain_schema(item) for item in node.items]
    if not isinstance(node, MapNode):
        return plain(node)
    kind = node.get("type")
    return {
        entry.key.text: (
            (_texts if _is_text(kind) else plain)(entry.value)
            if entry.key.text in _VALUES
            else plain_schema(entry.value)
        )
        for entry in node.entries
    }


_VALUES = frozenset({"enum", "const", "default", "example", "examples"})


def _is_text(kind: Node | None) -> bool:
    return kind is not None and plain(kind) in (
        "string",
        ["string"],
        ["string", "null"],
        ["null", "string"],
    )


def _texts(node: Node) -> Any:
    if isinstance(node, ListNode):
        return [_texts(item) for item in node.items]
    if isinstance(node, ScalarNode) and node.value is not None:
        return node.text
    return plain(node)


def map_inner_schemas(
    schema: Mapping[str, Any], change: Callable[[str, Any], Any]
) -> dict[str, Any]:
    """Apply ``change`` to each (keyword, inner schema) of ``schema``."""
    mapped = dict(schema)
    # Not by `rewritten`: chains of schemas are deep, and it takes two frames more for each.
    for key, value in schema.items():
        if key in NAMED and is_object(value):
            mapped[key] = {name: change(key, member) for name, member in value.items()}
        elif key in LISTS and is_list(value):
            mapped[key] = [change(key, item) for item in value]
        elif key in ONE:
            mapped[key] = change(key, value)
    return mapped


def is_part(key: str, schema: Mapping[str, Any], *, is_part_itself: bool) -> bool:
    """Whether a schema under ``key`` describes a value only in part.

    Such a schema cannot be closed: it does not know the properties that other parts allow.
    """
    if key in _BRANCHES:
        return is_part_itself or not _OF_OBJECTS.isdisjoint(schema)
    return key in _PARTS


def is_annotation(key: str) -> bool:
    """Return whether a keyword does not affect what is valid."""
    return key in FOR_READERS or key.startswith("x-")


def is_about_values(schema: Mapping[str, Any]) -> bool:
    """Whether a schema has a keyword that restricts values."""
    return not all(map(is_annotation, schema))
