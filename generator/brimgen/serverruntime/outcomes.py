"""Outcomes of tools: what a run returned or raised, and what a model may read of it.

The text for a model never describes the server; details go to the server's log.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from types import TracebackType
from typing import Any, Self

from ._package import ContextError, NotFound, Tool, ToolError
from .answers import Unfit
from .statements import Refused, Unbound

_LOG = logging.getLogger(__name__)
_TELLABLE = ("invalid_arguments", "refused")


class Failing(Exception):
    """A run that ended badly, and the text about it that a model may know."""


class Attempt:
    """Runs a block for a tool, resource or prompt: what goes wrong in it becomes ``problem``, a
    text that a model may know; ``is_missing`` tells that a handler did not find what was asked for.
    """

    def __init__(self, name: str, tool: Tool[Any, Any] | None = None) -> None:
        self.problem: str | None = None
        self.is_missing = False
        self._name = name
        self._tool = tool

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        problem: BaseException | None,
        _trace: TracebackType | None,
    ) -> bool:
        if not isinstance(problem, Exception):
            return False
        self.is_missing = isinstance(problem, NotFound)
        self.problem = _told(self._name, problem, self._tool)
        return True


def _told(name: str, problem: Exception, tool: Tool[Any, Any] | None) -> str:
    """Log what went wrong in a tool, resource or prompt; return what a model may know of it."""
    match problem:
        case Failing():
            return str(problem)
        case ToolError():
            return f"{name}: {problem}"
        case Unbound() if tool is not None and _is_of_caller(tool, str(problem)):
            return f"{name} was called with invalid arguments:\n- {problem}"
        case Refused():
            before = "nothing was changed: " if problem.changes else ""
            told = f"{name}: {before}{problem.told(_names(tool))}"
            _LOG.warning("%s", told, exc_info=problem.__cause__)
            return told
        case ContextError():
            _LOG.error("%s: %s", name, problem)
            return f"{name} is not available to you on this server."
        case Unfit():
            _LOG.error("%s returned what it does not declare: %s", name, problem)
        case _:
            _LOG.error("%s failed", name, exc_info=problem)
    return f"{name} failed. The reason is in the log of the server."


def value_of(name: str, outcome: Any, *, tells_body: bool = False) -> Any:
    """Return the value of an outcome of the package's runtime (``ok``, ``value``).

    Raises NotFound for what a handler did not find, Failing for another one that is not ``ok``,
    once it is logged; with ``tells_body`` a model may know how the answer begins that an HTTP
    tool got.
    """
    if outcome.ok:
        return outcome.value
    error = getattr(outcome, "error", outcome)
    if error.code == "not_found":
        raise NotFound(error.message)
    if error.code in _TELLABLE:
        raise Failing(error.message)
    cause = getattr(error, "cause", None)
    detail = getattr(error, "detail", None)
    said = f"{error.message} ({detail})" if detail else error.message
    _LOG.error("%s: %s: %s", name, error.code, said, exc_info=cause)
    if error.code in ("unavailable", "context", "not_configured"):
        raise Failing(f"{name} is not available to you on this server.")
    if hasattr(error, "attempts"):
        raise Failing(_with_body(error) if tells_body else error.message)
    raise Failing(f"{name} failed. The reason is in the log of the server.")


def _with_body(error: Any) -> str:
    if error.body is None or not error.body.text:
        return str(error.message)
    mark = " […]" if error.body.is_cut else ""
    return f"{error.message}. It said:\n{error.body.text}{mark}"


def _is_of_caller(tool: Tool[Any, Any], text: str) -> bool:
    """Return whether a binding complains about an argument that callers know, or an item of it."""
    return any(
        text.startswith((f"parameter {name!r}: ", f"parameter {f'{name}/'!r}"[:-1]))
        for name in _names(tool)
    )


def _names(tool: Tool[Any, Any] | None) -> Collection[str]:
    """Return the names of the arguments that callers know."""
    properties: Collection[str] = (
        () if tool is None else tool.input_schema.get("properties", ())
    )
    return properties
