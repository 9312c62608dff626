"""Build the few shapes that a strict schema is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from brimgen.emit.projection.describe_keywords import described
from brimgen.emit.projection.json_values import is_same_json
from brimgen.model.json import Json, JsonObject

NULL: JsonObject = {"type": "null"}


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Allow null beside ``schema``; an enum is split off, because a null among its values is
    refused.
    """
    if schema.get("type") == "null":
        return schema
    branches = schema.get("anyOf")
    if branches is not None and NULL in branches:
        return schema
    if "description" not in schema:
        return {"anyOf": [*(branches or (schema,)), NULL]}
    text = {"description": schema["description"]}
    without_text = {k: v for k, v in schema.items() if k != "description"}
    return {"anyOf": [*(branches or (without_text,)), NULL], **text}


def joined(schemas: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return one schema that accepts what any schema accepts; nested unions are flattened."""
    flat: list[Any] = []
    for schema in schemas:
        inner = schema["anyOf"] if set(schema) == {"anyOf"} else [schema]
        flat += [
            one for one in inner if not any(is_same_json(one, kept) for kept in flat)
        ]
    return dict(flat[0]) if len(flat) == 1 else {"anyOf": flat}


def with_text(
    schema: dict[str, Any],
    carried: JsonObject,
    description: Json,
    phrases: Sequence[str],
) -> dict[str, Any]:
    """Add the annotations that are carried to ``schema``, and its description last.

    A reference is wrapped where there are any, as it admits no siblings.
    """
    own = schema.get("description")
    text = described(description if isinstance(description, str) else own, phrases)
    body = schema
    if own is not None:
        body = {k: v for k, v in schema.items() if k != "description"}
    if "$ref" in body and (text is not None or carried):
        body = {"anyOf": [body]}
    if text is None:
        return {**body, **carried} if carried else body
    return {**body, **carried, "description": text}
