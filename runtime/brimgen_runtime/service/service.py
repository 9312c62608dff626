"""Call the tools of a package, and wait for them.

A call runs in the thread of its caller. With a time limit, handlers, requests and the function
that makes the context run in a thread of the pool instead: at the limit their caller goes on, and a
function that hangs keeps its thread until it ends. Statements are stopped by their drivers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from functools import partial
from queue import Empty, SimpleQueue
from threading import RLock
from time import perf_counter
from typing import Any, Self, TypeAlias, TypeVar

from ..calls.call_context import CURRENT, CallContext
from ..records.json_object import JsonCall
from .calls import UNSET, Accept, Arguments, Call
from .core import Core
from .errors import CommitUnknown, Lacking, Unfinished
from .guards import Confirm
from .outcome import Outcome
from .parts import Content
from .plan import Statement
from .prepared import Prepared
from .settings import client_of
from .workers import COMMIT_GRACE, Loop, Pool, after, completed, guarded, settled

T = TypeVar("T")

Steps: TypeAlias = Callable[[Call, Arguments], Coroutine[Any, Any, Outcome]]
"""Returns the coroutine that carries out a call."""


class Service(Core):
    """Calls tools by name and waits for them; thread-safe."""

    def call(
        self, name: str, arguments: Arguments = None, /, *, context: object = UNSET
    ) -> Any:
        """Call a tool; return its value as JSON, for `json.dumps`.

        The value of a prompt is the list of its messages, that of a resource its content.
        ``context`` replaces the context of the service. Raises InputError for arguments
        that the tool does not accept, ContextError for a context that lacks what it needs, and
        ToolError for everything else; its ``code`` says what went wrong, its cause why.
        """
        call = self._call(name, None, context)
        return self._run(call, arguments, self._steps).result()

    def outcome(
        self,
        name: str,
        arguments: Arguments = None,
        /,
        *,
        context: object = UNSET,
        call_context: CallContext | None = None,
        accept: Accept | None = None,
        confirm: Confirm | None = None,
    ) -> Outcome:
        """Call a tool; return its outcome, which always has a text for a model.

        ``call_context`` is what the handler and the context function learn of the call. ``accept``
        inspects the outcome before anything is committed. ``confirm`` asks a person about this
        call, in the place of that of the service.
        """
        call = self._call(name, call_context, context, accept, confirm)
        return self._run(call, arguments, self._outcome)

    def outcomes(
        self,
        calls: Sequence[tuple[str, Arguments]],
        /,
        *,
        context: object = UNSET,
        confirm: Confirm | None = None,
    ) -> list[Outcome]:
        """Call tools (name and arguments) in parallel; return the outcomes in their order.

        Statements on a connection of the host program run one by one in the thread of the caller,
        and so do calls made by a handler.
        """
        begun = [
            (self._call(name, None, context, None, confirm), arguments)
            for name, arguments in calls
        ]

        def run(call: Call, arguments: Arguments) -> Outcome:
            return self._run(call, arguments, self._outcome)

        if len(calls) < 2 or CURRENT.get() is not None:
            return [run(call, arguments) for call, arguments in begun]
        waiting = {
            number: self._callers.submit(partial(run, call, arguments))
            for number, (call, arguments) in enumerate(begun)
            if not self._runs_in_caller(call.name)
        }
        own = {
            number: run(call, arguments)
            for number, (call, arguments) in enumerate(begun)
            if number not in waiting
        }
        return [
            own[number] if number in own else waiting[number].result()
            for number in range(len(calls))
        ]

    def prompt(
        self,
        name: str,
        arguments: Arguments = None,
        /,
        *,
        context: object = UNSET,
        call_context: CallContext | None = None,
        as_texts: bool = False,
    ) -> tuple[Any, ...]:
        """Return the messages of a prompt. Raises as `call` does.

        With ``as_texts`` the arguments are strings, as MCP sends them.
        """
        call = self._call(name, call_context, context)
        return completed(self._prompt(call, arguments, as_texts=as_texts))

    def read(
        self,
        uri: str,
        /,
        *,
        context: object = UNSET,
        call_context: CallContext | None = None,
    ) -> Content:
        """Return the content of the resource at a URI. Raises as `call` does."""
        return completed(self._read(self._call("resource", call_context, context), uri))

    def value_of(self, name: str, tool_input: JsonCall) -> Any:
        """Call a tool with its input; return its value as Python has it. Raises as `call`."""
        outcome = self._run(self._call(name, None, UNSET), tool_input, self._steps)
        outcome.result()
        return outcome.python

    def close(self) -> None:
        """Stop the threads of the service, without waiting for the calls that still run.

        Async handlers that run a second longer are cancelled; their callers get ``cancelled``.
        Connections and pools stay as they are.
        """
        self._refuse_calls()
        self._callers.close()
        self._pool.close()
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, call: Call, arguments: Arguments, steps: Steps) -> Outcome:
        """Run a tool; a plain handler without a time limit is called without coroutines."""
        prepared = self._callable.get(call.name)
        is_plain = prepared is not None and prepared.is_sync and prepared.guard is None
        if prepared is None or not (is_plain and self._runs_here(call)):
            return completed(steps(call, arguments))
        started = perf_counter()
        is_inner = CURRENT.get() is not None
        try:
            tool_input = prepared.read(arguments)
            if not (is_inner or self._try_enter()):
                completed(self._enter(call))
            token = CURRENT.set(call.ctx)
            try:
                outcome = self._call_function(call, prepared, tool_input)
            finally:
                CURRENT.reset(token)
                self._leave(call, is_inner=is_inner)
        except Exception as problem:  # noqa: BLE001
            outcome = self._failure_outcome(call, problem, prepared)
        return self._log(call, started, outcome)

    def _call_function(
        self, call: Call, prepared: Prepared, tool_input: Any
    ) -> Outcome:
        """Call a function of the host program in this thread."""
        if prepared.hides:
            context = completed(self._context_of(call))
            tool_input = self._bind(prepared, tool_input, context)
        value = guarded(prepared.handler, tool_input)
        if hasattr(value, "__await__"):
            value = completed(self._await(call, value))
        return call.accepted(prepared.outcome(value))

    def _start(self) -> None:
        package = self.plan.package
        self._pool = Pool(self._max_concurrency, f"{package} service")
        self._callers = Pool(self._max_concurrency, f"{package} service callers")
        self._loop = Loop(f"{package} service loop")
        self._places: SimpleQueue[None] = SimpleQueue()
        for _ in range(self._max_concurrency):
            self._places.put(None)
        self._locks: defaultdict[int, RLock] = defaultdict(RLock)

    def _runs_in_caller(self, name: str) -> bool:
        """Return whether a tool must run in the caller's thread, as its connection may need."""
        prepared = self._callable.get(name)
        if prepared is None:
            return True  # the call is refused at once
        if not isinstance(prepared.run, Statement):
            return False
        return self._databases is not None and self._databases.is_given(prepared.run)

    def _try_enter(self) -> bool:
        try:
            self._places.get_nowait()
        except Empty:
            return False
        return True

    async def _enter(self, call: Call) -> None:
        try:
            self._places.get(timeout=call.ctx.remaining)
        except Empty:
            raise Unfinished from None

    def _release(self) -> None:
        self._places.put(None)

    def _runs_here(self, call: Call) -> bool:
        # A call made by a handler in a thread of the pool needs no second thread.
        return call.ctx.deadline is None or self._pool.is_here()

    async def _limit_time(self, call: Call, work: Coroutine[Any, Any, T]) -> T:
        return await work

    async def _run_blocking(
        self,
        call: Call,
        run: Callable[[], T],
        stop: Callable[[], object] | None = None,
    ) -> T:
        if self._runs_here(call):
            return guarded(run)
        return self._wait_for(call, self._pool.submit(lambda: guarded(run)), stop)

    async def _await(self, call: Call, awaitable: Awaitable[T]) -> T:
        if self._loop.is_here():
            # The loop would wait for what it runs itself.
            close = getattr(awaitable, "close", None)
            if close is not None:
                close()  # an abandoned coroutine would warn
            raise Lacking("an async handler awaits AsyncService")
        return self._wait_for(call, *self._loop.submit(settled(awaitable)))

    async def _make_context(
        self, call: Call, make: Callable[[CallContext], Any]
    ) -> Any:
        return await self._run_blocking(call, partial(make, call.ctx))

    async def _send_request(
        self, call: Call, module: Any, tool_input: Any, context: object
    ) -> Any:
        client = client_of(self._http)
        return await self._run_blocking(
            call, lambda: module.invoke(tool_input, context, **client)
        )

    async def _run_statement(self, call: Call, statement: Any) -> Outcome:
        outcome: Outcome
        if statement.connection_id is None:
            outcome = await self._run_blocking(call, statement.run, statement.abandon)
            return outcome
        # One connection runs one statement at a time, in the thread that it may belong to.
        remaining, lock = call.ctx.remaining, self._locks[statement.connection_id]
        if not lock.acquire(timeout=-1 if remaining is None else remaining):
            raise Unfinished
        try:
            with after(call.ctx.remaining, statement.abandon):
                outcome = statement.run()
        finally:
            lock.release()
        return outcome

    def _wait_for(
        self, call: Call, future: Future[T], stop: Callable[[], object] | None
    ) -> T:
        """Return the result of a thread within the time of the call. Raises Unfinished.

        If ``stop`` returns True, a COMMIT has begun, and is waited for.
        """
        try:
            return future.result(call.ctx.remaining)
        except BaseException as problem:
            if future.done():  # the work itself raised this
                raise
            call.ctx.cancel()
            if future.cancel():
                raise Unfinished from None
            call.has_begun = True
            call.unfinished = future
            commits = stop is not None and stop() is True
            if not isinstance(problem, FutureTimeout):
                raise
        if not commits:
            raise Unfinished
        try:
            return future.result(COMMIT_GRACE)
        except FutureTimeout:
            raise CommitUnknown from None
