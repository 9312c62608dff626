"""Work in; processes that do it, each a copy of this one, out: none is left behind."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress

from brimgen.parallel.channel import Channel, channels

Work = Callable[[Channel], None]


def processors() -> int:
    """How many processors are free to this process."""
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count() or 1
    free = len(os.sched_getaffinity(0))
    with suppress(OSError, ValueError):
        with open("/sys/fs/cgroup/cpu.max", encoding="ascii") as stream:
            quota, period = stream.read().split()
        if quota != "max":
            free = min(free, int(quota) // int(period))
    return free


def can_fork() -> bool:
    """Whether this process can be copied: what other threads are doing would be cut off."""
    if not hasattr(os, "fork") or sys.platform == "win32":
        return False
    threading = sys.modules.get("threading")
    return threading is None or threading.active_count() == 1


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
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            with suppress(
                ChildProcessError
            ):  # where nobody is told of ends of processes
                os.waitpid(process, 0)


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
