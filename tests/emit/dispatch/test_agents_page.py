"""The programs of docs/agents.md run with the real SDKs and frameworks on recorded answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest

from running.packages import imported
from support.checkers import MYPY, PYRIGHT, assert_clean
from support.pages import DOCS, blocks

pytestmark = pytest.mark.whole

PACKAGES = Path(__file__).parents[3] / "out" / "python"
PAGE = DOCS / "agents.md"
GOOD = {"operation": "add", "a": 1, "b": 2}
BAD = {"operation": "add", "a": 1}
SAID = "It is 3."


@pytest.fixture
def programs() -> Iterator[list[dict[str, Any]]]:
    """What each program of the page defines."""
    with imported(PACKAGES, "shop"):
        found: list[dict[str, Any]] = []
        for text in blocks(PAGE, "python"):
            names: dict[str, Any] = {"__name__": "program"}
            exec(compile(text, str(PAGE), "exec", dont_inherit=True), names)
            found.append(names)
        yield found


def service_of(names: dict[str, Any]) -> Any:
    """A service of the kind that a program takes, which can only calculate."""
    kind = names.get("AsyncService") or names["Service"]
    handlers = {"calculator": lambda call: call.a + call.b}
    return kind(handlers=handlers, only=["calculator"])


class Recorded:
    """Answers requests with recorded bodies, in order, and keeps what was asked."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.asked: list[Any] = []
        self._answers = list(answers)

    def client(self, library: Any, kind: str = "Client") -> Any:
        """A client of ``httpx`` or ``httpx2``."""

        def answer(request: Any) -> Any:
            self.asked.append(json.loads(request.content))
            return library.Response(200, json=self._answers.pop(0))

        return getattr(library, kind)(transport=library.MockTransport(answer))


def chat_answer(message: dict[str, Any]) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    common = {"id": "c_1", "object": "chat.completion", "created": 1, "model": "m"}
    return {**common, "choices": [choice]}


def test_chat_completions(programs: list[dict[str, Any]]) -> None:
    from openai import OpenAI

    calls = [
        {
            "id": name,
            "type": "function",
            "function": {"name": "calculator", "arguments": json.dumps(given)},
        }
        for name, given in (("good", GOOD), ("bad", BAD))
    ]
    recorded = Recorded(
        chat_answer({"role": "assistant", "content": None, "tool_calls": calls}),
        chat_answer({"role": "assistant", "content": SAID}),
    )
    client = OpenAI(api_key="k", http_client=recorded.client(httpx2))
    names = programs[0]
    assert SAID == names["ask"](client, service_of(names), "1 + 2?")
    assert ["calculator"] == [t["function"]["name"] for t in recorded.asked[0]["tools"]]
    _, said, good, bad = recorded.asked[1]["messages"]
    assert calls == said["tool_calls"]
    assert {"role": "tool", "tool_call_id": "good", "content": "3.0"} == good
    assert "b: missing" in bad["content"]


def response(output: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": "r_1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "output": output,
        "tools": [],
        "tool_choice": "auto",
        "parallel_tool_calls": True,
    }


def message(text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    common = {"type": "message", "id": "m_1", "role": "assistant"}
    return {**common, "status": "completed", "content": content}


CALLS = [
    {
        "type": "function_call",
        "id": f"fc_{name}",
        "call_id": name,
        "name": "calculator",
        "arguments": json.dumps(given),
        "status": "completed",
    }
    for name, given in (("good", GOOD), ("bad", BAD))
]


def test_responses(programs: list[dict[str, Any]]) -> None:
    from openai import OpenAI

    recorded = Recorded(response(CALLS), response([message(SAID)]))
    client = OpenAI(api_key="k", http_client=recorded.client(httpx2))
    names = programs[1]
    assert SAID == names["ask"](client, service_of(names), "1 + 2?")
    good, bad = recorded.asked[1]["input"][-2:]
    assert "3.0" == good["output"]
    assert ("bad", True) == (bad["call_id"], "b: missing" in bad["output"])


def test_anthropic(programs: list[dict[str, Any]]) -> None:
    import anthropic
    from anthropic import AsyncAnthropic

    library = httpx2 if hasattr(anthropic._base_client, "httpx2") else httpx
    uses = [
        {"type": "tool_use", "id": name, "name": "calculator", "input": given}
        for name, given in (("good", GOOD), ("bad", BAD))
    ]
    common = {
        "id": "m_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    text = {"type": "text", "text": SAID}
    recorded = Recorded(
        {**common, "content": uses, "stop_reason": "tool_use"},
        {**common, "content": [text], "stop_reason": "end_turn"},
    )
    http = recorded.client(library, "AsyncClient")
    client = AsyncAnthropic(api_key="k", http_client=http)
    names = programs[2]
    assert SAID == asyncio.run(names["ask"](client, service_of(names), "1 + 2?"))
    good, bad = recorded.asked[1]["messages"][-1]["content"]
    assert ("3.0", False) == (good["content"], good["is_error"])
    assert bad["is_error"] and "b: missing" in bad["content"]


def test_gemini(programs: list[dict[str, Any]]) -> None:
    from google import genai
    from google.genai import types

    def content(*parts: dict[str, Any]) -> dict[str, Any]:
        return {"candidates": [{"content": {"role": "model", "parts": [*parts]}}]}

    calls = [
        {"functionCall": {"id": name, "name": "calculator", "args": given}}
        for name, given in (("good", GOOD), ("bad", BAD))
    ]
    recorded = Recorded(content(*calls), content({"text": SAID}))
    options = types.HttpOptions(httpx_client=recorded.client(httpx))
    client = genai.Client(api_key="k", http_options=options)
    names = programs[3]
    assert SAID == names["ask"](client, service_of(names), "1 + 2?")
    good, bad = recorded.asked[1]["contents"][-1]["parts"]
    assert {"output": 3.0} == good["functionResponse"]["response"]
    assert "b: missing" in bad["functionResponse"]["response"]["error"]


def test_the_openai_agents_sdk(programs: list[dict[str, Any]]) -> None:
    from agents import Agent, OpenAIResponsesModel, Runner, set_tracing_disabled
    from openai import AsyncOpenAI

    set_tracing_disabled(True)
    recorded = Recorded(response(CALLS), response([message(SAID)]))
    client = AsyncOpenAI(
        api_key="k", http_client=recorded.client(httpx2, "AsyncClient")
    )
    names = programs[4]
    agent = Agent(
        name="Shop",
        model=OpenAIResponsesModel(model="m", openai_client=client),
        tools=names["tools_of"](service_of(names)),
    )
    assert SAID == asyncio.run(Runner.run(agent, "1 + 2?")).final_output
    outputs = [
        each["output"] for each in recorded.asked[1]["input"] if "output" in each
    ]
    assert "3.0" == outputs[0]
    assert "b: missing" in outputs[1]


def test_langchain(programs: list[dict[str, Any]]) -> None:
    names = programs[5]
    [tool] = names["tools_of"](service_of(names))
    given = {"name": "calculator", "type": "tool_call"}
    good = tool.invoke({**given, "id": "good", "args": GOOD})
    bad = tool.invoke({**given, "id": "bad", "args": BAD})
    assert ("3.0", "good", "success") == (good.content, good.tool_call_id, good.status)
    assert "error" == bad.status
    assert "b: missing" in bad.content
    assert {*GOOD} <= {*tool.tool_call_schema["properties"]}


def test_pydantic_ai(programs: list[dict[str, Any]]) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    asked: list[Any] = []

    def model(messages: Any, info: Any) -> ModelResponse:
        asked.append((messages[-1], info))
        if len(asked) > 1:
            return ModelResponse(parts=[TextPart(SAID)])
        return ModelResponse(
            parts=[ToolCallPart("calculator", each) for each in (GOOD, BAD)]
        )

    names = programs[6]
    agent = Agent(FunctionModel(model), tools=names["tools_of"](service_of(names)))
    assert SAID == asyncio.run(agent.run("1 + 2?")).output
    good, bad = asked[1][0].parts
    assert "3.0" == good.content
    assert ("retried", True) == (bad.outcome, "b: missing" in bad.content)


def test_every_program_is_typed(tmp_path: Path) -> None:
    files: list[str] = []
    for number, text in enumerate(blocks(PAGE, "python")):
        files.append(f"program_{number}.py")
        (tmp_path / files[-1]).write_text(text, encoding="utf-8")
    root = json.dumps([str(PACKAGES)])
    settings = f'[tool.pyright]\ntypeCheckingMode = "strict"\nextraPaths = {root}\n'
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    assert_clean(tmp_path, *files, by=[MYPY], packages=PACKAGES)
    assert_clean(tmp_path, *files, by=[PYRIGHT])
