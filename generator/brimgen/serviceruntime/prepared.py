"""Tools ready to be called: what each call of a tool needs, found once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, cast

from ._package import Tool, Validator, to_json_value
from .errors import Unfit
from .outcome import Outcome
from .plan import NOTHING, Changed, Function, Plan, Run, Statement


class Prepared:
    """A tool or resource: how it decodes a call, runs, and makes JSON of a result.

    ``handler`` is the function of the host program that runs it, if one does; ``is_async`` says
    that it must be awaited. ``hides``: its bound input has more than its input.
    """

    __slots__ = (
        "_counts",
        "_encode",
        "_output",
        "bind",
        "decode",
        "handler",
        "hides",
        "is_async",
        "name",
        "run",
        "tool",
    )

    def __init__(self, plan: Plan, name: str, run: Run, handler: Any = None) -> None:
        tool: Tool[Any, Any] = plan.tools[name]
        self.name = name
        self.tool = tool
        self.run = run
        self.decode: Callable[[Any], Any] = tool.input_type.from_call
        self.bind: Callable[..., Any] = cast("Any", tool.bound_type).bind
        self.hides = tool.bound_type is not tool.input_type
        self.handler = handler
        self.is_async = handler is not None and _is_async(handler)
        self._encode: Callable[[Any], Any] | None = to_json_value
        if isinstance(run, Function):
            self._encode = run.encode
        self._counts = isinstance(run, Statement) and run.rows == "count"
        schema = tool.output_schema
        self._output = (
            None if schema is None else Validator(schema, tool=name, leaves=plan.leaves)
        )

    def finished(self, value: Any, *, is_checked: bool = False) -> Outcome:
        """Return the outcome of a run that gave ``value``.

        Raises Unfit for a value that the output schema refuses, unless it ``is_checked``.
        """
        if type(value) is Changed:
            return self._changed(value)
        if self._encode is None or self._output is None:
            return Outcome(self.name, returns=False)
        try:
            exact = self._encode(value)
        except (ValueError, RecursionError) as problem:
            raise Unfit(f"no JSON value: {problem}") from problem
        except (TypeError, AttributeError, ArithmeticError, LookupError) as problem:
            raise Unfit("it is not of the declared type") from problem
        if not is_checked and not self._output.is_valid(exact):
            told = (
                f"{each.pointer or '(root)'}: expected {each.expected}"
                for each in self._output.violations(exact)
            )
            raise Unfit("; ".join(told))
        if self._counts and exact == 0:
            return Outcome(self.name, exact, note=f"{NOTHING}.")
        return Outcome(self.name, exact)

    def _changed(self, count: int) -> Outcome:
        """Return the outcome of a statement without a result, by the rows that it changed."""
        if count < 0:
            return Outcome(self.name, returns=False)
        note = None if count else f"{NOTHING}."
        return Outcome(self.name, {"changed": int(count)}, note=note)


def _is_async(handler: object) -> bool:
    called = getattr(handler, "__call__", None)  # noqa: B004
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(called)


def imported_handler(path: str) -> Callable[..., Any]:
    """Import ``module:function``. Raises whatever the module raises, and TypeError."""
    module, _, name = path.partition(":")
    found = getattr(import_module(module), name)
    if not callable(found):
        raise TypeError(f"{name} is not callable")
    handler: Callable[..., Any] = found
    return handler


def handlers_by_name(given: object) -> Mapping[str, Callable[..., Any]]:
    """Return the handlers that a host program gave: a mapping, or the package's ``Handlers``."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return cast("Mapping[str, Callable[..., Any]]", given)
    handlers: Mapping[str, Callable[..., Any]] | None = getattr(given, "runs", None)
    if handlers is None:
        kind = type(given).__name__
        raise TypeError(f"handlers are a mapping or the package's Handlers, not {kind}")
    return handlers
