"""Independent readers of what OpenAI's and Anthropic's strict modes and Gemini take.

They are written from the rules and know nothing of projections: a schema in, what the API would
refuse in it out.
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


_OPENAI_FORMATS = {
    *("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6"),
    "uuid",
}
_COMMON = {"description"}
_OPENAI = {
    "string": {"enum", "const", "pattern", "format"},
    "number": {
        *("enum", "const", "multipleOf"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    },
    "boolean": {"enum", "const"},
    "null": set[str](),
    "array": {"items", "minItems", "maxItems"},
    "object": {"properties", "required", "additionalProperties"},
}
_OPENAI["integer"] = _OPENAI["number"]
_PYTHON = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


def openai_refusals(schema: Any) -> list[str]:
    """What makes the strict mode refuse ``schema`` as the parameters of a function."""
    found = []
    if schema.get("type") != "object":
        found.append("#: the root is not an object")
    definitions = schema.get("$defs", {})
    root = {key: value for key, value in schema.items() if key != "$defs"}
    found += _schema(root, "#", set(definitions))
    for name, each in definitions.items():
        if not re.fullmatch(r"[A-Za-z0-9_]+", name):
            found.append(f"#/$defs: the name {name!r}")
        found += _schema(each, f"#/$defs/{name}", set(definitions))
    return found


def _schema(node: Any, at: str, names: set[str]) -> Iterator[str]:
    if not isinstance(node, Mapping):
        yield f"{at}: not a schema object"
        return
    if "$ref" in node:
        if set(node) != {"$ref"}:
            yield f"{at}: $ref has siblings {sorted(set(node) - {'$ref'})}"
        if node["$ref"].removeprefix("#/$defs/") not in names:
            yield f"{at}: {node['$ref']} leads nowhere"
        return
    if "anyOf" in node:
        if at == "#":
            yield "#: anyOf at the root"
        if set(node) - {"anyOf"} - _COMMON:
            yield f"{at}: anyOf has siblings {sorted(node)}"
        if not node["anyOf"]:
            yield f"{at}: anyOf is empty"
        for number, each in enumerate(node["anyOf"]):
            yield from _schema(each, f"{at}/anyOf/{number}", names)
        return
    kind = node.get("type")
    if kind not in _OPENAI:
        yield f"{at}: the type is {kind!r}"
        return
    foreign = set(node) - {"type"} - _COMMON - _OPENAI[kind]
    if foreign:
        yield f"{at}: {sorted(foreign)} beside {kind}"
    if not isinstance(node.get("description", ""), str):
        yield f"{at}: description is not text"
    yield from _OPENAI_KINDS.get(kind, _scalar)(node, at, names)


def _scalar(node: Any, at: str, names: set[str]) -> Iterator[str]:
    del names
    values = [*node.get("enum", ()), *([node["const"]] if "const" in node else ())]
    if "enum" in node and not node["enum"]:
        yield f"{at}: enum is empty"
    for value in values:
        kind = _PYTHON.get(node["type"], ())
        if not isinstance(value, kind) or (
            isinstance(value, bool) and node["type"] != "boolean"
        ):
            whole = isinstance(value, float) and value.is_integer()
            if not (node["type"] == "integer" and whole):
                yield f"{at}: {value!r} is not of type {node['type']}"
    if "format" in node and node["format"] not in _OPENAI_FORMATS:
        yield f"{at}: the format {node['format']}"
    if re.search(r"\(\?<?[=!]", node.get("pattern", "")):
        yield f"{at}: look-around in {node['pattern']}"


def _array(node: Any, at: str, names: set[str]) -> Iterator[str]:
    if "items" not in node:
        yield f"{at}: no items"
    else:
        yield from _schema(node["items"], f"{at}/items", names)


def _object(node: Any, at: str, names: set[str]) -> Iterator[str]:
    properties = node.get("properties")
    if node.get("additionalProperties") is not False:
        yield f"{at}: not closed"
    if not isinstance(properties, Mapping):
        yield f"{at}: no properties"
        return
    if node.get("required") != list(properties):
        yield f"{at}: required is not all properties in their order"
    for name, each in properties.items():
        yield from _schema(each, f"{at}/properties/{name}", names)


_OPENAI_KINDS = {"array": _array, "object": _object}
