"""Descriptors on the wire: the SDKs of the providers send them as they stand in the files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
from anthropic import Anthropic
from google import genai
from google.genai import types as google
from openai import OpenAI

from brimgen.model.project import DescriptorOptions
from brimgen.model.targets import profile_names
from support.made import corpus
from support.project import build

SPECS = Path(__file__).resolve().parents[2] / "specs"
TARGETS = ("openai", "mcp", "anthropic", "gemini")
EVERYTHING = DescriptorOptions(profiles=profile_names())
ASKED = [{"role": "user", "content": "hello"}]


class Wire:
    """A transport that keeps what it is given and answers that the server is not there."""

    def __init__(self) -> None:
        self.sent: Any = None

    def client(self) -> httpx2.Client:
        """A client over this transport."""
        return httpx2.Client(transport=httpx2.MockTransport(self._answer))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.sent = json.loads(request.content)
        return httpx2.Response(400, json={"error": {"message": "no", "code": 400}})


def _chat(tools: Any, wire: Wire) -> None:
    client = OpenAI(api_key="none", http_client=wire.client(), max_retries=0)
    client.chat.completions.create(model="m", messages=ASKED, tools=tools)  # type: ignore[call-overload]


def _responses(tools: Any, wire: Wire) -> None:
    client = OpenAI(api_key="none", http_client=wire.client(), max_retries=0)
    client.responses.create(model="m", input="hello", tools=tools)


def _anthropic(tools: Any, wire: Wire) -> None:
    client = Anthropic(api_key="none", http_client=wire.client(), max_retries=0)
    client.messages.create(model="m", max_tokens=9, messages=ASKED, tools=tools)  # type: ignore[call-overload]


def _gemini(tools: Any, wire: Wire) -> None:
    options = google.HttpOptions(httpx_client=wire.client())
    client = genai.Client(api_key="none", http_options=options)
    config = google.GenerateContentConfig(tools=tools)
    client.models.generate_content(model="m", contents="hello", config=config)


FILES: Mapping[str, Callable[[Any, Wire], None]] = {
    "openai/chat.json": _chat,
    "openai/responses.json": _responses,
    "openai/azure/chat.json": _chat,
    "openai/azure/responses.json": _responses,
    "openai/loose/chat.json": _chat,
    "openai/loose/responses.json": _responses,
    "anthropic/tools.json": _anthropic,
    "anthropic/strict/tools.json": _anthropic,
    "gemini/tools.json": _gemini,
    "gemini/openapi/tools.json": _gemini,
}


def _specs(name: str) -> dict[str, str]:
    if name == "shop":
        return {
            each.relative_to(SPECS).as_posix(): each.read_text(encoding="utf-8")
            for each in SPECS.rglob("*")
            if each.is_file()
        }
    return {
        f"{number}.yaml": json.dumps(
            {
                "type": "python_function",
                "name": f"tool_{number}",
                "description": item.get("description") or "Not described.",
                "arguments": {"mode": "standard", "inline": item["schema"]},
            },
            ensure_ascii=False,
        )
        for number, item in enumerate(corpus(name))
        if all(
            each.isascii() and each.isidentifier() for each in _names(item["schema"])
        )
    }


def _names(schema: Any) -> list[str]:
    if isinstance(schema, list):
        return [name for each in schema for name in _names(each)]
    if not isinstance(schema, dict):
        return []
    properties = schema.get("properties", {})
    own = list(properties) if isinstance(properties, dict) else []
    return own + [name for each in schema.values() for name in _names(each)]


@pytest.mark.parametrize(
    "name",
    [
        "shop",
        *(pytest.param(each, marks=pytest.mark.whole) for each in ("bfcl", "mcp")),
    ],
)
def test_the_sdks_send_every_file_unchanged(name: str, tmp_path: Path) -> None:
    made = build(tmp_path, _specs(name), targets=TARGETS, descriptors=EVERYTHING)
    assert [] == [
        each.message for each in made.diagnostics if each.rule.severity == "error"
    ]
    for path, send in FILES.items():
        tools = made.json(path)
        assert tools
        wire = Wire()
        with pytest.raises(Exception, match="400"):
            send(tools, wire)
        expected = [_on_the_wire(each) for each in tools] if send is _gemini else tools
        assert expected == wire.sent["tools"], path


def _on_the_wire(value: Any) -> Any:
    """The API's JSON as google-genai writes it: names of fields with underscores, which the API
    reads as well, and counts as numbers. What is JSON Schema it leaves alone.
    """
    if isinstance(value, list):
        return [_on_the_wire(each) for each in value]
    if not isinstance(value, dict):
        return value
    made = {}
    for key, each in value.items():
        if key == "properties":
            made[key] = {name: _on_the_wire(schema) for name, schema in each.items()}
        elif key.endswith("JsonSchema"):
            made[_SPELT[key]] = each
        elif key in _COUNTS:
            made[_SPELT[key]] = int(each)
        else:
            made[_SPELT.get(key, key)] = _on_the_wire(each)
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
