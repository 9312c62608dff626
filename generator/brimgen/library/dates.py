"""Resolve relative dates: from a phrase, a clock and a zone to moments (S3.28-29; row J8).

Phrases that mean several days (weeks, weekends, months) give one moment for each day; other English
phrases are left to ``dateparser``, which the extra ``brimgen[dates]`` installs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Protocol, TypedDict
from zoneinfo import ZoneInfo

_SPAN = re.compile(r"(this|next|last|coming|past)? ?(week|weekend|month)")
_SHIFTS: Mapping[str | None, int] = {"next": 1, "coming": 1, "last": -1, "past": -1}
_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)


class Call(Protocol):
    """What the generated input of ``resolve_relative_date`` is."""

    @property
    def phrase(self) -> str:
        """The phrase of the user."""
        ...

    @property
    def timezone(self) -> str:
        """The IANA name of the user's zone."""
        ...


class Resolved(TypedDict):
    """What the tool returns."""

    resolved_datetimes: list[datetime]


def resolve_relative_date(call: Call) -> Resolved:
    """The handler of the spec, by the clock of the machine."""
    return resolver(lambda: datetime.now(UTC))(call)


def resolver(clock: Callable[[], datetime]) -> Callable[[Call], Resolved]:
    """Return a handler that asks ``clock`` for an aware datetime."""

    def handler(call: Call) -> Resolved:
        moments = resolve(call.phrase, clock(), ZoneInfo(call.timezone))
        return {"resolved_datetimes": moments}

    return handler


def resolve(phrase: str, now: datetime, zone: ZoneInfo) -> list[datetime]:
    """Return the start of each day in ``zone`` that a phrase means, or its one moment.

    Each has the offset of ``zone``, so its date is the date that the user means: a model that needs
    a date copies the first ten characters. Nothing for a phrase that means no time. Weeks begin on
    Monday.
    """
    words = re.sub(r"[\s_]+", " ", phrase).strip().lower()
    local_now = now.astimezone(zone).replace(tzinfo=None)
    days = _days(words, local_now.date())
    moments = [datetime.combine(day, time()) for day in days]
    if not moments:
        moment = _moment(words, local_now)
        moments = [] if moment is None else [moment]
    return [_existing(moment.replace(tzinfo=zone)) for moment in moments]


def _existing(moment: datetime) -> datetime:
    """Return a moment whose wall clock exists: one in the gap of summer time comes after it."""
    return moment.astimezone(UTC).astimezone(moment.tzinfo)


def _days(words: str, today: date) -> list[date]:
    """The days of a phrase that means several."""
    match = _SPAN.fullmatch(words)
    if match is None:
        return []
    shift = _SHIFTS.get(match[1], 0)
    if match[2] == "month":
        month = today.year * 12 + today.month - 1 + shift
        start = date(month // 12, month % 12 + 1, 1)
        following = (start + 31 * _DAY).replace(day=1)
        return [start + _DAY * number for number in range((following - start).days)]
    monday = today + _DAY * (7 * shift - today.weekday())
    first, count = (5, 2) if match[2] == "weekend" else (0, 7)
    return [monday + _DAY * number for number in range(first, first + count)]


def _moment(words: str, now: datetime) -> datetime | None:
    """The day, at its start, or the moment that a phrase means.

    A day that is counted from now comes with the time of now: asked a minute later, it is a minute
    later, and a whole number of days away.
    """
    moment, later = _parsed(words, now), _parsed(words, now + _MINUTE)
    if moment is None or later is None or moment == later:
        return moment
    counted = not (moment - now) % _DAY
    return datetime.combine(moment.date(), time()) if counted else moment


def _parsed(words: str, now: datetime) -> datetime | None:
    import dateparser  # type: ignore[import-untyped, unused-ignore]

    moment: datetime | None = dateparser.parse(
        words,
        languages=["en"],
        settings={
            "RELATIVE_BASE": now,
            "PREFER_DATES_FROM": "future",
            "RETURN_AS_TIMEZONE_AWARE": False,
        },
    )
    return None if moment is None else moment.replace(tzinfo=None)
