"""End a server cleanly on SIGINT (Ctrl-C) or SIGTERM."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


_GRACE = 5
"""Seconds that a server has to end before it is cancelled."""


def run_until_signal(
    serve: Callable[[asyncio.Event], Coroutine[Any, Any, None]],
) -> None:
    """Run ``serve`` in an event loop of its own until it ends.

    A signal sets the event that ``serve`` takes; it must then end, or is cancelled.
    """
    asyncio.run(_serve_until_signal(serve))


async def _serve_until_signal(
    serve: Callable[[asyncio.Event], Coroutine[Any, Any, None]],
) -> None:
    shutdown = asyncio.Event()
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(serve(shutdown))

    def end() -> None:
        shutdown.set()
        loop.call_later(_GRACE, task.cancel)

    for number in _SIGNALS:
        try:
            loop.add_signal_handler(number, end)
        except (NotImplementedError, RuntimeError, ValueError):
            # Windows has no such handlers, and only the main thread may set any.
            with suppress(ValueError):
                signal.signal(number, _in_loop(loop, end))
    with suppress(asyncio.CancelledError):
        await task


def _in_loop(
    loop: asyncio.AbstractEventLoop, end: Callable[[], None]
) -> Callable[[int, FrameType | None], None]:
    def handle(_signal: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(end)

    return handle


def _ignore(_signal: int, _frame: FrameType | None) -> None:
    """Do nothing."""


@contextmanager
def surviving_signals() -> Generator[None, None, None]:
    """Keep the process alive when a library handles a signal and then raises it again."""
    before = {number: signal.signal(number, _ignore) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
