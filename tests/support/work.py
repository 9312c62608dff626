"""Count the work of a program in calls: the same on every machine, however busy it is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def calls(run: Callable[[], object]) -> int:
    """Return how many functions ``run`` calls in this thread, those written in C included."""
    count = 0

    def count_call(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count_call)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count


def grows_like_its_input(run: Callable[[int], object], size: int) -> bool:
    """Return whether twice the input takes at most twice the calls, and a tenth for good measure.

    A smaller run comes first: it imports what is imported once, and fills the caches.
    """
    run(size // 2)
    return calls(lambda: run(2 * size)) <= 2.2 * calls(lambda: run(size))
