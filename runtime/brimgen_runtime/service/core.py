"""The common base of `Service` and `AsyncService`: tools, missing requirements, steps of a call.

The steps are written once, as coroutines. Each service implements those that wait (`Waiting`):
`AsyncService` awaits them, `Service` blocks its caller. `Service._run` calls a plain
function without coroutines, which saves a fifth of such a call.
"""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Callable, Collection, Coroutine, Mapping
from contextvars import Token
from copy import copy
from functools import partial
from importlib import import_module
from math import ceil
from time import monotonic, perf_counter, time_ns
from typing import Any, ClassVar, TypeVar, cast

from ..calls.call_context import CURRENT, CallContext
from ..grammar.rule_messages import suggestion
from ..schema.errors import InputError
from .calls import UNSET, Accept, Arguments, Call, Waiting
from .endings import CANCELLED, DECLINED, TOO_MANY, TOO_MUCH, UNCONFIRMED, Endings
from .errors import (
    CLOSED,
    Lacking,
    RequestFailed,
    ServiceError,
    SettingsError,
    Unfinished,
    Unfit,
    tool_error,
)
from .guards import Confirm, Confirmation, Rates
from .methods import add_methods
from .outcome import Outcome
from .parts import (
    Content,
    content,
    find_prompt,
    find_resource,
    json_content,
    read_prompt_input,
)
from .plan import Plan, Request, Statement
from .prepared import Prepared, handlers_by_name, prepared_tools
from .records import CallRecord, OnCall
from .settings import Http, secrets_of, wrong_settings
from .workers import guarded

T = TypeVar("T")

_SHOWN = 80


class Core(Waiting):
    """The tools of a package, with the settings of the host program."""

    plan: ClassVar[Plan]
    _is_async: ClassVar[bool] = False
    _usual_timeout: ClassVar[float | None] = None
    """Seconds for a call of a service that is given no ``timeout``."""

    def __init_subclass__(cls) -> None:
        if "plan" in vars(cls):
            add_methods(cls, cls.plan)

    def __init__(
        self,
        *,
        context: object = None,
        values: Mapping[str, Mapping[str, object]] | None = None,
        connections: Mapping[str, object] | None = None,
        http: Http | None = None,
        handlers: object = None,
        confirm: Confirm | None = None,
        on_call: OnCall | None = None,
        timeout: float | None = UNSET,
        max_concurrency: int = 16,
        logger: logging.Logger | None = None,
        log_exceptions: bool = False,
        only: Collection[str] | None = None,
        read_only: bool = False,
        partial: bool = False,
    ) -> None:
        if timeout is UNSET:
            timeout = self._usual_timeout
        mistakes = wrong_settings(self.plan, locals())
        self._read_only = read_only
        self._databases: Any = self._open_databases(connections, mistakes)
        if mistakes:
            raise SettingsError(mistakes)
        plan = self.plan
        self._context = context
        self._values = values or {}
        self._http = http or Http()
        self._confirm = confirm
        self._on_call = on_call
        self._rates = Rates()
        self._timeout = timeout
        self._max_concurrency = max_concurrency
        self._endings = Endings(
            logger or logging.getLogger(f"{plan.package}.service"),
            logs_exceptions=log_exceptions,
        )
        self._outliving: dict[Any, str] = {}
        self._most_outliving = 0
        self._is_closed = False
        self._start()
        self._prepared, self._lacking = prepared_tools(
            plan,
            only,
            self._databases,
            secrets=secrets_of(self._http),
            handlers=handlers_by_name(handlers),
        )
        self._callable = {
            name: tool for name, tool in self._prepared.items() if name in plan.runs
        }
        if self._lacking and not partial:
            raise ServiceError(self.unavailable)

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that run, by name."""
        return tuple(name for name in self.plan.runs if name in self._prepared)

    @property
    def resources(self) -> tuple[str, ...]:
        """The resources that can be read, by name."""
        return tuple(name for name in self.plan.resources if name in self._prepared)

    @property
    def prompts(self) -> tuple[str, ...]:
        """The prompts that can be rendered, by name."""
        return self.plan.prompts

    @property
    def max_concurrency(self) -> int:
        """The number of calls that run at once."""
        return self._max_concurrency

    @property
    def timeout(self) -> float | None:
        """Seconds for each call; None for no limit."""
        return self._timeout

    @property
    def unavailable(self) -> dict[str, str]:
        """The tools and resources that cannot run, each with the reason."""
        return {name: str(lacking) for name, lacking in self._lacking.items()}

    def confirmation(
        self, name: str, arguments: Arguments = None, /
    ) -> Confirmation | None:
        """Return what a person must confirm before this call, for who asks outside of it.

        None if nobody needs to be asked, if the service asks by itself, or if the call is refused
        anyway.
        """
        prepared = self._callable.get(name)
        if self._confirm is not None or prepared is None or prepared.guard is None:
            return None
        try:
            return prepared.confirmation(prepared.read(arguments))
        except (InputError, Unfit):
            return None

    # Setup

    def _open_databases(self, connections: object, mistakes: list[str]) -> Any:
        """Return the databases; None for a package without statements.

        Mistakes in known connections are added to ``mistakes``.
        """
        if self.plan.databases is None:
            return None
        by_name: Mapping[str, object] = {}
        if isinstance(connections, Mapping):
            by_name = cast("Mapping[str, object]", connections)
        return self.plan.databases(
            self.plan,
            by_name,
            mistakes,
            read_only=self._read_only,
            is_async=self._is_async,
        )

    # The steps of a call

    def _steps(self, call: Call, arguments: Arguments) -> Coroutine[Any, Any, Outcome]:
        """Return the steps of a call of a tool, prompt or resource."""
        if call.name in self._callable:
            return self._outcome(call, arguments)
        if call.name in self.plan.prompts:
            return self._prompt_outcome(call, arguments)
        if call.name in self.plan.resources:
            return self._resource_outcome(call, arguments)
        return self._outcome(call, arguments)

    async def _prompt_outcome(self, call: Call, arguments: Arguments) -> Outcome:
        messages = await self._prompt(call, arguments, as_texts=False)
        told = [message.to_dict() for message in messages]
        return Outcome(call.name, told, python=messages)

    async def _outcome(self, call: Call, arguments: Arguments) -> Outcome:
        """Run a tool; return its outcome."""
        started = perf_counter()
        prepared: Prepared | None = None
        try:
            prepared = self._find(call.name, self._callable)
            tool_input = prepared.read(arguments)
            if prepared.guard is not None:
                await self._admit(call, prepared, tool_input)
            if prepared.handler is None:
                work = self._execute(prepared, tool_input, call)
            else:
                work = self._call_handler(prepared, tool_input, call, prepared.outcome)
            outcome = await self._run_limited(call, work)
        except Exception as problem:  # noqa: BLE001
            outcome = self._failure_outcome(call, problem, prepared)
        except CancelledError:
            call.ctx.cancel()
            self._log(call, started, self._cancelled_outcome(call, prepared))
            raise
        return self._log(call, started, outcome)

    async def _admit(self, call: Call, prepared: Prepared, tool_input: Any) -> None:
        """Hold a call against the limits of its tool, and ask a person. Raises ToolError.

        The time that a person takes to answer is not that of the call.
        """
        guard = prepared.guard
        if guard is not None and guard.max_request_bytes is not None:
            size, most = len(tool_input.to_json().encode()), guard.max_request_bytes
            if size > most:
                text = TOO_MUCH.format(call.name, size, most)
                raise tool_error(text, "request_too_large")
        if guard is not None and guard.rates:
            wait = self._rates.wait(guard.rates, call.ctx.caller.identity)
            if wait:
                error = tool_error(TOO_MANY.format(call.name, ceil(wait)), "busy")
                error.retry_after = ceil(wait)
                raise error
        asked = prepared.confirmation(tool_input)
        if asked is None:
            return
        ask: Any = call.confirm or self._confirm
        if ask is None:
            raise tool_error(UNCONFIRMED.format(call.name), "unconfirmed")
        begun, deadline = monotonic(), call.ctx.deadline
        call.ctx.deadline = None
        answer = await self._run_blocking(call, partial(ask, asked))
        if hasattr(answer, "__await__"):
            answer = await self._await(call, answer)
        if answer is not True:
            raise tool_error(DECLINED.format(call.name), "declined")
        call.has_begun = False
        if deadline is not None:
            call.ctx.deadline = deadline + monotonic() - begun

    async def _record(self, call: Call, work: Coroutine[Any, Any, T]) -> T:
        """Await a prompt or resource, and log it. Raises InputError, ContextError or ToolError."""
        started = perf_counter()
        try:
            value = await work
        except Exception as problem:  # noqa: BLE001
            outcome = self._failure_outcome(call, problem, None)
            self._log(call, started, outcome)
            raise outcome.error or problem from None
        self._log(call, started, Outcome(call.name))
        return value

    async def _prompt(
        self, call: Call, arguments: Arguments, *, as_texts: bool
    ) -> tuple[Any, ...]:
        """Return the messages of a prompt."""

        async def render() -> tuple[Any, ...]:
            self._check_open()
            prompt = find_prompt(self.plan, call.name)
            prompt_input = read_prompt_input(prompt, arguments, as_texts=as_texts)
            context = await self._context_of(call)
            values = self._values.get(prompt.name, {})
            messages: tuple[Any, ...] = prompt.render(
                prompt.bound_type.bind(prompt_input, context, **values)
            )
            return messages

        return await self._record(call, self._run_limited(call, render()))

    async def _read(self, call: Call, uri: str) -> Content:
        """Return the content of the resource at a URI."""

        async def read() -> Content:
            call.name, mime_type, resource_input = find_resource(self.plan, uri)
            prepared = self._find(call.name, self._prepared)
            finish = partial(content, uri, mime_type)
            return await self._run_limited(
                call, self._call_handler(prepared, resource_input, call, finish)
            )

        return await self._record(call, read())

    async def _resource_outcome(self, call: Call, arguments: Arguments) -> Outcome:
        """Return the content of a resource as JSON."""

        def finish(value: Any) -> Outcome:
            return Outcome(call.name, json_content(value), python=value)

        async def read() -> Outcome:
            prepared = self._find(call.name, self._prepared)
            resource_input = prepared.read(arguments)
            return await self._run_limited(
                call, self._call_handler(prepared, resource_input, call, finish)
            )

        return await self._record(call, read())

    async def _run_limited(self, call: Call, work: Coroutine[Any, Any, T]) -> T:
        """Await the work of a call in a slot, until its deadline.

        A call made by a handler uses the slot of the handler.
        """
        is_inner = CURRENT.get() is not None
        if not (is_inner or self._try_enter()):
            try:
                await self._enter(call)
            except BaseException:
                work.close()
                raise
        token: Token[CallContext | None] = CURRENT.set(call.ctx)
        try:
            if call.ctx.deadline is None:
                return await work
            return await self._limit_time(call, work)
        finally:
            CURRENT.reset(token)
            self._leave(call, is_inner=is_inner)

    def _leave(self, call: Call, *, is_inner: bool) -> None:
        """Free the slot of a call that has ended, or runs on while nobody waits for it.

        If too many run on, it is freed when nothing of the call runs any more.
        """
        may_outlive = len(self._outliving) < self._most_outliving
        frees_now = call.unfinished is None or may_outlive
        if frees_now and not is_inner:
            self._release()
        if call.unfinished is None:
            return
        self._outliving[call.unfinished] = call.name

        def end(ended: Any) -> None:
            self._outliving.pop(ended, None)
            if not ended.cancelled():
                ended.exception()  # else asyncio logs it as never retrieved
            if not (frees_now or is_inner):
                self._release()

        call.unfinished.add_done_callback(end)

    async def _execute(
        self, prepared: Prepared, tool_input: Any, call: Call
    ) -> Outcome:
        """Run a statement or a request."""
        match prepared.run:
            case Statement() as run:
                bound = self._bind(prepared, tool_input, await self._context_of(call))

                def answer(value: Any) -> Outcome:
                    return call.accepted(prepared.outcome(value))

                statement = self._databases.start(run, bound, answer)
                return await self._run_statement(call, statement)
            case Request() as run:
                context = await self._context_of(call)
                module = import_module(run.module, self.plan.package)
                result = await self._send_request(call, module, tool_input, context)
                if not result.ok:
                    raise RequestFailed(result.error)
                outcome = prepared.outcome(result.json, is_checked=True)
                outcome.python = result.value
                return call.accepted(outcome)
            case _:
                raise AssertionError("a function runs without its handler")

    async def _call_handler(
        self,
        prepared: Prepared,
        tool_input: Any,
        call: Call,
        finish: Callable[[Any], T],
    ) -> T:
        """Call the handler; return what ``finish`` makes of its value."""
        if prepared.hides:
            tool_input = self._bind(prepared, tool_input, await self._context_of(call))
        value: Any
        if prepared.is_async:
            value = await self._await(call, prepared.handler(tool_input))
        else:
            value = await self._run_blocking(
                call, partial(prepared.handler, tool_input)
            )
            if hasattr(value, "__await__"):
                value = await self._await(call, value)
        answer = finish(value)
        if call.accept is not None:
            call.accept(answer)
        return answer

    async def _context_of(self, call: Call) -> object:
        """Return the context that the hidden arguments of a call are read from."""
        source = self._context if call.context is UNSET else call.context
        if not callable(source):
            return source
        context: Any = await self._make_context(call, source)
        if hasattr(context, "__await__"):
            context = await self._await(call, context)
        return context

    def _bind(self, prepared: Prepared, tool_input: Any, context: object) -> Any:
        """Add the hidden arguments to the input of a call."""
        return prepared.bind(tool_input, context, **self._values.get(prepared.name, {}))

    def _call(
        self,
        name: str,
        call_context: CallContext | None,
        context: object,
        accept: Accept | None = None,
        confirm: Confirm | None = None,
    ) -> Call:
        """Return a new call; ``call_context`` is what its handler learns of it.

        A name that is no text is that of its type in brackets, which no tool has.
        """
        if not isinstance(cast("object", name), str):
            name = f"<{type(name).__name__}>"
        timeout = self._timeout
        guard = self.plan.guards.get(name)
        if guard is not None and guard.timeout is not None:
            timeout = guard.timeout if timeout is None else min(timeout, guard.timeout)
        deadline = None if timeout is None else monotonic() + timeout
        ctx = call_context
        if ctx is None:
            ctx = CallContext(name, deadline=deadline)
        if deadline is not None and (ctx.deadline is None or ctx.deadline > deadline):
            ctx.deadline = deadline
        return Call(name, ctx, context, accept, confirm)

    def _find(self, name: str, candidates: Mapping[str, Prepared]) -> Prepared:
        """Return a tool or resource.

        Raises ToolError for an unknown one, and Lacking for one that cannot run.
        """
        prepared = candidates.get(name)
        if prepared is not None:
            return prepared
        self._check_open()
        if name in self._lacking:
            raise copy(self._lacking[name])  # a traceback is of one call
        if candidates is self._prepared:
            raise Lacking("")
        meant = suggestion(name, {*candidates, *self._lacking})
        text = f"there is no tool {name!r:.{_SHOWN}}{meant}"
        raise tool_error(text, "unknown_tool")

    def _cancelled_outcome(self, call: Call, prepared: Prepared | None) -> Outcome:
        """Return the outcome of a cancelled call: that of its COMMIT, if one had begun."""
        if call.late is None:
            error = tool_error(CANCELLED.format(call.name), "cancelled")
            return Outcome(call.name, error=error)
        try:
            outcome: Outcome = call.late()
        except Exception as problem:  # noqa: BLE001
            return self._failure_outcome(call, problem, prepared)
        return outcome

    def _failure_outcome(
        self, call: Call, problem: Exception, prepared: Prepared | None
    ) -> Outcome:
        if isinstance(problem, Unfinished) and not call.has_begun:
            text = f"{call.name} was not called: too many calls run. Try again later."
            problem = tool_error(text, "busy")
        tool = None if prepared is None else prepared.tool
        tells_body = self._http.error_bodies
        return self._endings.outcome_of(call.name, problem, tool, tells_body=tells_body)

    def _log(self, call: Call, started: float, outcome: Outcome) -> Outcome:
        seconds = perf_counter() - started
        self._endings.log(call.name, seconds, outcome)
        if self._on_call is not None:
            self._tell(self._on_call, call, seconds, outcome)
        return outcome

    def _tell(
        self, on_call: OnCall, call: Call, seconds: float, outcome: Outcome
    ) -> None:
        """Tell the host program of a call that has ended; what it raises is logged."""
        plan, name = self.plan, call.name
        run = plan.runs.get(name) or plan.resources.get(name)
        is_tool = name not in plan.prompts and name not in plan.resources
        record = CallRecord(
            name=name,
            kind="tool" if is_tool else "resource" if run else "prompt",
            runs=None if run is None else run.word,
            description=plan.tools[name].description if name in plan.tools else None,
            code=outcome.code,
            error=outcome.error,
            started=time_ns() - int(seconds * 1e9),
            seconds=seconds,
            caller=call.ctx.caller,
        )
        try:
            guarded(on_call, record)
        except Exception as problem:  # noqa: BLE001
            self._endings.warn(f"on_call failed: {type(problem).__name__}")

    def _check_open(self) -> None:
        """Raise Lacking if the service is closed."""
        if self._is_closed:
            raise Lacking(CLOSED)

    def _refuse_calls(self) -> None:
        """Refuse all further calls, and log the calls that still run."""
        self._is_closed = True
        self._prepared = self._callable = {}
        names = sorted({*self._outliving.values()})
        if names:
            self._endings.warn("closed while these still run: " + ", ".join(names))
