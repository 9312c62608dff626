"""Retries: two at most, told in words, and nothing invalid ever dispatched (J6, J7, J10)."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import pytest

from brimgen_runtime.calls.retry import (
    CallOutcome,
    CallRefused,
    Message,
    Reply,
    ToolCall,
    call_with_retries,
    call_with_retries_async,
)
from brimgen_runtime.calls.tools import Tool
from brimgen_runtime.schema.expects import expected_lines
from brimgen_runtime.schema.validator import Validator
from support.given_schemas import given_schemas

SCHEMA = {
    "type": "object",
    "properties": {
        "resolved_datetimes": {
            "type": "array",
            "items": {"type": "string", "format": "date-time"},
        },
        "limit": {"type": "integer"},
    },
    "required": ["resolved_datetimes"],
    "additionalProperties": False,
}
VALIDATOR = Validator(
    SCHEMA, tool="get_calendar_events", expects=lambda: expected_lines(SCHEMA)
)


class Events:
    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.raw = raw

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any], /) -> Self:
        VALIDATOR.check(raw)
        return cls(raw)

    @classmethod
    def from_call(cls, raw: Mapping[str, Any] | str | bytes, /) -> Self:
        return cls.from_dict(VALIDATOR.read_call(raw))

    def to_dict(self) -> dict[str, Any]:
        return dict(self.raw)


TOOLS = {
    "get_calendar_events": Tool(
        "get_calendar_events",
        input_type=Events,
        bound_type=Events,
        schemas=given_schemas(SCHEMA),
    )
}
GOOD_ARGUMENTS = {"resolved_datetimes": ["2026-01-18T05:00:00Z"]}


def call(arguments: Any, name: str = "get_calendar_events") -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


GOOD = call(GOOD_ARGUMENTS)
BAD = call({"resolved_datetimes": ["2026-01-18T05:00:00Z", "tomorrow"]})


class Model:
    """Says what it is given to say, and keeps what it was told."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.asked: list[Sequence[Message]] = []
        self.dispatched: list[ToolCall] = []

    def ask(self, messages: Sequence[Message]) -> Reply:
        self.asked.append(messages)
        return self.replies.pop(0)

    def dispatch(self, call: ToolCall) -> str:
        self.dispatched.append(call)
        return f"done {len(self.dispatched)}"

    async def ask_async(self, messages: Sequence[Message]) -> Reply:
        await asyncio.sleep(0)
        return self.ask(messages)

    async def dispatch_async(self, call: ToolCall) -> str:
        await asyncio.sleep(0)
        return self.dispatch(call)


Run = Callable[..., CallOutcome[str]]


def _run(model: Model, **options: Any) -> CallOutcome[str]:
    options.setdefault("tools", TOOLS)
    return call_with_retries(model.ask, model.dispatch, **options)


def _run_async(model: Model, **options: Any) -> CallOutcome[str]:
    options.setdefault("tools", TOOLS)
    return asyncio.run(
        call_with_retries_async(model.ask_async, model.dispatch_async, **options)
    )


@pytest.fixture(params=[_run, _run_async], ids=["sync", "async"])
def run(request: pytest.FixtureRequest) -> Run:
    chosen: Run = request.param
    return chosen


def test_a_model_that_mends_its_call_is_answered(run: Run) -> None:
    model = Model(BAD, BAD, GOOD)
    outcome = run(model, messages=[{"role": "user", "content": "When?"}])
    assert outcome.accepted
    assert "done 1" == outcome.value
    assert [1, 2, 3] == [len(each) for each in model.asked]
    assert ["user", "system", "system"] == [each["role"] for each in model.asked[-1]]
    for message in model.asked[-1][1:]:
        assert (
            "- get_calendar_events.resolved_datetimes/1: "
            'expected datetime with offset, got "tomorrow"'
        ) in message["content"].splitlines()
        assert (
            "get_calendar_events expects: resolved_datetimes "
            "(list of datetime with offset, required), limit (integer, optional)"
        ) in message["content"].splitlines()
    [called] = model.dispatched
    assert "get_calendar_events" == called.name
    assert GOOD_ARGUMENTS == called.input.to_dict()
    assert called.raw is GOOD


def test_a_model_that_never_mends_its_call_is_refused_and_nothing_runs(
    run: Run,
) -> None:
    model = Model(BAD, BAD, BAD, GOOD)
    outcome = run(model)
    assert (False, (), 3) == (outcome.accepted, outcome.values, len(outcome.refusals))
    assert [] == model.dispatched
    assert 1 == len(model.replies)
    with pytest.raises(CallRefused) as caught:
        _ = outcome.value
    assert outcome.refusals == caught.value.refusals
    assert "3 attempts; the last: Nothing was called, because" in str(caught.value)
    assert caught.value.__cause__ is outcome.refusals[-1].errors[0]
    assert ["/resolved_datetimes/1"] == [
        each.pointer for each in outcome.refusals[0].violations
    ]


FAILURES: dict[str, tuple[Any, str]] = {
    "malformed arguments": (
        call('{"resolved_datetimes": ['),
        "get_calendar_events: not valid JSON: Expecting value at line 1 column 25",
    ),
    "empty arguments": (
        call(""),
        "get_calendar_events: not valid JSON: Expecting value at line 1 column 1",
    ),
    "missing": (
        call({}),
        "get_calendar_events.resolved_datetimes: missing, "
        "expected list of datetime with offset",
    ),
    "extra": (
        call({**GOOD_ARGUMENTS, "when": "now"}),
        "get_calendar_events.when: unknown argument, "
        'expected one of "resolved_datetimes", "limit"',
    ),
    "a name that breaks lines": (
        call({**GOOD_ARGUMENTS, "a\nb": 1}),
        "get_calendar_events.a\\nb: unknown argument, "
        'expected one of "resolved_datetimes", "limit"',
    ),
    "a name without end": (
        call({**GOOD_ARGUMENTS, "x" * 5000: 1}),
        f"get_calendar_events.{'x' * 200}…: unknown argument, "
        'expected one of "resolved_datetimes", "limit"',
    ),
    "arguments are a list": (
        call([]),
        "get_calendar_events: expected object, got []",
    ),
    "arguments are null": (
        call(None),
        "get_calendar_events: expected object, got null",
    ),
    "no arguments": (
        {"name": "get_calendar_events"},
        "call.arguments: missing, "
        'expected an object like {"name": ..., "arguments": {...}}',
    ),
    "unknown tool": (
        call({}, "get_calender_events"),
        'call.name: expected one of the tools "get_calendar_events", '
        'got "get_calender_events"',
    ),
    "no name": (
        {"arguments": {}},
        'call.name: missing, expected one of the tools "get_calendar_events"',
    ),
    "name is no text": (
        {"name": ["x"], "arguments": {}},
        'call.name: expected one of the tools "get_calendar_events", got ["x"]',
    ),
    "not a call": (
        [7],
        "call: expected an object like " '{"name": ..., "arguments": {...}}, got 7',
    ),
    "malformed reply": (
        '{"name"',
        "call: not valid JSON: Expecting ':' delimiter at line 1 column 8",
    ),
    "reply is a JSON string": (
        '"get_calendar_events"',
        "call: expected an object like "
        '{"name": ..., "arguments": {...}}, got "get_calendar_events"',
    ),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_what_counts_as_a_failure(run: Run, kind: str) -> None:
    reply, line = FAILURES[kind]
    before = copy.deepcopy(reply)
    model = Model(reply, GOOD)
    outcome = run(model)
    assert f"- {line}" == outcome.refusals[0].message.splitlines()[1]
    assert ("done 1",) == outcome.values
    assert 1 == len(model.dispatched)
    assert before == reply


@pytest.mark.parametrize(
    "reply",
    [
        GOOD,
        call('{"resolved_datetimes": ["2026-01-18T05:00:00Z"]}'),
        '{"name": "get_calendar_events", '
        '"arguments": {"resolved_datetimes": ["2026-01-18T05:00:00Z"]}}',
        {
            "id": "call_1",
            "type": "function",
            "function": call('{"resolved_datetimes": ["2026-01-18T05:00:00Z"]}'),
        },
        {"type": "tool_use", "name": "get_calendar_events", "input": GOOD_ARGUMENTS},
    ],
)
def test_shapes_of_a_call(run: Run, reply: Reply) -> None:
    outcome = run(Model(reply))
    assert (True, ()) == (outcome.accepted, outcome.refusals)
    assert "done 1" == outcome.value


def test_of_several_calls_all_are_valid_or_none_runs(run: Run) -> None:
    model = Model([GOOD, BAD, call({}, "x")], [GOOD, GOOD])
    outcome = run(model)
    assert ("done 1", "done 2") == outcome.values
    assert 2 == len(outcome.refusals[0].errors)
    assert 2 == len(model.dispatched)
    with pytest.raises(ValueError, match="2 values"):
        _ = outcome.value


@pytest.mark.parametrize("retries", [-1, 3])
def test_never_more_than_two(run: Run, retries: int) -> None:
    model = Model(GOOD)
    with pytest.raises(ValueError, match="retries must be 0 to 2"):
        run(model, retries=retries)
    assert [] == model.asked


def test_a_failure_of_the_tool_is_no_refusal(run: Run) -> None:
    class Broken(Model):
        def dispatch(self, call: ToolCall) -> str:
            raise VALIDATOR_ERROR

    model = Broken(GOOD, GOOD)
    with pytest.raises(ValueError) as caught:
        run(model)
    assert caught.value is VALIDATOR_ERROR
    assert 1 == len(model.asked)


VALIDATOR_ERROR = ValueError("the calendar is closed")


def test_a_reply_that_is_no_reply_is_a_mistake_of_the_program(run: Run) -> None:
    model = Model(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not int"):
        run(model)


def test_an_object_of_an_sdk_in_a_list_is_not_blamed_on_the_model() -> None:
    class ToolUse:
        name = "add"

    for reply in (
        ToolUse(),
        [ToolUse()],
        [{"name": "add", "arguments": {}}, ToolUse()],
    ):
        with pytest.raises(TypeError, match="or None, not ToolUse"):
            call_with_retries(lambda _, said=reply: said, lambda _: None, tools={})
