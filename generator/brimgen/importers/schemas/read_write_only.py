"""Remove properties from an object schema that are sent in the other direction only.

OpenAPI marks with ``readOnly`` what only the service sends, and with ``writeOnly`` what only the
caller sends. Neither is required in the direction in which it is not sent.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from brimgen.importers.schemas.merge_all_of import Follow
from brimgen.model.json import is_list, is_object


class Direction(StrEnum):
    """Where a schema is used: in requests, in responses, or in both."""

    REQUEST = "request"
    ANSWER = "answer"
    ANY = "any"


_HIDING = {Direction.REQUEST: "readOnly", Direction.ANSWER: "writeOnly"}


def visible_properties(
    schema: dict[str, Any], direction: Direction, follow: Follow
) -> dict[str, Any]:
    """Return ``schema`` with only the properties that are sent in this direction."""
    properties = schema.get("properties")
    keyword = _HIDING.get(direction)
    if keyword is None or not is_object(properties):
        return schema
    hidden = {
        name
        for name, subschema in properties.items()
        if _is_marked(subschema, keyword, follow)
    }
    if not hidden:
        return schema
    shown = {**schema}
    shown["properties"] = {
        name: value for name, value in properties.items() if name not in hidden
    }
    required = schema.get("required")
    if is_list(required):
        shown["required"] = [name for name in required if name not in hidden]
        if not shown["required"]:
            del shown["required"]
    return shown


def _is_marked(schema: Any, keyword: str, follow: Follow) -> bool:
    """Whether a property, or a schema that it refers to, sets the keyword ``word``."""
    waiting, seen = [schema], set[str]()
    while waiting:
        subschema = waiting.pop()
        if not is_object(subschema):
            continue
        if subschema.get(keyword) is True:
            return True
        parts, reference = subschema.get("allOf"), subschema.get("$ref")
        waiting += parts if is_list(parts) else ()
        if isinstance(reference, str) and reference not in seen:
            seen.add(reference)
            waiting.append(follow(reference))
    return False


def is_directed(schema: Any) -> bool:
    """Whether ``readOnly`` or ``writeOnly`` is set anywhere in a schema; follows no references."""
    if is_list(schema):
        return any(map(is_directed, schema))
    if not is_object(schema):
        return False
    return any(schema.get(keyword) is True for keyword in _HIDING.values()) or any(
        map(is_directed, schema.values())
    )


def references_in(schema: Any) -> set[str]:
    """All references in a schema."""
    if is_list(schema):
        return {reference for item in schema for reference in references_in(item)}
    if not is_object(schema):
        return set()
    references = {
        reference for value in schema.values() for reference in references_in(value)
    }
    reference = schema.get("$ref")
    return references | {reference} if isinstance(reference, str) else references
