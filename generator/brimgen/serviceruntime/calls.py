"""A call of a service while it runs, and how a service waits for the parts of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeAlias, TypeVar

from ._package import CallContext
from .outcome import Outcome

T = TypeVar("T")

Arguments: TypeAlias = Mapping[str, Any] | str | bytes | None
"""What a model sent: an object, or its JSON text."""

Accept: TypeAlias = Callable[[Outcome], object]
"""Looks at an outcome before anything is committed, and may raise Unfit."""

UNSET: Any = object()
"""Stands for what a call does not say itself: the service says it."""


class Call:
    """A call while it runs.

    ``context`` is what hidden arguments are taken from, or what makes it; ``ctx`` is what handlers
    are told. ``has_begun``: something of the tool has run. ``late`` gives what the call came to
    after its time, where a COMMIT had begun; ``unfinished`` is what still runs though nobody waits.
    """

    __slots__ = ("accept", "context", "ctx", "has_begun", "late", "name", "unfinished")

    def __init__(
        self, name: str, ctx: CallContext, context: object, accept: Accept | None = None
    ) -> None:
        self.name = name
        self.ctx = ctx
        self.context = context
        self.accept: Any = accept
        self.has_begun = False
        self.late: Callable[[], Any] | None = None
        self.unfinished: Any = None

    def accepted(self, outcome: Outcome) -> Outcome:
        """Return an outcome that may be sent. Raises whatever ``accept`` raises."""
        if self.accept is not None:
            self.accept(outcome)
        return outcome


class Waiting:
    """What each service does in its own way: it awaits, or blocks its caller."""

    def _start(self) -> None:
        """Make what calls run with."""
        raise NotImplementedError

    def _try_enter(self) -> bool:
        """Whether the call has a place at once."""
        return False

    async def _enter(self, call: Call) -> None:
        """Wait until fewer than ``max_concurrency`` calls run. Raises Unfinished."""
        raise NotImplementedError

    def _release(self) -> None:
        """Let another call run."""
        raise NotImplementedError

    async def _limit_time(self, call: Call, work: Coroutine[Any, Any, T]) -> T:
        """Await the work of a call, as long as it has time. Raises Unfinished."""
        raise NotImplementedError

    async def _run_blocking(
        self,
        call: Call,
        run: Callable[[], T],
        stop: Callable[[], object] | None = None,
    ) -> T:
        """Return what a blocking function returns. Raises Unfinished.

        ``stop`` is called when nobody waits any more; it returns True where a COMMIT has begun.
        """
        raise NotImplementedError

    async def _await(self, call: Call, awaitable: Awaitable[T]) -> T:
        """Return what a coroutine of the host program returns. Raises Unfinished."""
        raise NotImplementedError

    async def _run_statement(self, call: Call, statement: Any) -> Outcome:
        """Run a statement; one connection runs one at a time. Raises Unfinished."""
        raise NotImplementedError

    async def _send_request(
        self, call: Call, module: Any, tool_input: Any, context: object
    ) -> Any:
        """Return the result of a request, which its module sends. Raises Unfinished."""
        raise NotImplementedError

    async def _make_context(
        self, call: Call, make: Callable[[CallContext], Any]
    ) -> Any:
        """Return what a function of the host program makes of a call, perhaps to be awaited."""
        raise NotImplementedError
