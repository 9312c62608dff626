"""The call that a handler runs for: who called, how long it may take, and ways to answer early.

A handler asks for it with `current_call`, wherever it runs: in the event loop or in a thread.
Where nobody listens, progress is dropped and logs go to the logger of the package.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Generator, Hashable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

Level: TypeAlias = Literal[
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
]
"""How severe a log message is, from the least severe on (RFC 5424)."""

_LOG = logging.getLogger(__name__)
_PYTHON_LEVELS: Final[Mapping[Level, int]] = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "notice": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
    "alert": logging.CRITICAL,
    "emergency": logging.CRITICAL,
}
LEVELS: Final[tuple[Level, ...]] = (*_PYTHON_LEVELS,)


class CallEnded(Exception):
    """Raised by `CallContext.check`: the caller cancelled the call, or its time is up."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that is sent beside the result of a call; ``data`` is text or bytes."""

    data: str | bytes
    mime_type: str
    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who sent a request, as far as the transport tells.

    ``headers`` are those of the HTTP request, with names in lower case; empty over stdio.
    ``claims`` are what the token verifier returned; None without one. ``request`` is the request
    as the server's library has it.
    """

    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    claims: Mapping[str, Any] | None = None
    request: Any = field(default=None, repr=False, compare=False)

    @property
    def identity(self) -> Hashable | None:
        """Who it is, by the client and the subject of the token; None without a token."""
        claims = self.claims or {}
        client = claims.get("client_id", claims.get("azp"))
        named = (
            None if each is None else str(each) for each in (client, claims.get("sub"))
        )
        return tuple(named) if claims else None


_NOBODY = Caller()


class CallContext:
    """One call of a tool, as its handler sees it.

    ``deadline`` is a time of `time.monotonic`, None for a call without a limit. The methods may
    be used in any thread. A server derives a class that sends what they report.
    """

    def __init__(
        self,
        tool: str,
        caller: Caller | None = None,
        *,
        deadline: float | None = None,
    ) -> None:
        self.tool = tool
        self.caller = _NOBODY if caller is None else caller
        self.deadline = deadline
        self.attachments: list[Attachment] = []
        self._is_cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the result any more."""
        return self._is_cancelled

    @property
    def remaining(self) -> float | None:
        """The seconds that are left, not less than 0; None for a call without a limit."""
        if self.deadline is None:
            return None
        return max(0.0, self.deadline - time.monotonic())

    def check(self) -> None:
        """Raise `CallEnded` if the call was cancelled or its time is up."""
        if self._is_cancelled:
            raise CallEnded(f"{self.tool} was cancelled")
        if self.remaining == 0:
            raise CallEnded(f"{self.tool} took too long")

    def progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Report how far the call is; what is not more than before is not sent."""

    def log(self, level: Level, message: str, /, **data: Any) -> None:
        """Send a log message to the caller; ``data`` are JSON values that it holds besides."""
        _LOG.log(
            _PYTHON_LEVELS[level], "%s: %s", self.tool, message, extra={"data": data}
        )

    def attach(
        self, data: str | bytes, mime_type: str, *, uri: str | None = None
    ) -> None:
        """Send a file beside the result: an image, a sound, or any other as a resource."""
        default_uri = f"attachment:{self.tool}/{len(self.attachments) + 1}"
        self.attachments.append(Attachment(data, mime_type, uri or default_uri))

    def cancel(self) -> None:
        """Tell the handler that nobody waits for its result; for what runs the call."""
        self._is_cancelled = True


CURRENT: Final[ContextVar[CallContext | None]] = ContextVar(
    "brimgen_call", default=None
)
"""The call that runs, for what runs calls."""


def current_call() -> CallContext:
    """Return the call that runs; outside of one, a call that reports to nobody."""
    call = CURRENT.get()
    return CallContext("(no call)") if call is None else call


@contextmanager
def running(call: CallContext) -> Generator[None, None, None]:
    """Make ``call`` the current one; it is cancelled where the block is left by an exception."""
    token = CURRENT.set(call)
    try:
        yield
    except BaseException:
        call.cancel()
        raise
    finally:
        CURRENT.reset(token)
