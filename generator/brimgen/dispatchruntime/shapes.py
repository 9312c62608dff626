"""Shapes: a provider's call, an object of its SDK or the dict of its JSON, in; its parts out.

Nothing of a provider is imported: what has the right attributes or keys is a call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, cast

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
    """A call, taken apart: ``arguments`` are JSON text or what it says, or `MISSING`."""

    shape: Shape
    id: str
    name: str
    arguments: Any


def openai_call(call: object) -> Sent:
    """Return the parts of a call of Chat Completions or Responses. Raises NoCall."""
    function = _part(call, "function")
    if function is not MISSING:
        return _sent("chat", call, "id", function, "arguments")
    if _part(call, "call_id") is not MISSING:
        return _sent("responses", call, "call_id", call, "arguments")
    raise NoCall(
        "neither a tool call of Chat Completions nor a function call of Responses"
    )


def anthropic_call(block: object) -> Sent:
    """Return the parts of a ``tool_use`` block. Raises NoCall."""
    if _part(block, "type") not in ("tool_use", MISSING):
        raise NoCall("a block of content that is no tool_use")
    return _sent("anthropic", block, "id", block, "input")


def _sent(shape: Shape, call: object, key: str, function: object, given: str) -> Sent:
    identity, name = _part(call, key), _part(function, "name")
    if not isinstance(identity, str) or not isinstance(name, str):
        raise NoCall(f"a call without its {key} or name")
    return Sent(shape, identity, name, _part(function, given))


def _part(whole: object, name: str) -> Any:
    if isinstance(whole, Mapping):
        return cast("Mapping[str, Any]", whole).get(name, MISSING)
    return getattr(whole, name, MISSING)
