"""Encode Python values as JSON: those of the generated classes, and what handlers return.

What a handler returned of another type than the declared one stays unchanged, so that the output
schema refuses it.
"""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from types import ModuleType
from typing import Any, TypeAlias

from ..schema.decode import text_name
from ..schema.json_values import exact, is_list, is_number, is_object

Encoder: TypeAlias = Callable[[Any], Any]
GIVE_OFFSET = (
    "give it one, as `.replace(tzinfo=UTC)` does to what is in UTC and `.astimezone()` to what is"
    " in local time"
)
"""What to do with a datetime that says no instant."""


def to_json_value(value: object) -> Any:
    """Return the JSON value of a decoded one (``to_dict``): what decodes to an equal object.

    dates, times, durations, UUIDs and bytes become text, enums their value, objects with
    ``to_dict`` what that returns, mappings and lists are copied. A Decimal becomes an int or a
    float where that is exact, and stays a Decimal (which `write_json` prints digit by digit) where
    it is not. Raises ValueError for what JSON cannot say: NaN, Infinity, a datetime without offset,
    a time with one.
    """
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    if isinstance(value, Enum):
        return to_json_value(value.value)
    if is_object(value):
        return {text_name(name): to_json_value(item) for name, item in value.items()}
    if is_list(value):
        return [to_json_value(item) for item in value]
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time | timedelta | bytes):
        return _text(value)
    if isinstance(value, Decimal) and is_number(value):
        return _decimal_value(value)
    if isinstance(value, str) or is_number(value):
        return value
    encode = getattr(kind, "to_dict", None)
    if encode is not None:
        return encode(value)
    from uuid import UUID

    if isinstance(value, UUID):
        return str(value)
    raise ValueError(f"a Python {kind.__name__} is no JSON value")


def result_value(value: object) -> Any:
    """Return the JSON value of what a program gave, as `to_json_value` does, but leave bytes.

    No text is meant by them unless a schema says so: it refuses them in all other places.
    """
    if type(value) is str or isinstance(value, bytes):
        return value
    if is_object(value):
        return {text_name(name): result_value(item) for name, item in value.items()}
    if is_list(value):
        return [result_value(item) for item in value]
    return to_json_value(value)


def _text(value: time | timedelta | bytes) -> str:
    if isinstance(value, bytes):
        return b2a_base64(value, newline=False).decode()
    if isinstance(value, timedelta):
        return duration_text(value)
    if value.tzinfo is not None:
        raise ValueError("a time of day with an offset: remove its tzinfo")
    return value.isoformat()


def duration_text(value: timedelta) -> str:
    """Return a duration in days, hours, minutes and seconds: ``P1DT2H``, ``-PT0.5S``.

    Raises ValueError for one of more than 99,999,999 days.
    """
    if abs(value).days > 99_999_999:
        raise ValueError(f"a duration of {abs(value).days} days is too long")
    return iso(value)


def iso(value: timedelta) -> str:
    """Return a duration as `duration_text` does, however long it is."""
    sign, size = ("-", -value) if value.days < 0 else ("", value)
    minutes, seconds = divmod(size.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{size.microseconds:06}".rstrip("0") if size.microseconds else ""
    days = f"{size.days}D" if size.days else ""
    clock = f"{hours}H" if hours else ""
    clock += f"{minutes}M" if minutes else ""
    clock += f"{seconds}{fraction}S" if seconds or fraction else ""
    if not (days or clock):
        return "PT0S"
    return f"{sign}P{days}{'T' if clock else ''}{clock}"


def moment(value: datetime) -> str:
    """Return a datetime as RFC 3339 has it: UTC is ``Z``, and so is an offset that is no whole
    number of minutes, which it does not know.

    Raises ValueError for a datetime without an offset.
    """
    offset = value.utcoffset()
    if offset is None:
        raise ValueError(f"a datetime without an offset: {GIVE_OFFSET}")
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


def listed(encode: Encoder) -> Encoder:
    """Return an encoder of lists of what ``encode`` encodes."""
    return lambda value: (
        [encode(item) for item in value] if is_list(value) else result_value(value)
    )


def mapped(encode: Encoder) -> Encoder:
    """Return an encoder of mappings to what ``encode`` encodes."""
    return lambda value: (
        {name: encode(item) for name, item in value.items()}
        if is_object(value)
        else result_value(value)
    )


def maybe(encode: Encoder) -> Encoder:
    """Return an encoder of None, or what ``encode`` encodes."""
    return lambda value: None if value is None else encode(value)


def record(encoders: Mapping[str, Encoder]) -> Encoder:
    """Return an encoder of mappings; properties without an encoder are encoded by their types."""

    def encode(value: Any) -> Any:
        if not is_object(value):
            return result_value(value)
        return {
            name: encoders[name](item) if name in encoders else result_value(item)
            for name, item in value.items()
        }

    return encode


def instances(module: ModuleType, name: str, encode: Encoder) -> Encoder:
    """Return an encoder of the objects of a class of ``module``, which is imported when needed.

    All other values are encoded by their types.
    """
    return lambda value: (
        encode(value)
        if isinstance(value, getattr(module, name))
        else result_value(value)
    )


def digits(value: Any) -> Any:
    """Return the digits of a number as JSON text, and the JSON value of anything else."""
    return f"{Decimal(exact(value)):f}" if is_number(value) else result_value(value)
