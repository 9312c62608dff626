"""Compute how long to wait before a request is repeated."""

from __future__ import annotations

import re

from ._plan import Clock, Retry
from ._transport import Answer

_SECONDS = re.compile(r"[0-9]{1,9}", re.ASCII)


def pause(retry: Retry, attempt: int, answer: Answer | None, clock: Clock) -> float:
    """Return the seconds to wait after ``attempt`` (1 is the first).

    Back-off doubles, with jitter over its upper half. What the answer asks for (``Retry-After``)
    is waited for, up to the longest pause.
    """
    doubled = retry.delay * 2.0 ** min(attempt - 1, 32)
    limit = min(retry.max_delay, doubled)
    backed_off = limit * (0.5 + clock.random() / 2)
    asked = None if answer is None else retry_after(answer, clock)
    return backed_off if asked is None else min(retry.max_delay, max(backed_off, asked))


def retry_after(answer: Answer, clock: Clock) -> float | None:
    """Return the seconds that an answer asks to wait (RFC 9110 10.2.3), if it says so rightly."""
    said = answer.header("retry-after")
    if said is None:
        return None
    if _SECONDS.fullmatch(said.strip()):
        return float(said)
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(said)
        return max(0.0, moment.timestamp() - clock.today())
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
