"""Walk over the parts of a JSON Schema, and follow its references to itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeGuard
from urllib.parse import unquote

from ..schema import references
from ..schema.json_pointer import steps_of
from ..schema.json_values import is_list

Json: TypeAlias = (
    "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
)
Schema: TypeAlias = dict[str, Json]

DRAFT_2020_12: Final = "https://json-schema.org/draft/2020-12/schema"
_INDEX = re.compile(r"[0-9]{1,9}")
"""An index of a list in a JSON Pointer."""

_EXTRAS = ("additionalProperties", "unevaluatedProperties")
_TELLS_PROPERTIES = frozenset(
    {"$ref", "$dynamicRef", "properties", "patternProperties", *_EXTRAS}
)
SINGLE = frozenset(references.SINGLE)
LISTS = frozenset(references.LISTS)
MAPS = frozenset(references.NAMED)
IN_PLACE_LISTS = ("allOf", "anyOf", "oneOf")


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Return whether a JSON value is an object."""
    return isinstance(value, dict)


def subschemas(schema: Mapping[str, Json]) -> Iterator[Schema]:
    """Yield every schema object in ``schema``, itself first."""
    stack: list[Json] = [schema if isinstance(schema, dict) else dict(schema)]
    while stack:
        part = stack.pop()
        if not isinstance(part, dict):
            continue
        yield part
        for key, value in part.items():
            if isinstance(value, dict) and key in SINGLE:
                stack.append(value)
            elif isinstance(value, list) and key in LISTS:
                stack.extend(value)
            elif isinstance(value, dict) and key in MAPS:
                stack.extend(value.values())


def same_value_subschemas(schema: Mapping[str, Json]) -> Iterator[Json]:
    """Yield the subschemas that apply to the same value (`$ref` targets aside)."""
    for key in IN_PLACE_LISTS:
        options = schema.get(key)
        if isinstance(options, list):
            yield from options
    for key in ("if", "then", "else"):
        if key in schema:
            yield schema[key]
    dependent = schema.get("dependentSchemas")
    if isinstance(dependent, dict):
        yield from dependent.values()


def resolve_pointer(root: Mapping[str, Json], ref: str) -> Json:
    """Return the target of a `#…` reference in a checked schema; None if there is none."""
    if ref == "#":
        return root
    if not ref.startswith("#/"):
        return _anchored(root, ref)
    return at_pointer(root, unquote(ref[1:]))


def at_pointer(root: Mapping[str, Json], pointer: str) -> Json:
    """Return the value at a JSON Pointer; None if there is none."""
    value: Json = root
    for key in steps_of(pointer):
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list) and _INDEX.fullmatch(key):
            if int(key) >= len(value):
                return None
            value = value[int(key)]
        else:
            return None
    return value


def _anchored(root: Mapping[str, Json], ref: str) -> Json:
    for subschema in subschemas(root):
        if ref.startswith("#") and subschema.get("$anchor") == ref[1:]:
            return subschema
    return None


def is_local_pointer(ref: Json) -> bool:
    """Return whether a reference is a JSON Pointer into its own document."""
    return isinstance(ref, str) and (ref == "#" or ref.startswith("#/"))


def has_inner_identifier(root: Schema) -> bool:
    """Return whether a subschema has an `$id`: pointers in it then start there, not at the root."""
    return any(
        "$id" in subschema and subschema is not root for subschema in subschemas(root)
    )


def find_loop(root: Schema) -> str | None:
    """Return a `$ref` that leads back to itself on the same value, or None."""
    if has_inner_identifier(root):
        return None
    done: set[int] = set()
    for start in subschemas(root):
        if "$ref" not in start or id(start) in done:
            continue
        path: dict[int, None] = {}
        stack: list[tuple[Json, bool]] = [(start, False)]
        while stack:
            part, leaving = stack.pop()
            if not isinstance(part, dict):
                continue
            key = id(part)
            if leaving:
                path.pop(key, None)
                done.add(key)
                continue
            if key in path:
                return str(start["$ref"])
            if key in done:
                continue
            path[key] = None
            stack.append((part, True))
            stack.extend((inner, False) for inner in _same_value(part, root))
    return None


def _same_value(schema: Schema, root: Schema) -> Iterator[Json]:
    ref = schema.get("$ref")
    if isinstance(ref, str):
        yield resolve_pointer(root, ref)
    yield from same_value_subschemas(schema)
    if "not" in schema:
        yield schema["not"]


def close(schema: Schema) -> Schema:
    """Return the schema, which refuses extra properties unless it mentions them."""
    if any(key in schema for key in _EXTRAS):
        return schema
    if (
        not any(map(_tells_properties, same_value_subschemas(schema)))
        and "$ref" not in schema
    ):
        return {**schema, "additionalProperties": False}
    closed_schema = {**schema, "unevaluatedProperties": False}
    if closed_schema.get("$schema") not in (None, DRAFT_2020_12):
        closed_schema["$schema"] = DRAFT_2020_12
    return closed_schema


def _tells_properties(schema: Json) -> bool:
    stack: list[Json] = [schema]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            if part.keys() & _TELLS_PROPERTIES:
                return True
            stack.extend(same_value_subschemas(part))
    return False


def is_null_schema(schema: Json) -> bool:
    """Return whether a schema accepts only null, in one of the usual forms."""
    return isinstance(schema, dict) and (
        schema.get("type") in ("null", ["null"])
        or ("const" in schema and schema["const"] is None)
        or schema.get("enum") == [None]
    )


def properties_of(schema: Schema) -> dict[str, Json]:
    """Return the properties of the root of a schema."""
    properties = schema.get("properties")
    return properties if is_object(properties) else {}


def undeclared_names(closed: Schema) -> Iterator[str]:
    """Yield required names without a property, if the schema refuses extra properties."""
    if closed.get("additionalProperties") is False and (
        "patternProperties" not in closed
    ):
        properties, required = properties_of(closed), closed.get("required")
        names = required if is_list(required) else []
        yield from (name for name in names if name not in properties)
