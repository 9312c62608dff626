"""What a service tells its host program of each call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..calls.call_context import Caller


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """One call that has ended, without its arguments and its value.

    ``name`` is that of a tool, prompt or resource, ``runs`` what ran for it: a statement, a request
    or a function; nothing for a prompt, and for a name that does not exist. ``code`` is that of the
    `Outcome` (``ok``, ``timeout`` …), ``error`` its error. ``started`` are nanoseconds since 1970.
    """

    name: str
    kind: Literal["tool", "prompt", "resource"]
    runs: Literal["statement", "request", "function"] | None
    description: str | None
    code: str
    error: Exception | None
    started: int
    seconds: float
    caller: Caller


OnCall: TypeAlias = Callable[[CallRecord], object]
"""Takes the record of each call when it has ended, in the thread or the task of the call."""
