"""Parse RFC 3339 text to dates and aware datetimes."""

from __future__ import annotations

import re
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache

_parse_date = date.fromisoformat

_MARKS = slice(4, None, 3)
"""Every third place: what stands between the digits of the usual spellings."""

if sys.version_info >= (3, 14):

    def _parse(text: str) -> datetime:
        if text[11:13] == "24":
            raise ValueError("no hour of a day, but the midnight that follows")
        return datetime.fromisoformat(text)

else:
    _parse = datetime.fromisoformat


def to_date(text: str) -> date:
    """Return the day of an ASCII ``YYYY-MM-DD`` from year 1 on.

    Python reads ``20260118`` and ``2026-W03-7`` as well: only the form that is meant has a dash
    ahead of the day. Raises ValueError, or IndexError for a text that ends before it.
    """
    if text[7] != "-":
        raise ValueError("no date (YYYY-MM-DD)")
    return _parse_date(text)


def to_datetime(text: str, assume_utc: bool = False) -> datetime:
    """Return the aware datetime of an RFC 3339 text (`T` and `Z` in either case).

    A leap second, legal at 23:59:60 UTC only, reads as the last microsecond before it ends, so it
    stays in its day; digits beyond microseconds are cut. Without an offset only if ``assume_utc``.
    Raises ValueError.
    """
    marks = text[_MARKS]
    if (
        marks == "--T::Z"
        or (marks in ("--T::+:", "--T::-:") and len(text) == 25 and text[23] < "6")
        or (marks[:6] == "--T::." and _has_usual_end(text))
    ):
        try:
            return _parse(text)
        except ValueError:
            pass
    moment = _unusual(text, assume_utc)
    if moment is None:
        raise ValueError("no datetime")
    return moment


def _has_usual_end(text: str) -> bool:
    """Return whether one to six characters and ``Z`` or an offset follow the point at 19."""
    if text[-1] == "Z":
        return 22 <= len(text) <= 27
    return (
        27 <= len(text) <= 32
        and text[-6] in "+-"
        and text[-3] == ":"
        and text[-2] < "6"
    )


def _unusual(text: str, assume_utc: bool) -> datetime | None:
    """Return what any spelling says, None where it is none. Raises ValueError for no such day."""
    if text[10:11] not in ("T", "t"):
        return None
    match = _time().fullmatch(text, 11)
    zone = _zone(match, assume_utc) if match else None
    if match is None or zone is None:
        return None
    hour, minute, second = int(match[1]), int(match[2]), int(match[3])
    micro = int((match[4] or "0")[:6].ljust(6, "0"))
    if second == 60:
        offset = zone.utcoffset(None) // timedelta(minutes=1)
        if (hour * 60 + minute - offset) % 1440 != 1439:
            return None
        second, micro = 59, 999_999
    day = to_date(text[:10])
    return datetime(
        day.year, day.month, day.day, hour, minute, second, micro, tzinfo=zone
    )


@cache
def _time() -> re.Pattern[str]:
    return re.compile(
        r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
        r"(?:([Zz])|([+-])([0-9]{2}):([0-9]{2}))?"
    )


def _zone(match: re.Match[str], assume_utc: bool) -> timezone | None:
    if match[5] is not None:
        return UTC
    if match[6] is None:
        return UTC if assume_utc else None
    hours, minutes = int(match[7]), int(match[8])
    if hours > 23 or minutes > 59:
        return None
    size = timedelta(hours=hours, minutes=minutes)
    return UTC if not size else timezone(size if match[6] == "+" else -size)
