"""Turn exceptions of calls into outcomes, and log calls.

Texts for models do not describe the program; details go to the log.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Collection
from typing import Any

from ..calls.context import ContextError
from ..calls.results import ToolError
from ..calls.tools import Tool
from ..schema.errors import InputError
from ..sql._bind_error import BindError
from ..sql._row_error import RowError
from .errors import (
    Abandoned,
    Closed,
    CommitUnknown,
    Lacking,
    NoBaseUrl,
    Refused,
    RequestFailed,
    Unfinished,
    Unfit,
    tool_error,
)
from .outcome import Outcome

_EXPLAINED = (Closed, ContextError, Lacking, RequestFailed, Unfit)
"""Exceptions of this package, whose messages say all: a trace adds nothing."""
_OWN = (*_EXPLAINED, ModuleNotFoundError)
"""Exceptions whose messages quote no value."""
FAILED = "{} failed. The reason is in the log."
_UNAVAILABLE = "{} is not available."
_NOT_FOR_YOU = "{} is not available to you."
CANCELLED = "{} was cancelled."
UNCONFIRMED = (
    "{} was not called: a person must confirm it, and nobody can be asked here."
)
DECLINED = "{} was not called: the person who was asked did not confirm it."
TOO_MANY = (
    "{} was not called: too many calls were made within a minute. "
    "Try again in {} seconds."
)
TOO_MUCH = "{} was not called: its arguments have {:,} bytes, {:,} are allowed."
TOO_LONG = "{} answers with {:,} bytes, {:,} are allowed. Ask for less."
_LATE = "{} took too long and was stopped."
_UNKNOWN = (
    "{} may have taken effect: the database did not confirm it. "
    "Look before you call it again."
)


def log_problem(
    logger: logging.Logger,
    text: str,
    problem: BaseException,
    level: int = logging.ERROR,
) -> None:
    """Log what went wrong outside a call as `Endings` logs a call.

    One line without values; the development mode of Python adds the exception.
    """
    traced = problem if sys.flags.dev_mode else None
    logger.log(level, "%s%s", text, _describe_causes(problem), exc_info=traced)


class Endings:
    """Turns exceptions into outcomes, and writes the log.

    ``logs_exceptions``: the log includes messages of exceptions, which may quote values.
    """

    def __init__(self, logger: logging.Logger, *, logs_exceptions: bool) -> None:
        self._logger = logger
        self._logs_exceptions = logs_exceptions

    def log(self, name: str, seconds: float, outcome: Outcome) -> None:
        """Log a call: its tool, its outcome, its duration."""
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
        details = _describe_causes(cause) if level > logging.INFO else ""
        is_explained = isinstance(cause, _EXPLAINED) and cause.__cause__ is None
        traced = self._logs_exceptions and level > logging.INFO and not is_explained
        self._logger.log(
            level,
            "%s: %s in %.1f ms%s",
            name[:200],
            outcome.code,
            seconds * 1000,
            details,
            exc_info=cause if traced else None,
            extra={
                "tool": name[:200],
                "outcome": outcome.code,
                "duration": seconds,
            },
        )

    def warn(self, text: str) -> None:
        """Log a warning about the service."""
        self._logger.warning(text)

    def outcome_of(
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
                reason = f"{before}{problem.reason_for(_names(tool))}"
                error = tool_error(reason, "refused", problem.__cause__)
                return Outcome(name, error=error, text=f"{name}: {reason}")
            case RequestFailed():
                return _request_outcome(name, problem, tells_body=tells_body)
            case NoBaseUrl():
                text = f"{_UNAVAILABLE[:-1]}: {problem.reason}."
                return _failed(name, text, "unavailable", problem)
            case Lacking():
                return _failed(name, _UNAVAILABLE, "unavailable", problem)
            case Unfinished() | Abandoned():
                return _failed(name, _LATE, "timeout", problem)
            case Closed():
                return _failed(name, CANCELLED, "cancelled", problem)
            case CommitUnknown():
                return _failed(name, _UNKNOWN, "unknown_outcome", problem)
            case Unfit():
                return _failed(name, FAILED, "invalid_output", problem)
            case _:
                refused = self._bind_refusal(name, problem, tool)
                if refused is not None:
                    return Outcome(name, error=refused, text=refused.retry_message())
                return _failed(name, FAILED, "failed", problem)

    def _bind_refusal(
        self, name: str, problem: Exception, tool: Tool[Any, Any] | None
    ) -> InputError | None:
        """Return the error for an argument that a database cannot hold; None for other problems."""
        if not isinstance(problem, BindError):
            return None
        refused = problem
        parameter, _, place = str(refused.parameter).partition("/")
        if parameter not in _names(tool):
            return None
        path: Any = (None, parameter)
        for step in place.split("/") if place else ():
            path = (path, int(step) if step.isdecimal() else step)
        error = InputError(name, [(path, "bind", refused.why, None, "")], None)
        error.__cause__ = problem
        return error


_INFO_CODES = frozenset(
    {
        "ok",
        "invalid_arguments",
        "not_found",
        "unknown_tool",
        "unknown_prompt",
        "unknown_resource",
    }
)
"""Codes of calls that succeeded, or that the caller got wrong."""


def _level(code: str) -> int:
    if code in _INFO_CODES:
        return logging.INFO
    if code in ("refused", "busy", "cancelled", "declined", "unconfirmed"):
        return logging.WARNING
    return logging.ERROR


def _describe_causes(problem: BaseException | None) -> str:
    """Return the types and places of an exception and its causes, within one line.

    Only texts of this package and the service are quoted: others may hold values of users.
    """
    causes: list[str] = []
    while problem is not None and len(causes) < 5:
        description = type(problem).__name__
        if isinstance(problem, RowError):
            row = "" if problem.row is None else f"row {problem.row}, "
            description += f": {row}{problem.told}"
        elif isinstance(problem, _OWN):
            description += f": {problem}{_place(problem)}"
        else:
            description += _place(problem)
        causes.append(description)
        problem = problem.__cause__
    return f" ({', from '.join(causes)})" if causes else ""


def _place(problem: BaseException) -> str:
    trace = problem.__traceback__
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    file = code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f" at {file}:{trace.tb_lineno} in {code.co_name}"


def _failed(name: str, text: str, code: str, cause: BaseException) -> Outcome:
    """Return a failed outcome; ``text`` is a format for the name of the tool."""
    message = text.format(name)
    return Outcome(name, error=tool_error(message, code, cause), text=message)


def _request_outcome(name: str, problem: RequestFailed, *, tells_body: bool) -> Outcome:
    """Return the outcome of a request that failed."""
    error = problem.error
    text = str(error.message)
    if error.code == "not_configured":
        text = _NOT_FOR_YOU.format(name)
    elif error.attempts and tells_body and error.body is not None and error.body.text:
        mark = " […]" if error.body.is_cut else ""
        text = f"{text}. It said:\n{error.body.text}{mark}"
    return Outcome(name, error=tool_error(text, str(error.code), problem), text=text)


def sendable(text: str) -> str:
    """Return a text that UTF-8 can encode: a lone surrogate becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _names(tool: Tool[Any, Any] | None) -> Collection[str]:
    """Return the names of the arguments that callers send."""
    properties: Collection[str] = (
        () if tool is None else tool.input_schema.get("properties", ())
    )
    return properties
