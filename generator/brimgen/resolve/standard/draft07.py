"""Convert draft-07 to 2020-12: only what the two read differently changes.

A schema that both read alike stays as its author wrote it, ``$schema`` included. Formats that
draft-07 does not know say nothing there, and much in 2020-12: they become the annotation
`NOTED_FORMAT`, which says nothing anywhere, because parts of a schema are published without its
``$schema``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from brimgen.model.json import Json
from brimgen.resolve.standard.keyword_check import LATER_FORMATS, Dialect
from brimgen.resolve.standard.subschemas import (
    ANNOTATIONS,
    Schema,
    map_schemas,
    outside_targets,
)
from brimgen_runtime.store.keywords import ONLY_2020
from brimgen_runtime.store.schema_parts import subschemas

NOTED_FORMAT = "x-format"
"""The format of a draft-07 schema that draft-07 does not know; see docs/annotations.md."""

_KEPT_BESIDE_REF = ANNOTATIONS | {"$ref", "$id", "definitions", "$defs"}
_POSITION = re.compile(r"/items/([0-9]+)(?=/|$)")
_ANCHOR = re.compile(r"#[A-Za-z_][-A-Za-z0-9._]*")
"""A fragment that a reference can name; any other, such as `#/a/b`, identifies nothing."""


def from_draft07(schema: Schema) -> Schema:
    """Return the schema of 2020-12 that gives the same verdicts.

    Siblings of `$ref` say nothing in draft-07 (annotations stay); lists of `items`,
    `additionalItems` and `dependencies` get their new names; keywords that draft-07 does not know
    are dropped.
    """
    parts = [
        part
        for start in (schema, *outside_targets(schema).values())
        for part in subschemas(start)
    ]
    if any(part.get("format") in LATER_FORMATS for part in parts):
        schema = map_schemas(schema, _note_format)
    if not any(map(_differs, parts)):
        return schema
    return {"$schema": str(Dialect.DRAFT_2020_12), **map_schemas(schema, change_schema)}


def at_prefix_items(ref: str) -> str:
    """Return a reference into a list of `items` as one into `prefixItems`."""
    return _POSITION.sub(r"/prefixItems/\1", ref)


def _note_format(schema: Schema) -> Schema:
    if schema.get("format") not in LATER_FORMATS:
        return schema
    return {
        NOTED_FORMAT if key == "format" else key: value for key, value in schema.items()
    }


def _differs(schema: Schema) -> bool:
    if "$ref" in schema:
        return bool(schema.keys() - _KEPT_BESIDE_REF - {"$schema"})
    return (
        isinstance(schema.get("items"), list)
        or bool(schema.keys() & ({"additionalItems", "dependencies"} | ONLY_2020))
        or _is_fragment(schema.get("$id"))
    )


def _is_fragment(identifier: Json) -> bool:
    return isinstance(identifier, str) and identifier.startswith("#")


def change_schema(schema: Schema) -> Schema:
    """Return one schema object in 2020-12; the schemas inside of it stay as they are."""
    if "$ref" in schema:
        unchanged = {
            key: value
            for key, value in schema.items()
            if key in _KEPT_BESIDE_REF or key.startswith("x-")
        }
        return {
            **unchanged,
            "$ref": at_prefix_items(str(schema["$ref"])),
        }
    changed: Schema = {}
    for key, value in schema.items():
        if key in ONLY_2020 or key in ("additionalItems", "$schema"):
            continue
        if key == "items" and isinstance(value, list):
            changed["prefixItems"] = value
            if "additionalItems" in schema:
                changed["items"] = schema["additionalItems"]
        elif key == "dependencies" and isinstance(value, Mapping):
            changed |= _dependencies(value)
        elif key == "$id" and _is_fragment(value):
            if _ANCHOR.fullmatch(str(value)):
                changed["$anchor"] = str(value)[1:]
        else:
            changed[key] = value
    return changed


def _dependencies(value: Mapping[str, Json]) -> Schema:
    names = {key: member for key, member in value.items() if isinstance(member, list)}
    schemas = {
        key: member for key, member in value.items() if not isinstance(member, list)
    }
    changed: Schema = {}
    if names:
        changed["dependentRequired"] = names
    if schemas:
        changed["dependentSchemas"] = schemas
    return changed
