"""Await a blocking function in a thread; a hanging one delays nothing else.

Each call has a daemon thread of its own: threads of a pool are waited for when the loop closes, and
a few functions that hang would occupy all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


async def in_thread(function: Callable[[], T]) -> T:
    """Return what ``function``, which raises nothing, returns in a thread, in this context.

    Where the task is cancelled, the thread is left alone and its value is dropped.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[T] = loop.create_future()
    context = copy_context()

    def tell(value: T) -> None:
        if not ended.done():
            ended.set_result(value)

    def run() -> None:
        value = context.run(function)
        with suppress(RuntimeError):  # The loop may be closed by now.
            loop.call_soon_threadsafe(tell, value)

    Thread(target=run, name="brimgen handler", daemon=True).start()
    return await ended
