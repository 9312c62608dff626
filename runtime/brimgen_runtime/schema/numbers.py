"""The keywords of numbers, which are compared exactly: bounds, multipleOf, x-decimal.

``x-decimal`` limits the digits before and after the decimal point, which JSON Schema cannot
express.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from .compile import NO_NUMBERS, Place
from .json_values import EXACT_INTS, MOST_INT, Number, exact, is_object
from .nodes import Part, Test, leaf


def parts(schema: Mapping[str, Any], place: Place) -> Iterator[Part]:
    """Yield the parts of the keywords of numbers, in a fixed order."""
    for word, (sign, test_of) in _BOUNDS.items():
        if word in schema:
            yield leaf("number", test_of(schema[word]), word, f"{sign} {schema[word]}")
    if "multipleOf" in schema:
        expected = f"multiple of {schema['multipleOf']}"
        yield leaf("number", multiple_of(schema["multipleOf"]), "multipleOf", expected)
    if is_object(schema.get("x-decimal")):
        yield _digits(schema["x-decimal"])


def multiple_of(divisor: Number) -> Callable[[Any], bool]:
    """Return a test whether a number is an exact multiple (0.07 of 0.01 is one)."""
    base, base_exponent = number_parts(divisor)

    def test(value: Any) -> bool:
        coefficient, exponent = number_parts(value)
        shift = exponent - base_exponent
        if coefficient == 0:
            return True
        if shift >= 0:
            return coefficient * pow(10, shift, base) % base == 0
        # An int may end in zeros, a decimal does not.
        is_short = exponent == 0 and -shift <= coefficient.bit_length()
        return is_short and not coefficient % int(base * 10**-shift)

    if not isinstance(divisor, int):
        return test

    def test_whole(value: Any) -> bool:
        return not value % divisor if isinstance(value, int) else test(value)

    return test_whole


def number_parts(value: Number) -> tuple[int, int]:
    """Return (coefficient, exponent of ten) of the absolute value.

    The coefficient of a decimal does not end in zero: 1.50 is 15 and -1.
    """
    number = exact(value)
    if isinstance(number, int):
        return abs(number), 0
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int), "only finite numbers have parts"
    end = len(digits)
    while end > 1 and not digits[end - 1]:
        end -= 1
    # By way of a Decimal there may be any number of digits.
    coefficient = int(Decimal((0, digits[:end], 0)))
    return coefficient, exponent + len(digits) - end


def _digits(limits: Mapping[str, Any]) -> Part:
    """Return the part of ``x-decimal``: how many digits there may be, as SQL counts them."""
    precision, scale = limits.get("precision"), limits.get("scale")
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
    """Return a quick test with the verdict of ``test`` for common numbers, or None."""
    if not schema.keys().isdisjoint(_RARE):
        return None
    match schema.get("type"):
        case "integer":
            return _quick_integer(schema, test)
        case "number":
            return _quick_float(schema, test)
        case _:
            return None


_RARE = ("exclusiveMaximum", "exclusiveMinimum", "multipleOf", "x-decimal")


def _quick_integer(schema: Mapping[str, Any], test: Test) -> Test:
    least = _whole_bound(schema["minimum"]) if "minimum" in schema else -MOST_INT
    most = _whole_bound(schema["maximum"]) if "maximum" in schema else MOST_INT
    return lambda v: (
        least <= v <= most if type(v) is int else type(v) not in NO_NUMBERS and test(v)
    )


def _quick_float(schema: Mapping[str, Any], test: Test) -> Test | None:
    least = schema.get("minimum", -sys.float_info.max)
    most = schema.get("maximum", sys.float_info.max)
    if any(isinstance(bound, int) and not _is_small(bound) for bound in (least, most)):
        return None
    return lambda v: (
        least <= v <= most
        if type(v) is float
        else type(v) not in NO_NUMBERS and test(v)
    )
