"""Do the parts of a long piece of work in several processes, and hand on the results in order."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

_Part = TypeVar("_Part")
_Result = TypeVar("_Result")

_FEW = 24
"""Parts that one process does sooner than several."""
_AT_ONCE = 4
"""Parts that a process is handed at once."""
_handed: list[Callable[[int], Any]] = []


def in_parallel(
    work: Callable[[_Part], _Result], parts: Sequence[_Part]
) -> Iterator[_Result]:
    """Yield what ``work`` makes of each part, in order.

    The processes are copies of this one, so only results are sent. Where the system cannot copy a
    process safely, or has one processor, this process does the work.
    """
    count = _processors()
    if count < 2 or len(parts) <= _FEW:
        yield from map(work, parts)
        return
    _handed.append(lambda number: work(parts[number]))
    try:
        with multiprocessing.get_context("fork").Pool(count) as pool:
            yield from pool.imap(_do, range(len(parts)), _AT_ONCE)
    finally:
        _handed.clear()


def _do(number: int) -> Any:
    return _handed[-1](number)


def _processors() -> int:
    """The processors that this process may use; one where a copy of it is not safe."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
