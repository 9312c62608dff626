"""Answer questions about a canonical schema, without guessing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import NoneType

from brimgen.model.json import Json, JsonObject
from brimgen.model.leaves import LEAF

ANNOTATIONS = frozenset(
    {
        "$comment",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        "default",
        "deprecated",
        "description",
        "examples",
        "readOnly",
        "title",
        "writeOnly",
    }
)
"""Keywords that describe and never decide."""

MAPPINGS = (dict, Mapping)
"""The classes of JSON objects, the commonest first: to ask the other takes three times as long."""

LISTS = (list, Sequence)
"""The classes of JSON lists, the commonest first."""

_ATOMS = (str, int, float, NoneType)

_NAMED = frozenset(
    {"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"}
)
_LITERAL = frozenset({"const", "enum", "required", "dependentRequired"})
_DECIDING = frozenset({"x-decimal", LEAF, "x-tz"})


def without_annotations(schema: Json) -> Json:
    """``schema`` without annotations: schemas with equal results surely accept the same values."""
    if isinstance(schema, MAPPINGS):
        return {key: _part(key, value) for key, value in schema.items() if decides(key)}
    if isinstance(schema, _ATOMS):
        return schema
    return [without_annotations(item) for item in schema]


def _part(key: str, value: Json) -> Json:
    if key in _LITERAL:
        return value
    if key in _NAMED and isinstance(value, MAPPINGS):
        return {name: without_annotations(member) for name, member in value.items()}
    return without_annotations(value)


@lru_cache(maxsize=1024)
def decides(key: str) -> bool:
    """Whether a keyword can take part in a verdict: an ``x-`` one only if we gave it a meaning."""
    if key.startswith("x-"):
        return key in _DECIDING
    return key not in ANNOTATIONS


def keywords(schema: JsonObject) -> frozenset[str]:
    """The keywords of ``schema`` itself that can take part in a verdict."""
    return frozenset(filter(decides, schema))


def without_null(schema: JsonObject) -> JsonObject:
    """What ``schema`` says of values other than null; the empty schema where that is unclear."""
    kinds = schema.get("type")
    if isinstance(kinds, Sequence) and not isinstance(kinds, str) and "null" in kinds:
        other_kinds = [kind for kind in kinds if kind != "null"]
        return _without_null_choice(
            {**schema, "type": other_kinds[0] if len(other_kinds) == 1 else other_kinds}
        )
    options = schema.get("anyOf", schema.get("oneOf"))
    if isinstance(options, Sequence) and len(keywords(schema)) == 1:
        other_options = [
            option
            for option in options
            if without_annotations(option) != {"type": "null"}
        ]
        if (
            len(other_options) == 1
            and len(options) == 2
            and isinstance(other_options[0], Mapping)
        ):
            return other_options[0]
    return {}


def _without_null_choice(schema: JsonObject) -> JsonObject:
    choices = schema.get("enum")
    if not isinstance(choices, Sequence):
        return schema
    return {**schema, "enum": [choice for choice in choices if choice is not None]}


def items_of(schema: JsonObject) -> JsonObject:
    """The schema of the items of a list; the empty one where there is not a single one."""
    return _object(schema.get("items"))


def values_of(schema: JsonObject) -> JsonObject:
    """The schema of the values of a map; the empty one where there is not a single one."""
    return _object(schema.get("additionalProperties"))


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, MAPPINGS) else {}


def leaf_names(schema: Json) -> set[str]:
    """The texts of ``x-leaf`` in a schema; one that stands in data does no harm."""
    names: set[str] = set()
    pending: list[Json] = [schema]
    while pending:
        node = pending.pop()
        if isinstance(node, MAPPINGS):
            name = node.get(LEAF)
            names |= {name} if isinstance(name, str) else set()
            pending.extend(node.values())
        elif isinstance(node, Sequence) and not isinstance(node, str):
            pending.extend(node)
    return names
