"""Call the tools of a package: decode, run, encode; sync.

A call runs in the thread of its caller. A function of the host program and a request run in a
thread of the pool instead where there is a time limit: their caller goes on when it is over, and a
function that hangs keeps its thread until it ends. Statements are stopped by their drivers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextvars import Token
from functools import partial
from queue import Empty, SimpleQueue
from threading import RLock
from time import perf_counter
from typing import Any, Self, TypeVar

from ._package import CURRENT, CallContext
from .core import UNSET, Accept, Arguments, Core, accepted
from .errors import Unfinished, tool_error
from .outcome import Outcome
from .parts import (
    Content,
    content,
    find_prompt,
    find_resource,
    json_content,
    prompt_call,
)
from .plan import Request, Statement, StatementRun
from .prepared import Prepared
from .workers import Loop, Pool, Watchdog, guarded, settled

T = TypeVar("T")


class Service(Core):
    """Calls tools by name, and waits for them; any thread may use it."""

    def _start(self) -> None:
        package = self.plan.package
        self._pool = Pool(self._max_concurrency, f"{package} service")
        self._callers = Pool(self._max_concurrency, f"{package} service callers")
        self._loop = Loop(f"{package} service loop")
        self._watchdog = Watchdog(f"{package} service watchdog")
        self._places: SimpleQueue[None] = SimpleQueue()
        for _ in range(self._max_concurrency):
            self._places.put(None)
        self._locks: defaultdict[int, RLock] = defaultdict(RLock)

    def call(
        self, name: str, arguments: Arguments = None, /, *, context: object = UNSET
    ) -> Any:
        """Call a tool; return its value as JSON, for `json.dumps`.

        The value of a prompt is the list of its messages, that of a resource what it holds.
        ``context`` takes the place of the context of the service. Raises InputError for arguments
        that the tool does not accept, ContextError for a context that lacks what it needs, and
        ToolError for everything else: its ``code`` says what, its cause why.
        """
        if name in self.plan.prompts:
            messages = self.prompt(name, arguments, context=context)
            return [message.to_dict() for message in messages]
        if name in self.plan.resources:
            return self._content_of(name, arguments, context)
        outcome = self.outcome(name, arguments, context=context)
        if outcome.error is not None:
            raise outcome.error
        return outcome.value

    def _content_of(self, name: str, arguments: Arguments, context: object) -> Any:
        """Return what a resource holds, as JSON. Raises as `call` does."""
        started = perf_counter()
        found: Any = None
        try:
            prepared = self._resource(name)
            call = prepared.decode({} if arguments is None else arguments)
            ctx = self._ctx(name, None)
            token = self._begin(ctx)
            try:
                found = json_content(self._handled(prepared, call, context, ctx))
            finally:
                self._end(token)
            outcome = Outcome(name)
        except Exception as problem:  # noqa: BLE001
            outcome = self._failed(name, problem, None)
        self._logged(name, started, outcome)
        if outcome.error is not None:
            raise outcome.error
        return found

    def outcome(
        self,
        name: str,
        arguments: Arguments = None,
        /,
        *,
        context: object = UNSET,
        call_context: CallContext | None = None,
        accept: Accept | None = None,
    ) -> Outcome:
        """Call a tool; return how that ended, which has a text for a model in any case.

        ``call_context`` is what a handler learns of the call, and the function that makes the
        context. ``accept`` looks at the outcome before anything is committed.
        """
        started = perf_counter()
        prepared: Prepared | None = None
        try:
            prepared = self._callable.get(name) or self._tool(name)
            call = prepared.decode({} if arguments is None else arguments)
            ctx = self._ctx(name, call_context)
            token = self._begin(ctx)
            try:
                outcome = self._ran(prepared, call, context, ctx, accept)
            finally:
                self._end(token)
        except Exception as problem:  # noqa: BLE001
            outcome = self._failed(name, problem, prepared)
        return self._logged(name, started, outcome)

    def outcomes(
        self, calls: Sequence[tuple[str, Arguments]], /, *, context: object = UNSET
    ) -> list[Outcome]:
        """Call tools (name and arguments) in parallel; return the outcomes in their order.

        Statements on a connection that the host program gave run one by one in its own thread, and
        so does everything that a handler calls.
        """

        def run(call: tuple[str, Arguments]) -> Outcome:
            return self.outcome(*call, context=context)

        if len(calls) < 2 or CURRENT.get() is not None:
            return [run(each) for each in calls]
        waiting = {
            number: self._callers.submit(partial(run, call))
            for number, call in enumerate(calls)
            if not self._stays(call[0])
        }
        own = {
            number: run(call)
            for number, call in enumerate(calls)
            if number not in waiting
        }
        return [
            own[number] if number in own else waiting[number].result()
            for number in range(len(calls))
        ]

    def _stays(self, name: str) -> bool:
        """Return whether a tool needs a connection that may belong to the thread of the caller."""
        prepared = self._callable.get(name)
        if prepared is None or not isinstance(prepared.run, Statement):
            return False
        return self._databases is not None and self._databases.is_given(prepared.run)

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
        started = perf_counter()
        try:
            prompt = find_prompt(self.plan, name)
            call = prompt_call(prompt, arguments, as_texts=as_texts)
            made = self._context_of(context, self._ctx(name, call_context))
            messages: tuple[Any, ...] = prompt.render(
                self._bound_prompt(prompt, call, made)
            )
            outcome = Outcome(name)
        except Exception as problem:  # noqa: BLE001
            outcome = self._failed(name, problem, None)
            messages = ()
        self._logged(name, started, outcome)
        if outcome.error is not None:
            raise outcome.error
        return messages

    def read(
        self,
        uri: str,
        /,
        *,
        context: object = UNSET,
        call_context: CallContext | None = None,
    ) -> Content:
        """Return what the resource at an address holds. Raises as `call` does."""
        started = perf_counter()
        name = "resource"
        found: Content | None = None
        try:
            name, mime_type, call = find_resource(self.plan, uri)
            prepared = self._resource(name)
            ctx = self._ctx(name, call_context)
            token = self._begin(ctx)
            try:
                value = self._handled(prepared, call, context, ctx)
            finally:
                self._end(token)
            found = content(uri, mime_type, value)
            outcome = Outcome(name)
        except Exception as problem:  # noqa: BLE001
            outcome = self._failed(name, problem, None)
        self._logged(name, started, outcome)
        if outcome.error is not None or found is None:
            raise outcome.error or AssertionError
        return found

    def close(self) -> None:
        """Stop the threads of the service. Connections and pools stay as they are."""
        self._callers.close()
        self._pool.close()
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self, ctx: CallContext) -> Token[CallContext | None]:
        """Make a call the current one, once fewer than ``max_concurrency`` run.

        A call that a handler makes has the place of the handler. Raises ToolError (``busy``).
        """
        if CURRENT.get() is None:
            try:
                self._places.get(timeout=self._timeout)
            except Empty:
                told = f"{ctx.tool} was not called: too many calls run at once."
                raise tool_error(told, "busy") from None
        return CURRENT.set(ctx)

    def _end(self, token: Token[CallContext | None]) -> None:
        CURRENT.reset(token)
        if CURRENT.get() is None:
            self._places.put(None)

    def _ran(
        self,
        prepared: Prepared,
        call: Any,
        context: object,
        ctx: CallContext,
        accept: Accept | None,
    ) -> Outcome:
        match prepared.run:
            case Statement() as run:
                made = self._context_of(context, ctx)
                bound = self._bound(prepared, call, made)
                return self._stated(self._started(prepared, run, bound, accept), ctx)
            case Request() as run:
                made = self._context_of(context, ctx)
                module, client = self._request(run), self._client()
                result = self._within(lambda: module.invoke(call, made, **client), ctx)
                return self._answered(prepared, result, accept)
            case _:
                value = self._handled(prepared, call, context, ctx)
                return accepted(prepared.finished(value), accept)

    def _stated(self, statement: StatementRun, ctx: CallContext) -> Outcome:
        given = statement.given
        if given is None:
            outcome: Outcome = self._within(statement.run, ctx, statement)
            return outcome
        # One connection runs one statement at a time, in the thread that it may belong to.
        with (
            self._locks[given],
            self._watchdog.after(ctx.remaining, statement.abandon),
        ):
            found: Outcome = statement.run()
            return found

    def _handled(
        self, prepared: Prepared, call: Any, context: object, ctx: CallContext
    ) -> Any:
        """Return what the function of the host program returned."""
        if prepared.hides:
            made = self._context_of(context, ctx)
            call = self._bound(prepared, call, made)
        handler = prepared.handler
        if prepared.is_async:
            return self._awaited(handler(call), ctx)
        if ctx.deadline is None:
            found = guarded(lambda: handler(call))
        else:
            found = self._within(lambda: handler(call), ctx)
        return self._awaited(found, ctx) if hasattr(found, "__await__") else found

    def _awaited(self, awaitable: Any, ctx: CallContext) -> Any:
        return self._result(self._loop.submit(settled(awaitable)), ctx, None)

    def _within(
        self,
        run: Callable[[], T],
        ctx: CallContext,
        statement: StatementRun | None = None,
    ) -> T:
        """Return what ``run`` returns within the time of the call. Raises Unfinished.

        What a handler in a thread of the pool calls runs there, too: it needs no second thread.
        """
        if ctx.deadline is None or self._pool.is_here():
            return guarded(run)
        return self._result(self._pool.submit(lambda: guarded(run)), ctx, statement)

    def _result(
        self, future: Future[T], ctx: CallContext, statement: StatementRun | None
    ) -> T:
        try:
            return future.result(ctx.remaining)
        except FutureTimeout:
            if future.done():  # it raised this itself
                raise
            ctx.cancel()
            future.cancel()
            if statement is not None:
                statement.abandon()
            raise Unfinished from None

    def _context_of(self, context: object, ctx: CallContext) -> object:
        made = self._context if context is UNSET else context
        return made(ctx) if callable(made) else made
