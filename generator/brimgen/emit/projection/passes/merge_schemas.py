"""Merge two schemas that both apply into one."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, TypeAlias

from brimgen.emit.projection.json_values import is_same_json
from brimgen.model.json import JsonObject
from brimgen.schema.walk import ANNOTATIONS, is_object, words

_ABOUT_PROPERTIES = frozenset(
    ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"]
)
_LISTS = frozenset(["prefixItems", "items"])
_UNEVALUATED = {
    "unevaluatedProperties": "additionalProperties",
    "unevaluatedItems": "items",
}
_EVALUATING = words("anyOf oneOf if dependentSchemas contains $ref")
"""Keywords by which a schema evaluates more than what it declares."""


class Unmergeable(Exception):
    """No single schema without combinators says what two schemas say together."""


def merge(left: JsonObject, right: JsonObject) -> dict[str, Any]:
    """Merge two schemas into one that accepts what both accept; annotations of ``left`` win.

    ``right`` is a part of ``left``. So the ``unevaluated`` keywords of ``left`` see what
    ``right`` evaluates, and those of ``right`` do not see its siblings in ``left``.

    Raises: Unmergeable: where that needs a combinator, or nothing satisfies both.
    """
    left, right = _absorbed(left), _as_part(_absorbed(right))
    refers = "$ref" in left or "$ref" in right
    if refers and left and right and not {*left, *right} <= {"$ref", *ANNOTATIONS}:
        raise Unmergeable("$ref")
    merged = dict(left)
    for keyword, value in right.items():
        if keyword not in merged:
            merged[keyword] = value
        elif keyword not in ANNOTATIONS and not is_same_json(merged[keyword], value):
            merged[keyword] = _both(keyword, merged[keyword], value)
    if _ABOUT_PROPERTIES & left.keys() and _ABOUT_PROPERTIES & right.keys():
        _close(merged, left, right)
    # Lists whose first items one side names, and whose further ones the other: it is about all.
    if [schema.keys() >= _LISTS for schema in (merged, left, right)] == [
        True,
        False,
        False,
    ]:
        raise Unmergeable("prefixItems")
    return merged


def _absorbed(schema: JsonObject) -> JsonObject:
    if "allOf" not in schema:
        return schema
    parts = schema["allOf"]
    rest = {k: v for k, v in schema.items() if k != "allOf"}
    if not isinstance(parts, list | tuple) or not all(map(is_object, parts)):
        raise Unmergeable("allOf")
    return reduce(merge, (part for part in parts if is_object(part)), rest)


def _as_part(schema: JsonObject) -> JsonObject:
    """Return ``schema`` as a part of another, whose properties it does not see: its
    ``unevaluated`` keywords become ``additional`` ones.
    """
    if _UNEVALUATED.keys().isdisjoint(schema):
        return schema
    part = dict(schema)
    for keyword, plain in _UNEVALUATED.items():
        if keyword in part:
            value = part.pop(keyword)
            part.setdefault(plain, value)
    if not _EVALUATING.isdisjoint(part):
        raise Unmergeable("unevaluated")
    return part


def _close(merged: dict[str, Any], left: JsonObject, right: JsonObject) -> None:
    """Remove properties that one side declares and the other, being closed, does not admit."""
    for one, other in ((left, right), (right, left)):
        extra = one.get("additionalProperties", True)
        own, foreign = one.get("properties", {}), other.get("properties", {})
        if not is_object(own) or not is_object(foreign):
            raise Unmergeable("properties")
        unknown = [name for name in foreign if name not in own]
        patterns = other.get("patternProperties") != one.get("patternProperties")
        if extra is True or not (unknown or patterns):
            continue
        if extra is not False or patterns or "patternProperties" in one:
            raise Unmergeable("additionalProperties")
        if set(unknown) & set(merged.get("required", ())):
            raise Unmergeable("required")
        properties = merged["properties"]
        merged["properties"] = {k: v for k, v in properties.items() if k not in unknown}


_Combine: TypeAlias = Callable[[Any, Any], Any]


def _both(keyword: str, left: Any, right: Any) -> Any:
    combine = _COMBINE.get(keyword)
    if combine is None:
        raise Unmergeable(keyword)
    try:
        return combine(left, right)
    except (TypeError, AttributeError) as failure:
        raise Unmergeable(keyword) from failure


def _types(left: Any, right: Any) -> Any:
    one = [left] if isinstance(left, str) else list(left)
    other = [right] if isinstance(right, str) else list(right)
    both = [name for name in one if name in other]
    for mine, yours in ((one, other), (other, one)):
        if "integer" in mine and "number" in yours and "integer" not in both:
            both.append("integer")
    if not both:
        raise Unmergeable("type")
    return both[0] if len(both) == 1 else both


def _values(left: Any, right: Any) -> Any:
    both = [
        value for value in left if any(is_same_json(value, other) for other in right)
    ]
    if not both:
        raise Unmergeable("enum")
    return both


def _union(left: Any, right: Any) -> Any:
    return [*left, *(name for name in right if name not in left)]


def _schemas(left: Any, right: Any) -> Any:
    if left is True or right is True:
        return right if left is True else left
    if left is False or right is False:
        return False
    return merge(_as_part(_absorbed(left)), right)


def _named(left: Any, right: Any) -> Any:
    merged = dict(left)
    for name, schema in right.items():
        merged[name] = _schemas(merged[name], schema) if name in merged else schema
    return merged


_COMBINE: dict[str, _Combine] = {
    "type": _types,
    "enum": _values,
    "required": _union,
    "properties": _named,
    "$defs": _named,
    "items": _schemas,
    "additionalProperties": _schemas,
    "unevaluatedProperties": _schemas,
    "propertyNames": _schemas,
    "minimum": max,
    "exclusiveMinimum": max,
    "minLength": max,
    "minItems": max,
    "minProperties": max,
    "maximum": min,
    "exclusiveMaximum": min,
    "maxLength": min,
    "maxItems": min,
    "maxProperties": min,
    "uniqueItems": max,
}
