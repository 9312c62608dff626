"""What is JSON and what is not, for places of a value that no schema looks into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .errors import Finding, Path
from .kinds import is_object, kind_of
from .refs import subschemas


def is_lax(schema: Any) -> bool:
    """Return whether some schema lets a value through unseen, so that it may be no JSON at all."""
    if isinstance(schema, bool) or not is_object(schema):
        return schema is True
    waiting: list[Mapping[str, Any]] = [schema]
    while waiting:
        each = waiting.pop()
        if not _strict(each):
            return True
        waiting += [inner for inner, _ in subschemas(each, "")]
    return False


def _strict(schema: Mapping[str, Any]) -> bool:
    if "enum" in schema or "const" in schema or "$ref" in schema:
        return True
    kinds = schema.get("type")
    if kinds is None:
        return False
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "object" in kinds and not _is_seen(schema.get("additionalProperties", True)):
        return False
    return "array" not in kinds or (
        _is_seen(schema.get("items", True)) and "contains" not in schema
    )


def _is_seen(schema: Any) -> bool:
    return schema is False or (is_object(schema) and bool(schema))


def foreign(value: Any, path: Path = None) -> Iterator[Finding]:
    """Yield what is no JSON at any depth: NaN, Infinity, sets, names that are no text."""
    kind = kind_of(value)
    if kind == "object":
        for name, item in value.items():
            if not isinstance(name, str):
                yield (path, str(name)), "type", "a name that is text", name
            yield from foreign(item, (path, name))
    elif kind == "array":
        for index, item in enumerate(value):
            yield from foreign(item, (path, index))
    elif kind == "other":
        yield path, "type", "a JSON value", value
