"""The keywords of numbers and strings, and of single values: enum, const, bounds, text."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from ._formats import FORMATS
from ._nodes import Part, Test, leaf
from ._numbers import exact, key, multiple_of
from ._patterns import translate
from ._words import FORMATS as FORMAT_WORDS
from ._words import cut, listing, show

_LATER = frozenset(("duration", "uuid"))
"""Formats that draft-07 does not know."""


def choices(schema: Mapping[str, Any]) -> Iterator[tuple[Test, str, str]]:
    """Yield (test, rule, expected) of ``enum`` and ``const``."""
    if "enum" in schema:
        yield _member(schema["enum"]), "enum", f"one of {listing(schema['enum'])}"
    if "const" in schema:
        yield _member([schema["const"]]), "const", show(schema["const"])


def _member(values: Sequence[Any]) -> Test:
    if all(type(each) is str for each in values):
        texts = frozenset(values)
        return lambda value: isinstance(value, str) and value in texts
    keys = frozenset(map(key, values))
    return lambda value: key(value) in keys


def scalars(schema: Mapping[str, Any], draft7: bool) -> Iterator[Part]:
    """Yield the parts of the keywords of numbers and strings, in a fixed order."""
    for word, (sign, test_of) in _BOUNDS.items():
        if word in schema:
            yield leaf("number", test_of(schema[word]), word, f"{sign} {schema[word]}")
    if "multipleOf" in schema:
        expected = f"multiple of {schema['multipleOf']}"
        yield leaf("number", multiple_of(schema["multipleOf"]), "multipleOf", expected)
    yield from _texts(schema)
    name = schema.get("format")
    if isinstance(name, str) and name in FORMATS and not (draft7 and name in _LATER):
        yield leaf("string", FORMATS[name], "format", FORMAT_WORDS.get(name, name))


def _texts(schema: Mapping[str, Any]) -> Iterator[Part]:
    if "minLength" in schema:
        least = schema["minLength"]
        expected = f"at least {_count(least, 'character')}"
        yield leaf("string", lambda text: len(text) >= least, "minLength", expected)
    if "maxLength" in schema:
        most = schema["maxLength"]
        expected = f"at most {_count(most, 'character')}"
        yield leaf("string", lambda text: len(text) <= most, "maxLength", expected)
    if "pattern" in schema:
        search = re.compile(translate(schema["pattern"])).search
        expected = cut(f"text that matches {schema['pattern']}")
        yield leaf("string", lambda text: search(text) is not None, "pattern", expected)


def _count(number: Any, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _at_least(bound: Any) -> Test:
    precise = exact(bound)
    return lambda v: v >= (precise if isinstance(v, Decimal) else bound)


def _above(bound: Any) -> Test:
    precise = exact(bound)
    return lambda v: v > (precise if isinstance(v, Decimal) else bound)


def _at_most(bound: Any) -> Test:
    precise = exact(bound)
    return lambda v: v <= (precise if isinstance(v, Decimal) else bound)


def _below(bound: Any) -> Test:
    precise = exact(bound)
    return lambda v: v < (precise if isinstance(v, Decimal) else bound)


_BOUNDS = {
    "minimum": ("at least", _at_least),
    "exclusiveMinimum": ("more than", _above),
    "maximum": ("at most", _at_most),
    "exclusiveMaximum": ("less than", _below),
}


def either(quickly: Test, test: Test) -> Test:
    """Return a test that asks the quick one first."""
    return lambda value: quickly(value) or test(value)


def quick(schema: Mapping[str, Any]) -> Test | None:
    """Return a quick test whose yes is right and whose no says nothing, or None.

    It accepts the exact Python types that JSON text gives, under the commonest keywords.
    """
    kind = schema.get("type")
    words = schema.keys() & _RESTRICTING
    if kind == "string":
        if not words:
            return lambda value: type(value) is str
        if words <= {"minLength", "maxLength"}:
            return _quick_length(schema)
        if words == {"enum"} and all(type(each) is str for each in schema["enum"]):
            texts = frozenset(schema["enum"])
            return lambda value: type(value) is str and value in texts
        if words == {"format"} and schema["format"] in FORMATS:
            return _quick_format(FORMATS[schema["format"]])
    if kind == "boolean" and not words:
        return lambda value: value is True or value is False
    if kind in ("integer", "number") and words <= {"minimum", "maximum"}:
        return _quick_number(int if kind == "integer" else float, schema)
    return None


_RESTRICTING = frozenset(
    (
        "$ref",
        "allOf",
        "anyOf",
        "const",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "if",
        "maxLength",
        "maximum",
        "minLength",
        "minimum",
        "multipleOf",
        "not",
        "oneOf",
        "pattern",
        "unevaluatedItems",
        "unevaluatedProperties",
    )
)


def _quick_length(schema: Mapping[str, Any]) -> Test:
    least, most = schema.get("minLength", 0), schema.get("maxLength", 2**63)
    return lambda v: type(v) is str and least <= len(v) <= most


def _quick_format(test: Test) -> Test:
    return lambda v: type(v) is str and test(v)


def _quick_number(kind: type, schema: Mapping[str, Any]) -> Test:
    least = schema.get("minimum", _INFINITE[0])
    most = schema.get("maximum", _INFINITE[1])
    if kind is int:
        if "minimum" not in schema and "maximum" not in schema:
            return lambda v: type(v) is int
        return lambda v: type(v) is int and least <= v <= most
    return lambda v: type(v) is float and least <= v <= most


_INFINITE = (-sys.float_info.max, sys.float_info.max)
"""Bounds that every finite float keeps; larger ints go the slower way."""
