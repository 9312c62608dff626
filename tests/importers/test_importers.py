"""Tools that came in go out again as they were, and lists of real servers keep their schemas."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from brimgen.emit.schema_files import schemas_root
from brimgen_runtime.calls.tool_spec import ToolParam, ToolReturn, ToolSpec
from importers.documents import built, imported
from support.made import corpus
from support.project import build

JARVIS = """\
{
  "command_name": "get_calendar_events",
  "description": "Read calendar events.",
  "parameters": [
    { "name": "resolved_datetimes", "type": "array<datetime>", "required": false }
  ]
}
"""
CALCULATOR = ToolSpec(
    name="calculator",
    description="Performs arithmetic operations",
    when_to_use="Use when you must compute a numeric result",
    inputs=[
        ToolParam(name="operation", type="str", description="add|sub|mul|div"),
        ToolParam(name="a", type="number", description="Left operand"),
        ToolParam(name="b", type="number", description="Right", required=False),
    ],
    returns=ToolReturn(type="number", description="Result of the operation"),
)


def test_what_comes_in_goes_out_again(tmp_path: Path) -> None:
    command = built(tmp_path / "a", "tools.json", JARVIS, "commands")
    assert [json.loads(JARVIS)] == command.json("commands/available_commands.json")
    spec = built(
        tmp_path / "b", "tools.json", CALCULATOR.to_json(), "python", "toolspec"
    )
    made = spec.spec("calculator")
    assert CALCULATOR.to_json() == made.to_json()
    made.validate()


def _closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("additionalProperties", "unevaluatedProperties")
    return {key: each for key, each in schema.items() if key not in kept}


@pytest.mark.parametrize("name", ["mcp", "tau-bench"])
def test_real_tools_keep_their_schemas(name: str, step: int, tmp_path: Path) -> None:
    items = {}
    for number, item in enumerate(corpus(name)[::step]):
        items[f"tool_{number}"] = item
    tools = [
        {
            "name": key,
            "description": str(item.get("description") or ""),
            "inputSchema": item["schema"],
        }
        for key, item in items.items()
        if isinstance(item["schema"], dict)
    ]
    documents, told = imported("tools.json", {"tools": tools})
    assert all(" I707 " in each for each in told)
    assert len(documents) + len(told) == len(tools)
    assert step > 1 or len(documents) >= 0.97 * len(tools)
    files = {f"{number}.yaml": text for number, text in enumerate(documents)}
    built = build(tmp_path, files, targets=("json_schema",))
    root = schemas_root(built.catalog.project)
    for tool in built.catalog.tools:
        item = items[tool.name]
        whole = {"type": "object", "properties": {}, **item["schema"]}
        made = built.json(f"{root}/tools/{tool.name}.input.json")
        assert _closed(_published(whole)) == _closed(_published(made))
        assert (item.get("description") or "") == (tool.description or "")


def _published(schema: Any) -> Any:
    """A schema as it is published, apart from defaults of null, which its types may refuse.

    Draft-07 does not know the formats `uuid` and `duration`.
    """
    is_old = "draft-07" in str(schema.get("$schema", ""))

    def published(value: Any) -> Any:
        if isinstance(value, list):
            return [published(each) for each in value]
        if not isinstance(value, dict):
            return value
        later = is_old and value.get("format") in ("uuid", "duration")
        return {
            "x-format" if key == "format" and later else key: published(each)
            for key, each in value.items()
            if (key, each) != ("default", None)
        }

    return published(schema)


def test_tools_of_others_come_in_or_are_refused_with_a_reason() -> None:
    kept = 0
    for item in corpus("genai-toolbox"):
        raw = item["raw"]
        if not raw.get("kind"):
            continue
        is_document = raw["kind"] == "tool"
        tools = yaml.safe_dump(raw if is_document else {"tools": {item["name"]: raw}})
        documents, told = imported("tools.yaml", tools)
        assert len(documents) == 1 or told, item["id"]
        kept += len(documents)
    assert kept >= 3
