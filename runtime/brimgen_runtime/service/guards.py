"""What is asked before a tool runs: the confirmation of a person."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..schema.json_text import write_json
from ..schema.json_values import cut, is_list, is_object
from .outcome import sent_value

Question: TypeAlias = Sequence[str | Sequence[str | int]]
"""The texts of a question, and between them the paths of the arguments that it shows."""

_SHOWN = 200
_SHOWN_OF_ALL = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """What holds for the calls of one tool.

    ``confirm`` is the question that a person is asked before each; an empty one is the usual
    question, None asks nobody.
    """

    confirm: Question | None = None


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
