"""Descriptors of real tools keep the rules of their providers, and pass their SDKs unchanged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from anthropic import Anthropic
from anthropic.types import ToolParam
from google import genai
from google.genai import types as google
from jsonschema import Draft202012Validator
from mcp import types as mcp
from mcp_types import _v2025_11_25 as before
from mcp_types import _v2026_07_28 as today
from openai import OpenAI
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import ConfigDict, TypeAdapter, with_config

from support.made import corpus
from support.project import EVERY_PROFILE, build
from support.subsets import (
    anthropic_refusals,
    gemini_refusals,
    openai_refusals,
    openapi_refusals,
)

SPECS = Path(__file__).resolve().parents[2] / "specs"
TARGETS = ("openai", "mcp", "anthropic", "gemini")
ASKED = [{"role": "user", "content": "hello"}]


def _specs(name: str, step: int) -> dict[str, str]:
    if name == "shop":
        files = (each for each in SPECS.rglob("*") if each.is_file())
        return {str(each.relative_to(SPECS)): each.read_text("utf-8") for each in files}
    return {
        f"{number}.yaml": json.dumps(
            {
                "type": "python_function",
                "name": f"tool_{number}",
                "description": item.get("description") or "Not described.",
                "arguments": {"mode": "standard", "inline": item["schema"]},
                **({"returns": item["outputSchema"]} if "outputSchema" in item else {}),
            },
            ensure_ascii=False,
        )
        for number, item in enumerate(corpus(name)[::step])
    }


def _of_sdk(kind: Any) -> Callable[[Any], object]:
    adapter = TypeAdapter(with_config(ConfigDict(extra="forbid"))(kind))
    return lambda told: adapter.validate_python(told, strict=True)


def _openai(told: Any) -> list[str]:
    return openai_refusals(told["parameters"]) if told["strict"] else []


def _anthropic(told: Any) -> list[str]:
    schema = told["input_schema"]
    assert "object" == schema["type"] and not {"anyOf", "oneOf", "allOf"} & set(schema)
    return anthropic_refusals(schema) if told.get("strict") else []


def _gemini(told: Any) -> list[str]:
    read = google.FunctionDeclaration.model_validate(told)
    written = read.model_dump(by_alias=True, exclude_none=True, mode="json")
    assert told == _as_on_the_wire(written)
    refused = openapi_refusals(told["parameters"]) if "parameters" in told else []
    schema = told.get("parametersJsonSchema")
    return refused if schema is None else refused + gemini_refusals(schema)


def _as_on_the_wire(value: Any) -> Any:
    """What the SDK holds; counts are numbers there, and text in the API's JSON."""
    if isinstance(value, list):
        return [_as_on_the_wire(each) for each in value]
    if not isinstance(value, dict) or "parametersJsonSchema" in value:
        return value
    return {
        key: (
            str(each)
            if key in _COUNTS and isinstance(each, int)
            else _as_on_the_wire(each)
        )
        for key, each in value.items()
    }


def _mcp(told: Any) -> list[str]:
    """One descriptor for old and new revisions; results have an object for their root."""
    for model in (mcp.Tool, before.Tool, today.Tool):
        read = model.model_validate(told)
        assert told == read.model_dump(by_alias=True, exclude_unset=True, mode="json")
    for schema in (told["inputSchema"], told.get("outputSchema", {"type": "object"})):
        Draft202012Validator.check_schema(schema)
        assert "object" == schema["type"] and "$schema" not in schema
    assert not {"anyOf", "oneOf", "allOf"} & set(told["inputSchema"])
    return []


_CHAT, _RESPONSES = _of_sdk(ChatCompletionFunctionToolParam), _of_sdk(FunctionToolParam)
_TOOL = _of_sdk(ToolParam)
JUDGES: dict[str, Callable[[Any], list[str]]] = {
    "openai/chat.json": lambda told: _CHAT(told) and _openai(told["function"]),
    "openai/responses.json": lambda told: _RESPONSES(told) and _openai(told),
    "openai/azure/responses.json": lambda told: _RESPONSES(told) and _openai(told),
    "anthropic/tools.json": lambda told: _TOOL(told) and _anthropic(told),
    "anthropic/strict/tools.json": lambda told: _TOOL(told) and _anthropic(told),
    "gemini/tools.json": _gemini,
    "gemini/openapi/tools.json": _gemini,
    "mcp/tools.json": _mcp,
}
STRICT = ("openai/responses.json", "anthropic/strict/tools.json")


class Wire:
    """A transport that keeps what it is given and answers that the server is not there."""

    def __init__(self) -> None:
        self.sent: Any = None
        transport = httpx2.MockTransport(self._answer)
        self.client = httpx2.Client(transport=transport)

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.sent = json.loads(request.content)
        return httpx2.Response(400, json={"error": {"message": "no", "code": 400}})


def _send(path: str, tools: Any, wire: Wire) -> None:
    """Ask a model, as a program would that has read the file."""
    options: dict[str, Any] = {"api_key": "none"}
    if path.startswith("gemini"):
        config = google.GenerateContentConfig(tools=tools)
        options["http_options"] = google.HttpOptions(httpx_client=wire.client)
        models = genai.Client(**options).models
        models.generate_content(model="m", contents="hello", config=config)
    options |= {"http_client": wire.client, "max_retries": 0}
    asked: dict[str, Any] = {"model": "m", "tools": tools}
    if path.startswith("anthropic"):
        Anthropic(**options).messages.create(max_tokens=9, messages=ASKED, **asked)  # type: ignore[arg-type]
    elif path.endswith("chat.json"):
        OpenAI(**options).chat.completions.create(messages=ASKED, **asked)
    else:
        OpenAI(**options).responses.create(input="hello", **asked)


SENT = (
    "openai/azure/chat.json",
    "openai/loose/chat.json",
    "openai/loose/responses.json",
)


def _judge(path: str, tools: Any, most: int) -> None:
    """Nothing in a file is refused, and few tools of others are left out or not strict."""
    if path.startswith("gemini"):
        tools = [one for each in tools for one in each["functionDeclarations"]]
    refused = {each.get("name", ""): JUDGES[path](each) for each in tools}
    assert [] == [(path, name, why) for name, why in refused.items() if why]
    assert len(tools) > 0.85 * most
    if path in STRICT and most > 100:
        assert sum(each.get("strict", False) for each in tools) > 0.85 * len(tools)


@pytest.mark.parametrize("name", ["shop", "bfcl", "mcp"])
def test_providers_take_every_file_and_their_sdks_send_it_unchanged(
    name: str, step: int, tmp_path: Path
) -> None:
    files = _specs(name, step)
    made = build(tmp_path, files, targets=TARGETS, profiles=EVERY_PROFILE)
    assert [] == made.errors
    most = 0 if name == "shop" else len(files)
    _judge("mcp/tools.json", made.sent("mcp/tools.json")["tools"], most)
    for path in (*JUDGES, *SENT):
        if path.startswith("mcp"):
            continue
        tools = made.sent(path)
        if path in JUDGES:
            _judge(path, tools, most)
        wire = Wire()
        with pytest.raises(Exception, match="400"):
            _send(path, tools, wire)
        spelt = [_spelt(each) for each in tools] if "gemini" in path else tools
        assert spelt == wire.sent["tools"], path


def _spelt(value: Any) -> Any:
    """The API's JSON as google-genai writes it: names of fields with underscores, which the API
    reads as well, and counts as numbers. What is JSON Schema it leaves alone.
    """
    if isinstance(value, list):
        return [_spelt(each) for each in value]
    if not isinstance(value, dict):
        return value
    made = {}
    for key, each in value.items():
        if key == "properties":
            made[key] = {name: _spelt(schema) for name, schema in each.items()}
        elif key.endswith("JsonSchema"):
            made[_SPELT[key]] = each
        elif key in _COUNTS:
            made[_SPELT[key]] = int(each)
        else:
            made[_SPELT.get(key, key)] = _spelt(each)
    return made


_COUNTS = ("minItems", "maxItems", "minLength", "maxLength")
_SPELT = {
    "parametersJsonSchema": "parameters_json_schema",
    "responseJsonSchema": "response_json_schema",
    "anyOf": "any_of",
    "minItems": "min_items",
    "maxItems": "max_items",
    "minLength": "min_length",
    "maxLength": "max_length",
}
