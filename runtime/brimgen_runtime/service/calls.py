"""A running call of a service, and the waiting steps that each service implements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeAlias, TypeVar

from ..calls.call_context import CallContext
from ..records.json_object import JsonCall
from .guards import Confirm
from .outcome import Outcome

T = TypeVar("T")

Arguments: TypeAlias = Mapping[str, Any] | str | bytes | JsonCall | None
"""What a model sent, an object or its JSON text; or an object of the tool's input class."""

Accept: TypeAlias = Callable[[Outcome], object]
"""Inspects an outcome before anything is committed; may raise Unfit."""

UNSET: Any = object()
"""A setting that is not given: the context of a call, which is then that of the service, or the
time limit of a service."""


class Call:
    """A running call.

    ``context`` holds the hidden arguments, or is a function that returns them; ``ctx`` is what
    handlers learn of the call. ``confirm`` asks a person about this call. ``has_begun``: a part of
    the tool has run. ``late`` returns the result of a call that timed out after its COMMIT had
    begun; ``unfinished`` is the future that still runs after its caller has gone.
    """

    __slots__ = (
        *("accept", "confirm", "context", "ctx", "has_begun", "late", "name"),
        "unfinished",
    )

    def __init__(
        self,
        name: str,
        ctx: CallContext,
        context: object,
        accept: Accept | None = None,
        confirm: Confirm | None = None,
    ) -> None:
        self.name = name
        self.ctx = ctx
        self.context = context
        self.accept: Any = accept
        self.confirm = confirm
        self.has_begun = False
        self.late: Callable[[], Any] | None = None
        self.unfinished: Any = None

    def accepted(self, outcome: Outcome) -> Outcome:
        """Return an outcome that may be sent. Raises whatever ``accept`` raises."""
        if self.accept is not None:
            self.accept(outcome)
        return outcome


class Waiting(ABC):
    """The steps that wait: `AsyncService` awaits them, `Service` blocks its caller."""

    @abstractmethod
    def _start(self) -> None:
        """Create the threads, slots and locks that calls need."""

    def _try_enter(self) -> bool:
        """Take a slot and return True; return False if none is free."""
        return False

    @abstractmethod
    async def _enter(self, call: Call) -> None:
        """Wait for one of ``max_concurrency`` slots. Raises Unfinished."""

    @abstractmethod
    def _release(self) -> None:
        """Give a slot back."""

    @abstractmethod
    async def _limit_time(self, call: Call, work: Coroutine[Any, Any, T]) -> T:
        """Await the work of a call until its deadline. Raises Unfinished."""

    @abstractmethod
    async def _run_blocking(
        self,
        call: Call,
        run: Callable[[], T],
        stop: Callable[[], object] | None = None,
    ) -> T:
        """Return what a blocking function returns. Raises Unfinished.

        ``stop`` is called when the caller stops waiting; it returns True if a COMMIT has begun.
        """

    @abstractmethod
    async def _await(self, call: Call, awaitable: Awaitable[T]) -> T:
        """Return the result of an awaitable of the host program. Raises Unfinished."""

    @abstractmethod
    async def _run_statement(self, call: Call, statement: Any) -> Outcome:
        """Run a statement; a connection runs one at a time. Raises Unfinished."""

    @abstractmethod
    async def _send_request(
        self, call: Call, module: Any, tool_input: Any, context: object
    ) -> Any:
        """Send a request through its module and return the result. Raises Unfinished."""

    @abstractmethod
    async def _make_context(
        self, call: Call, make: Callable[[CallContext], Any]
    ) -> Any:
        """Call the context function of the host program; the result may be awaitable."""
