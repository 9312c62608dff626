"""Call the tools of a package: decode, run, encode; for an event loop.

What is async is awaited, with the drivers of databases that are. Everything else runs in a pool of
threads, so that it blocks nobody; a call that is cancelled leaves its thread alone, and what a
statement did is undone.
"""

from __future__ import annotations

import asyncio
import inspect
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any, ClassVar, Self, TypeVar

from ._package import CURRENT, CallContext
from .core import UNSET, Accept, Arguments, Core, accepted
from .errors import IsAsync, Unfinished, tool_error
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
from .workers import Pool, guarded, settled

T = TypeVar("T")


class AsyncService(Core):
    """Calls tools by name, and awaits them; for one event loop."""

    _is_async: ClassVar[bool] = True

    def _start(self) -> None:
        self._pool = Pool(self._max_concurrency, f"{self.plan.package} service")
        self._places = asyncio.Semaphore(self._max_concurrency)
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def call(
        self, name: str, arguments: Arguments = None, /, *, context: object = UNSET
    ) -> Any:
        """Call a tool; return its value as JSON, for `json.dumps`. Raises as `Service.call`."""
        if name in self.plan.prompts:
            messages = await self.prompt(name, arguments, context=context)
            return [message.to_dict() for message in messages]
        if name in self.plan.resources:
            return await self._content_of(name, arguments, context)
        outcome = await self.outcome(name, arguments, context=context)
        if outcome.error is not None:
            raise outcome.error
        return outcome.value

    async def _content_of(
        self, name: str, arguments: Arguments, context: object
    ) -> Any:
        """Return what a resource holds, as JSON. Raises as `call` does."""
        started = perf_counter()
        found: Any = None
        try:
            prepared = self._resource(name)
            call = prepared.decode({} if arguments is None else arguments)
            ctx = self._ctx(name, None)
            async with self._place(ctx):
                found = json_content(await self._handled(prepared, call, context, ctx))
            outcome = Outcome(name)
        except Exception as problem:  # noqa: BLE001
            outcome = self._failed(name, problem, None)
        self._logged(name, started, outcome)
        if outcome.error is not None:
            raise outcome.error
        return found

    async def outcome(
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
        context. ``accept`` looks at the outcome before anything is committed. A task that is
        cancelled ends with CancelledError.
        """
        started = perf_counter()
        prepared: Prepared | None = None
        ctx = self._ctx(name, call_context)
        try:
            prepared = self._callable.get(name) or self._tool(name)
            call = prepared.decode({} if arguments is None else arguments)
            async with self._place(ctx):
                outcome = await self._ran(prepared, call, context, ctx, accept)
        except Exception as problem:  # noqa: BLE001
            outcome = self._failed(name, problem, prepared)
        except asyncio.CancelledError:
            ctx.cancel()
            cancelled = tool_error(f"{name} was cancelled.", "cancelled")
            self._logged(name, started, Outcome(name, error=cancelled))
            raise
        return self._logged(name, started, outcome)

    async def outcomes(
        self, calls: Sequence[tuple[str, Arguments]], /, *, context: object = UNSET
    ) -> list[Outcome]:
        """Call tools (name and arguments) at once; return the outcomes in their order."""
        running = (self.outcome(*each, context=context) for each in calls)
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
        """Return the messages of a prompt. Raises as `call` does.

        With ``as_texts`` the arguments are strings, as MCP sends them.
        """
        started = perf_counter()
        messages: tuple[Any, ...] = ()
        try:
            prompt = find_prompt(self.plan, name)
            call = prompt_call(prompt, arguments, as_texts=as_texts)
            made = await self._context_of(context, self._ctx(name, call_context))
            messages = prompt.render(self._bound_prompt(prompt, call, made))
            outcome = Outcome(name)
        except Exception as problem:  # noqa: BLE001
            outcome = self._failed(name, problem, None)
        self._logged(name, started, outcome)
        if outcome.error is not None:
            raise outcome.error
        return messages

    async def read(
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
            async with self._place(ctx):
                value = await self._handled(prepared, call, context, ctx)
            found = content(uri, mime_type, value)
            outcome = Outcome(name)
        except Exception as problem:  # noqa: BLE001
            outcome = self._failed(name, problem, None)
        self._logged(name, started, outcome)
        if outcome.error is not None or found is None:
            raise outcome.error or AssertionError
        return found

    async def aclose(self) -> None:
        """Stop the threads of the service. Connections and pools stay as they are."""
        self._pool.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    @asynccontextmanager
    async def _place(self, ctx: CallContext) -> AsyncGenerator[None, None]:
        """Wait until fewer than ``max_concurrency`` calls run; limit the time of the block."""
        if CURRENT.get() is not None:
            token = CURRENT.set(ctx)
            try:
                yield
            finally:
                CURRENT.reset(token)
            return
        try:
            async with asyncio.timeout(ctx.remaining):
                await self._places.acquire()
        except TimeoutError:
            told = f"{ctx.tool} was not called: too many calls run at once."
            raise tool_error(told, "busy") from None
        token = CURRENT.set(ctx)
        limit = asyncio.timeout(ctx.remaining)
        try:
            async with limit:
                yield
        except TimeoutError:
            if not limit.expired():  # the tool raised this itself
                raise
            ctx.cancel()
            raise Unfinished from None
        finally:
            CURRENT.reset(token)
            self._places.release()

    async def _ran(
        self,
        prepared: Prepared,
        call: Any,
        context: object,
        ctx: CallContext,
        accept: Accept | None,
    ) -> Outcome:
        match prepared.run:
            case Statement() as run:
                made = await self._context_of(context, ctx)
                bound = self._bound(prepared, call, made)
                return await self._stated(self._started(prepared, run, bound, accept))
            case Request() as run:
                made = await self._context_of(context, ctx)
                module, client = self._request(run), self._client()
                result = await module.invoke_async(call, made, **client)
                return self._answered(prepared, result, accept)
            case _:
                value = await self._handled(prepared, call, context, ctx)
                return accepted(prepared.finished(value), accept)

    async def _stated(self, statement: StatementRun) -> Outcome:
        if statement.given is None:
            return await self._stated_now(statement)
        # One connection runs one statement at a time.
        async with self._locks[statement.given]:
            return await self._stated_now(statement)

    async def _stated_now(self, statement: StatementRun) -> Outcome:
        outcome: Outcome
        if statement.is_async:
            outcome = await statement.run_async()
            return outcome
        try:
            outcome = await self._in_thread(statement.run, statement)
        except IsAsync as problem:
            outcome = await statement.run_async(problem.opened)
        return outcome

    async def _handled(
        self, prepared: Prepared, call: Any, context: object, ctx: CallContext
    ) -> Any:
        """Return what the function of the host program returned."""
        if prepared.hides:
            made = await self._context_of(context, ctx)
            call = self._bound(prepared, call, made)
        handler = prepared.handler
        if prepared.is_async:
            return await settled(handler(call))
        found: Any = await self._in_thread(lambda: handler(call))
        return await settled(found) if hasattr(found, "__await__") else found

    async def _in_thread(
        self, run: Callable[[], T], statement: StatementRun | None = None
    ) -> T:
        """Return what ``run`` returns in a thread of the pool; a cancelled one is abandoned."""
        future = self._pool.submit(lambda: guarded(run, KeyboardInterrupt))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if statement is not None:
                statement.abandon()
            raise

    async def _context_of(self, context: object, ctx: CallContext) -> object:
        """Return the context of a call; a function that is not async runs in a thread."""
        made = self._context if context is UNSET else context
        if not callable(made):
            return made
        if inspect.iscoroutinefunction(made):
            return await made(ctx)
        found: Any = await self._in_thread(lambda: made(ctx))
        return await found if inspect.isawaitable(found) else found

    def _client(self) -> dict[str, Any]:
        """Return the keyword arguments of a request; a sync transport runs in the pool."""
        client = super()._client()
        transport = client.get("transport")
        if transport is None or not hasattr(transport, "send_async"):
            client["transport"] = _Threaded(
                self._in_thread, transport, self.plan.package
            )
        return client


class _Threaded:
    """Sends requests through a sync transport in the threads of a service."""

    def __init__(self, in_thread: Any, transport: Any, package: str) -> None:
        if transport is None:
            from importlib import import_module

            transport = import_module(".http._stdlib", package).StdlibTransport()
        self._in_thread = in_thread
        self._transport = transport

    async def send_async(self, request: Any, budget: Any, /) -> Any:
        """Return the answer to one request. Raises TransportError."""
        return await self._in_thread(lambda: self._transport.send(request, budget))
