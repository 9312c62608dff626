"""Calls of other providers and pieces of calls are refused, never run without arguments."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import mcp.types
import pytest
from anthropic.types import (
    InputJSONDelta,
    Message,
    RawContentBlockStartEvent,
    ServerToolUseBlock,
    ToolUseBlock,
    Usage,
)
from google.genai.types import Content, FunctionCall, Part
from openai.types.chat import (
    ChatCompletionMessage,
    ChatCompletionMessageCustomToolCall,
    ChatCompletionMessageFunctionToolCall,
)
from openai.types.chat.chat_completion_chunk import ChoiceDeltaToolCall
from openai.types.responses import (
    ResponseCustomToolCall,
    ResponseFunctionToolCall,
    ResponseOutputItemAddedEvent,
)
from openai.types.responses.response_output_item import McpCall

import brimgen_runtime
from support.project import Built, sound

SPEC = """\
type: python_function
name: forget
description: Forget a room, or all.
arguments: {inline: {room: {type: string?}}}
"""
NAME = "forget"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A package whose tool may be called without arguments."""
    folder = tmp_path_factory.mktemp("foreign")
    return sound(folder, SPEC, targets=("python", "service", "dispatch"))


def chat(arguments: str = "{}") -> ChatCompletionMessageFunctionToolCall:
    function = {"name": NAME, "arguments": arguments}
    return ChatCompletionMessageFunctionToolCall.model_validate(
        {"id": "call_1", "type": "function", "function": function}
    )


def item(**more: Any) -> ResponseFunctionToolCall:
    said = {"call_id": "call_1", "name": NAME, "arguments": "{}", "id": "fc_1", **more}
    return ResponseFunctionToolCall.model_validate({"type": "function_call", **said})


def delta(**more: Any) -> ChoiceDeltaToolCall:
    return ChoiceDeltaToolCall.model_validate({"index": 0, **more})


USE = ToolUseBlock(type="tool_use", id="toolu_1", name=NAME, input={})
SERVER_USE = ServerToolUseBlock(
    type="server_tool_use", id="s_1", name="web_search", input={"query": "x"}
)
GEMINI = FunctionCall(id="g_1", name=NAME, args={"room": "blue"})
CUSTOM = ResponseCustomToolCall(
    type="custom_tool_call", call_id="call_1", name=NAME, input="blue", id="c_1"
)
CHAT_CUSTOM = ChatCompletionMessageCustomToolCall.model_validate(
    {"id": "call_1", "type": "custom", "custom": {"name": NAME, "input": "x"}}
)
MCP_OF_OPENAI = McpCall(
    type="mcp_call", id="m_1", name=NAME, arguments="{}", server_label="s"
)
MCP = mcp.types.CallToolRequestParams(name=NAME, arguments={"room": "x"})
MESSAGE = ChatCompletionMessage(role="assistant", content=None, tool_calls=[chat()])
ANSWER = Message.model_construct(
    id="m",
    type="message",
    role="assistant",
    content=[USE],
    usage=Usage.model_construct(),
)
START = RawContentBlockStartEvent(
    type="content_block_start", index=0, content_block=USE
)
ADDED = ResponseOutputItemAddedEvent(
    type="response.output_item.added", item=item(), output_index=0, sequence_number=1
)
JSON_DELTA = InputJSONDelta(type="input_json_delta", partial_json="{")
FIRST_PIECE = delta(
    id="call_1", type="function", function={"name": NAME, "arguments": ""}
)
NEXT_PIECE = delta(function={"arguments": '{"ro'})

NOBODYS = [
    None,
    3,
    "",
    "{}",
    b"x",
    {},
    [],
    (),
    [USE],
    [chat()],
    object(),
    CUSTOM,
    CHAT_CUSTOM,
    MCP_OF_OPENAI,
    MCP,
    GEMINI,
    Part(function_call=GEMINI),
    Content(role="model", parts=[Part(function_call=GEMINI)]),
    SERVER_USE,
    MESSAGE,
    ANSWER,
    START,
    ADDED,
    JSON_DELTA,
    FIRST_PIECE,
    NEXT_PIECE,
    item(arguments="", status="in_progress"),
    item(arguments='{"room": "b', status="incomplete"),
    {"id": "g_1", "name": NAME, "args": {"room": "blue"}},
    {"functionCall": {"id": "g_1", "name": NAME, "args": {}}},
    {"call_id": "call_1", "name": NAME, "input": "blue"},
    {"id": "c", "call_id": "call_1", "name": NAME, "input": {}},
    {"id": "call_1", "function": None},
    {"id": "call_1", "function": {"name": NAME}},
    {"id": "call_1", "function": {"arguments": "{}"}},
    {"call_id": "call_1", "name": NAME},
    {"call_id": None, "name": NAME, "arguments": "{}"},
    {"call_id": "call_1", "type": "function_call_output", "output": "x"},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": NAME}},
    {"id": "toolu_1", "type": "tool_result", "name": NAME, "input": {}},
    {"id": "toolu_1", "name": NAME},
    {"id": 1, "name": NAME, "input": {}},
]
"""What no dispatcher of OpenAI or Anthropic takes."""


def plain(given: Any) -> Any:
    """The JSON of an object of an SDK."""
    return given.model_dump() if hasattr(given, "model_dump") else given


def handle(built: Built, dispatcher: str, given: Any) -> list[Any]:
    """What the tool was run with; raises what the dispatcher raises, awaited or not."""
    ran: list[Any] = []
    module, dispatch = built.load("service"), built.load("dispatch")
    service = module.Service(handlers={NAME: ran.append})
    later = module.AsyncService(handlers={NAME: ran.append})
    try:
        getattr(dispatch, dispatcher)(service).answer(given)
    except dispatch.NoCall:
        with pytest.raises(dispatch.NoCall):
            asyncio.run(getattr(dispatch, f"Async{dispatcher}")(later).answer(given))
        assert [] == ran
        raise
    return ran


OPENAI = ("OpenAIChat", "OpenAIResponses")


@pytest.mark.parametrize("dispatcher", [*OPENAI, "AnthropicMessages"])
def test_what_is_no_call_is_never_run_as_one(built: Built, dispatcher: str) -> None:
    no_call = built.load("dispatch").NoCall
    for given in NOBODYS:
        for each in (given, plain(given)):
            with pytest.raises(no_call, match=r"^not a call: ") as told:
                handle(built, dispatcher, each)
            assert len(str(told.value)) < 1000


def test_a_gemini_call_may_be_in_a_part_and_a_piece_of_one_is_none(
    built: Built,
) -> None:
    for given in (
        Part(function_call=GEMINI),
        {"functionCall": {"id": "g_1", "name": NAME, "args": {}}},
        {"name": NAME},
    ):
        assert 1 == len(handle(built, "GeminiContents", given))
    piece = FunctionCall(name=NAME, args={}, will_continue=True)
    for given in (
        Part(text="x"),
        piece,
        {"text": "x"},
        {"name": NAME, "willContinue": 1},
        {"name": NAME, "args": {}, "willContinue": True},
    ):
        with pytest.raises(built.load("dispatch").NoCall):
            handle(built, "GeminiContents", given)


def test_the_error_names_what_was_given_and_tells_no_value(built: Built) -> None:
    no_call = built.load("dispatch").NoCall
    secret = "the-secret-value"
    given = {"id": "g", "name": secret, "args": {"room": secret}}
    with pytest.raises(no_call, match="a dict with the keys id, name, args"):
        handle(built, "AnthropicMessages", given)
    for wrong, words in (
        (GEMINI, "an object FunctionCall"),
        (CUSTOM, "an object ResponseCustomToolCall of type 'custom_tool_call'"),
        (MESSAGE, "give its 'tool_calls' to answer_all"),
        (ANSWER, "give its 'content' to answer_all"),
        (FIRST_PIECE, "a piece of a stream"),
        ([chat()], "a list; give it to answer_all"),
    ):
        with pytest.raises(no_call) as told:
            handle(built, "OpenAIChat", wrong)
        assert words in str(told.value)
        assert secret not in str(told.value)
    with pytest.raises(no_call, match="its arguments are cut off"):
        handle(built, "OpenAIResponses", item(status="incomplete"))


def test_items_of_a_response_that_are_no_calls_are_passed_over(built: Built) -> None:
    dispatch = built.load("dispatch")
    service = built.load("service").Service(handlers={NAME: lambda call: None})
    for dispatcher, items, calls in (
        ("OpenAIChat", [CHAT_CUSTOM, chat()], 1),
        ("OpenAIResponses", [CUSTOM, MCP_OF_OPENAI, item(), item()], 2),
        ("AnthropicMessages", [SERVER_USE, USE], 1),
        ("GeminiContents", [Part(text="x"), Part(function_call=GEMINI)], 1),
    ):
        answers = getattr(dispatch, dispatcher)(service).answer_all(items)
        assert calls == len(answers)
    with pytest.raises(dispatch.NoCall):
        cut_off = item(status="incomplete")
        dispatch.OpenAIResponses(service).answer_all([item(), cut_off])


def test_the_dispatchers_import_no_sdk() -> None:
    folder = Path(brimgen_runtime.__file__).parent / "dispatch"
    text = "".join(each.read_text() for each in folder.glob("*.py"))
    assert not any(f"import {each}" in text for each in ("openai", "anthropic"))
