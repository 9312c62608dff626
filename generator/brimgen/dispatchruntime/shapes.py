"""Read the parts of a provider's call, from an object of its SDK or the dict of its JSON.

No provider's library is imported: an object is a call if it has the type, attributes or keys of
one, its arguments included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Literal, Protocol, TypeAlias, TypedDict, cast

from ._package import MISSING

Shape: TypeAlias = Literal["chat", "responses", "anthropic"]
"""Whose call it is: OpenAI's Chat Completions or Responses, or Anthropic's Messages."""


class NoCall(TypeError):
    """What was handed in is no call of the provider: a mistake of the program, not of a model."""


class ChatFunction(Protocol):
    """The function of a call of Chat Completions."""

    @property
    def name(self) -> str:
        """The name of the tool."""
        ...

    @property
    def arguments(self) -> str:
        """The arguments, as JSON text."""
        ...


class ChatCall(Protocol):
    """A call of Chat Completions (``message.tool_calls``)."""

    @property
    def id(self) -> str:
        """What the message that goes back is joined by."""
        ...

    @property
    def function(self) -> ChatFunction:
        """What is called."""
        ...


class ResponsesCall(Protocol):
    """A call of the Responses API (an item of ``response.output``)."""

    @property
    def call_id(self) -> str:
        """What the item that goes back is joined by."""
        ...

    @property
    def name(self) -> str:
        """The name of the tool."""
        ...

    @property
    def arguments(self) -> str:
        """The arguments, as JSON text."""
        ...


class ChatMessage(TypedDict):
    """The message that goes back to Chat Completions."""

    role: Literal["tool"]
    tool_call_id: str
    content: str


class FunctionOutput(TypedDict):
    """The item that goes back to the Responses API."""

    type: Literal["function_call_output"]
    call_id: str
    output: str


class ToolResult(TypedDict):
    """The block that goes back to the Messages API, in a message of the user."""

    type: Literal["tool_result"]
    tool_use_id: str
    content: str
    is_error: bool


@dataclass(frozen=True, slots=True)
class Sent:
    """A call, taken apart: ``arguments`` are JSON text or what it says; None for none."""

    shape: Shape
    id: str
    name: str
    arguments: Any


_UNFINISHED: Final = ("in_progress", "incomplete")
"""The states of a Responses item whose arguments are not all there."""

_OPENAI = (
    "a tool call of Chat Completions (id, function with name and arguments) or a "
    "function_call of Responses (call_id, name, arguments)"
)
_ANTHROPIC = "a tool_use block of Anthropic (id, name, input)"


def openai_call(call: object) -> Sent:
    """Return the parts of a call of Chat Completions or Responses. Raises NoCall."""
    function = _part(call, "function")
    kind = _part(call, "type")
    if function is not MISSING and kind in ("function", None, MISSING):
        sent = _sent("chat", call, "id", function, "arguments", _OPENAI)
        if sent.arguments == "" and _part(call, "index") is not MISSING:
            raise _no_call(call, _OPENAI, "a piece of a stream; join the pieces first")
        return sent
    if function is MISSING and kind in ("function_call", MISSING):
        sent = _sent("responses", call, "call_id", call, "arguments", _OPENAI)
        if _part(call, "status") in _UNFINISHED:
            raise _no_call(call, _OPENAI, "not complete; its arguments are cut off")
        return sent
    raise _no_call(call, _OPENAI)


def anthropic_call(block: object) -> Sent:
    """Return the parts of a ``tool_use`` block. Raises NoCall."""
    is_other = _part(block, "call_id") is not MISSING
    if is_other or _part(block, "type") not in ("tool_use", MISSING):
        raise _no_call(block, _ANTHROPIC)
    return _sent("anthropic", block, "id", block, "input", _ANTHROPIC)


def _sent(
    shape: Shape, call: object, key: str, function: object, given: str, taken: str
) -> Sent:
    identity, name = _part(call, key), _part(function, "name")
    arguments = _part(function, given)
    if not isinstance(identity, str) or not isinstance(name, str):
        raise _no_call(call, taken)
    if arguments is MISSING:
        raise _no_call(call, taken)
    return Sent(shape, identity, name, arguments)


def _no_call(given: object, taken: str, reason: str = "") -> NoCall:
    """Return the error that names what was given, without its values, and what is taken."""
    why = f", {reason}" if reason else ""
    return NoCall(f"not a call: {_described(given)}{why}. Taken is {taken}.")


def _described(given: object) -> str:
    kind = _part(given, "type")
    said = f" of type {kind[:40]!r}" if isinstance(kind, str) else ""
    if isinstance(given, Mapping):
        names = list(islice(cast("Mapping[object, object]", given), _MOST_NAMES + 1))
        shown = [str(name)[:40] for name in names[:_MOST_NAMES]]
        more = ", …" if len(names) > _MOST_NAMES else ""
        return f"a dict{said} with the keys {', '.join(shown)}{more}" if shown else "{}"
    if isinstance(given, list):
        return "a list; hand over its calls one by one"
    holder = next(
        (each for each in _HOLDERS if isinstance(_part(given, each), list | tuple)), ""
    )
    inside = f"; hand over each call in its {holder!r}" if holder else ""
    return f"an object {type(given).__name__}{said}{inside}"


_MOST_NAMES = 12
_HOLDERS = ("tool_calls", "choices", "output", "content", "function_calls")
"""Where the providers' messages and answers hold their calls."""


def _part(whole: object, name: str) -> Any:
    if isinstance(whole, Mapping):
        return cast("Mapping[str, Any]", whole).get(name, MISSING)
    return getattr(whole, name, MISSING)
