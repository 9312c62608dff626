"""Seed 003: the grammar, the mapping table, and what a call must look like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.project import Built, build

HEADER = (
    "type: python_function\nname: get_calendar_events\n"
    "description: Read calendar events.\narguments:\n  inline:\n"
)
MAPPING = {
    "string": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "datetime": {"type": "string", "format": "date-time"},
}
SPELLINGS = ("array<{}>", "array[{}]", "{}[]", "list[{}]", "array< {} >")


def with_type(folder: Path, text: str) -> Built:
    return build(folder, {"tool.yaml": f'{HEADER}    value: "{text}"\n'})


def value_schema(built: Built) -> Any:
    schema = built.schema("get_calendar_events.input")
    return schema["properties"]["value"]


@pytest.mark.parametrize("word", MAPPING)
def test_J2_scalars(tmp_path: Path, word: str) -> None:
    assert MAPPING[word] == value_schema(with_type(tmp_path, word))


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("word", MAPPING)
def test_J2_arrays(tmp_path: Path, word: str, spelling: str) -> None:
    built = with_type(tmp_path, spelling.format(word))
    assert {"type": "array", "items": MAPPING[word]} == value_schema(built)


def test_J2_J5_the_seed_example(tmp_path: Path) -> None:
    spec = HEADER + (
        "    resolved_datetimes: { type: array<datetime>, required: false }\n"
    )
    built = build(tmp_path, {"tool.yaml": spec})
    schema = built.schema("get_calendar_events.input")
    assert {
        "resolved_datetimes": {
            "type": "array",
            "items": {"type": "string", "format": "date-time"},
        }
    } == schema["properties"]
    assert "required" not in schema
    tool = built.tool("get_calendar_events")
    call = {"resolved_datetimes": ["2026-01-18T05:00:00Z", "2026-01-19T05:00:00Z"]}
    as_object = tool.input_type.from_call(call)
    as_text = tool.input_type.from_call(
        '{"resolved_datetimes": ["2026-01-18T05:00:00Z", "2026-01-19T05:00:00Z"]}'
    )
    assert as_object == as_text
    assert call == as_object.to_dict()
    with pytest.raises(ValueError) as caught:
        tool.input_type.from_call(
            {"resolved_datetimes": ["2026-01-18T05:00:00Z", "tomorrow"]}
        )
    [violation] = caught.value.violations
    assert "/resolved_datetimes/1" == violation.pointer
    assert "tomorrow" in caught.value.retry_message()
    with pytest.raises(ValueError):
        tool.input_type.from_call({"resolved_datetimes": "2026-01-18T05:00:00Z"})
    assert (
        [] == tool.input_type.from_call({"resolved_datetimes": []}).resolved_datetimes
    )


DATES = {
    "2026-01-18": True,
    "2024-02-29": True,
    "2026-99-99": False,
    "2026-02-30": False,
    "26-01-18": False,
    "2026/01/18": False,
    "2026-01-18\n": False,
    "２０２６-01-18": False,
    "2026-01-18T05:00:00Z": False,
    "20260118": False,
    "2026-W03-1": False,
}
DATETIMES = {
    "2026-01-18T05:00:00Z": True,
    "2026-01-18t05:00:00z": True,
    "2026-01-18T05:00:00+05:30": True,
    "2026-01-18T05:00:00-08:00": True,
    "2026-01-18T05:00:00.123456Z": True,
    "2026-01-18T05:00:00": False,
    "2026-01-18": False,
    "2026-01-18 05:00:00Z": False,
    "20260118T050000Z": False,
    "2026-W03-1T05:00:00Z": False,
    "2026-01-18T05Z": False,
    "2026-01-18T05:00:00+05": False,
}


@pytest.mark.parametrize(("word", "table"), [("date", DATES), ("datetime", DATETIMES)])
def test_J3_J4_lexical_tables(
    tmp_path: Path, word: str, table: dict[str, bool]
) -> None:
    tool = with_type(tmp_path, word).tool("get_calendar_events")

    def accepts(text: str) -> bool:
        try:
            tool.input_type.from_dict({"value": text})
        except ValueError:
            return False
        return True

    assert table == {text: accepts(text) for text in table}


SEED_CALL = {
    "name": "get_calendar_events",
    "arguments": {
        "resolved_datetimes": ["2026-01-18T05:00:00Z", "2026-01-19T05:00:00Z"]
    },
}


def test_J10_the_correct_call_of_the_seed_as_openai_sends_it(tmp_path: Path) -> None:
    """J10: through the SDK's own objects, its arguments as text."""
    from openai.types.chat import ChatCompletionMessage

    spec = (
        HEADER + "    resolved_datetimes: { type: array<datetime>, required: false }\n"
    )
    built = build(tmp_path, {"tool.yaml": spec}, targets=("python", "retries"))
    package, retries = built.load(), built.load("retries")
    message = ChatCompletionMessage.model_validate(
        {
            "role": "assistant",
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {
                        "name": SEED_CALL["name"],
                        "arguments": json.dumps(SEED_CALL["arguments"]),
                    },
                }
            ],
        }
    )
    for reply in (message.model_dump()["tool_calls"], SEED_CALL, json.dumps(SEED_CALL)):
        outcome = retries.call_with_retries(
            lambda _, reply=reply: reply,
            lambda call: call.input.to_dict(),
            tools=package.TOOLS,
        )
        assert SEED_CALL["arguments"] == outcome.value


def test_J7_a_wrong_date_is_told_twice_and_never_corrected(tmp_path: Path) -> None:
    """J6, J7, S3.25-27: with the generated decoder."""
    spec = (
        HEADER + "    resolved_datetimes: { type: array<datetime>, required: false }\n"
    )
    built = build(tmp_path, {"tool.yaml": spec}, targets=("python", "retries"))
    package, retries = built.load(), built.load("retries")
    wrong = {
        "name": "get_calendar_events",
        "arguments": {"resolved_datetimes": ["2026-01-18T05:00:00Z", "tomorrow"]},
    }
    before = json.dumps(wrong)
    told: list[Any] = []
    dispatched: list[Any] = []

    def ask(messages: Any) -> Any:
        told.append([each["content"] for each in messages])
        return wrong

    outcome = retries.call_with_retries(ask, dispatched.append, tools=package.TOOLS)
    assert (False, 3, []) == (outcome.accepted, len(outcome.refusals), dispatched)
    assert [0, 1, 2] == [len(each) for each in told]
    assert (
        "- get_calendar_events.resolved_datetimes/1: "
        'expected datetime with offset, got "tomorrow"'
    ) in told[-1][-1]
    assert before == json.dumps(wrong)
