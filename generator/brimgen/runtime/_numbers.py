"""Numbers and equality as JSON means them: exact, bool is no number, 1 equals 1.0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeAlias

Number: TypeAlias = int | float | Decimal

MAX_EXPONENT = 4300
"""Decimals beyond ten to this power are no numbers; Python limits the digits of ints alike."""


def is_number(value: Any) -> bool:
    """Return whether a value is a JSON number: a finite int, float or Decimal, not a bool."""
    kind = type(value)
    if kind is int:
        return True
    if kind is float:
        return bool(value - value == 0.0)
    if isinstance(value, Decimal):
        return value.is_finite() and (
            not value or -MAX_EXPONENT <= value.adjusted() <= MAX_EXPONENT
        )
    if isinstance(value, float):
        return value - value == 0.0
    return isinstance(value, int) and kind is not bool


def is_integer(value: Any) -> bool:
    """Return whether a value is a JSON integer: a number without a fraction, as 3.0 is."""
    if type(value) is int:
        return True
    if not is_number(value):
        return False
    if isinstance(value, float):
        return value.is_integer()
    return not isinstance(value, Decimal) or value == value.to_integral_value()


def exact(value: Number) -> int | Decimal:
    """Return a number without binary rounding: a float as the decimal that its repr says."""
    return Decimal(repr(float(value))) if isinstance(value, float) else value


def key(value: Any) -> Any:
    """Return a hashable key: two JSON values are equal exactly if their keys are equal."""
    kind = type(value)
    if kind is str or value is None:
        return value
    if kind is bool:
        return (bool, value)
    if kind is int:
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float | Decimal):
        return exact(value) if is_number(value) else (float, id(value))
    if isinstance(value, Mapping):
        return (dict, frozenset((name, key(item)) for name, item in value.items()))
    if isinstance(value, list):
        return (list, tuple([key(item) for item in value]))
    return value if is_number(value) else (object, id(value))


def _parts(value: Number) -> tuple[int, int]:
    """Return (coefficient, exponent of ten) of the absolute value."""
    number = exact(value)
    if isinstance(number, int):
        return abs(number), 0
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int), "only finite numbers have parts"
    coefficient = int("".join(map(str, digits)))
    return coefficient, exponent


def multiple_of(divisor: Number) -> Callable[[Any], bool]:
    """Return a test whether a number is an exact multiple (0.07 of 0.01 is one)."""
    base, base_exponent = _parts(divisor)

    def test(value: Any) -> bool:
        coefficient, exponent = _parts(value)
        shift = exponent - base_exponent
        if coefficient == 0:
            return True
        if shift >= 0:
            return bool(coefficient * pow(10, shift, base) % base == 0)
        if -shift > coefficient.bit_length():
            return False
        return coefficient % (base * 10**-shift) == 0

    if not isinstance(divisor, int):
        return test

    def test_whole(value: Any) -> bool:
        return not value % divisor if isinstance(value, int) else test(value)

    return test_whole
