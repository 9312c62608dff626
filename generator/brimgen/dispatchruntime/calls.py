"""Read a provider's call into the valid input of its tool, and answer it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from ._package import InputError, Tool, ToolCall, Validator, encoder_of
from .answers import Answer, Attempt, answer
from .shapes import Sent

Run: TypeAlias = Callable[[Any], object]
"""Takes the bound input of a tool and returns its result; may be async where that is awaited."""

_MOST_NAMES = 50
"""So many tools are named to a model that called another one."""

Values: TypeAlias = Mapping[str, Mapping[str, object]]
"""The arguments with ``llm: false``, by tool and attribute."""


class Dispatcher:
    """Calls of the tools that are ``offered``, joined with their context and run.

    ``module`` is a module of the package that the tools belong to.
    """

    def __init__(
        self,
        tools: Mapping[str, Tool[Any, Any]],
        offered: Collection[str],
        module: str,
    ) -> None:
        self._tools = tools
        self._offered = offered
        self._package = module.rpartition(".")[0]
        self._outputs: dict[str, Validator | None] = {}

    def read(self, sent: Sent) -> ToolCall:
        """Return the call with its decoded input.

        Raises InputError, whose ``retry_message`` is for the model, for an unknown tool, for text
        that is no JSON, and for arguments that the tool does not accept.
        """
        raw = {"name": sent.name, "arguments": sent.arguments}
        if sent.name not in self._offered:
            names = sorted(self._offered)
            more = [f"{len(names) - _MOST_NAMES:,} others"] * (len(names) > _MOST_NAMES)
            shown = ", ".join([*names[:_MOST_NAMES], *more]) or "none"
            told = f"one of the tools {shown}"
            finding = ((None, "name"), "enum", told, sent.name, "")
            raise InputError("call", [finding], None)
        tool = self._tools[sent.name]
        given: Any = sent.arguments
        if given is None or given == "":
            given = dict[str, Any]()
        return ToolCall(tool, tool.input_type.from_call(given), raw)

    def run(
        self, sent: Sent, runs: Mapping[str, Run], context: object, values: Values
    ) -> Answer:
        """Return what a model is told of its call.

        Raises TypeError for a function that is async, which `run_async` awaits.
        """
        found = self._prepared(sent, runs, context, values)
        if isinstance(found, Answer):
            return found
        call, bound = found
        with Attempt(call.name, call.tool) as attempt:
            value = runs[call.name](bound)
            if not inspect.isawaitable(value):
                return self._answer(call, value)
            if inspect.iscoroutine(value):
                value.close()
            attempt.answer = Answer("", is_error=True)
        if not attempt.answer.text:
            raise TypeError(
                f"the function of {call.name} is async: use the async handler"
            )
        return attempt.answer

    async def run_async(
        self, sent: Sent, runs: Mapping[str, Run], context: object, values: Values
    ) -> Answer:
        """Do what `run` does, and await what is async."""
        found = self._prepared(sent, runs, context, values)
        if isinstance(found, Answer):
            return found
        call, bound = found
        with Attempt(call.name, call.tool) as attempt:
            value = runs[call.name](bound)
            return self._answer(call, await _awaited(value))
        return attempt.answer

    def _answer(self, call: ToolCall, value: object) -> Answer:
        encode = encoder_of(self._package, call.name)
        return answer(value, encode, self._output(call.tool))

    def _output(self, tool: Tool[Any, Any]) -> Validator | None:
        """Return the validator of what a tool returns, which is compiled once."""
        if tool.name not in self._outputs:
            schema = tool.output_schema
            made = None if schema is None else Validator(schema, tool=tool.name)
            self._outputs[tool.name] = made
        return self._outputs[tool.name]

    def _prepared(
        self, sent: Sent, runs: Mapping[str, Run], context: object, values: Values
    ) -> tuple[ToolCall, Any] | Answer:
        """Return a call and its bound input, or what a model is told instead."""
        try:
            call = self.read(sent)
        except InputError as error:
            return Answer(error.retry_message(), is_error=True)
        if call.name not in runs:
            return Answer(f"{call.name} is not available.", is_error=True)
        bound_type: Any = call.tool.bound_type
        with Attempt(call.name, call.tool) as attempt:
            hidden = values.get(call.name, {})
            return call, bound_type.bind(call.input, context, **hidden)
        return attempt.answer


async def _awaited(value: object) -> object:
    if inspect.isawaitable(value):
        found: object = await value
        return found
    return value
