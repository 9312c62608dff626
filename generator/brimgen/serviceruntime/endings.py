"""Turn whatever ends a run without a value into an outcome, and log it.

The text for a model never describes the program; details go to the log.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from sys import modules
from typing import Any

from ._package import ContextError, InputError, Tool, ToolError
from .errors import (
    Abandoned,
    CommitUnknown,
    Lacking,
    Refused,
    RequestFailed,
    Unfinished,
    Unfit,
    tool_error,
)
from .outcome import Outcome

_OWN = (ContextError, Lacking, RequestFailed, Unfit, ModuleNotFoundError)
"""Exceptions whose texts quote no value."""
FAILED = "{} failed. The reason is in the log."
_UNAVAILABLE = "{} is not available."
_NOT_FOR_YOU = "{} is not available to you."
_LATE = "{} took too long and was stopped."
_UNKNOWN = (
    "{} may have taken effect: the database did not confirm it. "
    "Look before you call it again."
)


class Endings:
    """Makes outcomes of exceptions.

    ``logs_exceptions``: the log has the texts of exceptions, which may quote what they are about.
    """

    def __init__(
        self, package: str, logger: logging.Logger, *, logs_exceptions: bool
    ) -> None:
        self._package = package
        self._logger = logger
        self._logs_exceptions = logs_exceptions

    def ended(self, name: str, seconds: float, outcome: Outcome) -> None:
        """Write the record of a call: its tool, how it ended, how long it took."""
        error = outcome.error
        if error is None and not self._logger.isEnabledFor(logging.INFO):
            return
        level = _level(outcome.code)
        if not self._logger.isEnabledFor(level):
            return
        cause: BaseException | None = None
        if error is not None:
            is_context = isinstance(error, ContextError)
            cause = error.__cause__ or (error if is_context else None)
        said = _story(cause) if level > logging.INFO else ""
        shown = cause if self._logs_exceptions and level > logging.INFO else None
        self._logger.log(
            level,
            "%s: %s in %.1f ms%s",
            name[:200],
            outcome.code,
            seconds * 1000,
            said,
            exc_info=shown,
            extra={
                "tool": name[:200],
                "outcome": outcome.code,
                "duration": seconds,
            },
        )

    def warn(self, text: str) -> None:
        """Write a warning about the service."""
        self._logger.warning(text)

    def of(
        self,
        name: str,
        problem: Exception,
        tool: Tool[Any, Any] | None,
        *,
        tells_body: bool,
    ) -> Outcome:
        """Return the outcome of a call that ended with ``problem``."""
        match problem:
            case InputError():
                return Outcome(name, error=problem, text=problem.retry_message())
            case ContextError():
                return Outcome(name, error=problem, text=_NOT_FOR_YOU.format(name))
            case ToolError():
                is_named = problem.code in ("refused", "not_found")
                text = f"{name}: {problem}" if is_named else str(problem)
                return Outcome(name, error=problem, text=sendable(text))
            case Refused():
                before = "nothing was changed: " if problem.changes else ""
                told = f"{before}{problem.told(_names(tool))}"
                error = tool_error(told, "refused", problem.__cause__)
                return Outcome(name, error=error, text=f"{name}: {told}")
            case RequestFailed():
                return _of_request(name, problem, tells_body=tells_body)
            case Lacking():
                return _failing(name, _UNAVAILABLE, "unavailable", problem)
            case Unfinished() | Abandoned():
                return _failing(name, _LATE, "timeout", problem)
            case CommitUnknown():
                return _failing(name, _UNKNOWN, "unknown_outcome", problem)
            case Unfit():
                return _failing(name, FAILED, "invalid_output", problem)
            case _:
                refused = self._unbound(name, problem, tool)
                if refused is not None:
                    return Outcome(name, error=refused, text=refused.retry_message())
                return _failing(name, FAILED, "failed", problem)

    def _unbound(
        self, name: str, problem: Exception, tool: Tool[Any, Any] | None
    ) -> InputError | None:
        """Return the error of an argument of the caller that a database cannot hold."""
        encode = modules.get(f"{self._package}.sql._bind_error")
        if encode is None or not isinstance(problem, encode.BindError):
            return None
        refused: Any = problem
        parameter, _, place = str(refused.parameter).partition("/")
        if parameter not in _names(tool):
            return None
        path: Any = (None, parameter)
        for step in place.split("/") if place else ():
            path = (path, int(step) if step.isdecimal() else step)
        error = InputError(name, [(path, "bind", refused.why, None, "")], None)
        error.__cause__ = problem
        return error


def _level(code: str) -> int:
    if code in ("ok", "invalid_arguments", "not_found") or code.startswith("unknown_"):
        return logging.INFO
    if code in ("refused", "busy", "cancelled"):
        return logging.WARNING
    return logging.ERROR


def _story(problem: BaseException | None) -> str:
    """Return the types and places of an exception and its causes, and no text that may quote
    a value; what this package or a service says itself is told.
    """
    told: list[str] = []
    while problem is not None and len(told) < 5:
        said = type(problem).__name__
        if isinstance(problem, _OWN):
            said += f": {problem}"
        told.append(said + _place(problem))
        problem = problem.__cause__
    return f" ({', from '.join(told)})" if told else ""


def _place(problem: BaseException) -> str:
    trace = problem.__traceback__
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    file = code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f" at {file}:{trace.tb_lineno} in {code.co_name}"


def _failing(name: str, text: str, code: str, cause: BaseException) -> Outcome:
    """Return an outcome with a text that has a place for the name of the tool."""
    told = text.format(name)
    return Outcome(name, error=tool_error(told, code, cause), text=told)


def _of_request(name: str, problem: RequestFailed, *, tells_body: bool) -> Outcome:
    """Return the outcome of a request without a value."""
    error = problem.error
    text = str(error.message)
    if error.code == "not_configured":
        text = _NOT_FOR_YOU.format(name)
    elif error.attempts and tells_body and error.body is not None and error.body.text:
        mark = " […]" if error.body.is_cut else ""
        text = f"{text}. It said:\n{error.body.text}{mark}"
    return Outcome(name, error=tool_error(text, str(error.code), problem), text=text)


def sendable(text: str) -> str:
    """Return a text that can be encoded: half a character becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _names(tool: Tool[Any, Any] | None) -> Collection[str]:
    """Return the names of the arguments that callers know."""
    properties: Collection[str] = (
        () if tool is None else tool.input_schema.get("properties", ())
    )
    return properties
