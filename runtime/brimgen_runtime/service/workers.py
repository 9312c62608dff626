"""The threads of a service: a bounded pool, and an event loop.

All threads are daemons: a function that hangs keeps its thread, but delays neither the end of the
program nor that of an event loop.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Generator
from concurrent.futures import CancelledError, Future, InvalidStateError, wait
from contextlib import contextmanager, suppress
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

from .errors import CLOSED, Closed, Lacking

T = TypeVar("T")

COMMIT_GRACE = 1.0
"""Seconds that a COMMIT may take after the deadline of its call."""

_GRACE = 1.0
"""Seconds that async handlers may still run when the service is closed."""

_ENDS: tuple[type[BaseException], ...] = (
    *(SystemExit, GeneratorExit, StopIteration, StopAsyncIteration),
    *(asyncio.CancelledError, CancelledError),
)
"""Exceptions that end a program, a task or an iteration."""
ENDS_OF_THREADS: tuple[type[BaseException], ...] = (*_ENDS, KeyboardInterrupt)
"""The same for threads and tasks of the service, which no signal interrupts."""


def guarded(
    run: Callable[..., T],
    *arguments: Any,
    ends: tuple[type[BaseException], ...] = _ENDS,
) -> T:
    """Return what ``run`` returns; one of ``ends`` becomes a RuntimeError."""
    try:
        return run(*arguments)
    except ends as problem:
        raise RuntimeError(type(problem).__name__) from problem


async def settled(awaitable: Awaitable[T]) -> T:
    """Await what a handler returned; one of `ENDS_OF_THREADS` becomes a RuntimeError.

    A task that is really cancelled still ends with CancelledError.
    """
    task = _current_task()
    try:
        return await awaitable
    except ENDS_OF_THREADS as problem:
        if _current_task() is not task:  # the coroutine is thrown away
            raise
        if isinstance(problem, asyncio.CancelledError) and task and task.cancelling():
            raise
        raise RuntimeError(type(problem).__name__) from problem


def _current_task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no loop runs
        return None


def completed(steps: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never suspends, in this thread; return its result."""
    try:
        steps.send(None)
    except StopIteration as ended:
        value: T = ended.value
        return value
    raise AssertionError("a step waits for an event loop")


class Pool:
    """Runs functions in at most ``size`` threads, which start when needed."""

    def __init__(self, size: int, name: str) -> None:
        self._size = size
        self._name = name
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._idle = 0
        self._closed = False
        self._members: set[int] = set()

    def is_here(self) -> bool:
        """Return whether the current thread is one of the pool."""
        return threading.get_ident() in self._members

    def submit(self, function: Callable[[], T]) -> Future[T]:
        """Run ``function`` in a thread, with the context variables of the caller.

        A future that is cancelled before its turn is not run. Raises Lacking once closed.
        """
        future: Future[T] = Future()
        context = copy_context()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                value = context.run(function)
            except BaseException as problem:  # noqa: BLE001
                future.set_exception(problem)
            else:
                future.set_result(value)

        with self._lock:
            if self._closed:
                raise Lacking(CLOSED)
            self._work.put(work)
            if self._idle > 0:
                self._idle -= 1
            elif self._threads < self._size:
                self._threads += 1
                name = f"{self._name}-{self._threads}"
                threading.Thread(target=self._serve, name=name, daemon=True).start()
        return future

    def _serve(self) -> None:
        self._members.add(threading.get_ident())
        while (work := self._work.get()) is not None:
            work()
            with self._lock:
                self._idle += 1

    def close(self) -> None:
        """Let the threads end after all functions that were submitted."""
        with self._lock:
            self._closed = True
            for _ in range(self._threads):
                self._work.put(None)


class Loop:
    """An event loop in a thread, in which `Service` awaits async handlers."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False
        self._running: dict[Future[Any], Callable[[], None]] = {}

    def is_here(self) -> bool:
        """Return whether the current thread is that of the loop."""
        return threading.current_thread() is self._thread

    def submit(
        self, coroutine: Coroutine[Any, Any, T]
    ) -> tuple[Future[T], Callable[[], None]]:
        """Run ``coroutine`` in the loop; return its future, and a function that cancels it.

        The future ends when the coroutine has ended, also if that ignores its cancellation; once
        the loop is closed it ends with Closed instead. Raises Lacking once closed.
        """
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        tasks: list[asyncio.Task[T]] = []

        def end(task: asyncio.Task[T]) -> None:
            problem = Closed() if task.cancelled() else task.exception()
            with suppress(InvalidStateError):  # it was closed first
                if problem is None:
                    future.set_result(task.result())
                else:
                    future.set_exception(problem)

        def start() -> None:
            tasks.append(loop.create_task(coroutine))
            tasks[0].add_done_callback(end)

        def cancel() -> None:
            loop.call_soon_threadsafe(lambda: tasks[0].cancel())

        with self._lock:
            if self._closed:
                coroutine.close()
                raise Lacking(CLOSED)
            loop = self._started()
            loop.call_soon_threadsafe(start)
            self._running[future] = cancel
        future.add_done_callback(self._running.pop)
        return future, cancel

    def _started(self) -> asyncio.AbstractEventLoop:
        """Return the loop, which runs; the lock is held."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(
                target=self._loop.run_forever, name=self._name, daemon=True
            )
            self._thread.start()
        return self._loop

    def close(self) -> None:
        """Stop the loop; coroutines that still run are cancelled after `_GRACE`, and those that
        ignore it are given up after the same time again.
        """
        with self._lock:
            is_first, self._closed = not self._closed, True
        if is_first and self._loop is not None:
            end = partial(self._end, self._loop, self._running.copy())
            threading.Thread(target=end, name=self._name, daemon=True).start()

    @staticmethod
    def _end(
        loop: asyncio.AbstractEventLoop, running: dict[Future[Any], Callable[[], None]]
    ) -> None:
        for future in wait(running, _GRACE).not_done:
            running[future]()
        for future in wait(running, _GRACE).not_done:
            with suppress(InvalidStateError):  # it has ended just now
                future.set_exception(Closed())
        loop.call_soon_threadsafe(loop.stop)


@contextmanager
def after(
    seconds: float | None, call: Callable[[], object]
) -> Generator[None, None, None]:
    """Call ``call`` from another thread if the block takes longer than ``seconds``."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
