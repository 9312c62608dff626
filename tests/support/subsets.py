"""Independent readers of what Anthropic's strict mode and Gemini take, written from the rules.

They know nothing of projections: a schema in, what the API would refuse in it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

ANTHROPIC_FORMATS = {
    *("date-time", "time", "date", "duration", "email", "hostname", "uri"),
    *("ipv4", "ipv6", "uuid"),
}
_ANYWHERE = {"type", "description", "default", "enum", "const", "anyOf"}
_ANTHROPIC = {
    "string": {"format", "pattern"},
    "array": {"items", "minItems"},
    "object": {"properties", "required", "additionalProperties"},
}
_GEMINI = {
    *("$defs", "$ref", "type", "format", "title", "description", "enum", "items"),
    *("minItems", "maxItems", "minimum", "maximum", "anyOf", "properties"),
    *("additionalProperties", "required"),
}
_OPENAPI = {
    *("type", "format", "title", "description", "enum", "items", "minItems"),
    *("maxItems", "minLength", "maxLength", "minimum", "maximum", "pattern"),
    *("anyOf", "properties", "required", "nullable"),
}
_CAPITALS = {"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"}


def _children(node: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if "items" in node:
        yield "items", node["items"]
    if isinstance(node.get("additionalProperties"), Mapping):
        yield "additionalProperties", node["additionalProperties"]
    for number, each in enumerate(node.get("anyOf", ())):
        yield f"anyOf/{number}", each
    for keyword in ("properties", "$defs"):
        for name, each in node.get(keyword, {}).items():
            yield f"{keyword}/{name}", each


def _walk(node: Any, at: str) -> Iterator[tuple[Any, str]]:
    yield node, at
    if isinstance(node, Mapping):
        for step, each in _children(node):
            yield from _walk(each, f"{at}/{step}")


def anthropic_refusals(schema: Any) -> list[str]:
    """What makes a strict tool be refused."""
    return [
        f"{at}: {why}" for node, at in _walk(schema, "#") for why in _anthropic(node)
    ]


def _anthropic(node: Any) -> Iterator[str]:
    if not isinstance(node, Mapping):
        yield "not a schema object"
        return
    kind = node.get("type")
    if kind is None and "anyOf" not in node:
        yield "neither a type nor a union"
    if isinstance(kind, list):
        yield "a list of types"
    foreign = set(node) - _ANYWHERE - _ANTHROPIC.get(str(kind), set())
    if foreign:
        yield f"{sorted(foreign)} beside {kind}"
    if kind == "object" and node.get("additionalProperties") is not False:
        yield "not closed"
    if "format" in node and node["format"] not in ANTHROPIC_FORMATS:
        yield f"the format {node['format']}"
    if node.get("minItems", 0) not in (0, 1):
        yield f"minItems {node['minItems']}"
    if re.search(r"\(\?<?[=!]|\\[bB1-9]|\\k<", node.get("pattern", "")):
        yield f"the pattern {node['pattern']}"
    if any(isinstance(each, list | dict) for each in node.get("enum", ())):
        yield "an enum of lists or objects"
    folded = [each.casefold() for each in node.get("enum", ()) if isinstance(each, str)]
    if len(folded) > len(set(folded)):
        yield "an enum whose values differ in case only"


def gemini_refusals(schema: Any) -> list[str]:
    """What makes ``parametersJsonSchema`` be refused."""
    return [f"{at}: {why}" for node, at in _walk(schema, "#") for why in _gemini(node)]


def _gemini(node: Any) -> Iterator[str]:
    if not isinstance(node, Mapping):
        yield "a boolean subschema"
        return
    if set(node) - _GEMINI:
        yield f"{sorted(set(node) - _GEMINI)}"
    if isinstance(node.get("type"), list):
        yield "a list of types"
    if "$ref" in node and set(node) != {"$ref"}:
        yield "$ref has siblings"
    for each in node.get("enum", ()):
        if isinstance(each, bool) or not isinstance(each, str | int | float):
            yield f"{each!r} in an enum"
    if not set(node.get("required", ())) <= set(node.get("properties", ())):
        yield "required but not declared"


def openapi_refusals(schema: Any) -> list[str]:
    """What makes ``parameters`` be refused."""
    return [f"{at}: {why}" for node, at in _walk(schema, "#") for why in _openapi(node)]


def _openapi(node: Any) -> Iterator[str]:
    if not isinstance(node, Mapping):
        yield "a boolean subschema"
        return
    if set(node) - _OPENAPI:
        yield f"{sorted(set(node) - _OPENAPI)}"
    kind = node.get("type")
    if kind not in _CAPITALS and "anyOf" not in node:
        yield f"the type is {kind!r}"
    if kind == "OBJECT" and not node.get("properties"):
        yield "an object without properties"
    if kind == "ARRAY" and "items" not in node:
        yield "an array without items"
    if not all(isinstance(each, str) for each in node.get("enum", ())):
        yield "an enum of other values than strings"
    for word in ("minItems", "maxItems", "minLength", "maxLength"):
        if not isinstance(node.get(word, ""), str):
            yield f"{word} is not a 64-bit integer as JSON writes it"


def as_json_schema(node: Any) -> Any:
    """Gemini's OpenAPI read as JSON Schema, for a validator."""
    made: dict[str, Any] = {}
    for keyword, value in node.items():
        if keyword == "type":
            made["type"] = value.lower()
        elif keyword in ("minItems", "maxItems", "minLength", "maxLength"):
            made[keyword] = int(value)
        elif keyword == "items":
            made[keyword] = as_json_schema(value)
        elif keyword == "properties":
            made[keyword] = {k: as_json_schema(each) for k, each in value.items()}
        elif keyword == "anyOf":
            made[keyword] = [as_json_schema(each) for each in value]
        elif keyword not in ("nullable", "format"):
            made[keyword] = value
    return {"anyOf": [made, {"type": "null"}]} if node.get("nullable") else made
