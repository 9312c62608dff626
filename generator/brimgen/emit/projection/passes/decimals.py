"""Mark the numbers that are decimals in a schema, so that descriptions say so.

The canonical schema of a decimal without precision is a plain number (S0.24). In descriptors it is
marked ``x-decimal: {}``, which every profile says in words: whoever reads JSON numbers as floats
loses digits before our decoder sees them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from brimgen.model.catalog import Catalog
from brimgen.model.json import Json, JsonObject
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    Field,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)
from brimgen.schema.walk import is_object


def mark_decimals(
    schema: JsonObject, fields: Iterable[Field], catalog: Catalog
) -> JsonObject:
    """Mark the decimals of ``schema``, which has no references but recursive ones.

    ``fields`` may be more than those that it declares: hidden arguments have no schema in it.
    """
    marked_schema = _object(schema, fields, catalog)
    definitions = marked_schema.get("$defs")
    if not is_object(definitions):
        return marked_schema
    marked = {
        name: (
            _object(subschema, catalog.entities[name].fields, catalog)
            if is_object(subschema) and name in catalog.entities
            else subschema
        )
        for name, subschema in definitions.items()
    }
    return {**marked_schema, "$defs": marked}


def _object(
    schema: JsonObject, fields: Iterable[Field], catalog: Catalog
) -> JsonObject:
    properties = schema.get("properties")
    if not is_object(properties):
        return schema
    changed: dict[str, Any] = {}
    for field in fields:
        kind = field.type
        if isinstance(kind, ScalarType) and not SCALARS[kind.scalar].keeps_digits:
            continue
        old = properties.get(field.name)
        new = _marked(old, kind, catalog)
        if new is not old:
            changed[field.name] = new
    return {**schema, "properties": {**properties, **changed}} if changed else schema


def _marked(node: Json, type: Type, catalog: Catalog) -> Json:
    if isinstance(type, ScalarType) and not SCALARS[type.scalar].keeps_digits:
        return node
    if not is_object(node) or "$ref" in node:
        return node
    match type:
        case ScalarType():
            plain = "type" in node and "x-decimal" not in node
            is_text = node.get("type") == "string"
            return {**node, "x-decimal": _NOTHING} if plain and not is_text else node
        case NullableType(inner):
            branches = node.get("anyOf")
            if not isinstance(branches, list | tuple) or not branches:
                return _marked(node, inner, catalog)
            first = _marked(branches[0], inner, catalog)
            return _with(node, "anyOf", branches, [first, *branches[1:]])
        case ListType(item):
            items = node.get("items")
            return _with(node, "items", items, _marked(items, item, catalog))
        case MapType(value):
            more = node.get("additionalProperties")
            marked = _marked(more, value, catalog)
            return _with(node, "additionalProperties", more, marked)
        case RecordType(fields=fields):
            return _object(node, fields, catalog)
        case EntityType(name) if name in catalog.entities:
            return _object(node, catalog.entities[name].fields, catalog)
        case _:
            return node


def _with(node: JsonObject, keyword: str, old: Json, new: Json) -> JsonObject:
    same = new is old or (isinstance(old, list | tuple) and new == [*old])
    return node if same else {**node, keyword: new}


_NOTHING: Mapping[str, Json] = {}
