"""Tell whether a text states a keyword of a schema: ``at most 40 characters``, ``default: 10``.

The phrases are listed here a second time, so that the emitters do not judge themselves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from brimgen.model.json import is_list, is_object

_NUMBER = r"(-?\d[\d.]*(?:[eE][+-]?\d+)?)"
_PHRASES: Mapping[str, str] = {
    "minimum": rf"minimum {_NUMBER}",
    "maximum": rf"maximum {_NUMBER}",
    "exclusiveMinimum": rf"more than {_NUMBER}",
    "exclusiveMaximum": rf"less than {_NUMBER}",
    "multipleOf": rf"multiple of {_NUMBER}",
    "minLength": rf"at least {_NUMBER} character",
    "maxLength": rf"at most {_NUMBER} character",
    "minItems": rf"at least {_NUMBER} item",
    "maxItems": rf"at most {_NUMBER} item",
    "minProperties": rf"at least {_NUMBER} propert",
    "maxProperties": rf"at most {_NUMBER} propert",
}
BOUNDS = frozenset(_PHRASES)
"""The keywords whose value is a number."""
_LONGEST_CHOICE = 200
"""Characters of a list of values that may be too long for a phrase."""


def states(text: str, keyword: str, value: Any) -> bool:
    """Whether ``text`` says ``keyword`` with ``value``; True for what has no phrase of its own."""
    text = " ".join(text.split()).casefold()
    if keyword in _PHRASES:
        return any(_is_number(number, value) for number in stated(text, keyword))
    if keyword == "default":
        return value is None or _states_default(text, value)
    if keyword == "enum" and is_list(value):
        written = [_json(choice) for choice in value]
        is_long = len(", ".join(written)) > _LONGEST_CHOICE
        return is_long or all(choice in text for choice in written)
    if keyword == "x-decimal" and is_object(value) and value.get("scale"):
        return f"at most {value['scale']} decimals" in text
    return True


def holds_words(text: str, description: str | None) -> bool:
    """Whether the words of ``description`` stand in ``text``, one after the other."""
    wanted = " ".join(re.findall(r"\w+", description or ""))
    found = " ".join(re.findall(r"\w+", text))
    return not wanted or f" {wanted} " in f" {found} "


def without_words(text: str, description: str | None) -> str:
    """``text`` without a description, however its lines are broken."""
    plain = " ".join(text.split())
    return plain.replace(" ".join(description.split()), " ") if description else plain


def stated(text: str, keyword: str) -> list[str]:
    """The numbers that ``text`` says of a numeric keyword."""
    numbers = re.findall(rf"\b{_PHRASES[keyword]}", text, re.IGNORECASE)
    return [number.rstrip(".") for number in numbers]


def _states_default(text: str, value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        written = _json(value)
        is_long = len(written) > _LONGEST_CHOICE or is_object(value) or is_list(value)
        return is_long or f"default: {written}" in text
    numbers = re.findall(rf"default: {_NUMBER}", text)
    return any(_is_number(number.rstrip("."), value) for number in numbers)


def _is_number(text: str, value: Any) -> bool:
    try:
        return Decimal(text) == Decimal(str(value))
    except InvalidOperation:
        return False


def _json(value: Any) -> str:
    return " ".join(json.dumps(value, ensure_ascii=False).split()).casefold()
