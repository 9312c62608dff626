"""Work in; processes that do it, each a copy of this one, out: none is left behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress

from brimgen.parallel.channel import Channel, channels

Work = Callable[[Channel], None]


@contextmanager
def working(works: Sequence[Work]) -> Generator[tuple[Channel, ...]]:
    """Have a process for each of ``works`` as long as it is wanted, and the channels to them.

    Raises `OSError` where the system gives no more processes.
    """
    processes: list[int] = []
    ends: list[Channel] = []
    try:
        for work in works:
            here, there = channels()
            ends.append(here)
            try:
                processes.append(_start(work, there, ends))
            finally:
                there.close()
        yield tuple(ends)
    finally:
        for end in ends:
            end.close()
        for process in processes:
            with suppress(
                ChildProcessError
            ):  # where nobody is told of ends of processes
                _end(process)


def _start(work: Work, there: Channel, ends: Sequence[Channel]) -> int:
    """Begin a process that does ``work`` and ends; return its number."""
    parent = os.getpid()
    try:
        process = os.fork()
        if process == 0:
            for each in ends:
                each.close()
            work(there)
        return process
    finally:
        # A copy never gets beyond this line, whatever it is interrupted by.
        if os.getpid() != parent:
            os._exit(0)


def _end(process: int) -> None:
    """End a process, if it has not come to its end; most have."""
    if os.waitpid(process, os.WNOHANG) == (0, 0):
        from signal import SIGKILL

        with suppress(ProcessLookupError):
            os.kill(process, SIGKILL)
        os.waitpid(process, 0)
