"""Build the canonical JSON Schema of a type and its constraints (docs/internal/architecture.md).

Key order inside a schema is `KEY_ORDER`. A nullable value is ``type: [T, "null"]`` for plain
scalars, and ``anyOf: [<schema>, {"type": "null"}]`` where there is an enum, a list or an object
(a ``type`` list beside an ``enum`` without null could never validate null). ``default: null`` is
not published: absence says the same, and clients stumble over it (descriptors.md, row 2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from brimgen.frozen import fields, replace
from brimgen.model.catalog import Catalog, Entity, Returns, Tool
from brimgen.model.fields import Caller
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import Field, ListType, MapType, NullableType, RecordType

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


_RANKS = {key: rank for rank, key in enumerate(KEY_ORDER)}
_NULL: JsonObject = {"type": "null"}

MARKDOWN: JsonObject = {"type": "string", "contentMediaType": "text/markdown"}


class ByDefault(str):
    """A keyword that no author wrote: it closes an object because nothing is said of that.

    `plain_json` makes a plain text of it, for readers that take no other.
    """


CLOSED = ByDefault("additionalProperties")
_WITH_SCHEMAS = (
    *(Catalog, Tool, Entity, Returns, Field),
    *(RecordType, ListType, MapType, NullableType),
)


def opened(part: Any) -> Any:
    """Return a part of the catalog with schemas that lack the keywords `ByDefault`.

    What is enforced stays as it is (``closed: false``, spec-language.md).
    """
    if isinstance(part, dict):
        return {
            key: opened(member)
            for key, member in cast("dict[str, Any]", part).items()
            if not isinstance(key, ByDefault)
        }
    if type(part) in (list, tuple):
        return type(part)(map(opened, part))
    if not isinstance(part, _WITH_SCHEMAS):
        return part
    names = [each.name for each in fields(part) if each.name != "enforced_schema"]
    return replace(part, **{name: opened(getattr(part, name)) for name in names})


def arrange(schema: Mapping[str, Json]) -> dict[str, Json]:
    """Return the schema with its keys in canonical order; unknown ones last, as they stood."""
    return {
        key: schema[key]
        for key in sorted(schema, key=lambda key: _RANKS.get(key, len(_RANKS)))
    }


def object_schema(fields: Iterable[Field]) -> dict[str, Json]:
    """Return the schema of an object with ``fields`` and no others, in their order."""
    fields = tuple(fields)
    required = [field.name for field in fields if field.required]
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {field.name: field.schema for field in fields},
    }
    if required:
        schema["required"] = required
    schema[CLOSED] = False
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
