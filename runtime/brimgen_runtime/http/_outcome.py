"""The outcome of a call: a value, or an error that explains the failure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from ..records.encode import to_json_value
from ..schema.errors import Violation, as_json

T = TypeVar("T")

ErrorCode: TypeAlias = Literal[
    "invalid_arguments",
    "not_configured",
    "host_not_allowed",
    "redirect_refused",
    "connection_failed",
    "timeout",
    "status",
    "response_too_large",
    "invalid_response",
    "invalid_output",
]
"""What can go wrong: the arguments; what the host program gives; where the request or a redirect
leads; the connection; the time; the status code of the answer; its size; its form; its value.
"""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """How the body of an answer begins, as text without control characters.

    The other side wrote it: it may quote what it was sent, hidden arguments too. ``text`` is empty
    for what is no text, such as images; ``is_cut`` says that there is more than ``text``.
    """

    text: str
    media_type: str | None = None
    is_cut: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the excerpt as JSON."""
        excerpt: dict[str, Any] = {"text": self.text, "isCut": self.is_cut}
        if self.media_type is not None:
            excerpt["mediaType"] = self.media_type
        return excerpt


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpError:
    """Why there is no value.

    ``message`` is one sentence that a model may be told. ``status`` is 400 for arguments that were
    refused, and else the status code of the last answer, if there was one. ``violations`` say what
    is wrong with the arguments, or with the output. ``attempts`` counts the requests of which the
    last failed. ``detail`` is for the host program's log alone; ``body`` is how the answer begins
    that was not the value, where it has one.
    """

    code: ErrorCode
    message: str
    status: int | None = None
    violations: tuple[Violation, ...] = ()
    attempts: int = 0
    detail: str | None = field(default=None, compare=False)
    body: Excerpt | None = field(default=None, repr=False, compare=False)

    def to_dict(self, *, body: bool = False) -> dict[str, Any]:
        """Return the error as JSON, without ``detail``, and without ``body`` unless asked for."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.status is not None:
            error["status"] = self.status
        if self.violations:
            error["violations"] = as_json(self.violations)
        if body and self.body is not None:
            error["body"] = self.body.to_dict()
        return error


@dataclass(frozen=True, slots=True)
class Ok(Generic[T]):
    """The tool was called: its value, decoded, and the same as ``json``."""

    value: T
    json: Any = field(repr=False, compare=False)
    ok: Literal[True] = field(default=True, init=False)

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"ok": true, "value": …}``."""
        return {"ok": True, "value": to_json_value(self.json)}


@dataclass(frozen=True, slots=True)
class Failed:
    """The tool has no value."""

    error: HttpError
    ok: Literal[False] = field(default=False, init=False)

    def to_dict(self, *, body: bool = False) -> dict[str, Any]:
        """Return ``{"ok": false, "error": {…}}``; ``body`` as `HttpError.to_dict` has it."""
        return {"ok": False, "error": self.error.to_dict(body=body)}


Result: TypeAlias = Ok[T] | Failed
"""What ``invoke`` returns; ``ok`` tells the two apart."""
