"""Build the canonical JSON Schema of a type and its constraints (docs/internal/architecture.md).

Key order inside a schema is `KEY_ORDER`. A nullable value is ``type: [T, "null"]`` for plain
scalars, and ``anyOf: [<schema>, {"type": "null"}]`` where there is an enum, a list or an object
(a ``type`` list beside an ``enum`` without null could never validate null). ``default: null`` is
not published: absence says the same, and clients stumble over it (descriptors.md, row 2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from brimgen.model.fields import Caller
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import Field

KEY_ORDER = (
    "$schema",
    "$id",
    "$ref",
    "anyOf",
    "type",
    "format",
    "contentEncoding",
    "contentMediaType",
    "items",
    "properties",
    "required",
    "additionalProperties",
    "enum",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "default",
    "title",
    "description",
    "deprecated",
    "examples",
)


class _Ranks(dict[str, int]):
    """The place of each key; whatever else there is comes last."""

    def __missing__(self, key: str) -> int:
        return len(KEY_ORDER)


_rank = _Ranks((key, rank) for rank, key in enumerate(KEY_ORDER)).__getitem__
_NULL: JsonObject = {"type": "null"}

MARKDOWN: JsonObject = {"type": "string", "contentMediaType": "text/markdown"}


def arrange(schema: Mapping[str, Json]) -> dict[str, Json]:
    """Return the schema with its keys in canonical order; unknown ones last, as they stood."""
    return {key: schema[key] for key in _in_order(tuple(schema))}


@lru_cache(maxsize=1024)
def _in_order(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Sorted keys: few sets of them are written again and again."""
    return tuple(sorted(keys, key=_rank))


def object_schema(fields: Iterable[Field], *, closed: bool) -> dict[str, Json]:
    """Return the schema of an object with ``fields``, all of them, in their order."""
    fields = tuple(fields)
    required = [field.name for field in fields if field.required]
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {field.name: field.schema for field in fields},
    }
    if required:
        schema["required"] = required
    if closed:
        schema["additionalProperties"] = False
    return schema


def visible(fields: Iterable[Field]) -> tuple[Field, ...]:
    """Return the fields that a caller may send."""
    return tuple([field for field in fields if isinstance(field.origin, Caller)])


def list_schema(item: JsonObject) -> dict[str, Json]:
    """Return the schema of a list of ``item``."""
    return {"type": "array", "items": item}


def nullable(schema: JsonObject) -> dict[str, Json]:
    """Return the schema that admits null as well."""
    kind = schema.get("type")
    plain = kind not in ("object", "array") and "enum" not in schema
    if plain and isinstance(kind, str):
        return {**schema, "type": [kind, "null"]}
    if plain and isinstance(kind, list):
        return {**schema, "type": [*kind, "null"]}
    return {"anyOf": [schema, _NULL]}


def describe_property(
    schema: JsonObject,
    path: tuple[str, ...],
    text: str,
    written_out: Callable[[JsonObject], JsonObject],
) -> dict[str, Json] | None:
    """Return ``schema`` with a description at the property that ``path`` names below it.

    Lists and nullable wrappers are stepped through, and references are ``written_out``. None where
    there is no such property.
    """
    if not path:
        return arrange({**schema, "description": text})
    if "$ref" in schema:
        schema = written_out(schema)
    for key in ("items", "anyOf"):
        inner = schema.get(key)
        if isinstance(inner, list):
            first, *rest = inner
            changed = (
                describe_property(first, path, text, written_out)
                if isinstance(first, Mapping)
                else None
            )
            return _put(schema, key, None if changed is None else [changed, *rest])
        if isinstance(inner, Mapping):
            return _put(schema, key, describe_property(inner, path, text, written_out))
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return None
    for end in range(len(path), 0, -1):
        name = ".".join(path[:end])
        inner = properties.get(name)
        if isinstance(inner, Mapping):
            changed = describe_property(inner, path[end:], text, written_out)
            members = None if changed is None else {**properties, name: changed}
            return _put(schema, "properties", members)
    return None


def _put(schema: JsonObject, key: str, value: Json) -> dict[str, Json] | None:
    return None if value is None else {**schema, key: value}
