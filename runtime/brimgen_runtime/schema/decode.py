"""Decode values that their schema has accepted.

The functions succeed on such values and raise ValueError or TypeError on others, so `reading` may
try them on any value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from .json_values import EXACT_INTS, exact, is_list, is_number, is_object, to_int


def left_out(raw: Mapping[str, Any], names: Sequence[str]) -> tuple[str, ...]:
    """Return those of ``names`` that are not there."""
    return tuple([name for name in names if name not in raw])


def to_whole(value: Any) -> Any:
    """Return the integer that a number is, and a text or boolean as it is."""
    return to_int(value) if is_number(value) else value


def to_float(value: Any) -> float:
    """Return a float; an integer that no float says with all its digits is an int."""
    if type(value) is float:
        return value
    if -EXACT_INTS <= value <= EXACT_INTS:
        return float(value)
    if isinstance(value, int):
        return int(value)
    number = float(value)
    if isinstance(value, Decimal) and (
        number - number != 0.0 or Decimal(repr(number)) != value
    ):
        whole = int(value)
        return whole if whole == value else number
    return number


def to_decimal(value: Any) -> Decimal:
    """Return an exact Decimal: of an int or a decimal text, of a float by its shortest repr."""
    try:
        return Decimal(exact(value)) if not isinstance(value, str) else Decimal(value)
    except InvalidOperation:
        raise ValueError("no decimal") from None


def to_plain(value: object) -> Any:
    """Return JSON data with Decimals turned back to int or float at every depth (for ``Any``).

    Raises ValueError for what is no JSON.
    """
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    if isinstance(value, Decimal):
        whole = value == value.to_integral_value()
        return int(value) if whole and _is_written_whole(value) else to_float(value)
    if is_object(value):
        return {text_name(name): to_plain(item) for name, item in value.items()}
    if is_list(value):
        return [to_plain(item) for item in value]
    if isinstance(value, str) or is_number(value):
        return value
    raise ValueError(f"a Python {kind.__name__} is no JSON value")


def _is_written_whole(value: Decimal) -> bool:
    exponent = value.as_tuple().exponent
    return isinstance(exponent, int) and exponent == 0


def text_name(name: Any) -> str:
    """Return the name of a property. Raises ValueError for one that is no text."""
    if isinstance(name, str):
        return name
    raise ValueError("a name that is no text")
