"""The files of a FlexiGPT store: what its program loads, and what comes back (seed 002; F12)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.imports import import_store
from support.made import corpus
from support.project import build

NUMBER = "018fe0f4-b8cd-7e55-82d5-9df0bd70e400"
TOOL = f"""type: bundle
name: weather
id: {NUMBER}
createdAt: "2025-07-02T12:00:00Z"
modifiedAt: "2025-07-02T12:00:00Z"
---
type: http_function
name: forecast
id: 018fe0f4-b8cd-7e55-82d5-9df0bd70e401
createdAt: "2025-07-02T12:00:00Z"
modifiedAt: "2025-07-02T12:00:00Z"
title: Forecast
description: The weather of a city.
bundle: weather
version: v2
arguments: {{inline: {{city: string, days: "int?"}}}}
secrets: [SECRET]
allowedHosts: [api.weather.example]
request:
  method: POST
  urlTemplate: https://api.weather.example/${{city}}
  body: {{days: "${{days}}", note: "for ${{city}}"}}
  auth: {{type: basic, username: me, password: "${{SECRET}}"}}
returns: object
"""
OTHERS = """---
type: sql_function
name: rain
description: How much rain fell.
bundle: weather
returns: int
sql: SELECT sum(mm) FROM rain
---
type: http_function
name: alarm
description: Warn of a storm.
bundle: weather
allowedHosts: [api.weather.example]
arguments: {inline: {user: {type: string, from_context: app.user.id}}}
request: {urlTemplate: "https://api.weather.example/${user}"}
"""
KNOWN = {
    *("schemaVersion", "id", "slug", "version", "displayName", "description", "tags"),
    *("userCallable", "llmCallable", "argSchema", "userArgSchema", "llmToolType"),
    *("type", "goImpl", "httpImpl", "isEnabled", "isBuiltIn", "createdAt"),
    "modifiedAt",
}


def _refusal(tool: dict[str, Any]) -> str | None:
    """Why FlexiGPT refuses a file of a tool; None where it accepts it (its rules of 2026-01)."""
    if unknown := {*tool} - KNOWN:
        return f"unknown keys {sorted(unknown)}"
    if tool["schemaVersion"] != "2025-07-01":
        return "another version"
    if tool.get("llmToolType") not in ("function", "custom", "webSearch"):
        return "no llmToolType"
    if not (tool["userCallable"] or tool["llmCallable"]):
        return "nobody may call it"
    if not (tool["displayName"].strip() and tool["id"].strip()):
        return "no name or no id"
    response = tool.get("httpImpl", {}).get("response", {})
    known = {"successCodes", "errorMode", "bodyOutputMode"}
    if unknown := {*response} - known:
        return f"unknown keys {sorted(unknown)} of a response"
    modes = (None, "auto", "text", "file", "image")
    return None if response.get("bodyOutputMode") in modes else "another mode"


FILE = f"flexigpt/{NUMBER}_weather/forecast_v2.json"


def test_a_store_finds_the_keys_that_its_program_demands(tmp_path: Path) -> None:
    project = build(tmp_path, {"a.yaml": TOOL}, targets=("flexigpt",))
    bundles = project.json("flexigpt/tools.bundles.json")["bundles"]
    assert [NUMBER] == [*bundles]
    assert ("weather", True) == (bundles[NUMBER]["slug"], bundles[NUMBER]["isEnabled"])
    tool = project.json(FILE)
    demanded = {
        *("schemaVersion", "id", "slug", "version", "displayName"),
        *("argSchema", "type", "createdAt", "modifiedAt"),
    }
    assert demanded <= {*tool}
    assert _refusal(tool) is None
    assert {
        "method": "POST",
        "urlTemplate": "https://api.weather.example/${city}",
        "body": '{"days": ${days}, "note": "for ${city}"}',
        "auth": {"type": "basic", "valueTemplate": "me:${SECRET}"},
        "timeoutMs": 30000,
    } == {key: tool["httpImpl"]["request"][key] for key in tool["httpImpl"]["request"]}


def test_a_store_comes_back_as_the_specs_that_made_it(tmp_path: Path) -> None:
    first = build(tmp_path / "first", {"a.yaml": TOOL}, targets=("flexigpt",))
    texts = {path.removeprefix("flexigpt/"): text for path, text in first.files.items()}
    documents, _ = import_store("flexigpt", texts, hosts=("api.weather.example",))
    specs = {"a.yaml": "---\n".join(documents)}
    second = build(tmp_path / "second", specs, targets=("flexigpt",))
    assert first.files == second.files


def test_what_a_store_cannot_run_is_left_out_and_told(tmp_path: Path) -> None:
    project = build(tmp_path, {"a.yaml": TOOL + OTHERS}, targets=("flexigpt",))
    assert {FILE, "flexigpt/tools.bundles.json"} == {*project.files}
    assert ["T472", "T472"] == project.codes
    sentences = " ".join(each.message for each in project.diagnostics)
    assert (
        "`rain` is left out: it is neither a `go` tool nor an `http` tool" in sentences
    )
    assert (
        "`alarm` is left out: a store cannot give the hidden arguments `user`"
        in sentences
    )


WEATHER = {
    "schemaVersion": "2025-07-01",
    "id": "018fe0f4-b8cd-7e55-82d5-9df0bd70e402",
    "slug": "weather",
    "version": "v1",
    "displayName": "Weather",
    "description": "The weather of a city.",
    "tags": ["weather"],
    "userCallable": True,
    "llmCallable": True,
    "llmToolType": "custom",
    "argSchema": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
    "userArgSchema": {"type": "object", "properties": {"units": {"type": "string"}}},
    "type": "http",
    "httpImpl": {
        "request": {
            "method": "GET",
            "urlTemplate": "https://api.weather.example/${city}",
            "timeoutMs": 20000,
        },
        "response": {"successCodes": [200], "bodyOutputMode": "text"},
    },
    "isEnabled": True,
    "isBuiltIn": False,
    "createdAt": "2025-07-02T12:00:00Z",
    "modifiedAt": "2025-07-02T12:00:00Z",
}
"""A tool as FlexiGPT writes it today."""


def _with_response(**response: Any) -> dict[str, Any]:
    implementation = {**WEATHER["httpImpl"], "response": response}
    return {**WEATHER, "httpImpl": implementation}


def _and_back(folder: Path, tool: dict[str, Any]) -> dict[str, Any]:
    """The file that is written of the specs that an import made of a file."""
    bundle = {
        "schemaVersion": "2025-07-01",
        "id": NUMBER,
        "slug": "weather",
        "displayName": "Weather",
        "isEnabled": True,
        "isBuiltIn": True,
        "createdAt": "2025-07-02T12:00:00Z",
        "modifiedAt": "2025-07-02T12:00:00Z",
    }
    name = f"{NUMBER}_weather/{tool['slug']}_{tool['version']}.json"
    files = {"tools.bundles.json": {"bundles": {NUMBER: bundle}}, name: tool}
    texts = {path: json.dumps(content) for path, content in files.items()}
    hosts = ("api.weather.example",)
    documents, diagnostics = import_store("flexigpt", texts, hosts=hosts)
    told = "`llmCallable` of a tool has no effect here: models are offered every tool"
    assert [True] * (tool.get("llmCallable") is False) == [
        each.message.startswith(told) for each in diagnostics
    ]
    specs = {"a.yaml": "---\n".join(documents)}
    project = build(folder, specs, targets=("flexigpt",))
    assert bundle == project.json("flexigpt/tools.bundles.json")["bundles"][NUMBER]
    written: dict[str, Any] = project.json(f"flexigpt/{name}")
    return written


@pytest.mark.parametrize(
    "tool",
    [
        WEATHER,
        _with_response(),
        _with_response(bodyOutputMode="auto", errorMode="empty"),
        _with_response(errorMode="fail"),
        {**WEATHER, "userCallable": False},
        {**WEATHER, "llmCallable": False},
    ],
    ids=["text", "bare", "auto", "fail", "for models", "for people"],
)
def test_a_file_of_flexigpt_comes_back_whole_and_its_program_accepts_it(
    tmp_path: Path, tool: dict[str, Any]
) -> None:
    written = _and_back(tmp_path, tool)
    assert tool == written
    assert _refusal(written) is None


def test_the_files_of_earlier_versions_lose_no_key(tmp_path: Path) -> None:
    first = {
        key: value
        for key, value in _with_response(encoding="json", errorMode="empty").items()
        if key not in ("llmToolType", "userArgSchema")
    }
    output = {"type": "object", "properties": {"degrees": {"type": "number"}}}
    first |= {"outputKind": "text", "outputSchema": output}
    items = [item["raw"] for item in corpus("flexigpt")]
    tools = [tool for tool in items if tool["type"] != "sdk"]
    for number, tool in enumerate([first, *tools]):
        written = _and_back(tmp_path / str(number), tool)
        assert tool == {key: written[key] for key in tool}
        assert written["llmToolType"] in ("function", "custom", "webSearch")


def test_an_answer_in_text_is_imported_as_text(tmp_path: Path) -> None:
    texts = {f"{NUMBER}_weather/weather_v1.json": json.dumps(WEATHER)}
    hosts = ("api.weather.example",)
    documents, _ = import_store("flexigpt", texts, hosts=hosts)
    package = build(tmp_path, {"a.yaml": "---\n".join(documents)})
    http = package.load("http")

    class Raining:
        """Answers with a text."""

        def send(self, request: Any, budget: Any, /) -> Any:
            """Return the answer."""
            return http.Answer(200, (), b"rain, 7 degrees")

    weather = package.load("http.weather")
    assert "rain, 7 degrees" == weather.invoke({"city": "x"}, transport=Raining()).value


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("image", "makes a file of the answer, which is JSON or text here"),
        ("json", "`bodyOutputMode` is auto, text, file or image, not `json`"),
    ],
)
def test_an_answer_that_no_spec_can_say_is_told(mode: str, said: str) -> None:
    tool = _with_response(bodyOutputMode=mode)
    texts = {f"{NUMBER}_weather/weather_v1.json": json.dumps(tool)}
    documents, (told,) = import_store("flexigpt", texts)
    assert documents == ()
    assert said in told.message
