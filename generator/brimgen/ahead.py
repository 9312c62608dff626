"""Ahead: jobs in, their results out; a second process works on them while the first is busy."""

from __future__ import annotations

import marshal
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

VARIABLE = "BRIMGEN_WORKERS"
"""Set to ``1``, everything is done in one process."""
MOST_JOBS = 255

Job = Callable[[], Any]
"""Work without a trace: its result is made of builtin types, and whoever does it is all one."""


def possible() -> bool:
    """Whether a second process can be had, is allowed, and has a processor to itself.

    Only where `fork` is sound: on Linux, in a process with no other thread. On a machine that is
    busy with other work a second process costs more than it gains.
    """
    return (
        sys.platform.startswith("linux")
        and os.environ.get(VARIABLE) != "1"
        and threading.active_count() == 1
        and len(os.sched_getaffinity(0)) > 1
        and _running() < (os.cpu_count() or 1)
    )


def _running() -> float:
    """How many processes want to run at this moment, this one included."""
    try:
        with open("/proc/loadavg", encoding="ascii") as stream:
            return int(stream.read().split()[3].partition("/")[0])
    except (OSError, ValueError, IndexError):
        return float("inf")


class Ahead:
    """A list of jobs, and the process that has begun with the first of them.

    Each job is taken by whoever is free: the numbers of the jobs wait in a pipe.
    """

    def __init__(
        self, jobs: Sequence[Job], process: int, queue: int, said: int
    ) -> None:
        self._jobs = jobs
        self._process = process
        self._queue = queue
        self._said = said

    def results(self) -> list[Any]:
        """The results of all jobs in their order; what nobody has begun with is done here.

        So is what the other process could not finish: whatever a job raises is raised here.
        """
        done = _work(self._jobs, self._queue)
        done |= _heard(self._said)
        return [
            done[number] if number in done else job()
            for number, job in enumerate(self._jobs)
        ]

    def drop(self) -> None:
        """End the other process, whether it is done or not."""
        os.close(self._queue)
        os.close(self._said)
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self._process, 0)


@contextmanager
def begun(jobs: Sequence[Job]) -> Generator[Ahead]:
    """A second process that begins with ``jobs`` at once; it is gone behind this context."""
    if len(jobs) > MOST_JOBS:
        raise ValueError(f"more than {MOST_JOBS} jobs")
    queue, numbers = os.pipe()
    said, says = os.pipe()
    os.write(numbers, bytes(range(len(jobs))))
    os.close(numbers)
    process = os.fork()
    if process == 0:
        _be_the_other(jobs, queue, says)
    os.close(says)
    ahead = Ahead(jobs, process, queue, said)
    try:
        yield ahead
    finally:
        ahead.drop()


def _be_the_other(jobs: Sequence[Job], queue: int, says: int) -> None:
    """Work, tell, and end without anything that a process does when it ends."""
    try:
        with open(says, "wb") as stream:
            stream.write(marshal.dumps(_work(jobs, queue)))
        code = 0
    except BaseException:
        # The first process finds no result, does the work itself, and tells what is wrong.
        code = 1
    os._exit(code)


def _work(jobs: Sequence[Job], queue: int) -> dict[int, Any]:
    """Do one job after the other as long as there are any."""
    done: dict[int, Any] = {}
    while number := os.read(queue, 1):
        done[number[0]] = jobs[number[0]]()
    return done


def _heard(said: int) -> dict[int, Any]:
    """What the other process has done; nothing where it did not come to its end."""
    with open(said, "rb", closefd=False) as stream:
        data = stream.read()
    try:
        done: dict[int, Any] = marshal.loads(data)
    except (EOFError, ValueError, TypeError):
        return {}
    return done
