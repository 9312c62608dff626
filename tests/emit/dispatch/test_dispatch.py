"""Dispatchers: the call objects of the SDKs in, the answers that the SDKs send back out."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import TextBlock, ToolResultBlockParam, ToolUseBlock
from google.genai import types
from mcp.types import CallToolRequestParams, CallToolResult
from openai.types.chat import (
    ChatCompletionMessageFunctionToolCall,
    ChatCompletionToolMessageParam,
)
from openai.types.responses import ResponseFunctionToolCall
from openai.types.responses.response_input_param import FunctionCallOutput
from pydantic import TypeAdapter

from support.checkers import MYPY, PYRIGHT, assert_clean
from support.project import Built, sound

SPEC = """\
type: python_function
name: book
description: Book a room.
arguments:
  inline:
    room: {type: string, minLength: 1}
    nights: {type: int, default: 2, minimum: 1}
    first-day: {type: "string?"}
    secret_user: {type: string, from_context: app.user.id}
returns: {inline: {booked: string, price: decimal}}
---
type: python_function
name: forget
description: Forget a room.
arguments: {inline: {room: string}}
---
type: python_function
name: count
description: Count the rooms.
returns: int
---
type: sql_function
name: nights
description: List nights.
returns: object[]
sql: SELECT night FROM nights
"""
TARGETS = (*("python", "sql", "openai", "anthropic", "gemini", "service", "dispatch"),)
CONTEXT = {"app": {"user": {"id": "u-7"}}}
GOOD = {"room": "blue", "nights": None}
SAID = '{"booked": "blue 2 u-7", "price": 80.5}'


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A small package."""
    folder = tmp_path_factory.mktemp("dispatch")
    return sound(folder, SPEC, targets=TARGETS)


@pytest.fixture(scope="module")
def dispatch(built: Built) -> Any:
    return built.load("dispatch")


def book(bound: Any) -> dict[str, Any]:
    """A function of the host program."""
    day = f" {bound.first_day}" if isinstance(bound.first_day, str) else ""
    return {
        "booked": f"{bound.room} {bound.nights} {bound.secret_user}{day}",
        "price": 80.5,
    }


HANDLERS = {"book": book, "forget": lambda bound: None, "count": lambda bound: 3}


def service_of(built: Built, **given: Any) -> Any:
    module = built.load("service")
    kind = module.AsyncService if given.pop("is_async", False) else module.Service
    return kind(**{"context": CONTEXT, "handlers": HANDLERS, "partial": True, **given})


def chat(name: str, given: str) -> ChatCompletionMessageFunctionToolCall:
    function = {"name": name, "arguments": given}
    return ChatCompletionMessageFunctionToolCall.model_validate(
        {"id": "call_1", "type": "function", "function": function}
    )


def item(name: str, given: str) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        type="function_call", call_id="call_1", name=name, arguments=given
    )


def use(name: str, given: Any) -> ToolUseBlock:
    return ToolUseBlock(type="tool_use", id="toolu_1", name=name, input=given)


CALLS: dict[str, Any] = {
    "OpenAIChat": lambda name, given: chat(name, json.dumps(given)),
    "OpenAIResponses": lambda name, given: item(name, json.dumps(given)),
    "AnthropicMessages": use,
    "GeminiContents": lambda name, given: types.FunctionCall(
        id="g_1", name=name, args=given
    ),
    "McpTools": lambda name, given: CallToolRequestParams(name=name, arguments=given),
}
KINDS: dict[str, Any] = {
    "OpenAIChat": ChatCompletionToolMessageParam,
    "OpenAIResponses": FunctionCallOutput,
    "AnthropicMessages": ToolResultBlockParam,
    "GeminiContents": types.Part,
    "McpTools": CallToolResult,
}
ROOM = {"booked": "blue 2 u-7", "price": 80.5}
ANSWERS: dict[str, Any] = {
    "OpenAIChat": {"role": "tool", "tool_call_id": "call_1", "content": SAID},
    "OpenAIResponses": {
        "type": "function_call_output",
        "call_id": "call_1",
        "output": SAID,
    },
    "AnthropicMessages": {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": SAID,
        "is_error": False,
    },
    "GeminiContents": {
        "function_response": {
            "id": "g_1",
            "name": "book",
            "response": {"output": ROOM},
        }
    },
    "McpTools": {
        "content": [{"type": "text", "text": SAID}],
        "isError": False,
        "structuredContent": ROOM,
    },
}


@pytest.mark.parametrize("as_dict", [False, True])
@pytest.mark.parametrize("provider", CALLS)
def test_a_call_is_answered_as_the_sdk_sends_it(
    built: Built, dispatch: Any, provider: str, as_dict: bool
) -> None:
    call = CALLS[provider]("book", GOOD)
    call = call.model_dump(mode="json", by_alias=True) if as_dict else call
    answer = getattr(dispatch, provider)(service_of(built)).answer(call)
    TypeAdapter(KINDS[provider]).validate_python(answer)
    assert ANSWERS[provider] == answer
    later = getattr(dispatch, f"Async{provider}")(service_of(built, is_async=True))
    assert ANSWERS[provider] == asyncio.run(later.answer(call))


NAMED = """\
type: python_function
name: pages
description: List pages.
arguments:
  inline:
    "page[size]": int
    first-day: string
    inner: {fields: {"$.x": string}}
returns: string
"""
OWN = {"page[size]": 3, "first-day": "1", "inner": {"$.x": "y"}}
SENT = {"page_size": 3, "first-day": "1", "inner": {"x": "y"}}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A tool with names that providers refuse."""
    targets = (*TARGETS, "mcp", "server")
    return sound(tmp_path_factory.mktemp("pages"), {"a.yaml": NAMED}, targets=targets)


@pytest.mark.parametrize("provider", CALLS)
def test_arguments_come_back_under_their_own_names(pages: Built, provider: str) -> None:
    """Gemini calls one more by an alias; others that send that alias are refused."""
    handlers = {"pages": lambda bound: json.dumps(bound.to_dict())}
    service = pages.load("service").Service(handlers=handlers)
    answering = getattr(pages.load("dispatch"), provider)(service)
    of_gemini = {**SENT, "first_day": "1"}
    del of_gemini["first-day"]
    is_gemini = provider == "GeminiContents"
    good, bad = (of_gemini, SENT) if is_gemini else (SENT, of_gemini)
    answer = answering.answer(CALLS[provider]("pages", good))
    assert json.dumps(OWN) in json.dumps(answer).replace("\\", "")
    if not is_gemini:
        refused = answering.answer(CALLS[provider]("pages", bad))
        assert "first-day: missing" in json.dumps(refused)


@pytest.mark.parametrize(
    ("given", "said"),
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
    built: Built, dispatch: Any, given: str, said: list[str]
) -> None:
    def never(_: Any) -> Any:
        raise AssertionError

    service = service_of(built, handlers={"book": never})
    message = dispatch.OpenAIChat(service).answer(chat("book", given))
    for each in said:
        assert each in message["content"]
    assert "book expects: room (string, at least 1 character" in message["content"]


def test_a_tool_that_is_not_there_is_told_with_those_that_are(
    built: Built, dispatch: Any
) -> None:
    result = dispatch.AnthropicMessages(service_of(built)).answer(use("nope", {}))
    assert result["is_error"]
    assert "The tools are: book, count, forget." in result["content"]


@pytest.mark.parametrize("half", ["\ud800", "a\udfff"], ids=ascii)
def test_what_goes_back_can_be_encoded_whatever_it_quotes(
    built: Built, dispatch: Any, half: str
) -> None:
    def refuse(bound: Any) -> None:
        raise built.load("service").ToolError(f"no room {bound.room}")

    for handler, given in (
        (book, {"room": half}),
        (refuse, {"room": half}),
        (book, {"room": "blue", "nights": half}),
        (book, {"room": "blue", half: 1}),
    ):
        service = service_of(built, handlers={"book": handler})
        for provider in ("AnthropicMessages", "McpTools", "GeminiContents"):
            call = {"name": "book", "input": given, "id": "1"}
            if provider != "AnthropicMessages":
                call = {"name": "book", "arguments": given, "args": given}
            answer = getattr(dispatch, provider)(service).answer(call)
            json.dumps(answer, ensure_ascii=False).encode()


def test_the_context_of_a_call_goes_before_that_of_the_service(
    built: Built, dispatch: Any
) -> None:
    result = dispatch.AnthropicMessages(service_of(built)).answer(
        use("book", GOOD), context={"app": {"user": {"id": "u-8"}}}
    )
    assert "blue 2 u-8" == json.loads(result["content"])["booked"]


def test_the_calls_of_a_response_run_in_parallel_and_keep_their_order(
    built: Built, dispatch: Any
) -> None:
    meet = threading.Barrier(2, timeout=10)

    def together(bound: Any) -> Any:
        meet.wait()
        return book(bound)

    text = TextBlock(type="text", text="Both, then.", citations=None)
    content = [text, use("book", {"room": "b"}), use("book", {"room": "a"})]
    service = service_of(built, handlers={"book": together})
    results = dispatch.AnthropicMessages(service).answer_all(content)
    assert ["b", "a"] == [json.loads(r["content"])["booked"][0] for r in results]

    async def wait() -> Any:
        later = service_of(built, handlers={"book": together}, is_async=True)
        return await dispatch.AsyncAnthropicMessages(later).answer_all(content)

    assert results == asyncio.run(wait())
    assert [] == dispatch.OpenAIChat(service).answer_all(None)


def test_statements_on_a_connection_of_the_program_run_in_its_thread(
    built: Built, dispatch: Any
) -> None:
    """sqlite3 refuses a connection in any other thread."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE nights (night TEXT)")
    connection.execute("INSERT INTO nights VALUES ('monday')")
    service = service_of(built, connections={"default": connection})
    content = [use("nights", {}), use("count", {}), use("nights", {})]
    results = dispatch.AnthropicMessages(service).answer_all(content)
    monday = '[{"night": "monday"}]'
    assert [monday, "3", monday] == [each["content"] for each in results]


def test_calls_that_a_handler_makes_do_not_wait_for_its_own_thread(
    built: Built, dispatch: Any
) -> None:
    made: dict[str, Any] = {}

    def outer(bound: Any) -> Any:
        calls = [use("count", {}), use("count", {})]
        answers = dispatch.AnthropicMessages(made["service"]).answer_all(calls)
        return {"booked": answers[1]["content"], "price": 1}

    made["service"] = service_of(
        built, handlers={**HANDLERS, "book": outer}, max_concurrency=1, timeout=10
    )
    answers = dispatch.AnthropicMessages(made["service"]).answer_all(
        [use("book", GOOD), use("book", GOOD)]
    )
    assert ["3", "3"] == [json.loads(each["content"])["booked"] for each in answers]


@pytest.mark.parametrize("given", [None, 3, {}, {"id": "x"}, "{}"])
def test_what_is_no_call_is_a_mistake_of_the_program(
    built: Built, dispatch: Any, given: Any
) -> None:
    service = service_of(built)
    for provider in CALLS:
        with pytest.raises(dispatch.NoCall):
            getattr(dispatch, provider)(service).answer(given)


PROGRAM = Path(__file__).with_name("typed_program.txt")
STRICT = '[tool.pyright]\ntypeCheckingMode = "strict"\n'


@pytest.mark.whole
def test_the_types_are_those_of_the_sdks(built: Built, tmp_path: Path) -> None:
    text = PROGRAM.read_text("utf-8").replace("PACKAGE", built.package)
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    paths = json.dumps([str(built.out / "python")])
    settings = f"{STRICT}extraPaths = {paths}\n"
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    packages = built.out / "python"
    assert_clean(tmp_path, "program.py", by=[MYPY], packages=packages)
    assert_clean(tmp_path, "program.py", by=[PYRIGHT])
