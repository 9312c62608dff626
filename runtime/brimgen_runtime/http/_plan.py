"""Plans: how a tool is called by its spec, and the settings of the host program."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal

from ..grammar.hosts import Host
from ..records.results import Place
from ..schema.validator import Validator

_IDEMPOTENT: Final = frozenset({"GET", "HEAD", "OPTIONS", "PUT", "DELETE"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """When a request is made again; times are seconds.

    ``attempts`` counts the first one. The pause before attempt n+1 lies between half of ``delay``
    times two to the power of n-1 and the whole of it, and is never longer than ``max_delay``.
    """

    attempts: int = 3
    delay: float = 0.2
    max_delay: float = 10.0
    status_codes: tuple[int, ...] = (429, 502, 503, 504)
    any_method: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a tool is called. ``timeout`` is for one attempt, from connecting to the last byte.

    ``success_codes`` are those of success besides 200 to 299. ``reads`` is what an answer is read
    as, None where no value is wanted; ``on_status`` "empty" makes None of an answer without a
    success code. ``output`` checks the value. ``is_strict`` takes no other success codes, where
    there are any, and refuses an answer with properties or values of enums that its schema does not
    know, or with nulls that mean "absent"; otherwise it is read leniently. ``decimals`` says where
    in the value decimals stand, which keep their digits. ``base`` is the secret that holds the URL
    of the service; without ``hosts``, its host is the only one that is called.
    """

    tool: str
    hosts: tuple[Host, ...]
    timeout: float = 30.0
    retry: Retry = Retry()
    success_codes: tuple[int, ...] = ()
    reads: Literal["json", "text", "base64"] | None = "json"
    on_status: Literal["fail", "empty"] = "fail"
    output: Validator | None = None
    is_strict: bool = False
    decimals: tuple[Place, ...] = ()
    secrets: tuple[str, ...] = ()
    base: str | None = None

    def is_success(self, status: int) -> bool:
        """Return whether an answer with this status code has the value."""
        if self.is_strict and self.success_codes:
            return status in self.success_codes
        return 200 <= status <= 299 or status in self.success_codes

    def repeats(self, method: str) -> bool:
        """Return whether a request may be made again."""
        return self.retry.any_method or method in _IDEMPOTENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one call may take: bytes of the answer, redirects, and seconds with all its attempts.

    Of an answer that is an error, ``max_error_bytes`` are kept; none with 0.
    """

    max_bytes: int = 8 * 1024 * 1024
    max_error_bytes: int = 4096
    max_redirects: int = 5
    max_seconds: float = 120.0


async def _sleep(seconds: float) -> None:
    import asyncio

    await asyncio.sleep(seconds)


def _chance() -> float:
    import random

    return random.random()


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Time and chance: a monotonic clock, the seconds since 1970, pauses, numbers below 1."""

    now: Callable[[], float] = time.monotonic
    today: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    sleep_async: Callable[[float], Awaitable[None]] = _sleep
    random: Callable[[], float] = _chance


LIMITS: Final = Limits()
CLOCK: Final = Clock()
