"""Write a plain schema in the subset of OpenAPI 3.0 that Gemini reads."""

from __future__ import annotations

from typing import Any

from brimgen.model.json import Json, JsonObject
from brimgen.schema.walk import is_object

_NULL = {"type": "null"}
_COUNTS = frozenset(["minItems", "maxItems", "minLength", "maxLength"])
"""Keywords that the API reads as 64-bit integers, which its JSON writes as text."""


def spelt(schema: JsonObject) -> dict[str, Any]:
    """``schema`` with types in capitals, ``nullable`` for a union with null, enums marked."""
    nullable = False
    branches = schema.get("anyOf")
    if isinstance(branches, list | tuple):
        non_null = [branch for branch in branches if branch != _NULL]
        nullable = len(non_null) < len(branches)
        rest = {k: v for k, v in schema.items() if k != "anyOf"}
        if len(non_null) == 1 and is_object(non_null[0]):
            schema = {**non_null[0], **rest}
        else:
            schema = {"anyOf": non_null, **rest}
    spelt_schema: dict[str, Any] = {}
    for keyword, value in schema.items():
        spelt_schema[keyword] = _value(keyword, value)
        if keyword == "enum":
            spelt_schema["format"] = "enum"
        elif keyword == "type" and value == "integer":
            spelt_schema["format"] = "int64"
    if spelt_schema.get("properties") == {}:
        del spelt_schema["properties"]
    return {**spelt_schema, "nullable": True} if nullable else spelt_schema


def _value(keyword: str, value: Json) -> Any:
    if keyword == "type":
        return str(value).upper()
    if keyword in _COUNTS and isinstance(value, int | float):
        return str(int(value))  # of 2.0, too, which JSON Schema reads as an integer
    if keyword == "items" and is_object(value):
        return spelt(value)
    if keyword == "properties" and is_object(value):
        return {k: spelt(v) if is_object(v) else v for k, v in value.items()}
    if keyword == "anyOf" and isinstance(value, list | tuple):
        return [spelt(item) for item in value if is_object(item)]
    return value
