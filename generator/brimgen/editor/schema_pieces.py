"""Pieces of the JSON Schema of specs: keys with their descriptions, and patterns of types.

No keyword stands beside a ``$ref``, because draft-07 would overlook it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from typing import Any, TypeAlias

from brimgen.syntax import shapes
from brimgen.syntax.reader import Keys, Shape

_NAME = "[A-Za-z][A-Za-z0-9_-]*"
_ITEM = f"(?!(?:array|list)(?![A-Za-z0-9_-])){_NAME}"
_OBJECT = "(?:object|dict)"


def _anchored(*forms: str, optional: bool = True) -> str:
    mark = r"\s*\??" if optional else ""
    return rf"^\s*(?:{'|'.join(forms)}){mark}\s*$"


def _lists_of(item: str) -> tuple[str, ...]:
    return (
        rf"{item}\s*\[\s*\]",
        rf"(?:array|list)\s*\[\s*{item}\s*\]",
        rf"array\s*<\s*{item}\s*>",
    )


ANY_TYPE = _anchored(_NAME, *_lists_of(_ITEM))
"""``int``, ``Order[]``, ``array<date>?`` (see `brimgen.syntax.type_text`)."""

OBJECT_TYPE = _anchored(_OBJECT, "array", "list", *_lists_of(_OBJECT))
"""The types that may stand beside ``fields``."""

LIST_TYPE = _anchored("array", "list")
"""The types that may stand beside ``items``."""

ITEM_TYPE = _anchored(_ITEM, optional=False)
"""The type of an item."""

ENTITY_NAME = _anchored(_NAME, optional=False)
"""The name in ``entity_ref``."""


def type_text(pattern: str = ANY_TYPE) -> Schema:
    """The schema of a type whose text matches ``pattern``."""
    return {"type": "string", "pattern": pattern, "maxLength": 200}


Schema: TypeAlias = dict[str, Any]

SAME_AS = "The same as"
"""How the text of another spelling of a key begins."""
_SCALAR = ["string", "number", "boolean"]
_COUNT: Schema = {"type": "integer", "minimum": 0}
_OF_SHAPE: Mapping[Shape, Callable[[], Schema]] = {
    shapes.anything: dict,
    shapes.text: lambda: {"type": "string"},
    shapes.word: lambda: {"type": list(_SCALAR)},
    shapes.flag: lambda: {"type": "boolean"},
    shapes.number: lambda: {"type": "number"},
    shapes.positive: lambda: {"type": "number", "exclusiveMinimum": 0},
    shapes.count: lambda: dict(_COUNT),
    shapes.positive_count: lambda: {**_COUNT, "minimum": 1},
    shapes.templates: lambda: {
        "type": "object",
        "additionalProperties": {"type": [*_SCALAR, "null"]},
    },
    shapes.codes: lambda: {
        "type": "array",
        "items": {"type": "integer", "minimum": 100, "maximum": 599},
        "minItems": 1,
    },
    shapes.bound: lambda: {"type": ["number", "string"], "minLength": 1},
    shapes.content: lambda: {"type": "string"},
    shapes.hosts: lambda: {"type": "array", "items": {"type": list(_SCALAR)}},
    shapes.scalars: lambda: {
        "type": "array",
        "items": {"type": [*_SCALAR, "null"]},
        "minItems": 1,
    },
    shapes.items: lambda: {"type": "array"},
    shapes.mapping: lambda: {"type": "object"},
    shapes.flag_or_words: lambda: {
        "type": ["boolean", "array"],
        "items": {"type": list(_SCALAR)},
    },
    shapes.flag_or_text: lambda: {"type": ["boolean", "string"], "minLength": 1},
}


def of_shape(shape: Shape) -> Schema:
    """The schema of a value of ``shape``. Raises `KeyError` for a shape without a row here."""
    if isinstance(shape, shapes.Block):
        return {"type": "object"}
    if isinstance(shape, shapes.Choice):
        return {"enum": list(shape.words)}
    if isinstance(shape, shapes.Each):
        return {"type": "array", "items": of_shape(shape.item)}
    if isinstance(shape, shapes.EachNamed):
        return {"type": "object", "additionalProperties": of_shape(shape.value)}
    return _OF_SHAPE[shape]()


def ref(name: str) -> Schema:
    """The definition ``name``."""
    return {"$ref": f"#/definitions/{name}"}


def or_null(schema: Schema) -> Schema:
    """Return ``schema`` or null: a key without a value counts as absent."""
    match schema:
        case {"$ref": _} | {"anyOf": _} | {"allOf": _}:
            return {"anyOf": [schema, {"type": "null"}]}
        case {"enum": values}:
            return {**schema, "enum": [*values, None]}
        case {"type": str(kind)} if kind != "null":
            return {**schema, "type": [kind, "null"]}
        case {"type": list()} if "null" not in schema["type"]:
            return {**schema, "type": [*schema["type"], "null"]}
        case _:
            return schema


def has_value(*keys: str) -> Schema:
    """The rule that one of ``keys`` has a value."""
    alternatives = [
        {"required": [key], "properties": {key: {"not": {"type": "null"}}}}
        for key in keys
    ]
    return alternatives[0] if len(alternatives) == 1 else {"anyOf": alternatives}


def at_most_one(keys: Iterable[str]) -> Schema:
    """The rule that no two of ``keys`` have a value."""
    pairs = [
        {"allOf": [has_value(first), has_value(second)]}
        for first, second in combinations(keys, 2)
    ]
    return {"not": pairs[0] if len(pairs) == 1 else {"anyOf": pairs}}


def spellings(keys: Keys, key: str) -> tuple[str, ...]:
    """``key`` and the other words for it."""
    return (key, *(word for word, name in keys.synonyms.items() if name == key))


def clashes(tables: Iterable[Keys]) -> dict[str, Schema]:
    """The definitions to which `keyed` refers: that of several words for a key one is used."""
    schemas: dict[str, Schema] = {}
    for keys in tables:
        for key in keys.shapes:
            words = spellings(keys, key)
            if len(words) > 1:
                schemas[_clash(words)] = at_most_one(words)
    return schemas


def _clash(words: tuple[str, ...]) -> str:
    return f"oneOf_{'_'.join(words)}"


def keyed(
    keys: Keys,
    closer: Mapping[str, Schema] | None = None,
    *,
    without: Iterable[str] = (),
    rules: Iterable[Schema] = (),
) -> Schema:
    """The schema of a mapping with ``keys`` except ``without``, each with its text.

    ``closer`` are schemas of values that are narrower than their shapes; ``rules`` are added.
    """
    omitted = frozenset(without)
    properties: Schema = {}
    conditions = list(rules)
    for key, shape in keys.shapes.items():
        if key in omitted:
            continue
        value = (closer or {}).get(key) or of_shape(shape)
        if key not in keys.nullable:
            value = or_null(value)
        words = spellings(keys, key)
        properties[key] = _with_hover_text(value, keys.texts[key])
        for word in words[1:]:
            properties[word] = _with_hover_text(
                value, f"{SAME_AS} `{key}`. {keys.texts[key]}"
            )
        if len(words) > 1:
            conditions.append(ref(_clash(words)))
    schema: Schema = {
        "type": "object",
        "properties": properties,
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
    }
    if conditions:
        schema["allOf"] = conditions
    return schema


def _with_hover_text(schema: Schema, text: str) -> Schema:
    """``schema`` with a text that editors show."""
    inner = {"allOf": [schema]} if "$ref" in schema else schema
    return {"description": text, **inner}
