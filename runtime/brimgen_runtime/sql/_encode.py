"""Encode values for a database, and check that the driver can carry them exactly.

Every function takes a value and the name of its parameter, and returns what the driver is given.
It raises `BindError` before the database is touched where the value would be changed, cut,
or refused late. A string or number of a subclass is bound as the plain one that it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from math import isfinite
from typing import TypeVar

from ..schema.json_values import is_unicode
from . import _json, _spans
from ._bind_error import refuse, wrong

ValueT = TypeVar("ValueT")
ResultT = TypeVar("ResultT")

INT64 = 2**63
_LONGEST_TIME = timedelta(hours=838, minutes=59, seconds=59)
"""The longest duration that a TIME column of MySQL holds."""


def _int(value: object) -> int | None:
    """``value`` as a plain int; None for a bool, and for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return int.__int__(value)
    return None


def int64(value: int, name: str) -> int:
    """An integer of 64 bits; a bool is none."""
    plain = _int(value)
    if plain is None:
        wrong(name, "int", value)
    if not -INT64 <= plain < INT64:
        bits = plain.bit_length()
        shown = f"{plain}" if bits < 256 else f"an int of {bits} bits"
        refuse(name, f"{shown} does not fit into 64 bits")
    return plain


def uint64(value: int, name: str) -> int:
    """An integer of 64 bits from 0 on; a bool is none."""
    return _unsigned(value, name, 64)


def uint63(value: int, name: str) -> int:
    """An integer from 0 on, for a database whose largest is `INT64` - 1."""
    return _unsigned(value, name, 63)


def uint64_decimal(value: int, name: str) -> Decimal:
    """An integer of 64 bits from 0 on, for a database that holds it as a decimal."""
    return Decimal(_unsigned(value, name, 64))


def _unsigned(value: int, name: str, bits: int) -> int:
    plain = _int(value)
    if plain is None:
        wrong(name, "int", value)
    if plain < 0:
        refuse(name, "a negative number is no uint64")
    if plain.bit_length() > bits:
        refuse(name, f"the database keeps {bits} bits at most")
    return plain


def double(value: float, name: str) -> float:
    """A finite float; an int is taken where a float keeps its digits."""
    if isinstance(value, float):
        number = float.__float__(value)
        if not isfinite(number):
            refuse(name, f"{number} cannot be stored")
        return number
    plain = _int(value)
    if plain is None:
        wrong(name, "float", value)
    try:
        number = float(plain)
    except OverflowError:
        refuse(name, "beyond the range of floats")
    # 123456789012345680000 is how JavaScript writes the float that is nearest to it.
    if number != plain and Decimal(repr(number)) != plain:
        refuse(name, f"{plain} has more digits than a float keeps")
    return number


def text(value: object, name: str) -> str:
    """A string without NUL and without lone surrogates."""
    if not isinstance(value, str):
        wrong(name, "str", value)
    value = str.__str__(value)
    if "\0" in value:
        refuse(name, "a NUL character cannot be stored")
    if not is_unicode(value):
        refuse(name, "a lone surrogate cannot be stored")
    return value


def filled_text(value: str, name: str) -> str:
    """A string for a database that takes the empty one for NULL."""
    if text(value, name) == "":
        refuse(name, "an empty string would be stored as NULL")
    return value


def boolean(value: bool, name: str) -> bool:
    """True or False; 1 and 0 are not."""
    if type(value) is not bool:
        wrong(name, "bool", value)
    return value


def bit(value: bool, name: str) -> int:
    """True and False as 1 and 0, where the database has no booleans."""
    return int(boolean(value, name))


def day(value: date, name: str) -> date:
    """A date; a datetime is none."""
    if type(value) is not date:
        wrong(name, "date", value)
    return value


def day_text(value: date, name: str) -> str:
    """A date as ``YYYY-MM-DD``."""
    return day(value, name).isoformat()


def utc(value: datetime, name: str) -> datetime:
    """An instant in UTC, aware, for a column with a time zone."""
    if type(value) is not datetime:
        wrong(name, "datetime", value)
    if value.utcoffset() is None:
        refuse(name, f"{value.isoformat()} {_json.NAIVE}; or say `tz: assume-utc`")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        refuse(name, f"{value.isoformat()} has no UTC form")


def timestamp(value: datetime, name: str) -> datetime:
    """An instant as the naive UTC datetime that a TIMESTAMP column holds."""
    return utc(value, name).replace(tzinfo=None)


def lenient_timestamp(value: datetime, name: str) -> datetime:
    """The same for a field that takes a datetime without an offset for UTC."""
    if type(value) is datetime and value.utcoffset() is None:
        return value.replace(tzinfo=None)
    return timestamp(value, name)


def lenient_utc(value: datetime, name: str) -> datetime:
    """`utc` for a field that takes a datetime without an offset for UTC."""
    return lenient_timestamp(value, name).replace(tzinfo=UTC)


def timestamp_text(value: datetime, name: str) -> str:
    """An instant in UTC as text that sorts: ``YYYY-MM-DD HH:MM:SS.ffffff``, always this long."""
    return timestamp(value, name).isoformat(" ", "microseconds")


def lenient_timestamp_text(value: datetime, name: str) -> str:
    """`timestamp_text` for a field that takes a datetime without an offset for UTC."""
    return lenient_timestamp(value, name).isoformat(" ", "microseconds")


def clock(value: time, name: str) -> time:
    """A time of day, which has no offset."""
    if type(value) is not time:
        wrong(name, "time", value)
    if value.tzinfo is not None:
        refuse(name, f"{value} has an offset, which a time of day has not")
    return value


def clock_text(value: time, name: str) -> str:
    """A time of day as ``HH:MM:SS``, with six digits of a fraction where it has one."""
    return clock(value, name).isoformat()


def span(value: timedelta, name: str) -> timedelta:
    """A duration."""
    if type(value) is not timedelta:
        wrong(name, "timedelta", value)
    return value


def span_decimal(value: timedelta, name: str) -> Decimal:
    """A duration as seconds, for a database that has no durations."""
    return _spans.seconds(span(value, name))


def span_seconds(value: timedelta, name: str) -> int | float:
    """A duration as seconds, whole ones as an integer; refused if a float would change it."""
    exact = span_decimal(value, name)
    if exact == int(exact):
        return int(exact)
    number = float(exact)
    if Decimal(repr(number)) != exact:
        refuse(name, f"{value} has more digits than a float keeps")
    return number


def span_text(value: timedelta, name: str) -> str:
    """A duration as ``HHH:MM:SS``, which a TIME of MySQL is: 838:59:59 at most."""
    if abs(span(value, name)) > _LONGEST_TIME:
        refuse(name, f"{value} is longer than 838:59:59, the most that TIME holds")
    return _spans.on_clock(value)


def blob(value: bytes, name: str) -> bytes:
    """Bytes."""
    if type(value) is not bytes:
        wrong(name, "bytes", value)
    return value


def numeric(value: Decimal, name: str) -> Decimal:
    """A finite decimal, written without an exponent."""
    if type(value) is not Decimal:
        wrong(name, "Decimal", value)
    if not value.is_finite():
        refuse(name, f"{value} cannot be stored")
    if not -16383 <= value.adjusted() <= 131071 or _places(value) > 16383:
        refuse(name, "beyond the range of decimals")
    return Decimal(format(value, "f"))


def _places(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _fixed(value: Decimal, name: str, digits: int, places: int) -> Decimal:
    plain = numeric(value, name)
    scale = _places(plain)
    whole = max(0, plain.adjusted() + 1) if plain else 0
    if scale > places or whole + scale > digits:
        refuse(name, f"{value} has more digits than the database keeps")
    return plain


def decimal38(value: Decimal, name: str) -> Decimal:
    """A decimal of at most 38 digits; beyond them databases turn it into a float."""
    return _fixed(value, name, 38, 38)


def decimal65(value: Decimal, name: str) -> Decimal:
    """A decimal of at most 65 digits, 30 of them after the point."""
    return _fixed(value, name, 65, 30)


def decimal9(value: Decimal, name: str) -> Decimal:
    """A decimal of at most 38 digits, 9 of them after the point."""
    return _fixed(value, name, 38, 9)


def fixed(
    encode: Callable[[Decimal, str], ResultT], precision: int, scale: int
) -> Callable[[Decimal, str], ResultT]:
    """An encoder of decimals of at most ``precision`` digits, ``scale`` of them after the point."""

    def encode_fixed(value: Decimal, name: str) -> ResultT:
        encoded = encode(value, name)
        plain = value.normalize() if value else Decimal(0)
        if _places(plain) > scale:
            refuse(name, f"{value} has more than {scale} digits after the point")
        if plain.adjusted() + 1 > precision - scale and plain:
            whole = precision - scale
            refuse(name, f"{value} has more than {whole} digits before the point")
        return encoded

    return encode_fixed


def real_decimal(value: Decimal, name: str) -> float:
    """A decimal as a float that has the same shortest digits; others are refused."""
    plain = numeric(value, name)
    number = float(plain)
    if not isfinite(number) or Decimal(repr(number)) != plain:
        refuse(name, f"{value} has more digits than a float keeps")
    return number


def decimal_text(value: Decimal, name: str) -> str:
    """A decimal as text, digit by digit."""
    return format(numeric(value, name), "f")


def choice(value: Enum | str | float, name: str) -> str | int | float:
    """The value of an enum member, as text or number."""
    plain = value.value if isinstance(value, Enum) else value
    return primitive(plain, name)


def primitive(value: object, name: str) -> str | int | float | bool:
    """A string, number or bool of no declared type."""
    if isinstance(value, str):
        return text(value, name)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int64(value, name)
    if not isinstance(value, float):
        wrong(name, "str, int, float or bool", value)
    return double(value, name)


def json(value: object, name: str) -> str:
    """Any JSON value as text."""
    try:
        return text(_json.write(value), name)
    except ValueError as error:
        refuse(name, str(error))


def array(
    encode: Callable[[ValueT, str], ResultT],
) -> Callable[[Sequence[ValueT], str], list[ResultT]]:
    """An encoder of lists; None has no place in them."""

    def encode_items(value: Sequence[ValueT], name: str) -> list[ResultT]:
        if not isinstance(value, list | tuple):
            wrong(name, "list", value)
        for index, item in enumerate(value):
            if item is None:
                refuse(f"{name}/{index}", "a list that is bound cannot hold None")
        return [encode(item, f"{name}/{at}") for at, item in enumerate(value)]

    return encode_items


def json_array(
    encode: Callable[[ValueT, str], object],
) -> Callable[[Sequence[ValueT], str], str]:
    """An encoder of lists as JSON text, for databases without arrays."""
    encode_list = array(encode)

    def encode_items(value: Sequence[ValueT], name: str) -> str:
        return _json.write(encode_list(value, name))

    return encode_items


def given(value: object, name: str) -> int:
    """What stands for a list where only "is it NULL" is asked."""
    return 1
