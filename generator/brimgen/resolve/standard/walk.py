"""Walk over the schemas inside a schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias
from urllib.parse import unquote

from brimgen.diagnostics import Span
from brimgen.model.json import Json
from brimgen.model.json_pointer import escape_step, steps_of
from brimgen.resolve.values import to_json
from brimgen.source.nodes import Entry, ListNode, MapNode, Node
from brimgen_runtime.grammar.schema_parts import (
    LISTS,
    MAPS,
    SINGLE,
    resolve_pointer,
    subschemas,
)

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
    mapped = _map_schema(schema, change)
    for pointer in outside_targets(schema):
        mapped = _mapped_at(mapped, [*steps_of(pointer)], change)
    return mapped


def _map_schema(schema: Schema, change: Callable[[Schema], Schema]) -> Schema:
    changed: Schema = {}
    for key, value in schema.items():
        if isinstance(value, dict) and key in SINGLE:
            changed[key] = _map_schema(value, change)
        elif isinstance(value, list) and key in LISTS:
            changed[key] = [
                _map_schema(item, change) if isinstance(item, dict) else item
                for item in value
            ]
        elif isinstance(value, dict) and key in MAPS:
            changed[key] = {
                name: (
                    _map_schema(member, change) if isinstance(member, dict) else member
                )
                for name, member in value.items()
            }
        else:
            changed[key] = value
    return change(changed)


def _mapped_at(
    value: Schema, steps: Sequence[str], change: Callable[[Schema], Schema]
) -> Schema:
    if not steps:
        return _map_schema(value, change)
    inner = value.get(steps[0])
    if not isinstance(inner, dict):
        return value
    return {**value, steps[0]: _mapped_at(inner, steps[1:], change)}


def map_nodes(root: MapNode, change: Callable[[MapNode], MapNode]) -> MapNode:
    """Return ``root`` with ``change`` applied to each schema object in it, innermost first."""
    mapped = _map_node(root, change)
    document = to_json(root)
    assert isinstance(document, dict)
    for pointer in outside_targets(document):
        mapped = _node_mapped_at(mapped, [*steps_of(pointer)], change)
    return mapped


def _map_node(schema: MapNode, change: Callable[[MapNode], MapNode]) -> MapNode:
    def mapped(node: Node) -> Node:
        return _map_node(node, change) if isinstance(node, MapNode) else node

    entries: list[Entry] = []
    for key, value in schema.entries:
        if key.text in SINGLE and isinstance(value, MapNode):
            value = mapped(value)
        elif key.text in LISTS and isinstance(value, ListNode):
            value = ListNode(value.span, tuple(map(mapped, value.items)))
        elif key.text in MAPS and isinstance(value, MapNode):
            value = with_entries(
                value, (Entry(name, mapped(member)) for name, member in value.entries)
            )
        entries.append(Entry(key, value))
    return change(with_entries(schema, entries))


def _node_mapped_at(
    node: MapNode, steps: Sequence[str], change: Callable[[MapNode], MapNode]
) -> MapNode:
    if not steps:
        return _map_node(node, change)
    entries = (
        (
            Entry(key, _node_mapped_at(value, steps[1:], change))
            if key.text == steps[0] and isinstance(value, MapNode)
            else Entry(key, value)
        )
        for key, value in node.entries
    )
    return with_entries(node, entries)


def with_entries(node: MapNode, entries: Iterable[Entry]) -> MapNode:
    """Return a mapping at the same place with other entries."""
    return type(node)(node.span, tuple(entries))


def outside_targets(root: Schema) -> dict[str, Schema]:
    """Return the schemas that only references lead to, by their pointers: no keyword holds them."""
    reached = {id(part) for part in subschemas(root)}
    targets: dict[str, Schema] = {}
    waiting: list[Schema] = [root]
    while waiting:
        for part in subschemas(waiting.pop()):
            ref = part.get("$ref")
            target = _target(root, ref) if isinstance(ref, str) else None
            if target is not None and id(target) not in reached:
                reached.add(id(target))
                targets[unquote(str(ref)[1:])] = target
                waiting.append(target)
    inner = {
        id(part)
        for target in targets.values()
        for part in subschemas(target)
        if part is not target
    }
    return {
        pointer: target
        for pointer, target in targets.items()
        if id(target) not in inner
    }


def _target(root: Schema, ref: str) -> Schema | None:
    target = resolve_pointer(root, ref) if ref.startswith("#/") else None
    return target if isinstance(target, dict) else None


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
