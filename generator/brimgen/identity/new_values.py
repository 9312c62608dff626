"""Supply new identifiers and times; the only code that uses the clock and random numbers."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

from brimgen.frozen import dataclass


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Supply:
    """The clock, in UTC, and a source of random bytes; tests put their own in their place."""

    now: Callable[[], datetime] = _now
    random: Callable[[int], bytes] = os.urandom

    def time(self) -> str:
        """The time as RFC 3339 in UTC, to the second."""
        return f"{self.now().astimezone(UTC).replace(tzinfo=None).isoformat(timespec='seconds')}Z"

    def uuid7(self) -> str:
        """A new UUID of version 7 (RFC 9562): milliseconds, then chance."""
        milliseconds = int(self.now().timestamp() * 1000) & ((1 << 48) - 1)
        chance = int.from_bytes(self.random(10), "big")
        value = milliseconds << 80 | 0x7 << 76 | (chance >> 62 & 0xFFF) << 64
        value |= 0b10 << 62 | chance & ((1 << 62) - 1)
        return str(UUID(int=value))
