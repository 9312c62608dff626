"""Formats, asserted: text in, yes or no out. A format that is not named here is an annotation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Final

from ._net_formats import (
    is_email,
    is_hostname,
    is_idn_email,
    is_idn_hostname,
    is_ipv4,
    is_ipv6,
    is_iri,
    is_iri_reference,
    is_uri,
    is_uri_reference,
    is_uri_template,
)
from ._patterns import is_pattern

_USUAL = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
    r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])\Z"
).match
"""Matches where `datetime.fromisoformat` of every Python version reads what RFC 3339 means."""

_TIME = re.compile(
    r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:([Zz])|([+-])([0-9]{2}):([0-9]{2}))?\Z"
)
_DURATION = re.compile(
    r"P(?:[0-9]+W|(?=[0-9T])(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?"
    r"(?:T(?=[0-9])(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)?)?)\Z"
)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*\Z", re.DOTALL)
_RELATIVE = re.compile(r"(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)\Z", re.DOTALL)


def to_date(text: str) -> date:
    """Return the day of an ASCII ``YYYY-MM-DD`` from year 1 on. Raises ValueError."""
    if len(text) != 10 or text[4] != "-" or text[7] != "-":
        raise ValueError("no date (YYYY-MM-DD)")
    return date.fromisoformat(text)


def to_datetime(text: str, assume_utc: bool = False) -> datetime:
    """Return the aware datetime of an RFC 3339 text (`T` and `Z` in either case).

    A leap second, legal at 23:59:60 UTC only, reads as the last microsecond before it ends, so it
    stays in its day; digits beyond microseconds are cut. Without an offset only if ``assume_utc``.
    Raises ValueError.
    """
    if _USUAL(text) is not None:
        return datetime.fromisoformat(text)
    return _read_unusual(text, assume_utc)


def _read_unusual(text: str, assume_utc: bool) -> datetime:
    if text[10:11] not in ("T", "t"):
        raise ValueError("no datetime")
    day = to_date(text[:10])
    found = _TIME.match(text, 11)
    if found is None:
        raise ValueError("no datetime")
    hour, minute, second = int(found[1]), int(found[2]), int(found[3])
    micro = int((found[4] or "0")[:6].ljust(6, "0"))
    zone = _zone(found, assume_utc)
    if second == 60:
        offset = zone.utcoffset(None) // timedelta(minutes=1)
        if (hour * 60 + minute - offset) % 1440 != 1439:
            raise ValueError("no leap second")
        second, micro = 59, 999_999
    return datetime(
        day.year, day.month, day.day, hour, minute, second, micro, tzinfo=zone
    )


def _zone(found: re.Match[str], assume_utc: bool) -> timezone:
    if found[5] is not None:
        return UTC
    if found[6] is None:
        if not assume_utc:
            raise ValueError("no offset")
        return UTC
    hours, minutes = int(found[7]), int(found[8])
    if hours > 23 or minutes > 59:
        raise ValueError("no offset")
    size = timedelta(hours=hours, minutes=minutes)
    return UTC if not size else timezone(size if found[6] == "+" else -size)


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


def is_time(text: str) -> bool:
    """Return whether a text is an RFC 3339 full-time, with offset."""
    return is_datetime("2000-01-01T" + text)


def is_duration(text: str) -> bool:
    """Return whether a text is a duration of RFC 3339, appendix A."""
    return _DURATION.match(text) is not None


def is_uuid(text: str) -> bool:
    """Return whether a text is a UUID in its usual form of five groups."""
    return _UUID.match(text) is not None


def is_pointer(text: str) -> bool:
    """Return whether a text is a JSON Pointer."""
    return _POINTER.match(text) is not None


def is_relative_pointer(text: str) -> bool:
    """Return whether a text is a relative JSON Pointer."""
    return _RELATIVE.match(text) is not None


FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {
    "date": is_date,
    "date-time": is_datetime,
    "duration": is_duration,
    "email": is_email,
    "hostname": is_hostname,
    "idn-email": is_idn_email,
    "idn-hostname": is_idn_hostname,
    "ipv4": is_ipv4,
    "ipv6": is_ipv6,
    "iri": is_iri,
    "iri-reference": is_iri_reference,
    "json-pointer": is_pointer,
    "regex": is_pattern,
    "relative-json-pointer": is_relative_pointer,
    "time": is_time,
    "uri": is_uri,
    "uri-reference": is_uri_reference,
    "uri-template": is_uri_template,
    "uuid": is_uuid,
}
"""What is asserted."""
