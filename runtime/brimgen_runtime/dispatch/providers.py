"""How each provider sends a call and takes the answer. No SDK is imported."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final

from ..schema.errors import MISSING
from ..service.core import Core
from ..service.outcome import Outcome
from .parts import Sent, is_json, no_call, part, sent

_UNFINISHED: Final = ("in_progress", "incomplete")
"""The states of a Responses item whose arguments are not complete."""
_MOST_NAMES: Final = 50
"""So many tools are named to a model that called another one."""


class Provider(ABC):
    """What differs between providers; ``taken`` names a call of this one.

    ``all_aliases``: it refuses names that the others take.
    """

    taken: ClassVar[str]
    all_aliases: ClassVar[bool] = False

    @abstractmethod
    def is_call(self, item: object) -> bool:
        """Return whether a part of a response is a call, or tries to be one."""

    @abstractmethod
    def read(self, call: object) -> Sent:
        """Return the parts of a call. Raises NoCall."""

    @abstractmethod
    def fields(self, call: Sent, outcome: Outcome, service: Core) -> dict[str, Any]:
        """Return the fields of the answer to a call."""


class Chat(Provider):
    """Chat Completions of OpenAI."""

    taken = "a tool call of Chat Completions (id, function with name and arguments)"

    def is_call(self, item: object) -> bool:
        """Return whether an item of ``message.tool_calls`` calls a function."""
        return part(item, "type") in ("function", None, MISSING)

    def read(self, call: object) -> Sent:
        """Return the parts of a call. Raises NoCall."""
        function = part(call, "function")
        arguments = part(function, "arguments")
        parsed = sent(part(call, "id"), part(function, "name"), arguments)
        if parsed is None or parsed.id is None or not self.is_call(call):
            raise no_call(call, self.taken)
        if arguments == "" and part(call, "index") is not MISSING:
            reason = "a piece of a stream; join the pieces first"
            raise no_call(call, self.taken, reason)
        return parsed

    def fields(self, call: Sent, outcome: Outcome, service: Core) -> dict[str, Any]:
        """Return the fields of a message of the role ``tool``."""
        return {
            "role": "tool",
            "tool_call_id": call.id,
            "content": _text(outcome, service),
        }


class Responses(Provider):
    """Responses of OpenAI."""

    taken = "a function_call of Responses (call_id, name, arguments)"

    def is_call(self, item: object) -> bool:
        """Return whether an item of ``response.output`` calls a function."""
        return part(item, "type") in ("function_call", MISSING)

    def read(self, call: object) -> Sent:
        """Return the parts of a call. Raises NoCall."""
        parsed = sent(
            part(call, "call_id"), part(call, "name"), part(call, "arguments")
        )
        if parsed is None or parsed.id is None or not self.is_call(call):
            raise no_call(call, self.taken)
        if part(call, "status") in _UNFINISHED:
            reason = "not complete; its arguments are cut off"
            raise no_call(call, self.taken, reason)
        return parsed

    def fields(self, call: Sent, outcome: Outcome, service: Core) -> dict[str, Any]:
        """Return the fields of a ``function_call_output``."""
        return {
            "type": "function_call_output",
            "call_id": call.id,
            "output": _text(outcome, service),
        }


class Anthropic(Provider):
    """The Messages API of Anthropic."""

    taken = "a tool_use block of Anthropic (id, name, input)"

    def is_call(self, item: object) -> bool:
        """Return whether a block of ``message.content`` calls a tool of the program."""
        return part(item, "type") in ("tool_use", MISSING)

    def read(self, call: object) -> Sent:
        """Return the parts of a block. Raises NoCall."""
        parsed = sent(part(call, "id"), part(call, "name"), part(call, "input"))
        is_other = part(call, "call_id") is not MISSING or not self.is_call(call)
        if parsed is None or parsed.id is None or is_other:
            raise no_call(call, self.taken)
        return parsed

    def fields(self, call: Sent, outcome: Outcome, service: Core) -> dict[str, Any]:
        """Return the fields of a ``tool_result`` block."""
        return {
            "type": "tool_result",
            "tool_use_id": call.id,
            "content": _text(outcome, service),
            "is_error": outcome.is_error,
        }


class Gemini(Provider):
    """Gemini: a call may be a part of a content, or the function call in it."""

    taken = "a function call of Gemini (name, args)"
    all_aliases = True

    def is_call(self, item: object) -> bool:
        """Return whether an item is a function call, or a part with one."""
        inner = self._function_call(item)
        return inner is not None and part(inner, "name") is not MISSING

    def read(self, call: object) -> Sent:
        """Return the parts of a call. Raises NoCall."""
        inner = self._function_call(call)
        identity, args = part(inner, "id"), part(inner, "args")
        if args is MISSING and is_json(inner) and {*inner} <= {"id", "name"}:
            args = None
        if part(inner, "will_continue") is True or part(inner, "willContinue") is True:
            reason = "a piece of a stream; join the pieces first"
            raise no_call(call, self.taken, reason)
        parsed = sent(
            None if identity is MISSING else identity, part(inner, "name"), args
        )
        if parsed is None:
            raise no_call(call, self.taken)
        return parsed

    def fields(self, call: Sent, outcome: Outcome, service: Core) -> dict[str, Any]:
        """Return the field of a part with a function response."""
        answer: dict[str, Any]
        if outcome.is_error:
            answer = {"error": _text(outcome, service)}
        elif outcome.returns:
            answer = {"output": _value(outcome)}
            if outcome.note is not None:
                answer["note"] = outcome.note
        else:
            answer = {"output": outcome.text}
        response = {"name": call.name, "response": answer}
        if call.id is not None:
            response["id"] = call.id
        return {"function_response": response}

    @staticmethod
    def _function_call(call: object) -> Any:
        """Return the function call in a part; what is no part is returned itself."""
        for name in ("function_call", "functionCall"):
            inner = part(call, name)
            if inner is not MISSING:
                return inner
        return call


class Mcp(Provider):
    """The Model Context Protocol."""

    taken = "the parameters of MCP's tools/call (name, arguments)"

    def is_call(self, item: object) -> bool:
        """Return whether an item has no mark of another provider."""
        marks = ("type", "id", "call_id", "function", "method")
        return all(part(item, mark) is MISSING for mark in marks)

    def read(self, call: object) -> Sent:
        """Return the parts of a call. Raises NoCall."""
        arguments = part(call, "arguments")
        if arguments is MISSING and is_json(call):
            arguments = None
        parsed = sent(None, part(call, "name"), arguments)
        if parsed is None or not self.is_call(call):
            raise no_call(call, self.taken)
        return parsed

    def fields(self, call: Sent, outcome: Outcome, service: Core) -> dict[str, Any]:
        """Return the fields of a ``CallToolResult``; a value that is no object stands in one."""
        text = {"type": "text", "text": _text(outcome, service)}
        result: dict[str, Any] = {"content": [text], "isError": outcome.is_error}
        if not outcome.is_error and outcome.returns:
            schema = service.plan.tools[call.name].output_schema or {}
            value = _value(outcome)
            is_object = schema.get("type") == "object"
            result["structuredContent"] = value if is_object else {"result": value}
        return result


def _text(outcome: Outcome, service: Core) -> str:
    """Return what a model is told, as text that can be encoded."""
    text = outcome.text
    if outcome.code == "unknown_tool":
        names = service.tools
        more = [f"{len(names) - _MOST_NAMES:,} others"] * (len(names) > _MOST_NAMES)
        shown = ", ".join([*names[:_MOST_NAMES], *more]) or "none"
        text = f"{text}. The tools are: {shown}."
    return text.encode("utf-8", "replace").decode("utf-8")


def _value(outcome: Outcome) -> Any:
    """Return the value of an outcome; half a character in it becomes a question mark."""
    if "\\ud" not in outcome.json:  # how the text has half a character
        return outcome.value
    text = json.dumps(outcome.value, ensure_ascii=False)
    return json.loads(text.encode("utf-8", "replace"))
