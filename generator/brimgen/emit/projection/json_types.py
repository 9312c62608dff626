"""Find the JSON types of a schema, and split a union into schemas of one type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from brimgen.model.json import Json, JsonObject
from brimgen.schema.walk import BY_TYPE, is_annotation

NAMES = ("string", "number", "integer", "boolean", "object", "array", "null")
SCALARS = ("string", "number", "integer", "boolean", "null")


_CLASSES: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    str: "string",
    int: "integer",
    dict: "object",
    list: "array",
    tuple: "array",
}


def type_of(value: Json) -> str:
    """Return the narrowest JSON type of a value: ``3.0`` is an integer, as JSON Schema says."""
    name = _CLASSES.get(type(value))
    if name is not None:
        return name
    match value:
        case str():
            return "string"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case Sequence():
            return "array"
        case _:
            return "object"


def types_of(node: JsonObject) -> tuple[tuple[str, ...], bool]:
    """Return the types of ``node``, and whether it names them (``type``, ``enum``, ``const``).

    A node that names none is judged by its keywords: one with ``properties`` means an object,
    although it admits every string too. Without any clue there are no types.
    """
    declared = node.get("type")
    if isinstance(declared, str):
        return (declared,), True
    if isinstance(declared, list | tuple):
        names = tuple(name for name in declared if isinstance(name, str))
        return tuple(dict.fromkeys(names)), True
    values = allowed_values(node)
    if values is not None:
        types = dict.fromkeys(type_of(value) for value in values)
        if "number" in types:
            types.pop("integer", None)
        return tuple(types), True
    clues = [name for name, words in BY_TYPE.items() if words.intersection(node)]
    return (tuple(clues) if len(clues) == 1 else ()), False


def allowed_values(node: JsonObject) -> Sequence[Json] | None:
    """Return the values of ``const`` or ``enum``; None where there is neither."""
    if "const" in node:
        return [node["const"]]
    values = node.get("enum")
    return values if isinstance(values, list | tuple) else None


def of_type(values: Sequence[Json], name: str) -> list[Json]:
    """Return those of ``values`` that are of type ``name``."""
    names = {"number", "integer"} if name == "number" else {name}
    return [value for value in values if type_of(value) in names]


def split(node: JsonObject, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return one schema for each of the types ``names``, each with the keywords that concern
    it.
    """
    return [schema for schema in (_only(node, name, names) for name in names) if schema]


def _only(node: JsonObject, name: str, names: Sequence[str]) -> dict[str, Any] | None:
    if name == "integer" and "number" in names:
        return None
    own = BY_TYPE["number" if name == "integer" else name] if name in _KEYED else ()
    foreign = frozenset[str]().union(*BY_TYPE.values()) - frozenset(own)
    narrowed: dict[str, Any] = {"type": name}
    for keyword, value in node.items():
        if keyword == "enum":
            narrowed["enum"] = (
                of_type(value, name) if isinstance(value, list | tuple) else value
            )
        elif keyword == "const":
            narrowed["const"] = value
        elif (
            keyword != "type" and keyword not in foreign and not is_annotation(keyword)
        ):
            narrowed[keyword] = value
    values = allowed_values(node)
    if values is None:
        return narrowed
    if not of_type(values, name):
        return None
    if name == "null":
        return {"type": "null"}
    return narrowed


_KEYED = frozenset([*BY_TYPE, "integer"])
