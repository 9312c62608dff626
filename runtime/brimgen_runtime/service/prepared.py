"""Tools ready to be called: what each call of a tool needs, prepared once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from ..calls.tools import Tool
from ..records.encode import to_json_value
from ..records.json_object import JsonCall
from ..records.record import sent_of
from ..schema.errors import InputError
from ..schema.validator import Validator
from .endings import TOO_LONG
from .errors import Lacking, NoBaseUrl, Unfit, tool_error
from .guards import Confirmation, confirmation
from .keywords import called_by_keywords
from .outcome import DIGITS, Outcome, sent_value
from .plan import NOTHING, Changed, Function, Plan, Request, Run, Statement

_TOO_LONG = "a number is out of range"
_HIGHEST = 10**DIGITS - 1
_LOWEST = -_HIGHEST
"""The bounds of the integers that Python converts to text by default."""
_FLAT = frozenset((str, int, float, bool))
"""The types of values without parts, other than None."""
_MARK = "\0bytes"
"""The member of the objects that stand for bytes while it is judged where they may be."""


class Prepared:
    """A tool or resource: decodes calls, holds its handler, and encodes results.

    ``handler`` is the function of the host program, if one runs the tool; it ``is_async`` or
    ``is_sync``. ``hides``: the tool has arguments that its callers do not send. ``guard`` says what
    must hold before it runs.
    """

    __slots__ = (
        "_counts",
        "_encode",
        "_from_call",
        "_from_dict",
        "_leaves",
        "_output",
        "_taking_bytes",
        "bind",
        "guard",
        "handler",
        "hides",
        "is_async",
        "is_sync",
        "name",
        "run",
        "tool",
    )

    def __init__(self, plan: Plan, name: str, run: Run, handler: Any = None) -> None:
        tool: Tool[Any, Any] = plan.tools[name]
        self.name = name
        self.tool = tool
        self.run = run
        self.guard = plan.guards.get(name)
        self._from_call: Callable[[Any], Any] = tool.input_type.from_call
        self._from_dict: Callable[[Any], Any] = tool.input_type.from_dict
        self.bind: Callable[..., Any] = cast("Any", tool.bound_type).bind
        self.hides = tool.bound_type is not tool.input_type
        self.handler = handler
        self.is_async = handler is not None and _is_async(handler)
        self.is_sync = handler is not None and not self.is_async
        self._encode: Callable[[Any], Any] | None = to_json_value
        if isinstance(run, Function):
            self._encode = run.encode
        self._counts = isinstance(run, Statement) and run.rows == "count"
        schema = tool.output_schema
        self._output = (
            None if schema is None else Validator(schema, tool=name, leaves=plan.leaves)
        )
        self._leaves = plan.leaves
        self._taking_bytes: Validator | None = None

    def read(self, arguments: Any) -> Any:
        """Return the input of the tool from what a model sent. Raises InputError."""
        if arguments is None:
            arguments = {}
        elif isinstance(arguments, JsonCall):
            arguments = sent_of(arguments)
        if arguments.__class__ is not dict:
            return self._from_call(arguments)
        for value in arguments.values():
            kind = value.__class__
            if kind not in _FLAT or (kind is int and not _LOWEST <= value <= _HIGHEST):
                break
        else:  # nulls, which `from_call` leaves out, are absent too
            return self._from_dict(arguments)
        try:
            place = _long_integer(arguments, None)
        except RecursionError:
            place = None  # `from_call` refuses what is nested too deeply
        if place is not None:
            finding = (place, "json", _TOO_LONG, None, "")
            raise InputError(self.name, [finding], None)
        return self._from_call(arguments)

    def confirmation(self, tool_input: Any) -> Confirmation | None:
        """Return what a person must confirm before a call; None if nothing. Raises Unfit."""
        if self.guard is None or self.guard.confirm is None:
            return None
        return confirmation(self.name, self.guard.confirm, tool_input.to_dict())

    def outcome(self, value: Any, *, is_checked: bool = False) -> Outcome:
        """Return the outcome of a run with the result ``value``.

        Raises Unfit for a value that the output schema refuses, unless it ``is_checked``, and
        ToolError for one that is larger than the tool may return.
        """
        if type(value) is Changed:
            return self._outcome_of_change(value)
        if self._encode is None or self._output is None:
            return Outcome(self.name, text="done")
        try:
            exact = self._encode(value)
        except (ValueError, RecursionError) as problem:
            raise Unfit(f"no JSON value: {problem}") from problem
        except (TypeError, AttributeError, ArithmeticError, LookupError) as problem:
            raise Unfit("it is not of the declared type") from problem
        if not is_checked and not self._output.is_valid(exact):
            exact = self._fitting(exact, self._output)
        json, sent = sent_value(exact)
        if self.guard is not None and self.guard.max_response_bytes is not None:
            size, most = len(json.encode()), self.guard.max_response_bytes
            if size > most:
                text = TOO_LONG.format(self.name, size, most)
                raise tool_error(text, "response_too_large")
        note = f"{NOTHING}." if self._counts and exact == 0 else None
        return Outcome(self.name, sent, json, note=note, python=value)

    def _fitting(self, exact: Any, output: Validator) -> Any:
        """Return a result that the schema accepts once its bytes are base64.

        Raises Unfit for every other one, and for bytes where the schema wants another text.
        """
        if self._taking_bytes is None:
            schema = _taking_bytes(output.schema)
            self._taking_bytes = Validator(schema, leaves=self._leaves)
        mistakes = self._taking_bytes.violations(_marked(exact))
        if not mistakes:
            exact = to_json_value(exact)
            mistakes = output.violations(exact)
        if mistakes:
            expected = (
                f"{each.pointer or '(root)'}: expected {each.expected}"
                for each in mistakes
            )
            raise Unfit("; ".join(expected))
        return exact

    def _outcome_of_change(self, count: int) -> Outcome:
        """Return the outcome of a statement that changed ``count`` rows."""
        if count < 0:
            return Outcome(self.name, text="done")
        note = None if count else f"{NOTHING}."
        return Outcome.of(self.name, {"changed": int(count)}, note)


def _taking_bytes(schema: Any) -> Any:
    """Return a schema that takes `_marked` bytes where it takes base64."""
    if isinstance(schema, list):
        return [_taking_bytes(part) for part in cast("Sequence[Any]", schema)]
    if not isinstance(schema, Mapping):
        return schema
    parts = cast("Mapping[str, Any]", schema).items()
    taking = {word: _taking_bytes(part) for word, part in parts}
    if taking.get("contentEncoding") == "base64":
        marked = {"type": "object", "required": [_MARK], "title": "bytes"}
        return {"anyOf": [taking, marked]}
    return taking


def _marked(value: Any) -> Any:
    """Return a result with objects in the place of bytes, which no text is mistaken for."""
    if isinstance(value, bytes):
        return {_MARK: True}
    if isinstance(value, list):
        return [_marked(item) for item in cast("Sequence[Any]", value)]
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return {name: _marked(item) for name, item in items}
    return value


def _long_integer(value: Any, path: Any) -> Any:
    """Return the path of an integer that is too long for JSON text; None if there is none."""
    steps: Any = value.items() if value.__class__ is dict else enumerate(value)
    for step, member in steps:
        kind = member.__class__
        if kind is int:
            if not _LOWEST <= member <= _HIGHEST:
                return (path, step)
        elif kind is dict or kind is list:
            place = _long_integer(member, (path, step))
            if place is not None:
                return place
    return None


def _is_async(handler: object) -> bool:
    called = getattr(handler, "__call__", None)  # noqa: B004
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(called)


def prepared_tools(
    plan: Plan,
    only: Collection[str] | None,
    databases: Any,
    *,
    secrets: Mapping[str, str],
    handlers: Mapping[str, Callable[..., Any]],
) -> tuple[dict[str, Prepared], dict[str, Lacking]]:
    """Return the tools and resources that can run, and why the others cannot."""
    prepared: dict[str, Prepared] = {}
    lacking: dict[str, Lacking] = {}
    for name, run in {**plan.runs, **plan.resources}.items():
        if only is not None and name not in only:
            continue
        try:
            handler = _handler_of(plan, run, databases, secrets, handlers.get(name))
            prepared[name] = Prepared(plan, name, run, handler)
        except Lacking as problem:
            lacking[name] = problem.with_traceback(None)
    return prepared, lacking


def _handler_of(
    plan: Plan,
    run: Run,
    databases: Any,
    secrets: Mapping[str, str],
    handler: Callable[..., Any] | None,
) -> Callable[..., Any] | None:
    """Return the handler of a tool; None for statements and requests. Raises Lacking.

    ``handler`` is the one that the host program passed, if any.
    """
    match run:
        case Statement(module=module):
            if databases is None or not _has_module(plan, module):
                raise Lacking("its statement was not generated: add the target sql")
            lacking = databases.lacks(run)
            if lacking is not None:
                raise Lacking(lacking)
        case Request(module=module):
            if not _has_module(plan, module):
                raise Lacking("its request was not generated: add the target http")
            missing = [secret for secret in run.secrets if not secrets.get(secret)]
            if run.base in missing:
                others = tuple(name for name in missing if name != run.base)
                raise NoBaseUrl(run.base, others)
            if missing:
                raise Lacking(f"there is no secret {', '.join(missing)}")
        case Function(handler=path, keywords=keywords):
            if handler is None and path is None:
                raise Lacking("there is no handler")
            function = handler or _import_function(str(path))
            return called_by_keywords(function) if keywords else function
    return None


def _has_module(plan: Plan, module: str) -> bool:
    try:
        return find_spec(module, plan.package) is not None
    except ModuleNotFoundError:
        return False


def _import_function(path: str) -> Callable[..., Any]:
    """Import ``module:function``. Raises Lacking, whatever the module raises."""
    module, _, name = path.partition(":")
    try:
        function: Callable[..., Any] = getattr(import_module(module), name)
    except Exception as problem:
        reason = str(problem) or type(problem).__name__
        raise Lacking(f"{path}: {reason}") from problem
    if not callable(getattr(function, "fn", function)):
        raise Lacking(f"{path}: {name} is not callable")
    return function


def handlers_by_name(handlers: Any) -> Mapping[str, Callable[..., Any]]:
    """Return handlers by tool, from a mapping or the package's ``Handlers``."""
    by_name: Mapping[str, Callable[..., Any]] = getattr(handlers, "runs", handlers)
    return by_name or {}
