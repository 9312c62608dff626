"""The one walk over JSON Schemas, as data and as nodes of a spec.

Which keywords hold schemas is the table of the runtime: ``ONE`` of a schema, ``LISTS`` of schemas,
``NAMED`` schemas by their names. It has the keywords of every draft.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import is_
from typing import TypeAlias, TypeGuard
from urllib.parse import unquote

from brimgen.diagnostics import Span
from brimgen.model.json import Json, JsonObject
from brimgen.source.nodes import (
    Entry,
    ListNode,
    MapNode,
    Node,
    ScalarNode,
    plain_object,
)
from brimgen_runtime.grammar import schema_parts
from brimgen_runtime.grammar.schema_parts import is_local_pointer, resolve_pointer
from brimgen_runtime.grammar.schema_parts import subschemas as _all_schemas
from brimgen_runtime.schema.json_pointer import escape_step, steps_of


def words(text: str) -> frozenset[str]:
    """Split ``text`` into a set of words."""
    return frozenset(text.split())


ONE, LISTS, NAMED = schema_parts.SINGLE, schema_parts.LISTS, schema_parts.MAPS
HOLDERS = ONE | LISTS | NAMED
"""Keywords that hold schemas, of every draft."""

FOR_READERS = words(
    "title description default examples deprecated readOnly writeOnly $comment"
)
"""Keywords that are written for readers of a schema."""

ANNOTATIONS = words(
    "title description default examples deprecated readOnly writeOnly $comment $schema $id"
    " $anchor $dynamicAnchor $vocabulary contentEncoding contentMediaType contentSchema"
)
"""Keywords that decide nothing about an instance; ``x-…`` and unknown ones are further ones."""

STANDARD = (
    HOLDERS - {"additionalItems", "definitions", "dependencies"}
    | ANNOTATIONS
    | words(
        "type enum const $ref required minimum maximum exclusiveMinimum exclusiveMaximum"
        " multipleOf minLength maxLength pattern format minItems maxItems uniqueItems"
        " minContains maxContains minProperties maxProperties dependentRequired"
    )
)
"""Every keyword of the 2020-12 vocabularies that stays after `inline`."""

BY_TYPE: Mapping[str, frozenset[str]] = {
    "string": words(
        "minLength maxLength pattern format contentEncoding contentMediaType"
        " contentSchema"
    ),
    "number": words("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
    "array": words(
        "items prefixItems minItems maxItems uniqueItems contains minContains maxContains"
        " unevaluatedItems"
    ),
    "object": words(
        "properties required additionalProperties patternProperties propertyNames"
        " minProperties maxProperties dependentRequired dependentSchemas"
        " unevaluatedProperties"
    ),
}
"""Keywords that speak about values of one type only (``integer`` shares those of ``number``)."""

Rewrite: TypeAlias = Callable[[Json, str], Json]
Schema: TypeAlias = dict[str, Json]


_NO_OBJECTS = frozenset([str, int, float, bool, type(None), list, tuple])


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Whether a JSON value is an object."""
    # The test of an abstract class takes several times as long, and is hardly ever needed.
    kind = type(value)
    return kind is dict or (kind not in _NO_OBJECTS and isinstance(value, Mapping))


def is_annotation(keyword: str) -> bool:
    """Whether ``keyword`` asserts nothing about an instance."""
    return keyword in ANNOTATIONS or keyword.startswith("x-")


def pointer_to(pointer: str, *steps: str | int) -> str:
    """Append ``steps`` to a JSON Pointer (RFC 6901)."""
    for step in steps:
        pointer = f"{pointer}/{escape_step(str(step))}"
    return pointer


def rewritten(
    keyword: str,
    value: Json,
    pointer: str,
    rewrite: Rewrite,
) -> Json:
    """Replace each schema in ``value`` of ``keyword`` by ``rewrite(schema, pointer)``.

    ``pointer`` is that of the schema that holds the keyword. Values of keywords that hold no
    schema, malformed ones, and those of which nothing changes, come back as they are.
    """
    if keyword not in HOLDERS:
        return value
    at = f"{pointer}/{keyword}"
    if keyword in LISTS and isinstance(value, list | tuple):
        items = [rewrite(item, pointer_to(at, i)) for i, item in enumerate(value)]
        return value if all(map(is_, items, value)) else items
    if keyword in NAMED and is_object(value):
        named = {
            name: rewrite(member, pointer_to(at, name))
            for name, member in value.items()
        }
        return value if all(map(is_, named.values(), value.values())) else named
    return rewrite(value, at) if keyword in ONE else value


def split_definitions(schema: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Split ``schema`` into itself without definitions, and these."""
    definitions = schema.get("$defs")
    if definitions is None:
        return schema, {}
    body = {k: v for k, v in schema.items() if k != "$defs"}
    return body, definitions if is_object(definitions) else {}


def followed(schema: JsonObject, root: JsonObject) -> JsonObject:
    """Return ``schema`` joined with the definition of ``root`` that it refers to, if it does."""
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    target = split_definitions(root)[1].get(name)
    if not is_object(target):
        return schema
    return {**target, **{key: part for key, part in schema.items() if key != "$ref"}}


def subschemas(keyword: str, value: Json) -> Collection[Json]:
    """Return the schemas that ``keyword`` with ``value`` holds, in order."""
    if keyword in LISTS and isinstance(value, list | tuple):
        return value
    if keyword in NAMED and is_object(value):
        return value.values()
    return (value,) if keyword in ONE else ()


def inner_schemas(schema: JsonObject, pointer: str = "") -> Iterator[tuple[str, Json]]:
    """Yield the schemas that the keywords of ``schema`` hold, each with its pointer.

    ``pointer`` is that of ``schema``. Schemas are objects or booleans, unless they are malformed.
    """
    for keyword, value in schema.items():
        if keyword not in HOLDERS:
            continue
        at = f"{pointer}/{keyword}"
        if keyword in LISTS and isinstance(value, list | tuple):
            yield from ((f"{at}/{i}", item) for i, item in enumerate(value))
        elif keyword in NAMED and is_object(value):
            yield from ((pointer_to(at, name), inner) for name, inner in value.items())
        elif keyword in ONE:
            yield at, value


def schemas_in(schema: Json, pointer: str = "") -> Iterator[tuple[str, JsonObject]]:
    """Yield ``schema``, which stands at ``pointer``, and all schemas in it, each with its pointer.

    An outer one comes before those in it. References are not followed.
    """
    waiting = [(pointer, schema)]
    while waiting:
        at, node = waiting.pop()
        if is_object(node):
            yield at, node
            waiting += reversed([*inner_schemas(node, at)])


def walk_nodes(root: MapNode) -> Iterator[tuple[str, MapNode]]:
    """Yield every schema object below ``root`` with its JSON Pointer, parents first."""
    stack = [("", root)]
    while stack:
        pointer, node = stack.pop()
        yield pointer, node
        inner: list[tuple[str, MapNode]] = []
        for entry in node.entries:
            if entry.key.text in HOLDERS:
                inner.extend(inner_nodes(f"{pointer}/{entry.key.text}", entry))
        stack.extend(reversed(inner))


def references(root: MapNode) -> Iterator[tuple[str, ScalarNode]]:
    """Yield the `$ref` of every schema below ``root``, with the JSON Pointer of the schema."""
    for pointer, node in walk_nodes(root):
        ref = node.get("$ref")
        if isinstance(ref, ScalarNode):
            yield pointer, ref


def target_of(schema: Schema, root: Schema) -> Json:
    """Return what the `$ref` of a schema leads to by a JSON Pointer into ``root``, or None."""
    ref = schema.get("$ref")
    is_local = isinstance(ref, str) and is_local_pointer(ref)
    return resolve_pointer(root, str(ref)) if is_local else None


def levels(schema: Json, target: Callable[[Schema], Json]) -> Iterator[Schema]:
    """Yield a schema and all that apply to the same value whatever it is, the nearest first.

    ``target`` returns what a schema with a `$ref` refers to.
    """
    seen: set[int] = set()
    waiting = [schema]
    for level in waiting:
        if not isinstance(level, dict) or id(level) in seen:
            continue
        seen.add(id(level))
        yield level
        if "$ref" in level:
            waiting.append(target(level))
        all_of = level.get("allOf")
        waiting += all_of if isinstance(all_of, list) else ()


def spans_of(root: MapNode) -> dict[str, Span]:
    """Return where the properties stand, by the pointers of their schemas; "" is the root."""
    return {"": root.span} | {
        f"{pointer}/properties/{escape_step(entry.key.text)}": entry.key.span
        for pointer, node in walk_nodes(root)
        if isinstance(properties := node.get("properties"), MapNode)
        for entry in properties.entries
    }


def inner_nodes(pointer: str, entry: Entry) -> Iterator[tuple[str, MapNode]]:
    """Yield the schemas under the keyword that stands at ``pointer``, with their pointers."""
    key, value = entry.key.text, entry.value
    if isinstance(value, ListNode) and key in LISTS:
        for index, item in enumerate(value.items):
            if isinstance(item, MapNode):
                yield f"{pointer}/{index}", item
    elif isinstance(value, MapNode) and key in NAMED:
        for name, member in value.entries:
            if isinstance(member, MapNode):
                yield f"{pointer}/{escape_step(name.text)}", member
    elif isinstance(value, MapNode) and key in ONE:
        yield pointer, value


def map_schemas(schema: Schema, change: Callable[[Schema], Schema]) -> Schema:
    """Return ``schema`` with ``change`` applied to each schema object in it, innermost first."""
    mapped = _map_schema(schema, change)
    for pointer in outside_targets(schema):
        mapped = _mapped_at(mapped, [*steps_of(pointer)], change)
    return mapped


def _map_schema(schema: Schema, change: Callable[[Schema], Schema]) -> Schema:
    def mapped(inner: Json, _: str) -> Json:
        return _map_schema(inner, change) if isinstance(inner, dict) else inner

    return change(
        {key: rewritten(key, value, "", mapped) for key, value in schema.items()}
    )


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
    for pointer in outside_targets(plain_object(root)):
        mapped = _node_mapped_at(mapped, [*steps_of(pointer)], change)
    return mapped


def _map_node(schema: MapNode, change: Callable[[MapNode], MapNode]) -> MapNode:
    def mapped(node: Node) -> Node:
        return _map_node(node, change) if isinstance(node, MapNode) else node

    entries: list[Entry] = []
    for key, value in schema.entries:
        if key.text in ONE and isinstance(value, MapNode):
            value = mapped(value)
        elif key.text in LISTS and isinstance(value, ListNode):
            value = ListNode(value.span, tuple(map(mapped, value.items)))
        elif key.text in NAMED and isinstance(value, MapNode):
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
    return node._replace(entries=tuple(entries))


def outside_targets(root: Schema) -> dict[str, Schema]:
    """Return the schemas that a ``$ref`` names and no keyword holds, by their JSON Pointers."""
    reached = {id(part) for part in _all_schemas(root)}
    targets: dict[str, Schema] = {}
    waiting: list[Schema] = [root]
    while waiting:
        for part in _all_schemas(waiting.pop()):
            ref = part.get("$ref")
            target = _target(root, ref) if isinstance(ref, str) else None
            if target is not None and id(target) not in reached:
                reached.add(id(target))
                targets[unquote(str(ref)[1:])] = target
                waiting.append(target)
    inner = {
        id(part)
        for target in targets.values()
        for part in _all_schemas(target)
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
        for subschema in _all_schemas(schema if isinstance(schema, dict) else {})
    )
