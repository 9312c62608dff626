"""Call the tools of a package in an event loop.

Async handlers and async database drivers are awaited. Everything else runs in a pool of threads, so
that it does not block the loop. A cancelled call leaves its thread alone; its statement is rolled
back.
"""

from __future__ import annotations

import asyncio
import inspect
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import Any, ClassVar, NoReturn, Self, TypeVar

from ..calls.call_context import CallContext
from ..records.json_object import JsonCall
from .calls import UNSET, Accept, Arguments, Call
from .core import Core
from .errors import CommitUnknown, IsAsync, Unfinished
from .guards import Confirm
from .outcome import Outcome
from .parts import Content
from .settings import client_of
from .workers import COMMIT_GRACE, ENDS_OF_THREADS, Pool, guarded, settled

T = TypeVar("T")

_GRACE = 0.1
"""Seconds that a cancelled handler has to end, before its caller goes on."""


class AsyncService(Core):
    """Calls tools by name and awaits them, in one event loop."""

    _is_async: ClassVar[bool] = True
    _usual_timeout: ClassVar[float | None] = 60.0

    async def call(
        self, name: str, arguments: Arguments = None, /, *, context: object = UNSET
    ) -> Any:
        """Call a tool; return its value as JSON, for `json.dumps`. Raises as `Service.call`."""
        call = self._call(name, None, context)
        return (await self._steps(call, arguments)).result()

    async def outcome(
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
        """Call a tool; return how that ended; see `Service.outcome`.

        A task that is cancelled ends with CancelledError; a COMMIT that has begun is awaited first.
        """
        call = self._call(name, call_context, context, accept, confirm)
        return await self._outcome(call, arguments)

    async def outcomes(
        self,
        calls: Sequence[tuple[str, Arguments]],
        /,
        *,
        context: object = UNSET,
        confirm: Confirm | None = None,
    ) -> list[Outcome]:
        """Call tools (name and arguments) at once; return the outcomes in their order."""
        running = (
            self.outcome(name, arguments, context=context, confirm=confirm)
            for name, arguments in calls
        )
        return list(await asyncio.gather(*running))

    async def prompt(
        self,
        name: str,
        arguments: Arguments = None,
        /,
        *,
        context: object = UNSET,
        call_context: CallContext | None = None,
        as_texts: bool = False,
    ) -> tuple[Any, ...]:
        """Return the messages of a prompt; see `Service.prompt`."""
        call = self._call(name, call_context, context)
        return await self._prompt(call, arguments, as_texts=as_texts)

    async def read(
        self,
        uri: str,
        /,
        *,
        context: object = UNSET,
        call_context: CallContext | None = None,
    ) -> Content:
        """Return the content of the resource at a URI. Raises as `Service.call`."""
        return await self._read(self._call("resource", call_context, context), uri)

    async def value_of(self, name: str, tool_input: JsonCall) -> Any:
        """Call a tool with its input; see `Service.value_of`."""
        outcome = await self._steps(self._call(name, None, UNSET), tool_input)
        outcome.result()
        return outcome.python

    async def aclose(self) -> None:
        """Stop the threads of the service; calls that still run are logged and left alone.

        Connections and pools stay as they are.
        """
        self._refuse_calls()
        self._pool.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _start(self) -> None:
        # One call at a time stays one at a time.
        self._most_outliving = 3 * (self._max_concurrency - 1)
        threads = self._max_concurrency + self._most_outliving
        self._pool = Pool(threads, f"{self.plan.package} service")
        self._places = asyncio.Semaphore(self._max_concurrency)
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def _enter(self, call: Call) -> None:
        try:
            async with asyncio.timeout(call.ctx.remaining):
                await self._places.acquire()
        except TimeoutError:
            raise Unfinished from None

    def _release(self) -> None:
        self._places.release()

    async def _limit_time(self, call: Call, work: Coroutine[Any, Any, T]) -> T:
        if call.ctx.deadline is None:
            return await work
        limit = asyncio.timeout(call.ctx.remaining)
        try:
            async with limit:
                return await work
        except TimeoutError:
            if not limit.expired():  # the tool raised this itself
                raise
        call.ctx.cancel()
        if call.late is None:
            raise Unfinished
        value: T = call.late()
        return value

    async def _run_blocking(
        self,
        call: Call,
        run: Callable[[], T],
        stop: Callable[[], object] | None = None,
    ) -> T:
        future = self._pool.submit(lambda: guarded(run, ends=ENDS_OF_THREADS))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if not future.cancel():
                call.has_begun = True
                ended = call.unfinished = asyncio.wrap_future(future)
                if stop is not None and stop() is True:
                    await asyncio.wait({ended}, timeout=COMMIT_GRACE)
                    call.late = future.result if future.done() else _unknown
            raise

    async def _await(self, call: Call, awaitable: Awaitable[T]) -> T:
        call.has_begun = True
        if call.ctx.deadline is None:
            return await settled(awaitable)
        # In a task of its own, a handler that ignores its cancellation delays nobody.
        task = asyncio.ensure_future(settled(awaitable))
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            call.unfinished = task
            task.cancel()
            await asyncio.wait({task}, timeout=_GRACE)
            raise
        return task.result()

    async def _make_context(
        self, call: Call, make: Callable[[CallContext], Any]
    ) -> Any:
        if inspect.iscoroutinefunction(make):
            return make(call.ctx)
        return await self._run_blocking(call, lambda: make(call.ctx))

    async def _send_request(
        self, call: Call, module: Any, tool_input: Any, context: object
    ) -> Any:
        client = client_of(self._http)
        transport = client.get("transport")
        if not hasattr(transport, "send_async"):
            client["transport"] = _Threaded(
                partial(self._run_blocking, call), transport
            )
        call.has_begun = True
        return await module.invoke_async(tool_input, context, **client)

    async def _run_statement(self, call: Call, statement: Any) -> Outcome:
        if statement.connection_id is None:
            return await self._run_statement_now(call, statement)
        # One connection runs one statement at a time.
        lock = self._locks[statement.connection_id]
        await lock.acquire()
        try:
            return await self._run_statement_now(call, statement)
        finally:
            if call.unfinished is None:
                lock.release()
            else:
                call.unfinished.add_done_callback(partial(_release, lock))

    async def _run_statement_now(self, call: Call, statement: Any) -> Outcome:
        outcome: Outcome
        opened: object = None
        if not statement.is_async:
            try:
                return await self._run_blocking(call, statement.run, statement.abandon)
            except IsAsync as problem:
                opened = problem.opened
        call.has_begun = True
        try:
            outcome = await statement.run_async(opened)
        except asyncio.CancelledError:
            call.late = statement.late
            raise
        return outcome


def _release(lock: asyncio.Lock, _ended: object) -> None:
    lock.release()


def _unknown() -> NoReturn:
    raise CommitUnknown


class _Threaded:
    """Sends requests through a sync transport in the threads of a service."""

    def __init__(self, in_thread: Any, transport: Any) -> None:
        if transport is None:
            from ..http._stdlib import StdlibTransport  # ssl takes long to load

            transport = StdlibTransport()
        self._in_thread = in_thread
        self._transport = transport

    async def send_async(self, request: Any, budget: Any, /) -> Any:
        """Return the answer to one request. Raises TransportError."""
        return await self._in_thread(lambda: self._transport.send(request, budget))
