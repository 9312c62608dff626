"""Numbers and equality as JSON means them: exact, bool is no number, 1 equals 1.0."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeAlias

from .kinds import is_list, is_number, is_object

Number: TypeAlias = int | float | Decimal


def exact(value: Number) -> int | Decimal:
    """Return a number without binary rounding: a float as the decimal that its repr says."""
    return Decimal(repr(float(value))) if isinstance(value, float) else value


def key(value: object) -> Any:
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
    if is_object(value):
        return (dict, frozenset((name, key(item)) for name, item in value.items()))
    if is_list(value):
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
            return coefficient * pow(10, shift, base) % base == 0
        if -shift > coefficient.bit_length():
            return False
        return not coefficient % int(base * 10**-shift)

    if not isinstance(divisor, int):
        return test

    def test_whole(value: Any) -> bool:
        return not value % divisor if isinstance(value, int) else test(value)

    return test_whole
