"""The calls of each provider, as type checkers see them: the objects of the SDKs fit these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias


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


class ChatToolCall(Protocol):
    """A call of Chat Completions (of ``message.tool_calls``)."""

    @property
    def id(self) -> str:
        """The id that the answer repeats."""
        ...

    @property
    def function(self) -> ChatFunction:
        """What is called."""
        ...


class FunctionCallItem(Protocol):
    """A call of the Responses API (an item of ``response.output``)."""

    @property
    def call_id(self) -> str:
        """The id that the answer repeats."""
        ...

    @property
    def name(self) -> str:
        """The name of the tool."""
        ...

    @property
    def arguments(self) -> str:
        """The arguments, as JSON text."""
        ...


class ToolUse(Protocol):
    """A ``tool_use`` block of Anthropic (of ``message.content``)."""

    @property
    def id(self) -> str:
        """The id that the answer repeats."""
        ...

    @property
    def name(self) -> str:
        """The name of the tool."""
        ...

    @property
    def input(self) -> object:
        """The arguments."""
        ...


class FunctionCall(Protocol):
    """A call of Gemini (of ``response.function_calls``)."""

    @property
    def id(self) -> str | None:
        """The id that the answer repeats, if there is one."""
        ...

    @property
    def name(self) -> str | None:
        """The name of the tool."""
        ...

    @property
    def args(self) -> Mapping[str, Any] | None:
        """The arguments."""
        ...


class CallToolParams(Protocol):
    """The parameters of MCP's ``tools/call``."""

    @property
    def name(self) -> str:
        """The name of the tool."""
        ...

    @property
    def arguments(self) -> Mapping[str, Any] | None:
        """The arguments."""
        ...


Json: TypeAlias = Mapping[str, Any]
"""A call as the dict of its JSON."""
