"""The keywords of numbers, strings and single values: enum, const, bounds, text."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from .formats import format_test, is_local_datetime
from .kinds import is_object
from .nodes import Part, Searcher, Test, leaf
from .numbers import EXACT_INTS, exact, key, multiple_of
from .words import ASSUMED, cut, listing, show
from .words import FORMATS as FORMAT_WORDS

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


def scalars(
    schema: Mapping[str, Any], draft7: bool, searcher: Searcher
) -> Iterator[Part]:
    """Yield the parts of the keywords of numbers and strings, in a fixed order.

    ``x-decimal`` and ``x-tz`` are the two annotations of a canonical schema that we enforce,
    because JSON Schema cannot say what they say (architecture.md 10).
    """
    for word, (sign, test_of) in _BOUNDS.items():
        if word in schema:
            yield leaf("number", test_of(schema[word]), word, f"{sign} {schema[word]}")
    if "multipleOf" in schema:
        expected = f"multiple of {schema['multipleOf']}"
        yield leaf("number", multiple_of(schema["multipleOf"]), "multipleOf", expected)
    if is_object(schema.get("x-decimal")):
        yield _digits(schema["x-decimal"])
    if schema.get("x-tz") == "assume-utc":
        yield _local_datetime(schema, searcher)
    yield from _texts(schema, searcher)
    name = schema.get("format")
    if isinstance(name, str) and not (draft7 and name in _LATER):
        known = format_test(name)
        if known is not None:
            yield leaf("string", known, "format", FORMAT_WORDS.get(name, name), name)


def _texts(schema: Mapping[str, Any], searcher: Searcher) -> Iterator[Part]:
    if "minLength" in schema:
        least = schema["minLength"]
        expected = f"at least {_count(least, 'character')}"
        yield leaf("string", lambda text: len(text) >= least, "minLength", expected)
    if "maxLength" in schema:
        most = schema["maxLength"]
        expected = f"at most {_count(most, 'character')}"
        yield leaf("string", lambda text: len(text) <= most, "maxLength", expected)
    if "pattern" in schema and schema.get("x-tz") != "assume-utc":
        yield _pattern(schema, searcher)


def _pattern(schema: Mapping[str, Any], searcher: Searcher) -> Part:
    """Return the part of ``pattern``: a text that is too long is refused without it."""
    search, most = searcher(schema["pattern"]), schema.get("maxLength", sys.maxsize)
    expected = cut(f"text that matches {schema['pattern']}")
    return leaf(
        "string",
        lambda text: len(text) > most or search(text) is not None,
        "pattern",
        expected,
    )


def _local_datetime(schema: Mapping[str, Any], searcher: Searcher) -> Part:
    """Return the part of ``x-tz``, and of the ``pattern`` that says most of it to others."""
    search = searcher(schema["pattern"]) if "pattern" in schema else None

    def test(text: str) -> bool:
        fits = search is None or search(text) is not None
        return fits and is_local_datetime(text)

    return leaf("string", test, "format", ASSUMED, "date-time")


def _digits(said: Mapping[str, Any]) -> Part:
    """Return the part of ``x-decimal``: how many digits there may be, as SQL counts them."""
    precision, scale = said.get("precision"), said.get("scale")
    after = scale or 0
    words: list[str] = []
    if precision is not None:
        words.append(f"at most {_count(precision - after, 'digit')} before the point")
    if scale is not None:
        words.append(f"at most {_count(scale, 'digit')} after it")

    fits = multiple_of(Decimal((0, (1,), -after)))
    limit = None if precision is None else Decimal((0, (1,), precision - after))

    def test(value: Any) -> bool:
        if scale is not None and not fits(value):
            return False
        return limit is None or -limit < exact(value) < limit

    return leaf("number", test, "x-decimal", " and ".join(words))


def _count(number: Any, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _at_least(bound: Any) -> Test:
    limit, precise = _whole_bound(bound), exact(bound)
    return lambda v: v >= limit if _compares(v) else exact(v) >= precise


def _above(bound: Any) -> Test:
    limit, precise = _whole_bound(bound), exact(bound)
    return lambda v: v > limit if _compares(v) else exact(v) > precise


def _at_most(bound: Any) -> Test:
    limit, precise = _whole_bound(bound), exact(bound)
    return lambda v: v <= limit if _compares(v) else exact(v) <= precise


def _below(bound: Any) -> Test:
    limit, precise = _whole_bound(bound), exact(bound)
    return lambda v: v < limit if _compares(v) else exact(v) < precise


def _compares(value: Any) -> bool:
    """Whether Python compares a number as JSON means it, which is by its digits.

    A float beyond 2**53 is written with fewer digits than the integer that it is in memory:
    ``1e23`` says 10**23, and Python holds 99999999999999991611392.
    """
    if isinstance(value, float):
        return -EXACT_INTS <= value <= EXACT_INTS
    return isinstance(value, int)


def _is_small(number: int) -> bool:
    return -EXACT_INTS <= number <= EXACT_INTS


def _whole_bound(bound: Any) -> Any:
    """Return a bound that integers can be compared with: one beyond 2**53 as an integer."""
    return bound if _compares(bound) else int(exact(bound))


_BOUNDS = {
    "minimum": ("at least", _at_least),
    "exclusiveMinimum": ("more than", _above),
    "maximum": ("at most", _at_most),
    "exclusiveMaximum": ("less than", _below),
}


def quick(schema: Mapping[str, Any], test: Test) -> Test | None:
    """Return a test with the verdict of ``test`` that is quick about common values, or None.

    It decides about the exact Python types that JSON text gives, under the commonest keywords, and
    leaves all other values to ``test``.
    """
    kind = schema.get("type")
    words = schema.keys() & _RESTRICTING
    if kind == "string":
        if not words:
            return lambda v: type(v) is str or (type(v) not in _NO_TEXTS and test(v))
        if words <= {"minLength", "maxLength"}:
            return _quick_length(schema, test)
        if words == {"enum"} and all(type(each) is str for each in schema["enum"]):
            texts = frozenset(schema["enum"])
            return lambda v: (
                v in texts if type(v) is str else type(v) not in _NO_TEXTS and test(v)
            )
    if kind == "boolean" and not words:
        return lambda v: v is True or v is False
    if kind == "integer" and words <= {"minimum", "maximum"}:
        return _quick_integer(schema, test)
    if kind == "number" and words <= {"minimum", "maximum"}:
        return _quick_float(schema, test)
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
        "x-decimal",
        "x-leaf",
        "x-tz",
    )
)


_NO_TEXTS = frozenset((bool, dict, float, int, list, type(None)))
_NO_NUMBERS = frozenset((bool, dict, list, str, type(None)))
"""Types that no further test makes texts, or numbers, of."""


def _quick_length(schema: Mapping[str, Any], test: Test) -> Test:
    least, most = schema.get("minLength", 0), schema.get("maxLength", 2**63)
    return lambda v: (
        least <= len(v) <= most
        if type(v) is str
        else type(v) not in _NO_TEXTS and test(v)
    )


def _quick_integer(schema: Mapping[str, Any], test: Test) -> Test:
    if "minimum" not in schema and "maximum" not in schema:
        return lambda v: type(v) is int or (type(v) not in _NO_NUMBERS and test(v))
    least = _whole_bound(schema["minimum"]) if "minimum" in schema else float("-inf")
    most = _whole_bound(schema["maximum"]) if "maximum" in schema else float("inf")
    return lambda v: (
        least <= v <= most if type(v) is int else type(v) not in _NO_NUMBERS and test(v)
    )


def _quick_float(schema: Mapping[str, Any], test: Test) -> Test | None:
    least = schema.get("minimum", -sys.float_info.max)
    most = schema.get("maximum", sys.float_info.max)
    if any(isinstance(each, int) and not _is_small(each) for each in (least, most)):
        return None
    return lambda v: (
        least <= v <= most
        if type(v) is float
        else type(v) not in _NO_NUMBERS and test(v)
    )
