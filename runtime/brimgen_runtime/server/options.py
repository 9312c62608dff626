"""The options of a server: its identity, the visible tools, page sizes and suggestions."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from ..calls.call_context import Caller
from ..service.workers import ENDS_OF_THREADS, Pool, guarded

T = TypeVar("T")

Visible: TypeAlias = Callable[
    [Caller], Collection[str] | Awaitable[Collection[str] | None] | None
]
"""Returns the names of the tools that a caller may see and call; None for all of them."""
Suggest: TypeAlias = Callable[
    [str, str, Mapping[str, str]],
    Iterable[str] | Awaitable[Iterable[str] | None] | None,
]
"""Takes the name of an argument, the text typed so far, and the other arguments; returns values to
suggest, or None for those that its schema lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What a server tells its clients about itself."""

    title: str | None = None
    version: str | None = None
    instructions: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a server.

    ``title``, ``version`` and ``instructions`` are sent when a client connects (None: those of the
    project). ``page_size`` is the number of items on a page of a list (None: all). ``visible``
    names the tools that a caller may see and call; ``available_only`` leaves out tools that cannot
    run. ``max_per_session`` is the number of calls of one HTTP client that run at once (None: half
    of those that the service runs). ``suggest`` completes arguments, by the names of prompts and
    resources. Functions may be async; others run in a thread.
    """

    title: str | None = None
    version: str | None = None
    instructions: str | None = None
    page_size: int | None = None
    visible: Visible | None = None
    available_only: bool = False
    max_per_session: int | None = None
    suggest: Mapping[str, Suggest] = field(default_factory=dict[str, Suggest])

    def __post_init__(self) -> None:
        for name in ("page_size", "max_per_session"):
            number: int | None = getattr(self, name)
            if number is not None and number < 1:
                raise ValueError(f"{name}: expected a number above 0")

    async def visible_to(self, caller: Caller) -> Collection[str] | None:
        """Return the names of the tools that a caller may see; None for all of them."""
        if self.visible is None:
            return None
        names: Collection[str] | None = await call_host(self.visible, caller)
        return names


_THREADS = Pool(64, "MCP server")


async def run_in_thread(function: Callable[[], T]) -> T:
    """Run a blocking function in a daemon thread; return its result.

    ``SystemExit`` and the like become a `RuntimeError`: they must not end the server.
    """
    return await asyncio.wrap_future(
        _THREADS.submit(lambda: guarded(function, ends=ENDS_OF_THREADS))
    )


async def call_host(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of the host program, in a thread unless it is async; return its result."""
    if inspect.iscoroutinefunction(function):
        return await function(*arguments)
    value = await run_in_thread(lambda: function(*arguments))
    return await value if inspect.isawaitable(value) else value
