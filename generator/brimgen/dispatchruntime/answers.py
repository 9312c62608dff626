"""Write the outcome of a tool as the text that goes back to a model."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeAlias

from ._package import (
    ContextError,
    Tool,
    ToolError,
    Validator,
    to_json_value,
    write_json,
)
from .shapes import ChatMessage, FunctionOutput, Sent, ToolResult

Encode: TypeAlias = Callable[[Any], Any]
"""Makes JSON of what a tool returned."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model is told of its call, and whether that is an error."""

    text: str
    is_error: bool = False


class Unfit(ValueError):
    """A result that does not fit what its tool declares; the text tells no value of it."""


def answer(value: object, encode: Encode, output: Validator | None) -> Answer:
    """Return the JSON of what a tool returned, which ``encode`` makes of it.

    Raises Unfit for what the tool does not declare; None says that it declares nothing.
    """
    if output is None:
        return Answer("done")
    try:
        exact = to_json_value(encode(value))
    except (ValueError, RecursionError) as problem:
        raise Unfit(f"no JSON value: {problem}") from problem
    if not output.is_valid(exact):
        told = (
            f"{violation.pointer or '(root)'}: expected {violation.expected}"
            for violation in output.violations(exact)
        )
        raise Unfit("; ".join(told))
    return Answer(write_json(exact))


class Attempt:
    """Runs a block for a tool: what goes wrong in it becomes ``answer``, with a text that a model
    may know; the rest goes to the log.
    """

    def __init__(self, name: str, tool: Tool[Any, Any]) -> None:
        self.answer = Answer(f"{name} failed.", is_error=True)
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
        name = self._name
        match problem:
            case ToolError():
                said = f"{name}: {problem}".encode("utf-8", "backslashreplace")
                self.answer = Answer(said.decode("utf-8"), is_error=True)
            case ValueError() if _is_of_caller(self._tool, problem):
                told = f"{name} was called with invalid arguments:\n- {problem}"
                self.answer = Answer(told, is_error=True)
            case ContextError():
                _LOG.error("%s: %s", name, problem)
                self.answer = Answer(f"{name} is not available to you.", is_error=True)
            case Unfit():
                _LOG.error("%s returned what it does not declare: %s", name, problem)
            case Exception():
                _LOG.error("%s failed", name, exc_info=problem)
            case _:
                return False
        return True


def openai_message(sent: Sent, said: Answer) -> ChatMessage | FunctionOutput:
    """Return what goes back to OpenAI; errors are told by their text alone."""
    if sent.shape == "chat":
        return {"role": "tool", "tool_call_id": sent.id, "content": said.text}
    return {"type": "function_call_output", "call_id": sent.id, "output": said.text}


def anthropic_block(sent: Sent, said: Answer) -> ToolResult:
    """Return what goes back to Anthropic."""
    return {
        "type": "tool_result",
        "tool_use_id": sent.id,
        "content": said.text,
        "is_error": said.is_error,
    }


def _is_of_caller(tool: Tool[Any, Any], problem: ValueError) -> bool:
    """Return whether a statement's binding refuses an argument that callers know, or an item of it
    (``BindError`` of ``sql``, which a package may not have).
    """
    parameter = str(getattr(problem, "parameter", ""))
    return parameter.partition("/")[0] in tool.input_schema.get("properties", ())
