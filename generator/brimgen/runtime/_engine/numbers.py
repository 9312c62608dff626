"""Numbers and equality as in JSON: exact, bool is no number, 1 equals 1.0."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from itertools import islice
from operator import ne
from typing import Any, TypeAlias

from .kinds import is_list, is_number, is_object

Number: TypeAlias = int | float | Decimal
EXACT_INTS = 2**53
"""Up to here a float is the integer that its digits say."""


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


def all_differ(items: list[Any]) -> bool:
    """Return whether no two items are equal in JSON.

    Callers choose the items, so nothing rests on the hash of a number, which they can choose too:
    ints are sorted, everything else is compared by its text, whose hash nobody knows before.
    """
    kinds = set(map(type, items))
    if kinds == {int}:
        ordered = sorted(items)
        return all(map(ne, ordered, islice(ordered, 1, None)))
    if kinds != {str}:
        items = list(map(_text, items))
    return len(set(items)) == len(items)


def _text(value: object) -> str:
    """Return a text: two JSON values are equal exactly if their texts are equal."""
    if isinstance(value, str):
        return f"{len(value)}:{value}"
    if isinstance(value, bool) or value is None:
        return f"{value}"
    if isinstance(value, int | float | Decimal) and is_number(value):
        return _number_text(value)
    if is_object(value):
        pairs = sorted(map(_pair_text, value.items()))
        return f"{{{','.join(pairs)}}}"
    if is_list(value):
        return f"[{','.join(map(_text, value))}]"
    return f"?{id(value)}"


def _pair_text(pair: tuple[object, object]) -> str:
    return f"{_text(pair[0])}={_text(pair[1])}"


def _number_text(value: Number) -> str:
    """Return the digits of a number without zeros at their end, and its power of ten."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _SMALL:
        value = int(value)
    if isinstance(value, int):
        if -_SMALL < value < _SMALL:
            return f"{int(value)}"
        value = Decimal(int(value))
    coefficient, exponent = _parts(value)
    if not coefficient:
        return "0"
    sign = "-" if value < 0 else ""
    if 0 <= exponent <= _SMALL_DIGITS and coefficient * 10**exponent < _SMALL:
        return f"{sign}{coefficient * 10**exponent}"
    return f"{sign}{coefficient:x}e{exponent}"


_SMALL_DIGITS = 15
_SMALL = 10**_SMALL_DIGITS
"""Integers below this are told by their digits alone; floats of them are exact."""


def _parts(value: Number) -> tuple[int, int]:
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
        # An int may end in zeros, a decimal does not.
        is_short = exponent == 0 and -shift <= coefficient.bit_length()
        return is_short and not coefficient % int(base * 10**-shift)

    if not isinstance(divisor, int):
        return test

    def test_whole(value: Any) -> bool:
        return not value % divisor if isinstance(value, int) else test(value)

    return test_whole
