"""Decode the cells of a row to values of their declared types.

Every reader takes a cell and the name of its column. It raises RowError where the cell does not
say exactly one value of the type; a datetime without an offset is UTC, as it was bound.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from enum import Enum
from math import isfinite
from typing import Any, NoReturn, TypeVar, cast
from uuid import UUID

from . import _json, _spans
from ._cells import Members, maybe
from ._row_error import RowError

ValueT = TypeVar("ValueT")
EnumT = TypeVar("EnumT", bound=Enum)


def _wrong(name: str, expected: str, value: object) -> NoReturn:
    shown = f", got {type(value).__name__} {value!r:.80}"
    raise RowError(f"column {name!r}: expected {expected}", shown)


def integer(value: object, name: str) -> int:
    """An integer, also where the driver gives a whole decimal or float."""
    if type(value) is int:
        return value
    if isinstance(value, Decimal) and value.is_finite() and value == int(value):
        return int(value)
    if type(value) is float and isfinite(value) and value == int(value):
        return int(value)
    _wrong(name, "int", value)


def uint64(value: object, name: str) -> int:
    """An integer of 64 bits from 0 on."""
    number = integer(value, name)
    if not 0 <= number < 2**64:
        _wrong(name, "uint64", value)
    return number


def double(value: object, name: str) -> float:
    """A float, also where the driver gives an integer or a decimal."""
    if type(value) is float:
        return value
    if type(value) is int or isinstance(value, Decimal):
        return float(value)
    _wrong(name, "float", value)


def decimal(value: object, name: str) -> Decimal:
    """A decimal: of a float by its shortest digits, of text digit by digit."""
    if isinstance(value, Decimal):
        return value
    if type(value) is int or type(value) is float or isinstance(value, str):
        try:
            return Decimal(repr(value) if type(value) is float else str(value))
        except InvalidOperation:
            pass
    _wrong(name, "decimal", value)


def boolean(value: object, name: str) -> bool:
    """A bool, also where the driver gives 0 and 1, as number, text or bit."""
    if type(value) is bool:
        return value
    if (type(value) is int and value in (0, 1)) or value in ("0", "1"):
        return bool(int(value))
    if value in (b"\0", b"\1"):
        return value == b"\1"
    _wrong(name, "bool", value)


def text(value: object, name: str) -> str:
    """A string; UUIDs, times of day and network addresses give their text, and JSON that the
    driver has read gives the text that PostgreSQL has for it.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, UUID | time) or type(value).__module__ == "ipaddress":
        return str(value)
    if isinstance(value, timedelta):
        return _spans.on_clock(value)
    if isinstance(value, dict | list):
        return _json.write(cast("object", value), spaced=True)
    _wrong(name, "text", value)


def day(value: object, name: str) -> date:
    """A date, also as ISO text or as a datetime at midnight."""
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            value = _instant(value, name, "date")
    if isinstance(value, datetime) and value.time() == time():
        return value.date()
    if type(value) is date:
        return value
    _wrong(name, "date", value)


def timestamp(value: object, name: str) -> datetime:
    """An instant in UTC, aware; without an offset it is UTC already."""
    if isinstance(value, str):
        value = _instant(value, name, "datetime")
    if not isinstance(value, datetime):
        _wrong(name, "datetime", value)
    if value.utcoffset() is None:
        return value.replace(tzinfo=UTC)
    try:
        return value.astimezone(UTC)
    except OverflowError:
        _wrong(name, "datetime with a UTC form", value)


def clock(value: object, name: str) -> time:
    """A time of day, also as text or as the time since midnight."""
    if isinstance(value, str) and ":" in value:
        try:
            value = time.fromisoformat(value)
        except ValueError:
            _wrong(name, "time", value)
    if isinstance(value, timedelta) and value.days == 0:
        value = (datetime.min + value).time()
    if isinstance(value, time) and value.tzinfo is None:
        return value
    _wrong(name, "time without offset", value)


def span(value: object, name: str) -> timedelta:
    """A duration, also as seconds or as text."""
    if isinstance(value, timedelta):
        return value
    try:
        if isinstance(value, str):
            return _spans.read(value)
        if isinstance(value, int | float | Decimal) and type(value) is not bool:
            return _spans.of_seconds(value)
    except (ValueError, ArithmeticError):
        pass
    _wrong(name, "duration", value)


def blob(value: object, name: str) -> bytes:
    """Bytes; text is base64."""
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(cast("bytes", value))
    if isinstance(value, str):
        try:
            return _spans.unpacked(value)
        except ValueError:
            pass
    _wrong(name, "bytes", value)


def _instant(value: str, name: str, expected: str) -> datetime:
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        _wrong(name, expected, value)


def primitive(value: object, name: str) -> Any:
    """A string, number or bool of no declared type."""
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return text(value, name)


def either(*kinds: type) -> Callable[[object, str], Any]:
    """A reader of strings, numbers and bools that are of one of ``kinds``."""

    def read(value: object, name: str) -> Any:
        plain = primitive(value, name)
        if type(plain) is int and int not in kinds and float in kinds:
            return float(plain)
        if type(plain) not in kinds:
            _wrong(name, " or ".join(kind.__name__ for kind in kinds), value)
        return plain

    return read


def member(kind: type[EnumT]) -> Callable[[object, str], EnumT]:
    """A reader of enum members by value."""

    def read(value: object, name: str) -> EnumT:
        plain = int(value) if isinstance(value, Decimal) else value
        try:
            return kind(plain)
        except ValueError:
            allowed = ", ".join(repr(option.value) for option in kind)
            _wrong(name, f"one of {allowed}", value)

    return read


def one_of(
    read: Callable[[object, str], Any], choices: Sequence[object]
) -> Callable[[object, str], Any]:
    """A reader of values that must be among ``choices``."""

    def read_choice(value: object, name: str) -> Any:
        choice = read(value, name)
        if choice not in choices:
            _wrong(name, f"one of {', '.join(map(repr, choices))}", value)
        return choice

    return read_choice


def array(
    read: Callable[[object, str], ValueT],
) -> Callable[[object, str], list[ValueT]]:
    """A reader of lists, from arrays or JSON text."""

    def read_items(value: object, name: str) -> list[ValueT]:
        parsed = json(value, name)
        if not isinstance(parsed, list | tuple):
            _wrong(name, "list", value)
        listed = cast("list[object]", parsed)
        return [read(item, f"{name}/{at}") for at, item in enumerate(listed)]

    return read_items


def mapping(
    read: Callable[[object, str], ValueT],
) -> Callable[[object, str], dict[str, ValueT]]:
    """A reader of objects with free keys, from JSON text or what the driver made of it."""

    def read_values(value: object, name: str) -> dict[str, ValueT]:
        parsed = json(value, name)
        if not isinstance(parsed, dict):
            _wrong(name, "object", value)
        pairs = cast("dict[str, object]", parsed).items()
        return {key: read(item, f"{name}/{key}") for key, item in pairs}

    return read_values


def json(value: object, name: str) -> Any:
    """Any JSON value, from JSON text or what the driver made of it."""
    try:
        return _json.read(value)
    except ValueError:
        _wrong(name, "JSON", value)


def anything(value: object, name: str) -> Any:
    """A value within JSON that has been read."""
    del name
    return value


def members(value: object, name: str) -> Members:
    """The members of an object, from JSON text or what the driver made of it."""
    parsed = json(value, name)
    if not isinstance(parsed, dict):
        _wrong(name, "object", value)
    read = Members(cast("dict[str, object]", parsed))
    read.within = f"{name}/"
    return read


def further(
    record: Members,
    readers: Mapping[str, Callable[[object, str], Any]],
    needed: Collection[str],
    rest: Callable[[object, str], Any],
    nullable: Collection[str] = (),
) -> dict[str, Any]:
    """The members of an object: those that ``readers`` name, of which some are ``needed`` and the
    others left out where they are null and not ``nullable``, and all further ones as ``rest``
    reads them.
    """
    for name in needed:
        record[name]
    return {
        name: readers.get(name, rest)(item, f"{record.within}{name}")
        for name, item in record.items()
        if item is not None or name not in readers or name in (*needed, *nullable)
    }


def nullable(
    read: Callable[[object, str], ValueT],
) -> Callable[[object, str], ValueT | None]:
    """A reader that takes NULL for None."""

    def read_nullable(value: object, name: str) -> ValueT | None:
        return maybe(read, value, name)

    return read_nullable
