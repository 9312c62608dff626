"""Walk over the schemas inside a schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from brimgen.diagnostics import Span
from brimgen.model.json import Json
from brimgen.model.json_pointer import escape_step
from brimgen.source.nodes import Entry, ListNode, MapNode
from brimgen.storeruntime.schema_parts import LISTS, MAPS, SINGLE, subschemas

ANNOTATIONS = frozenset(
    [
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
        "$comment",
    ]
)

_HOLD_SCHEMAS = SINGLE | LISTS | MAPS
"""Keywords that hold schemas: no name of them needs an escape in a pointer."""

Schema: TypeAlias = dict[str, Json]


def walk_nodes(root: MapNode) -> Iterator[tuple[str, MapNode]]:
    """Yield every schema object below ``root`` with its JSON Pointer, parents first."""
    stack = [("", root)]
    while stack:
        pointer, node = stack.pop()
        yield pointer, node
        inner: list[tuple[str, MapNode]] = []
        for entry in node.entries:
            if entry.key.text in _HOLD_SCHEMAS:
                inner.extend(_inner_nodes(f"{pointer}/{entry.key.text}", entry))
        stack.extend(reversed(inner))


def spans_of(root: MapNode) -> dict[str, Span]:
    """Return where the properties stand, by the pointers of their schemas; "" is the root."""
    return {"": root.span} | {
        f"{pointer}/properties/{escape_step(entry.key.text)}": entry.key.span
        for pointer, node in walk_nodes(root)
        if isinstance(properties := node.get("properties"), MapNode)
        for entry in properties.entries
    }


def _inner_nodes(pointer: str, entry: Entry) -> Iterator[tuple[str, MapNode]]:
    key, value = entry.key.text, entry.value
    if isinstance(value, MapNode) and key in SINGLE:
        yield pointer, value
    elif isinstance(value, ListNode) and key in LISTS:
        for index, item in enumerate(value.items):
            if isinstance(item, MapNode):
                yield f"{pointer}/{index}", item
    elif isinstance(value, MapNode) and key in MAPS:
        for name, member in value.entries:
            if isinstance(member, MapNode):
                yield f"{pointer}/{escape_step(name.text)}", member


def map_schemas(schema: Schema, change: Callable[[Schema], Schema]) -> Schema:
    """Return ``schema`` with ``change`` applied to each schema object in it, innermost first."""
    changed: Schema = {}
    for key, value in schema.items():
        if isinstance(value, dict) and key in SINGLE:
            changed[key] = map_schemas(value, change)
        elif isinstance(value, list) and key in LISTS:
            changed[key] = [
                map_schemas(item, change) if isinstance(item, dict) else item
                for item in value
            ]
        elif isinstance(value, dict) and key in MAPS:
            changed[key] = {
                name: (
                    map_schemas(member, change) if isinstance(member, dict) else member
                )
                for name, member in value.items()
            }
        else:
            changed[key] = value
    return change(changed)


def is_conditional_part(schema: Json, level: Schema) -> bool:
    """Return whether a part of ``level`` may admit properties of its own under a condition."""
    all_of = level.get("allOf")
    if isinstance(all_of, list) and any(part is schema for part in all_of):
        return False
    return any(
        subschema.keys()
        & {"properties", "$ref", "patternProperties", "additionalProperties"}
        for subschema in subschemas(schema if isinstance(schema, dict) else {})
    )
