"""Run a blocking function beside the event loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._package import in_thread


async def run_in_thread(function: Callable[[], Any]) -> Any:
    """Return what a function returns in a thread, or raise what it raises.

    What is no `Exception` (``SystemExit``) comes as a `RuntimeError`: it must not end the server.
    """

    def run() -> tuple[Any, BaseException | None]:
        try:
            return function(), None
        except BaseException as problem:  # noqa: BLE001
            return None, problem

    value, problem = await in_thread(run)
    if isinstance(problem, Exception) and not isinstance(problem, StopIteration):
        raise problem
    if problem is not None:
        raise RuntimeError(f"{type(problem).__name__}: {problem}") from problem
    return value
