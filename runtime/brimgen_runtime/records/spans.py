"""Decode times of day, durations and bytes from text."""

from __future__ import annotations

import re
from base64 import b64decode
from datetime import time, timedelta
from functools import cache
from typing import Any

from ..schema.json_values import DURATION, TIME


def to_time(text: str) -> time:
    """Return the time of day of ``HH:MM:SS``, with at most six digits of a fraction.

    Raises ValueError.
    """
    if _pattern(TIME).fullmatch(text) is None:
        raise ValueError("no time of day (HH:MM:SS)")
    return time.fromisoformat(text)


def to_duration(text: str) -> timedelta:
    """Return the duration of an ISO 8601 text in weeks, or in days, hours, minutes and seconds.

    Raises ValueError, for years and months as well: how long they are is not known.
    """
    if _pattern(DURATION).fullmatch(text) is None:
        raise ValueError("no duration (ISO 8601, without years and months)")
    parts = {text[-1]: text[:-1] for text in _pattern("[0-9.]+[A-Z]").findall(text)}
    whole, _, fraction = parts.get("S", "0").partition(".")
    size = timedelta(
        weeks=int(parts.get("W", 0)),
        days=int(parts.get("D", 0)),
        hours=int(parts.get("H", 0)),
        minutes=int(parts.get("M", 0)),
        seconds=int(whole),
        microseconds=int(fraction.ljust(6, "0")),
    )
    return -size if text[0] == "-" else size


def to_bytes(text: Any) -> bytes:
    """Return the bytes of base64 text (RFC 4648, with padding). Raises ValueError."""
    # The library lets padding pass that nothing needs: "AAAA=", "AAAA====".
    if not isinstance(text, str) or len(text) % 4 or text.endswith("==="):
        raise ValueError("no base64 text")
    return b64decode(text, validate=True)


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
