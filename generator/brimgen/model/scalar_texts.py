"""Which texts are dates, datetimes, times of day, durations and base64."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATETIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]+)?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})?"
)


TIME_PATTERN = r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?$"
_SECONDS = r"[0-9]{1,9}(?:\.[0-9]{1,6})?S"
_MINUTES = f"[0-9]{{1,9}}M(?:{_SECONDS})?"
_HOURS = f"[0-9]{{1,9}}H(?:[0-9]{{1,9}}M)?(?:{_SECONDS})?"
DURATION_PATTERN = (
    r"^-?P(?:[0-9]{1,8}W|[0-9]{1,8}D|(?:[0-9]{1,8}D)?"
    f"T(?:{_HOURS}|{_MINUTES}|{_SECONDS}))$"
)
"""A duration of ISO 8601 that has one length: in weeks, days and times, not in years and months."""
BASE64_PATTERN = r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"


def accepts(pattern: str) -> Callable[[str], bool]:
    """Return the test of the texts that an anchored pattern accepts."""
    return lambda text: _compiled(pattern).fullmatch(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.removeprefix("^").removesuffix("$"))


def is_date(text: str) -> bool:
    """Return whether a text is an RFC 3339 full-date of a real day (S3.21)."""
    if _DATE.fullmatch(text) is None:
        return False
    from datetime import date

    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_datetime(text: str, *, needs_offset: bool = True) -> bool:
    """Return whether a text is an RFC 3339 date-time (S3.22), real day, time and offset."""
    match = _DATETIME.fullmatch(text)
    if match is None:
        return False
    day, time, _, offset = match.groups()
    if offset is None and needs_offset:
        return False
    if offset is None or offset in "Zz":
        offset = "+00:00"
    from datetime import datetime

    try:
        datetime.fromisoformat(f"{day}T{time}{offset}")
    except ValueError:
        return False
    return True
