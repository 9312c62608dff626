"""Convert leaves between Python, JSON and a database.

A database is given what a leaf is in JSON, or what its ``sql`` says that this text or number is.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, TypeVar
from uuid import UUID

from . import _spans
from ._bind_error import BindError
from ._row_error import RowError

ValueT = TypeVar("ValueT")
JsonT = TypeVar("JsonT")
SqlT = TypeVar("SqlT")
ResultT = TypeVar("ResultT")


def dumped(
    dump: Callable[[ValueT], JsonT], encode: Callable[[JsonT, str], ResultT]
) -> Callable[[ValueT, str], ResultT]:
    """An encoder of values that ``dump`` writes as JSON."""

    def encode_value(value: ValueT, name: str) -> ResultT:
        try:
            plain = dump(value)
        except (ArithmeticError, AttributeError, TypeError, ValueError) as error:
            raise BindError(name, str(error)) from None
        return encode(plain, name)

    return encode_value


def meant(
    read: Callable[[JsonT], SqlT], encode: Callable[[SqlT, str], ResultT]
) -> Callable[[JsonT, str], ResultT]:
    """An encoder of JSON values that a database knows as something else."""

    def encode_value(value: JsonT, name: str) -> ResultT:
        try:
            converted = read(value)
        except (ArithmeticError, ValueError):
            raise BindError(name, f"cannot bind {value!r:.80}") from None
        return encode(converted, name)

    return encode_value


def uuid_text(value: object) -> str:
    """A UUID as text; nothing else has one."""
    if isinstance(value, UUID):
        return str(value)
    raise ValueError(f"expected UUID, got {type(value).__name__} {value!r:.80}")


def to_decimal(value: str | float) -> Decimal:
    """The decimal of a text, or of a number by its shortest digits."""
    return Decimal(value if isinstance(value, str) else repr(value))


def written(read: Callable[[object, str], Any]) -> Callable[[object, str], str]:
    """A reader of dates, times, durations, bytes and decimals as the text that JSON has."""

    def read_text(value: object, name: str) -> str:
        decoded = read(value, name)
        if isinstance(decoded, date | datetime):
            return decoded.isoformat()
        if isinstance(decoded, time | timedelta | bytes):
            return _spans.written(decoded)
        return format(decoded, "f")

    return read_text


def parsed(
    read: Callable[[object, str], JsonT], parse: Callable[[JsonT], ValueT], word: str
) -> Callable[[object, str], ValueT]:
    """A reader of values that ``parse`` makes of JSON; ``word`` is what they are called."""

    def read_value(value: object, name: str) -> ValueT:
        json_value = read(value, name)
        try:
            return parse(json_value)
        except ValueError:
            shown = f", got {type(json_value).__name__} {json_value!r:.80}"
            raise RowError(f"column {name!r}: expected {word}", shown) from None

    return read_value
