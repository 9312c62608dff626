"""Prepare the root of a Standard schema: an object, closed, without hidden properties."""

from __future__ import annotations

from brimgen.model.types import Field
from brimgen.resolve.fields.canonical_schema import object_schema
from brimgen.resolve.standard.subschemas import Schema

HIDING = ("from_context", "llm")


def objectify(document: Schema) -> Schema:
    """Return the document with ``type: object`` alone, and with ``properties``."""
    rooted = {**document, "type": "object"}
    if "type" not in document:
        leading: Schema = {
            key: rooted[key] for key in ("$schema", "$id") if key in rooted
        }
        rooted = {**leading, "type": "object", **rooted}
    rooted.setdefault("properties", {})
    return rooted


def without_properties(schema: Schema, hidden: set[str]) -> Schema:
    """Return the schema without the ``hidden`` properties of its root."""
    if not hidden:
        return schema
    properties, required = schema["properties"], schema.get("required")
    assert isinstance(properties, dict)
    shown: Schema = {
        **schema,
        "properties": {k: v for k, v in properties.items() if k not in hidden},
    }
    if isinstance(required, list):
        shown["required"] = [name for name in required if name not in hidden]
        if not shown["required"]:
            del shown["required"]
    return shown


def with_inherited(document: Schema, inherited: tuple[Field, ...]) -> Schema:
    """Return the schema with inherited fields before its own properties."""
    if not inherited:
        return document
    own_properties = document["properties"]
    required = document.get("required", [])
    assert isinstance(own_properties, dict) and isinstance(required, list)
    base = object_schema(inherited, closed=False)
    first = base["properties"]
    needed = base.get("required", [])
    assert isinstance(first, dict) and isinstance(needed, list)
    inherited_names = [name for name in needed if name not in own_properties]
    merged: Schema = {**document, "properties": {**first, **own_properties}}
    if inherited_names or required:
        merged["required"] = [*inherited_names, *required]
    return merged


def forget_hiding(schema: Schema) -> Schema:
    """Return the schema without the keys by which properties of its root are hidden."""
    properties = schema.get("properties")
    assert isinstance(properties, dict)
    if not any(
        isinstance(property, dict) and key in property
        for property in properties.values()
        for key in HIDING
    ):
        return schema
    plain = {
        name: (
            {k: v for k, v in subschema.items() if k not in HIDING}
            if isinstance(subschema, dict)
            else subschema
        )
        for name, subschema in properties.items()
    }
    return {**schema, "properties": plain}
