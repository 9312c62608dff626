"""Dates and times: RFC 3339 text in, days and aware datetimes out."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone

parse_date = date.fromisoformat
"""Reads ``YYYY-MM-DD``, but ``YYYYMMDD`` and ``YYYY-Www-D`` as well: ask for a dash at 7 first."""

_parse = datetime.fromisoformat
_MARKS = slice(4, None, 3)
_UTC = "--T::Z"
_OFFSETS = frozenset(("--T::+:", "--T::-:"))
"""What stands between the digits of the usual spellings, at every third place from the fourth."""

_TIME = (
    r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:([Zz])|([+-])([0-9]{2}):([0-9]{2}))?"
)


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
    marks = text[_MARKS]
    if marks == _UTC or (marks in _OFFSETS and text[23] < "6" and len(text) == 25):
        try:
            moment = _parse(text)
        except ValueError:
            return _read_unusual(text, assume_utc)
        # Python 3.14 reads 24:00 as the midnight that follows.
        if moment.hour or text[11] == "0":
            return moment
    return _read_unusual(text, assume_utc)


def _read_unusual(text: str, assume_utc: bool) -> datetime:
    if text[10:11] not in ("T", "t"):
        raise ValueError("no datetime")
    day = to_date(text[:10])
    found = re.fullmatch(_TIME, text[11:])
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
