"""The files of a FlexiGPT store: what its program loads, and what comes back (seed 002; F12)."""

from __future__ import annotations

from pathlib import Path

from brimgen.diagnostics import Diagnostics
from brimgen.importers import import_store
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
FILE = f"flexigpt/{NUMBER}_weather/forecast_v2.json"


def test_a_store_finds_the_keys_that_its_program_demands(tmp_path: Path) -> None:
    project = build(tmp_path, {"a.yaml": TOOL}, targets=("flexigpt",))
    bundles = project.json("flexigpt/tools.bundles.json")["bundles"]
    assert [NUMBER] == [*bundles]
    assert ("weather", True) == (bundles[NUMBER]["slug"], bundles[NUMBER]["isEnabled"])
    tool = project.json(FILE)
    demanded = {
        *("schemaVersion", "id", "slug", "version", "displayName"),
        *("argSchema", "outputSchema", "type", "createdAt", "modifiedAt"),
    }
    assert demanded <= {*tool}
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
    documents = import_store(
        "flexigpt", texts, Diagnostics(), hosts=("api.weather.example",)
    )
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


def test_a_bundle_that_has_no_id_yet_goes_by_its_slug(tmp_path: Path) -> None:
    spec = "\n".join(line for line in TOOL.splitlines() if not line.startswith("id:"))
    project = build(tmp_path, {"a.yaml": spec}, targets=("flexigpt",))
    assert ["weather"] == [*project.json("flexigpt/tools.bundles.json")["bundles"]]
    assert "flexigpt/weather_weather/forecast_v2.json" in project.files
