"""Read kinds and bounds from a JSON Schema, whichever way they were written."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from brimgen.model.json import is_list, is_object
from brimgen.model.json_pointer import steps_of

ANYTHING: tuple[object, ...] = (True, {})
"""The schemas that accept every value."""

_KINDS = frozenset(
    ["null", "boolean", "integer", "number", "string", "array", "object"]
)
_BOUNDS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
)
_LONGEST_WAY = 32
_ARTICLES = {"integer": "an integer", "array": "an array", "object": "an object"}


def keywords_of(schema: Any) -> Set[str]:
    """The keywords of a schema; a boolean one has none."""
    return schema.keys() if is_object(schema) else frozenset()


def follow_references(schema: Any, root: Any) -> Mapping[str, Any]:
    """Replace the reference of ``schema`` by its target in ``root``, repeatedly.

    A boolean schema becomes the object that says the same. A reference that leads nowhere, or in
    a circle, is left as it is.
    """
    if not is_object(schema):
        return {} if schema else {"not": {}}
    whole: Mapping[str, Any] = schema
    for _ in range(_LONGEST_WAY):
        referred = (
            _follow_reference(root, str(whole["$ref"])) if "$ref" in whole else None
        )
        if not is_object(referred):
            break
        rest = {key: value for key, value in whole.items() if key != "$ref"}
        whole = {**referred, **rest}
    return whole


def _follow_reference(root: Any, reference: str) -> Any:
    node = root
    for name in steps_of(reference):
        node = node.get(name) if is_object(node) else None
    return node


def kinds(schema: Mapping[str, Any]) -> frozenset[str]:
    """The JSON types that a schema accepts, by its ``type`` and an alternative null."""
    inner = _form_beside_null(schema)
    if inner is not None:
        return kinds(inner) | {"null"}
    types = schema.get("type")
    if isinstance(types, str):
        return frozenset([types])
    if is_list(types):
        return frozenset(map(str, types))
    return _KINDS


def without_null(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """``schema`` without the null beside it: ``anyOf`` of one form and null is that form."""
    inner = _form_beside_null(schema)
    if inner is None:
        return schema
    outer = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**inner, **outer}


def _form_beside_null(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    forms = schema.get("anyOf")
    if not is_list(forms) or len(forms) != 2:
        return None
    rest = [form for form in forms if form != {"type": "null"}]
    return rest[0] if len(rest) == 1 and is_object(rest[0]) else None


def covers(more: frozenset[str], less: frozenset[str]) -> bool:
    """Whether the types ``more`` include all values of the types ``less``."""
    widened = more | {"integer"} if "number" in more else more
    return less <= widened


def type_names(types: frozenset[str]) -> str:
    """Types in words: ``a string or null``."""
    if types == _KINDS:
        return "any value"
    names = sorted(types - {"null"}) + (["null"] if "null" in types else [])
    words = [
        name if name == "null" else _ARTICLES.get(name, f"a {name}") for name in names
    ]
    return " or ".join(words) if len(words) < 3 else f"one of {', '.join(words)}"


def bounds(schema: Mapping[str, Any]) -> Mapping[str, float]:
    """The bounds of a schema, without those that every value satisfies."""
    return {
        name: schema[name]
        for name in _BOUNDS
        if isinstance(schema.get(name), int | float)
        and not (schema[name] == 0 and name.startswith("min") and name != "minimum")
    }
