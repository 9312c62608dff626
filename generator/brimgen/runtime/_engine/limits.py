"""Describe in a few words what a schema requires of a value besides its type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .kinds import is_list, is_object
from .words import cut

_COUNTED = (
    ("minLength", "maxLength", "character"),
    ("minItems", "maxItems", "item"),
    ("minProperties", "maxProperties", "property"),
)
_PLURALS = {"property": "properties"}


def limits(schema: Mapping[str, Any]) -> list[str]:
    """Return the limits of a value: ``["1 to 100", "multiple of 5"]``; none beside a choice.

    Of a list, those of its items come first: ``["each at least 1", "at most 20 items"]``.
    """
    if "const" in schema or is_list(schema.get("enum")):
        return []
    found: list[str] = []
    items = schema.get("items")
    if is_object(items):
        of_each = [each for each in limits(items) if not each.startswith("each ")]
        found += [f"each {' and '.join(of_each)}"] if of_each else []
    found += _of_numbers(schema)
    for least, most, noun in _COUNTED:
        if least in schema or most in schema:
            found.append(_count(schema.get(least, 0), schema.get(most), noun))
    if schema.get("uniqueItems") is True:
        found.append("no two alike")
    # With it stands a pattern that says the same, at length.
    if "pattern" in schema and "x-tz" not in schema:
        found.append(cut(f"matching {schema['pattern']}"))
    return found


def _of_numbers(schema: Mapping[str, Any]) -> list[str]:
    said = schema.get("x-decimal")
    digits: Mapping[str, Any] = said if is_object(said) else {}
    found = _bounds(schema, digits)
    if "multipleOf" in schema:
        found.append(f"multiple of {schema['multipleOf']}")
    scale = digits.get("scale", 0 if digits else None)
    if "precision" in digits:
        before = digits["precision"] - scale
        found.append(f"at most {_counted(before, 'digit')} before the point")
    if scale is not None:
        found.append(f"at most {_counted(scale, 'digit')} after the point")
    return found


def _bounds(schema: Mapping[str, Any], digits: Mapping[str, Any]) -> list[str]:
    """Return the bounds of a number, without those that say how many digits it has."""
    words = {
        "minimum": "at least",
        "exclusiveMinimum": "more than",
        "maximum": "at most",
        "exclusiveMaximum": "less than",
    }
    ends: set[int] = set()
    if "precision" in digits:
        end = 10 ** (digits["precision"] - digits.get("scale", 0))
        ends = {end, -end}
    given = {
        word: schema[word]
        for word in words
        if word in schema and not (word.startswith("excl") and schema[word] in ends)
    }
    if given.keys() == {"minimum", "maximum"}:
        return [f"{given['minimum']} to {given['maximum']}"]
    shown = [f"{words[word]} {bound}" for word, bound in given.items()]
    return [" and ".join(shown)] if shown else []


def _count(least: Any, most: Any, noun: str) -> str:
    if most is None:
        return f"at least {_counted(least, noun)}"
    if least == most:
        return f"exactly {_counted(most, noun)}"
    if not least:
        return f"at most {_counted(most, noun)}"
    return f"{least} to {_counted(most, noun)}"


def _counted(number: Any, noun: str) -> str:
    plural = _PLURALS.get(noun, f"{noun}s")
    return f"{number} {noun if number == 1 else plural}"
