"""Decode and encode values between JSON and Python.

The ``to_…`` functions decode a value that its schema has accepted; they succeed on such values and
raise ValueError or TypeError on others, so a generated fast path may call them inside ``try``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import FastPathMiss
from .kinds import is_list, is_number, is_object
from .numbers import EXACT_INTS, exact, key

T = TypeVar("T")

if TYPE_CHECKING:

    def new_instance(kind: type[T], /) -> T:
        """Return an object without values, for a fast path to fill."""
        ...

else:
    new_instance = object.__new__


def given_nulls(raw: Mapping[str, Any], names: Sequence[str]) -> tuple[str, ...]:
    """Return those of ``names`` that are there and null."""
    return tuple([name for name in names if name in raw and raw[name] is None])


def left_out(raw: Mapping[str, Any], names: Sequence[str]) -> tuple[str, ...]:
    """Return those of ``names`` that are not there."""
    return tuple([name for name in names if name not in raw])


def to_int(value: Any) -> int:
    """Return an integer; ``3.0`` and ``Decimal("3.0")`` are 3, ``1e23`` is ``10**23``."""
    number = int(value)
    if number != value:
        raise ValueError("no integer")
    return number if -EXACT_INTS <= number <= EXACT_INTS else int(exact(value))


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


def exact_float(value: Any) -> float:
    """Return the float that an int or Decimal is exactly. Raises `FastPathMiss` if none is."""
    if type(value) is int and -EXACT_INTS <= value <= EXACT_INTS:
        return float(value)
    if type(value) is Decimal:
        number = float(value)
        if Decimal(repr(number)) == value:
            return number
    raise FastPathMiss


def to_decimal(value: Any) -> Decimal:
    """Return an exact Decimal: of an int or a decimal text, of a float by its shortest repr."""
    try:
        return Decimal(exact(value)) if not isinstance(value, str) else Decimal(value)
    except InvalidOperation:
        raise ValueError("no decimal") from None


def to_choice(value: Any, choices: tuple[Any, ...]) -> Any:
    """Return the member of ``choices`` that JSON-equals the value (1.0 gives 1, True does not)."""
    wanted = key(value)
    for each in choices:
        if key(each) == wanted:
            return each
    raise ValueError("none of the choices")


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
        return {_name(name): to_plain(item) for name, item in value.items()}
    if is_list(value):
        return [to_plain(item) for item in value]
    if isinstance(value, str) or is_number(value):
        return value
    raise ValueError(f"a Python {kind.__name__} is no JSON value")


def _is_written_whole(value: Decimal) -> bool:
    exponent = value.as_tuple().exponent
    return isinstance(exponent, int) and exponent == 0


def _name(name: Any) -> str:
    if isinstance(name, str):
        return name
    raise ValueError("a name that is no text")


def to_json_value(value: object) -> Any:
    """Return the JSON value of a decoded one (``to_dict``): what decodes to an equal object.

    dates and datetimes become text, enums their value, objects with ``to_dict`` what that returns,
    mappings and lists are copied. A Decimal becomes an int or a float where that is exact, and
    stays a Decimal (which `write_json` prints digit by digit) where it is not. Raises ValueError
    for what JSON cannot say: NaN, Infinity, a datetime without an offset.
    """
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    if isinstance(value, Enum):
        return to_json_value(value.value)
    if is_object(value):
        return {_name(name): to_json_value(item) for name, item in value.items()}
    if is_list(value):
        return [to_json_value(item) for item in value]
    if isinstance(value, datetime):
        return _datetime_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal) and is_number(value):
        return _decimal_value(value)
    if isinstance(value, str) or is_number(value):
        return value
    encode = getattr(kind, "to_dict", None)
    if encode is not None:
        return encode(value)
    raise ValueError(f"a Python {kind.__name__} is no JSON value")


def _datetime_text(value: datetime) -> str:
    offset = value.utcoffset()
    if offset is None:
        raise ValueError(
            "a datetime without an offset: give it one, as `.replace(tzinfo=UTC)` does"
            " to what is in UTC and `.astimezone()` to what is in local time"
        )
    if offset % timedelta(minutes=1):
        value = (value - offset).replace(tzinfo=None)
        return value.isoformat() + "Z"
    text = value.isoformat()
    return text[:-6] + "Z" if not offset else text


def _decimal_value(value: Decimal) -> int | float | Decimal:
    if value == value.to_integral_value():
        return int(value)
    number = float(value)
    return number if Decimal(repr(number)) == value else value
