"""An independent reader of OpenAI's strict subset, written from the rules and not from our code.

It knows nothing of projections: a schema in, what the API would refuse in it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

FORMATS = {
    *("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6"),
    "uuid",
}
COMMON = {"description"}
BY_TYPE = {
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
BY_TYPE["integer"] = BY_TYPE["number"]
PYTHON = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


def refusals(schema: Any) -> list[str]:
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
        if set(node) - {"anyOf"} - COMMON:
            yield f"{at}: anyOf has siblings {sorted(node)}"
        if not node["anyOf"]:
            yield f"{at}: anyOf is empty"
        for number, each in enumerate(node["anyOf"]):
            yield from _schema(each, f"{at}/anyOf/{number}", names)
        return
    kind = node.get("type")
    if kind not in BY_TYPE:
        yield f"{at}: the type is {kind!r}"
        return
    foreign = set(node) - {"type"} - COMMON - BY_TYPE[kind]
    if foreign:
        yield f"{at}: {sorted(foreign)} beside {kind}"
    if not isinstance(node.get("description", ""), str):
        yield f"{at}: description is not text"
    yield from _KINDS.get(kind, _scalar)(node, at, names)


def _scalar(node: Any, at: str, names: set[str]) -> Iterator[str]:
    del names
    values = [*node.get("enum", ()), *([node["const"]] if "const" in node else ())]
    if "enum" in node and not node["enum"]:
        yield f"{at}: enum is empty"
    for value in values:
        kind = PYTHON.get(node["type"], ())
        if not isinstance(value, kind) or (
            isinstance(value, bool) and node["type"] != "boolean"
        ):
            whole = isinstance(value, float) and value.is_integer()
            if not (node["type"] == "integer" and whole):
                yield f"{at}: {value!r} is not of type {node['type']}"
    if "format" in node and node["format"] not in FORMATS:
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


_KINDS = {"array": _array, "object": _object}
