"""Results of calls: a value, or an explained failure; a call never raises (S2.56)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal, TypeAlias

from .errors import InputError, Violation, bounded, broken

ErrorCode: TypeAlias = Literal[
    "invalid_arguments",
    "unknown_tool",
    "unavailable",
    "not_configured",
    "not_found",
    "refused",
    "failed",
    "invalid_output",
]
"""Why a call failed: the caller's arguments; no such tool; a tool without a handler, or switched
off; a context that lacks what the tool needs; a handler that did not find what was asked for
(`NotFound`); the handler's own refusal (`ToolError`); a handler that raised; a value that the
output schema refuses."""

_STATUS: Final[dict[ErrorCode, int]] = {
    "invalid_arguments": 400,
    "unknown_tool": 404,
    "unavailable": 503,
    "not_configured": 500,
    "not_found": 404,
    "refused": 422,
    "failed": 500,
    "invalid_output": 502,
}


class ToolError(Exception):
    """What a handler raises to refuse a call in words that the caller is told.

    A service raises it for every call that gives no value: ``code`` says why (``timeout``,
    ``busy``, ``failed`` …). What a handler raises has ``refused``, unless it says another.
    """

    usual_code: ClassVar[str] = "refused"

    def __init__(self, *args: object, code: str | None = None) -> None:
        super().__init__(*args)
        self.code = code or self.usual_code


class NotFound(ToolError):
    """What a handler raises where nothing has the name, number or address it was asked for.

    An MCP server answers the read of a resource with the error *resource not found*.
    """

    usual_code: ClassVar[str] = "not_found"


@dataclass(frozen=True, slots=True)
class CallError:
    """Why there is no value.

    ``message`` may be told to the caller, and ``violations`` are of what the caller sent. What
    happened inside stands only in ``cause``, for the host program's log: of it ``repr`` and ``str``
    tell types and places, but no text that is not the generated package's own, because that may
    quote anything.
    """

    code: ErrorCode
    message: str
    violations: tuple[Violation, ...] = ()
    cause: Exception | None = field(default=None, repr=False, compare=False)

    @property
    def status(self) -> int:
        """The HTTP status that says the same: 400 for arguments that were refused (S2.51)."""
        return _STATUS[self.code]

    def __str__(self) -> str:
        every = (
            f"{violation.message} [{broken(violation)}]"
            for violation in self.violations
        )
        told = "; ".join(bounded(every))
        said = f"{self.code}: {told or self.message}"
        if self.cause is None or self.violations:
            return said
        return f"{said}; cause: {_story(self.cause, self.code)}"

    def __repr__(self) -> str:
        return f"<CallError {self}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the error as JSON, without ``cause``."""
        found: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "status": self.status,
        }
        if self.violations:
            found["violations"] = [
                {
                    "pointer": violation.pointer,
                    "rule": violation.rule,
                    "message": violation.message,
                }
                for violation in self.violations
            ]
        return found


@dataclass(frozen=True, slots=True)
class Ok:
    """A call that worked: ``value`` as the handler returned it, ``json`` as its schema has it."""

    value: Any
    json: Any = field(repr=False, compare=False)
    ok: Literal[True] = field(default=True, init=False)

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"ok": true, "value": …}``."""
        return {"ok": True, "value": self.json}


@dataclass(frozen=True, slots=True)
class Failed:
    """A call that has no value."""

    error: CallError
    ok: Literal[False] = field(default=False, init=False)

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"ok": false, "error": {…}}``."""
        return {"ok": False, "error": self.error.to_dict()}


Result: TypeAlias = Ok | Failed
"""What a call comes to; ``ok`` tells the two apart."""


def failed(code: ErrorCode, message: str, cause: Exception | None = None) -> Failed:
    """Return a result without a value."""
    return Failed(CallError(code, message, cause=cause))


def refused(error: InputError) -> Failed:
    """Return arguments that their schema refuses as a result; a model may be told its message."""
    return Failed(
        CallError(
            "invalid_arguments", error.retry_message(), error.violations, cause=error
        )
    )


def _story(problem: BaseException, code: ErrorCode) -> str:
    """Return an exception and what it came from: types, places, and words that are our own."""
    told: list[str] = []
    seen: set[int] = set()
    left: BaseException | None = problem
    while left is not None and id(left) not in seen:
        seen.add(id(left))
        words = _words(left, code)
        kind = type(left).__name__
        told.append(f"{kind}: {words}" if words else f"{kind}{_origin(left)}")
        hides = left.__cause__ is not None or left.__suppress_context__
        left = left.__cause__ if hides else left.__context__
    return ", from ".join(told)


def _words(problem: BaseException, code: ErrorCode) -> str:
    """Return what an exception says where that quotes no value: of others it may be anything."""
    if isinstance(problem, InputError):
        return "; ".join(bounded(map(broken, problem.violations), problem.omitted))
    trace = problem.__traceback__
    if code == "not_configured" and type(problem) is TypeError:
        # Nothing was entered, so the arguments do not fit: Python names them, without values.
        return str(problem) if trace is not None and trace.tb_next is None else ""
    from .context import ContextError

    is_ours = type(problem) is LookupError and code == "unavailable"
    named = isinstance(problem, ContextError | ModuleNotFoundError)
    return str(problem) if named or (is_ours and not problem.__cause__) else ""


def _origin(problem: BaseException) -> str:
    """Return where an exception was raised: a file without its folder, a line, a function."""
    trace = problem.__traceback__
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    file = code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f" at {file}:{trace.tb_lineno} in {code.co_name}"
