"""What must hold before a tool runs: its limits, and that a person confirms the call."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any, TypeAlias

from ..schema.json_text import write_json
from ..schema.json_values import cut, is_list, is_object
from .outcome import sent_value

Question: TypeAlias = Sequence[str | Sequence[str | int]]
"""The texts of a question, and between them the paths of the arguments that it shows."""

_MINUTE = 60
_MOST_COUNTED = 10_000
"""So many callers are counted before those who make no more calls are forgotten."""
_SHOWN = 200
_SHOWN_OF_ALL = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """What holds for the calls of one tool.

    ``confirm`` is the question that a person is asked before each; an empty one is the usual
    question, None asks nobody. ``rates`` are the calls of a caller in a minute, each with the name
    of what is counted: the tool or its bundle. The bytes are those of arguments and result as JSON,
    ``timeout`` the seconds of a call.
    """

    confirm: Question | None = None
    rates: Sequence[tuple[str, int]] = ()
    max_request_bytes: int | None = None
    max_response_bytes: int | None = None
    timeout: float | None = None


class Rates:
    """Counts the calls of each caller in the last minute; may be used in any thread."""

    def __init__(self) -> None:
        self._begun: dict[Hashable, deque[float]] = {}
        self._lock = Lock()

    def wait(self, rates: Sequence[tuple[str, int]], caller: Hashable) -> float:
        """Count a call, if all rates admit it, and return 0; else return the seconds until then."""
        now = monotonic()
        rows: list[deque[float]] = []
        with self._lock:
            for name, most in rates:
                row = self._begun.setdefault((name, caller), deque(maxlen=most))
                if len(row) == most and row[0] + _MINUTE > now:
                    rows.append(row)
            if rows:
                return max(row[0] for row in rows) + _MINUTE - now
            for name, _ in rates:
                self._begun[name, caller].append(now)
            if len(self._begun) > _MOST_COUNTED:
                self._forget(now)
        return 0

    def _forget(self, now: float) -> None:
        """Forget who made no call within the last minute."""
        self._begun = {
            key: row
            for key, row in self._begun.items()
            if row and row[-1] + _MINUTE > now
        }


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a person is to confirm: the call of ``tool`` with these ``arguments``, as JSON."""

    tool: str
    question: str
    arguments: Mapping[str, Any]


Confirm: TypeAlias = Callable[[Confirmation], bool | Awaitable[bool]]
"""Asks a person; returns True if the call may run, whatever else if it may not."""


def confirmation(
    tool: str, question: Question, arguments: Mapping[str, Any]
) -> Confirmation:
    """Return what is to be confirmed for a call.

    Each value is one cut line of printable characters, so that none that a model sent passes for a
    part of the question. Raises Unfit for what is no JSON.
    """
    if question:
        text = "".join(
            piece if isinstance(piece, str) else _shown(_at(arguments, piece), _SHOWN)
            for piece in question
        )
    else:
        text = f"Allow {tool} with {_shown(arguments, _SHOWN_OF_ALL)}?"
    return Confirmation(tool, text, sent_value(arguments)[1])


def _at(value: Any, path: Sequence[str | int]) -> Any:
    """Return what is at a path; None if there is nothing."""
    for step in path:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return None
    return value


def _shown(value: Any, most: int) -> str:
    if is_list(value) and not any(is_list(item) or is_object(item) for item in value):
        text = ", ".join(_text(item) for item in value)
    else:
        text = _text(value)
    return cut("".join(each if each.isprintable() else "\ufffd" for each in text), most)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else write_json(value)
