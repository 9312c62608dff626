"""Times of day, durations and bytes: how databases hold them, and how JSON writes them."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from datetime import time, timedelta
from decimal import Decimal

from ..records.encode import iso

_PART = re.compile(r"([0-9]+)(?:\.([0-9]+))?([WDHMS])")
_ISO = re.compile(
    r"(-?)P(?=[0-9T])(?:[0-9]+W)?(?:[0-9]+D)?"
    r"(?:T(?=[0-9])(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9]+(?:\.[0-9]{1,6})?S)?)?"
)
_CLOCK = re.compile(
    r"(?:(-?[0-9]+) days? ?)?(?:([+-]?)([0-9]+):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,6}))?)?"
)
_UNITS = {"W": "weeks", "D": "days", "H": "hours", "M": "minutes", "S": "seconds"}


def written(value: time | timedelta | bytes) -> str:
    """Return the text that JSON has for a value. Raises ValueError for a time with an offset."""
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, timedelta):
        return iso(value)
    if value.tzinfo is not None:
        raise ValueError(f"{value} has an offset, which a time of day has not")
    return value.isoformat()


def unpacked(text: str) -> bytes:
    """Return the bytes of base64 text, of which lines may be broken. Raises ValueError."""
    return b64decode(text.replace("\n", ""), validate=True)


def on_clock(value: timedelta) -> str:
    """Return a duration as ``HH:MM:SS``, of more than 24 hours too."""
    sign, size = ("-", -value) if value.days < 0 else ("", value)
    minutes, seconds = divmod(size.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{size.microseconds:06}" if size.microseconds else ""
    return f"{sign}{size.days * 24 + hours:02}:{minutes:02}:{seconds:02}{fraction}"


def seconds(value: timedelta) -> Decimal:
    """Return a duration as seconds, with all its microseconds."""
    whole = (value.days * 86_400 + value.seconds) * 1_000_000 + value.microseconds
    return Decimal(whole).scaleb(-6)


def of_seconds(value: float | Decimal) -> timedelta:
    """Return the duration of a number of seconds, rounded to microseconds.

    Raises ValueError or ArithmeticError if it is too long or no number.
    """
    if isinstance(value, float):
        return timedelta(seconds=value)
    whole, fraction = divmod(Decimal(value), 1)
    return timedelta(seconds=int(whole), microseconds=round(fraction * 1_000_000))


def read(text: str) -> timedelta:
    """Return the duration of an ISO 8601 text, or of a database's own ``1 day 02:00:00``.

    Raises ValueError, for years and months as well: how long they are is not known.
    """
    if match := _ISO.fullmatch(text):
        size = timedelta()
        for whole, fraction, unit in _PART.findall(text):
            size += timedelta(**{_UNITS[unit]: int(whole)})
            size += timedelta(microseconds=int(fraction.ljust(6, "0") or 0))
        return -size if match[1] else size
    clock = _CLOCK.fullmatch(text)
    if clock is None or not text:
        raise ValueError("no duration")
    days, sign, hours, minutes, whole, fraction = clock.groups()
    within_day = timedelta(
        hours=int(hours or 0),
        minutes=int(minutes or 0),
        seconds=int(whole or 0),
        microseconds=int((fraction or "").ljust(6, "0")),
    )
    return timedelta(days=int(days or 0)) + (-within_day if sign == "-" else within_day)
