"""Dispatchers: the call objects of the providers' own SDKs in, the messages they take back out."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import TextBlock, ToolResultBlockParam, ToolUseBlock
from openai.types.chat import (
    ChatCompletionMessageFunctionToolCall,
    ChatCompletionToolMessageParam,
)
from openai.types.responses import ResponseFunctionToolCall
from openai.types.responses.response_input_item_param import FunctionCallOutput
from pydantic import TypeAdapter

from support.checkers import MYPY, assert_clean
from support.project import build

SPEC = """\
type: python_function
name: book
description: Book a room.
arguments:
  inline:
    room: {type: string, minLength: 1}
    nights: {type: int, default: 2, minimum: 1}
    secret_user: {type: string, from_context: app.user.id}
    secret_key: {type: string, llm: false, default: k}
returns: {inline: {booked: string, price: decimal}}
---
type: python_function
name: forget
description: Forget a room.
arguments: {inline: {room: string}}
---
type: resource
name: page
description: A page.
path: /pages/{number}
arguments: {inline: {number: int}}
"""
CONTEXT = {"app": {"user": {"id": "u-7"}}}
GOOD = {"room": "blue", "nights": None}


@pytest.fixture(scope="module")
def dispatch(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The module of a small package."""
    folder = tmp_path_factory.mktemp("dispatch")
    built = build(folder, {"a.yaml": SPEC}, targets=("python", "dispatch"))
    assert [] == [e.message for e in built.diagnostics if e.rule.severity == "error"]
    return built.load("dispatch")


def book(bound: Any) -> dict[str, Any]:
    """A function of the host program."""
    booked = f"{bound.room} {bound.nights} {bound.secret_user} {bound.secret_key}"
    return {"booked": booked, "price": 80.5}


RUNS = {"book": book, "forget": lambda bound: None}
SAID = '{"booked": "blue 2 u-7 k", "price": 80.5}'


def chat(name: str, arguments: str) -> ChatCompletionMessageFunctionToolCall:
    function = {"name": name, "arguments": arguments}
    return ChatCompletionMessageFunctionToolCall.model_validate(
        {"id": "call_1", "type": "function", "function": function}
    )


def responses(name: str, arguments: str) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        type="function_call", call_id="call_1", name=name, arguments=arguments
    )


def use(name: str, given: Any) -> ToolUseBlock:
    return ToolUseBlock(type="tool_use", id="toolu_1", name=name, input=given)


@pytest.mark.parametrize("as_dict", [False, True])
def test_a_chat_call_is_answered_with_a_tool_message(
    dispatch: Any, as_dict: bool
) -> None:
    call: Any = chat("book", json.dumps(GOOD))
    call = call.model_dump() if as_dict else call
    message = dispatch.handle_openai_tool_call(call, RUNS, context=CONTEXT)
    TypeAdapter(ChatCompletionToolMessageParam).validate_python(message)
    assert {"role": "tool", "tool_call_id": "call_1", "content": SAID} == message


@pytest.mark.parametrize("as_dict", [False, True])
def test_a_responses_call_is_answered_with_its_output(
    dispatch: Any, as_dict: bool
) -> None:
    call: Any = responses("book", json.dumps(GOOD))
    call = call.model_dump() if as_dict else call
    item = dispatch.handle_openai_tool_call(call, RUNS, context=CONTEXT)
    TypeAdapter(FunctionCallOutput).validate_python(item)
    assert {
        "type": "function_call_output",
        "call_id": "call_1",
        "output": SAID,
    } == item


@pytest.mark.parametrize("as_dict", [False, True])
def test_a_tool_use_is_answered_with_a_result(dispatch: Any, as_dict: bool) -> None:
    block: Any = use("book", GOOD)
    block = block.model_dump() if as_dict else block
    result = dispatch.handle_anthropic_tool_use(block, RUNS, context=CONTEXT)
    TypeAdapter(ToolResultBlockParam).validate_python(result)
    assert {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": SAID,
        "is_error": False,
    } == result


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('{"room": 1, "zz": 2}', ["room: expected string, got 1", "zz: unknown"]),
        ('{"room": "", "nights": 0}', ["room: ", "nights: "]),
        ('{"room": "blue"', ["not valid JSON"]),
        ('{"room": "blue", "secret_user": "root"}', ["secret_user: unknown argument"]),
        ("", ["room: missing"]),
        ("[]", ["expected object"]),
    ],
)
def test_a_bad_call_is_answered_for_a_retry(
    dispatch: Any, arguments: str, said: list[str]
) -> None:
    def never(_: Any) -> Any:
        raise AssertionError

    message = dispatch.handle_openai_tool_call(
        chat("book", arguments), {"book": never}, context=CONTEXT
    )
    for each in said:
        assert each in message["content"]
    assert (
        "book expects: room (string, at least 1 character, required)"
        in message["content"]
    )
    assert "secret_key" not in message["content"]


def test_what_is_not_offered_is_told_as_such(dispatch: Any) -> None:
    result = dispatch.handle_anthropic_tool_use(use("page", {"number": 1}), RUNS)
    assert result["is_error"]
    assert "one of the tools book, forget" in result["content"]
    result = dispatch.handle_anthropic_tool_use(use("forget", {"room": "x"}), {})
    assert "forget is not available." == result["content"]


def test_a_tool_without_a_result_is_done(dispatch: Any) -> None:
    result = dispatch.handle_anthropic_tool_use(use("forget", {"room": "x"}), RUNS)
    assert (False, "done") == (result["is_error"], result["content"])


@pytest.mark.parametrize(
    ("run", "context", "said"),
    [
        (lambda _: 1 / 0, CONTEXT, "book failed."),
        (lambda _: {"booked": 1, "price": 2}, CONTEXT, "book failed."),
        (book, {}, "book is not available to you."),
    ],
)
def test_what_goes_wrong_inside_is_logged_and_not_told(
    dispatch: Any, caplog: Any, run: Any, context: Any, said: str
) -> None:
    with caplog.at_level(logging.ERROR):
        result = dispatch.handle_anthropic_tool_use(
            use("book", GOOD), {"book": run}, context=context
        )
    assert (True, said) == (result["is_error"], result["content"])
    assert caplog.records


def test_a_tool_error_is_told_in_its_own_words(dispatch: Any) -> None:
    def refuse(_: Any) -> Any:
        raise dispatch.ToolError("no room is free")

    result = dispatch.handle_anthropic_tool_use(
        use("book", GOOD), {"book": refuse}, context=CONTEXT
    )
    assert (True, "book: no room is free") == (result["is_error"], result["content"])


@pytest.mark.parametrize("half", ["\ud800", "a\udfff"], ids=ascii)
def test_what_goes_back_can_be_encoded_whatever_it_quotes(
    dispatch: Any, half: str
) -> None:
    def refuse(bound: Any) -> None:
        raise dispatch.ToolError(f"no room {bound.room}")

    for runs, given in (
        (RUNS, {"room": half}),
        ({"book": refuse}, {"room": half}),
        (RUNS, {"room": "blue", "nights": half}),
        (RUNS, {"room": "blue", half: 1}),
    ):
        block = use("book", given)
        result = dispatch.handle_anthropic_tool_use(block, runs, context=CONTEXT)
        assert "\\ud" in result["content"].encode().decode()


def test_values_of_the_host_are_handed_on(dispatch: Any) -> None:
    result = dispatch.handle_anthropic_tool_use(
        use("book", GOOD), RUNS, context=CONTEXT, values={"book": {"secret_key": "z"}}
    )
    assert "blue 2 u-7 z" == json.loads(result["content"])["booked"]


def test_async_functions_are_awaited_where_one_asks_for_it(dispatch: Any) -> None:
    async def later(bound: Any) -> Any:
        return book(bound)

    runs = {"book": later}
    message = asyncio.run(
        dispatch.handle_openai_tool_call_async(
            chat("book", json.dumps(GOOD)), runs, context=CONTEXT
        )
    )
    assert SAID == message["content"]
    result = asyncio.run(
        dispatch.handle_anthropic_tool_use_async(
            use("book", GOOD), runs, context=CONTEXT
        )
    )
    assert SAID == result["content"]
    with pytest.raises(TypeError, match="async"):
        dispatch.handle_anthropic_tool_use(use("book", GOOD), runs, context=CONTEXT)


def test_reading_alone_gives_the_typed_input(dispatch: Any) -> None:
    call = dispatch.read_openai_tool_call(responses("book", '{"room": "red"}'))
    assert ("book", "red", 2) == (call.name, call.input.room, call.input.nights)
    call = dispatch.read_anthropic_tool_use(use("forget", {"room": "red"}))
    assert ("forget", "red") == (call.name, call.input.room)


@pytest.mark.parametrize("given", [None, 3, {}, {"id": "x"}, "{}"])
def test_what_is_no_call_is_a_mistake_of_the_program(dispatch: Any, given: Any) -> None:
    with pytest.raises(dispatch.NoCall):
        dispatch.handle_openai_tool_call(given, RUNS)
    text = TextBlock(type="text", text="x", citations=None)
    with pytest.raises(dispatch.NoCall):
        dispatch.handle_anthropic_tool_use(text, RUNS)


PROGRAM = """\
from anthropic.types import ToolUseBlock
from openai.types.chat import ChatCompletionMessageFunctionToolCall
from openai.types.responses import ResponseFunctionToolCall
from typing import assert_type

from {package}.dispatch import (
    ChatMessage, FunctionOutput, ToolResult,
    handle_anthropic_tool_use, handle_openai_tool_call,
)


def chat(call: ChatCompletionMessageFunctionToolCall) -> None:
    assert_type(handle_openai_tool_call(call, {{}}), ChatMessage)


def responses(call: ResponseFunctionToolCall) -> None:
    assert_type(handle_openai_tool_call(call, {{}}), FunctionOutput)


def use(block: ToolUseBlock) -> None:
    assert_type(handle_anthropic_tool_use(block, {{}}), ToolResult)
"""


@pytest.mark.whole
def test_the_types_are_those_of_the_sdks(dispatch: Any, tmp_path: Path) -> None:
    package = dispatch.__name__.partition(".")[0]
    root = Path(dispatch.__file__).parents[1]
    (tmp_path / "program.py").write_text(PROGRAM.format(package=package))
    assert_clean(tmp_path, "program.py", by=[MYPY], packages=root)
