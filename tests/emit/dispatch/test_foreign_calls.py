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

from support.project import build

SPEC = """\
type: python_function
name: forget
description: Forget a room, or all.
arguments: {inline: {room: {type: string?}}}
"""
NAME = "forget"


@pytest.fixture(scope="module")
def dispatch(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The module of a package whose tool may be called without arguments."""
    folder = tmp_path_factory.mktemp("foreign")
    built = build(folder, {"a.yaml": SPEC}, targets=("python", "dispatch"))
    assert [] == [e.message for e in built.diagnostics if e.rule.severity == "error"]
    return built.load("dispatch")


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
"""What neither handler takes."""


def plain(given: Any) -> Any:
    """The JSON of an object of an SDK."""
    return given.model_dump() if hasattr(given, "model_dump") else given


def handle(dispatch: Any, handler: str, given: Any) -> list[Any]:
    """What the tool was run with; raises what the handler raises, awaited or not."""
    ran: list[Any] = []
    runs = {NAME: ran.append}
    if handler.endswith("_async"):
        asyncio.run(getattr(dispatch, handler)(given, runs))
    else:
        getattr(dispatch, handler)(given, runs)
    return ran


OPENAI = ("handle_openai_tool_call", "handle_openai_tool_call_async")
ANTHROPIC = ("handle_anthropic_tool_use", "handle_anthropic_tool_use_async")


@pytest.mark.parametrize("handler", [*OPENAI, *ANTHROPIC])
@pytest.mark.parametrize("given", NOBODYS, ids=lambda each: type(each).__name__)
def test_what_is_no_call_is_never_run_as_one(
    dispatch: Any, handler: str, given: Any
) -> None:
    for each in (given, plain(given)):
        with pytest.raises(dispatch.NoCall, match=r"^not a call: ") as told:
            handle(dispatch, handler, each)
        assert len(str(told.value)) < 1000


@pytest.mark.parametrize("handler", ANTHROPIC)
@pytest.mark.parametrize("given", [chat(), item()], ids=["chat", "responses"])
def test_a_call_of_openai_is_none_of_anthropic(
    dispatch: Any, handler: str, given: Any
) -> None:
    for each in (given, given.model_dump(exclude={"type"})):
        with pytest.raises(dispatch.NoCall, match="Taken is a tool_use block"):
            handle(dispatch, handler, each)


@pytest.mark.parametrize("handler", OPENAI)
def test_a_call_of_anthropic_is_none_of_openai(dispatch: Any, handler: str) -> None:
    for each in (USE, USE.model_dump(), USE.model_dump(exclude={"type"})):
        with pytest.raises(dispatch.NoCall, match="Taken is a tool call of Chat"):
            handle(dispatch, handler, each)


def test_the_error_names_what_was_given_and_tells_no_value(dispatch: Any) -> None:
    secret = "the-secret-value"
    given = {"id": "g", "name": secret, "args": {"room": secret}}
    with pytest.raises(dispatch.NoCall, match="a dict with the keys id, name, args"):
        handle(dispatch, "handle_anthropic_tool_use", given)
    for wrong, words in (
        (GEMINI, "an object FunctionCall"),
        (CUSTOM, "an object ResponseCustomToolCall of type 'custom_tool_call'"),
        (MESSAGE, "hand over each call in its 'tool_calls'"),
        (ANSWER, "hand over each call in its 'content'"),
        (FIRST_PIECE, "a piece of a stream"),
        (item(status="incomplete"), "its arguments are cut off"),
        ([chat()], "a list; hand over its calls one by one"),
    ):
        with pytest.raises(dispatch.NoCall) as told:
            handle(dispatch, "handle_openai_tool_call", wrong)
        assert words in str(told.value)
        assert secret not in str(told.value)


@pytest.mark.parametrize("arguments", ["", "{}", None])
def test_a_whole_call_without_arguments_still_runs(
    dispatch: Any, arguments: str | None
) -> None:
    function = {"name": NAME, "arguments": arguments}
    for given in (
        {"id": "call_1", "type": "function", "function": function},
        {"id": "call_1", "function": function},
        {"call_id": "call_1", **function},
        {"call_id": "call_1", "status": "completed", **function},
    ):
        assert 1 == len(handle(dispatch, "handle_openai_tool_call", given))
    whole = {"index": 0, "id": "call_1", "function": {"name": NAME, "arguments": "{}"}}
    assert 1 == len(handle(dispatch, "handle_openai_tool_call", whole))
    assert 1 == len(handle(dispatch, "handle_anthropic_tool_use", USE))


def test_the_readers_refuse_the_same(dispatch: Any) -> None:
    for given in NOBODYS:
        for read in (dispatch.read_openai_tool_call, dispatch.read_anthropic_tool_use):
            with pytest.raises(dispatch.NoCall):
                read(given)


def test_the_package_imports_no_sdk(dispatch: Any) -> None:
    folder = Path(dispatch.__file__).parent / "_dispatch"
    text = "".join(each.read_text() for each in folder.glob("*.py"))
    assert not any(f"import {each}" in text for each in ("openai", "anthropic"))
