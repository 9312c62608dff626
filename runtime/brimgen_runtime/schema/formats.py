"""Check the formats of dates, times, UUIDs and JSON Pointers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from .times import to_date, to_datetime

if TYPE_CHECKING:
    from uuid import UUID

_DURATION = (
    r"P(?:[0-9]+W|(?=[0-9T])(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?"
    r"(?:T(?=[0-9])(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)?)?)\Z"
)
_POINTER = r"(?s)(?:/(?:[^~/]++|~[01])*+)*+\Z"
_RELATIVE = r"(?s)(?:0|[1-9][0-9]*+)(?:#|(?:/(?:[^~/]++|~[01])*+)*+)\Z"


def is_date(text: str) -> bool:
    """Return whether a text is an RFC 3339 full-date."""
    if len(text) != 10:
        return False
    try:
        to_date(text)
    except ValueError:
        return False
    return True


def is_datetime(text: str) -> bool:
    """Return whether a text is an RFC 3339 date-time; exactly what `to_datetime` reads."""
    if len(text) < 20:
        return False
    try:
        to_datetime(text)
    except ValueError:
        return False
    return True


def is_local_datetime(text: str) -> bool:
    """Return whether `to_datetime` reads a text that may lack its offset (``tz: assume-utc``)."""
    try:
        to_datetime(text, assume_utc=True)
    except ValueError:
        return False
    return True


def is_time(text: str) -> bool:
    """Return whether a text is an RFC 3339 full-time, with offset."""
    return len(text) >= 9 and is_datetime(f"2000-01-01T{text}")


def is_duration(text: str) -> bool:
    """Return whether a text is a duration of RFC 3339, appendix A."""
    return re.match(_DURATION, text) is not None


def is_pointer(text: str) -> bool:
    """Return whether a text is a JSON Pointer."""
    return re.match(_POINTER, text) is not None


def is_relative_pointer(text: str) -> bool:
    """Return whether a text is a relative JSON Pointer."""
    return re.match(_RELATIVE, text) is not None


_USUAL = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")


def is_uuid(text: str) -> bool:
    """Return whether a text is a UUID in its usual form of five groups."""
    return _USUAL.match(text) is not None


def to_uuid(text: str) -> UUID:
    """Return the UUID of a text in the usual form. Raises ValueError."""
    if not is_uuid(text):
        raise ValueError("no UUID")
    return _uuid()(text)


@cache
def _uuid() -> type[UUID]:
    # It takes longer to load than all that a refusal needs.
    from uuid import UUID

    return UUID


TESTS: Final[Mapping[str, Callable[[str], bool]]] = {
    "date": is_date,
    "date-time": is_datetime,
    "duration": is_duration,
    "json-pointer": is_pointer,
    "relative-json-pointer": is_relative_pointer,
    "time": is_time,
    "uuid": is_uuid,
}
"""The formats that this module tests."""
