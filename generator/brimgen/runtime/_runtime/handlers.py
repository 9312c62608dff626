"""Run tools by the functions of the host program that are registered for them.

A call is decoded, joined with its context, handled, encoded and checked by the output schema, in
this order; every failure is a `Failed`. A tool whose handler is missing is disabled, with the
reason, and the other tools still work (S2.13).
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Self, TypeVar, cast

from . import Tool
from .encode import Encoder
from .errors import InputError
from .results import Failed, NotFound, Ok, Result, ToolError, failed, refused
from .validator import Validator

HandlerT = TypeVar("HandlerT", bound=Callable[..., Any])
_NOT_REGISTERED = "no handler is registered"
_SWITCHED_OFF = "switched off by its spec"


class Slot:
    """What is known of a tool's handler: where its spec says it is, and how its value is encoded.

    ``handler`` is ``package.module:function``, None where the spec names none; ``encode`` None
    where the tool returns nothing.
    """

    __slots__ = ("encode", "handler", "is_switched_on")

    def __init__(
        self,
        handler: str | None = None,
        *,
        encode: Encoder | None = None,
        is_switched_on: bool = True,
    ) -> None:
        self.handler = handler
        self.encode = encode
        self.is_switched_on = is_switched_on


class Registry:
    """The handlers of a package's tools; generated packages derive ``Handlers`` from it.

    ``tools`` are all of the package, ``slots`` those that a handler runs, by name; ``leaves`` read
    the values of the project's leaves.
    """

    def __init__(
        self,
        tools: Mapping[str, Tool[Any, Any]],
        slots: Mapping[str, Slot],
        given: Mapping[str, Callable[..., Any] | None],
        leaves: Mapping[str, Callable[[Any], object]] | None = None,
    ) -> None:
        self._tools = tools
        self._slots = slots
        self._leaves = leaves
        self._handlers = {
            name: each for name, each in given.items() if each is not None
        }
        self._reasons: dict[str, str] = {}
        self._problems: dict[str, Exception] = {}
        self._outputs: dict[str, Validator] = {}

    def _register(self, name: str, handler: HandlerT) -> HandlerT:
        self._handlers[name] = handler
        return handler

    def load(self) -> Self:
        """Import the handlers that the specs name, where none is registered; return self.

        What cannot be imported, whatever the reason, disables its own tool only.
        """
        for name, slot in self._slots.items():
            if name in self._handlers or slot.handler is None:
                continue
            try:
                self._handlers[name] = _imported(slot.handler)
            except Exception as problem:  # noqa: BLE001
                said = str(problem) or type(problem).__name__
                self._reasons[name] = f"{slot.handler}: {said}"
                self._problems[name] = problem
        return self

    @property
    def enabled(self) -> tuple[str, ...]:
        """The tools that can be called, in the order of the package."""
        off = self.disabled
        return tuple(name for name in self._slots if name not in off)

    @property
    def runs(self) -> Mapping[str, Callable[[Any], Any]]:
        """The handlers of the enabled tools by name, as dispatchers take them."""
        return MappingProxyType({name: self._handlers[name] for name in self.enabled})

    @property
    def disabled(self) -> Mapping[str, str]:
        """The tools that cannot be called, each with its reason."""
        found: dict[str, str] = {}
        for name, slot in self._slots.items():
            if not slot.is_switched_on:
                found[name] = _SWITCHED_OFF
            elif name not in self._handlers:
                found[name] = self._reasons.get(name, _NOT_REGISTERED)
        return MappingProxyType(found)

    def invoke(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | bytes,
        /,
        context: object = None,
        **host: Any,
    ) -> Result:
        """Call a tool with what a model or client sent; never raises for what goes wrong in it.

        ``context`` is where hidden arguments are looked up, ``host`` are those with
        ``llm: false``, by their attributes. A handler that is async is run to its end here.

        Raises:
            RuntimeError: for an async handler where a loop is running; await `invoke_async`.
        """
        prepared = self._prepare(name, arguments, context, host)
        if isinstance(prepared, Failed):
            return prepared
        value, problem = _called(self._handlers[name], prepared)
        if problem is not None:
            return _problem(name, problem)
        if not inspect.isawaitable(value):
            return self._finish(name, value)
        import asyncio

        coroutine = self._awaited(name, value)
        try:
            return asyncio.run(coroutine)
        except RuntimeError:
            coroutine.close()
            if inspect.iscoroutine(value):
                value.close()
            raise

    async def invoke_async(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | bytes,
        /,
        context: object = None,
        **host: Any,
    ) -> Result:
        """As `invoke`; a handler that is not async runs in a thread, so that it blocks nobody."""
        prepared = self._prepare(name, arguments, context, host)
        if isinstance(prepared, Failed):
            return prepared
        handler = self._handlers[name]
        if _is_async(handler):
            value, problem = _called(handler, prepared)
        else:
            from .threads import in_thread

            value, problem = await in_thread(
                lambda: _called(handler, prepared, (BaseException,))
            )
        if problem is not None:
            return _problem(name, problem)
        if inspect.isawaitable(value):
            return await self._awaited(name, value)
        return self._finish(name, value)

    async def _awaited(self, name: str, value: Awaitable[Any]) -> Result:
        try:
            found = await value
        except (Exception, SystemExit) as problem:  # noqa: BLE001
            return _problem(name, problem)
        return self._finish(name, found)

    def _prepare(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | bytes,
        context: object,
        host: Mapping[str, Any],
    ) -> Any:
        """Return what the handler is given, or why it is not called."""
        if name not in self._slots:
            return failed("unknown_tool", f"there is no tool {name!r:.100}")
        reason = self.disabled.get(name)
        if reason is not None:
            cause = LookupError(f"{name}: {reason}")
            cause.__cause__ = self._problems.get(name)
            return failed("unavailable", f"{name} is not available", cause)
        tool = self._tools[name]
        try:
            call = tool.input_type.from_call(arguments)
        except InputError as error:
            return refused(error)
        try:
            return cast("Any", tool.bound_type).bind(call, context, **host)
        except Exception as problem:  # noqa: BLE001
            words = f"{name} is not given what it needs here"
            return failed("not_configured", words, problem)

    def _finish(self, name: str, value: Any) -> Result:
        """Encode what a handler returned, and hold it against the output schema."""
        encode = self._slots[name].encode
        if encode is None:
            return Ok(None, None)
        if isinstance(value, bytes) and self._tools[name].output_schema is None:
            return Ok(value, value)  # a resource that declares no result may be binary
        try:
            encoded = encode(value)
            self._output(name).check(encoded)
        except Exception as problem:  # noqa: BLE001
            words = f"{name} returned what its output schema refuses"
            return failed("invalid_output", words, problem)
        return Ok(value, encoded)

    def _output(self, name: str) -> Validator:
        known = self._outputs.get(name)
        if known is None:
            schema = self._tools[name].output_schema
            law = True if schema is None else schema
            self._outputs[name] = known = Validator(law, tool=name, leaves=self._leaves)
        return known


def _called(
    handler: Callable[..., Any],
    call: Any,
    caught: tuple[type[BaseException], ...] = (Exception, SystemExit),
) -> tuple[Any, BaseException | None]:
    """Return what a handler returned, or raised: no thread can hand on a StopIteration.

    In a thread of its own nobody else interrupts it, so that there all is ``caught``.
    """
    try:
        return handler(call), None
    except caught as problem:
        return None, problem


def _problem(name: str, problem: BaseException) -> Failed:
    if isinstance(problem, ToolError):
        is_missing = isinstance(problem, NotFound)
        return failed("not_found" if is_missing else "refused", str(problem), problem)
    if not isinstance(problem, Exception):
        problem = RuntimeError(f"{type(problem).__name__}: {problem}")
    return failed("failed", f"{name} failed", problem)


def _is_async(handler: object) -> bool:
    called = getattr(handler, "__call__", None)  # noqa: B004
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(called)


def _imported(handler: str) -> Callable[..., Any]:
    module, _, name = handler.partition(":")
    found = getattr(import_module(module), name)
    if not callable(found):
        raise TypeError(f"{name} is not callable")
    return cast("Callable[..., Any]", found)
