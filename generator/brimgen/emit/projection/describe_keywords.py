"""Describe keywords that a descriptor cannot carry in words.

One fixed form for all targets: ``Records to return (default: 10; minimum 1; at most 5 items)``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any

from brimgen.emit.indented import json_line
from brimgen.model.fields import LOCAL_DATETIME
from brimgen.model.json import Json, JsonObject
from brimgen.model.scalars import SCALARS
from brimgen.schema.walk import is_object

LONGEST = 240
"""Characters of a phrase; what is longer costs a model more than it tells, and is left out."""

LOCAL = "ISO-8601, e.g. 2026-01-18T05:00:00"

FORMAT_HINTS: Mapping[str, str] = MappingProxyType(
    {
        str(row.schema.get("format", row.schema.get("pattern"))): row.hint
        for row in SCALARS.values()
        if row.hint
    }
)
"""What a format or a pattern of the type table means, for models that do not know or are not held
to it (descriptors.md).
"""


HINTED = frozenset({"format", "pattern"})
"""The keywords whose values may have a hint."""


def phrase(keyword: str, value: Json) -> str | None:
    """Describe ``keyword`` with ``value``; None where no description is short enough."""
    describe = _WORDS.get(keyword)
    if describe is None:
        return None
    try:
        words = describe(value)
    except (TypeError, ValueError, AttributeError):
        return None
    return words if words and len(words) <= LONGEST else None


def described(description: Json, phrases: Collection[str]) -> str | None:
    """Append ``phrases`` to a description in the fixed form; None where there is nothing.

    A phrase whose words the author has written already is not repeated.
    """
    text = description.rstrip() if isinstance(description, str) else ""
    if not phrases:
        return text or None
    written = text.casefold()
    new = [
        phrase for phrase in dict.fromkeys(phrases) if phrase.casefold() not in written
    ]
    if not new:
        return text or None
    remark = f"({'; '.join(new)})"
    return f"{text} {remark}" if text else remark


def _default(value: Any) -> str | None:
    """Describe a default; a whole number is written as one, because 0.00 reached the schema as
    a float.
    """
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return (
        None
        if value is None
        else f"default: {json_line(int(value) if whole else value)}"
    )


def _values(values: Any) -> str:
    return ", ".join(map(json_line, values))


def _count(most: str, noun: str) -> Callable[[Any], str]:
    def describe(value: Any) -> str:
        return f"{most} {json_line(value)} {noun if value == 1 else noun + 's'}"

    return describe


def _properties(most: str) -> Callable[[Any], str]:
    def describe(value: Any) -> str:
        return f"{most} {json_line(value)} {'property' if value == 1 else 'properties'}"

    return describe


def _decimal(value: Any) -> str:
    """Describe ``scale`` digits after the point; ``precision`` alone means none, as in SQL."""
    scale = value.get("scale", 0 if "precision" in value else None)
    if scale is None:
        return "decimal"
    return f"at most {scale} decimals" if scale else "no decimals"


def _examples(values: Any) -> str | None:
    """Describe as many of the examples as a phrase has room for."""
    text = ""
    for value in values:
        more = f"{text}, {json_line(value)}" if text else f"e.g. {json_line(value)}"
        if len(more) > LONGEST:
            break
        text = more
    return text or None


def _dependencies(value: Any) -> str:
    return "; ".join(
        f"{name} needs {', '.join(needed)}" for name, needed in value.items() if needed
    )


def _forbidden(properties: JsonObject) -> str | None:
    """Describe properties that no object may have."""
    if any(schema is not False for schema in properties.values()):
        return None
    return f"never with {', '.join(properties)}"


def _choices(word: str) -> Callable[[Any], str | None]:
    def describe(branches: Any) -> str | None:
        sets = [_needed(branch) for branch in branches]
        if not all(sets):
            return None
        return f"{word} {' / '.join(' + '.join(names) for names in sets)}"

    return describe


def _needed(branch: JsonObject) -> list[str]:
    """Describe what a branch asks for: its required names, and the constants that identify it."""
    required: Any = branch.get("required", ())
    properties: Any = branch.get("properties", {})
    asked: list[str] = []
    for name in required:
        schema: Json = properties.get(name)
        constant = schema.get("const") if is_object(schema) else None
        asked.append(name if constant is None else f"{name} {json_line(constant)}")
    return asked


_WORDS: Mapping[str, Callable[[Any], str | None]] = MappingProxyType(
    {
        "default": _default,
        "enum": lambda values: f"one of {_values(values)}",
        "const": lambda value: f"always {json_line(value)}",
        "minimum": lambda value: f"minimum {json_line(value)}",
        "maximum": lambda value: f"maximum {json_line(value)}",
        "exclusiveMinimum": lambda value: f"more than {json_line(value)}",
        "exclusiveMaximum": lambda value: f"less than {json_line(value)}",
        "multipleOf": lambda value: f"multiple of {json_line(value)}",
        "minLength": _count("at least", "character"),
        "maxLength": _count("at most", "character"),
        "pattern": lambda value: (
            LOCAL
            if value == LOCAL_DATETIME
            else FORMAT_HINTS.get(value, f"pattern {value}")
        ),
        "format": lambda value: FORMAT_HINTS.get(value, f"format {value}"),
        "minItems": _count("at least", "item"),
        "maxItems": _count("at most", "item"),
        "uniqueItems": lambda value: "no repeated items" if value else None,
        "contains": lambda value: f"contains {json_line(value)}",
        "minProperties": _properties("at least"),
        "maxProperties": _properties("at most"),
        "dependentRequired": _dependencies,
        "properties": _forbidden,
        "not": lambda value: f"not {json_line(value)}",
        "propertyNames": lambda value: f"names {json_line(value)}",
        "anyOf": _choices("needs"),
        "oneOf": _choices("needs exactly one of"),
        "contentEncoding": lambda value: f"encoded as {value}",
        "contentMediaType": lambda value: f"content {value}",
        "examples": _examples,
        "deprecated": lambda value: "deprecated" if value else None,
        "readOnly": lambda value: "read only" if value else None,
        "writeOnly": lambda value: "write only" if value else None,
        "x-decimal": _decimal,
        "x-format": {"uuid": "UUID", "duration": "ISO 8601 duration"}.get,
        "x-tz": lambda value: (
            "UTC without an offset" if value == "assume-utc" else None
        ),
    }
)
