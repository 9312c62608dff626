"""Ask a model again when its calls are invalid, and dispatch only valid ones.

A system message explains a refused call to the model, at most twice. What the model sent is never
corrected or extended.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Generic, TypeAlias, TypeVar, cast

from ..schema.errors import (
    MISSING,
    MOST_VIOLATIONS,
    Finding,
    InputError,
    Violation,
    bounded,
)
from ..schema.json_text import parse_json
from ..schema.json_values import is_object, kind_of
from .tools import Tool

MOST_RETRIES = 2
"""How often a model may try again."""

Message: TypeAlias = Mapping[str, Any]
"""A message of a conversation: ``role`` and ``content``."""

Reply: TypeAlias = Mapping[str, Any] | Sequence[Any] | str | bytes | None
"""What a model sent: one call or a list of calls, parsed or as JSON text; None for no call.

A call is ``{"name": ..., "arguments": ...}``, its arguments an object or JSON text. The shapes of
providers are read, too: ``{"function": {"name", "arguments"}}``, ``{"name", "input"}``.
"""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that its tool accepts: the decoded input, and what the model sent (``raw``)."""

    tool: Tool[Any, Any]
    input: Any
    raw: Mapping[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.tool.name


@dataclass(frozen=True, slots=True)
class CallRefusal:
    """One attempt of the model that was refused: what it sent, and what it was told.

    ``errors`` has one error for each call that is wrong, the first `MOST_VIOLATIONS` of them;
    none of the calls of that attempt ran.
    """

    reply: Reply = field(repr=False)
    errors: tuple[InputError, ...] = field(repr=False)
    message: str

    @property
    def violations(self) -> tuple[Violation, ...]:
        """What is wrong with the calls, in their order: the first `MOST_VIOLATIONS`."""
        every = (violation for error in self.errors for violation in error.violations)
        return tuple(islice(every, MOST_VIOLATIONS))


class CallRefused(ValueError):
    """A model did not send a valid call in any attempt; ``refusals`` tell why, in order."""

    def __init__(self, refusals: tuple[CallRefusal, ...]) -> None:
        super().__init__(refusals)
        self.refusals = refusals

    def __str__(self) -> str:
        last = self.refusals[-1].message
        return f"no valid call in {len(self.refusals)} attempts; the last: {last}"


@dataclass(frozen=True, slots=True)
class CallOutcome(Generic[T]):
    """How it ended: ``values`` of the dispatched calls, in their order, or only ``refusals``."""

    accepted: bool
    values: tuple[T, ...]
    refusals: tuple[CallRefusal, ...]

    @property
    def value(self) -> T:
        """The value of the one call. Raises CallRefused if there was no valid one.

        The cause of that is the first error of the last attempt. Raises ValueError if the model
        made no call, or several.
        """
        if not self.accepted:
            raise CallRefused(self.refusals) from self.refusals[-1].errors[0]
        if len(self.values) != 1:
            raise ValueError(f"there are {len(self.values)} values")
        return self.values[0]


def call_with_retries(
    ask: Callable[[Sequence[Message]], Reply],
    dispatch: Callable[[ToolCall], T],
    *,
    tools: Mapping[str, Tool[Any, Any]],
    messages: Sequence[Message] = (),
    retries: int = MOST_RETRIES,
) -> CallOutcome[T]:
    """Ask a model until its calls are valid, then dispatch them; at most three times in all.

    ``ask`` gets ``messages`` and, after refusals, a system message for each; ``dispatch`` gets
    each valid call. What either raises is passed on. Raises ValueError for ``retries`` beyond 2.
    """
    refusals: list[CallRefusal] = []
    for _ in range(_attempts(retries)):
        reply = ask(_conversation(messages, refusals))
        calls = _read(reply, tools)
        if not isinstance(calls, CallRefusal):
            values = tuple([dispatch(call) for call in calls])
            return CallOutcome(True, values, tuple(refusals))
        refusals.append(calls)
    return CallOutcome(False, (), tuple(refusals))


async def call_with_retries_async(
    ask: Callable[[Sequence[Message]], Awaitable[Reply]],
    dispatch: Callable[[ToolCall], Awaitable[T]],
    *,
    tools: Mapping[str, Tool[Any, Any]],
    messages: Sequence[Message] = (),
    retries: int = MOST_RETRIES,
) -> CallOutcome[T]:
    """Do what `call_with_retries` does, with functions that are awaited, one after the other."""
    refusals: list[CallRefusal] = []
    for _ in range(_attempts(retries)):
        reply = await ask(_conversation(messages, refusals))
        calls = _read(reply, tools)
        if not isinstance(calls, CallRefusal):
            values = tuple([await dispatch(call) for call in calls])
            return CallOutcome(True, values, tuple(refusals))
        refusals.append(calls)
    return CallOutcome(False, (), tuple(refusals))


def _attempts(retries: int) -> int:
    if not 0 <= retries <= MOST_RETRIES:
        raise ValueError(f"retries must be 0 to {MOST_RETRIES}, got {retries}")
    return retries + 1


def _conversation(
    messages: Sequence[Message], refusals: Sequence[CallRefusal]
) -> tuple[Message, ...]:
    explanations = (
        {"role": "system", "content": refusal.message} for refusal in refusals
    )
    return (*messages, *explanations)


def _read(
    reply: Reply, tools: Mapping[str, Tool[Any, Any]]
) -> tuple[ToolCall, ...] | CallRefusal:
    """Return the calls of a reply if all of them are valid."""
    calls: list[ToolCall] = []
    errors: list[InputError] = []
    try:
        sent = _calls(reply)
    except InputError as error:
        return _refusal(reply, [error.of("call", None)])
    for raw in sent:
        try:
            calls.append(_read_call(raw, tools))
        except InputError as error:
            errors.append(error)
    return _refusal(reply, errors) if errors else tuple(calls)


def _calls(reply: Reply) -> Sequence[Any]:
    if reply is None:
        return ()
    parsed: Any = parse_json(reply) if isinstance(reply, str | bytes) else reply
    calls = (
        cast("Sequence[Any]", parsed) if isinstance(parsed, list | tuple) else (parsed,)
    )
    # An object of an SDK is a mistake of the program, not of the model.
    foreign = next((call for call in calls if kind_of(call) == "other"), None)
    if foreign is None and (
        calls is parsed or is_object(parsed) or parsed is not reply
    ):
        return calls
    kind = type(reply if foreign is None else foreign).__name__
    raise TypeError(f"a model's reply is a call, a list of calls or None, not {kind}")


def _read_call(raw: Any, tools: Mapping[str, Tool[Any, Any]]) -> ToolCall:
    shape = 'an object like {"name": ..., "arguments": {...}}'
    if not is_object(raw):
        raise _error((None, "type", shape, raw, ""))
    function = raw.get("function")
    call = function if is_object(function) else raw
    name = call.get("name", MISSING)
    if not isinstance(name, str) or name not in tools:
        raise _error(((None, "name"), "enum", f"one of {_names(tools)}", name, ""))
    tool = tools[name]
    arguments = call.get("arguments", call.get("input", MISSING))
    if arguments is MISSING:
        raise _error(((None, "arguments"), "required", shape, MISSING, ""))
    return ToolCall(tool, tool.input_type.from_call(arguments), raw)


def _error(finding: Finding) -> InputError:
    return InputError("call", [finding], None)


def _names(tools: Mapping[str, Tool[Any, Any]]) -> str:
    from ..schema.json_values import listing

    return f"the tools {listing(tools)}" if tools else "no tools at all"


def _refusal(reply: Reply, all_errors: Sequence[InputError]) -> CallRefusal:
    errors = all_errors[:MOST_VIOLATIONS]
    left_out = len(all_errors) - len(errors) + sum(error.omitted for error in errors)
    lines = ["Nothing was called, because this is not valid:"]
    messages = (line for error in errors for line in _lines(error))
    lines += [f"- {message}" for message in bounded(messages, left_out)]
    expected = {
        error.tool: error.expects for error in errors if error.expects is not None
    }
    lines += [f"{name} expects: {text}" for name, text in expected.items()]
    lines.append("Send the whole call again, corrected.")
    return CallRefusal(reply, tuple(errors), "\n".join(lines))


def _lines(error: InputError) -> Iterator[str]:
    """Yield a line for each violation, naming the tool and the argument: ``tool.argument: …``."""
    for violation in error.violations:
        if violation.pointer:
            yield f"{error.tool}.{violation.message}"
        else:
            yield f"{error.tool}: {violation.message.removeprefix('input: ')}"
