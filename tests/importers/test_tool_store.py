"""The files of a tool store: tools and bundles (F12)."""

from __future__ import annotations

import json
from pathlib import Path

from importers.documents import built, imported
from support.made import corpus
from support.project import build

TOOL = {
    "schemaVersion": "2025-07-01",
    "id": "018fe0f4-b8cd-7e55-82d5-9df0bd70e4bd",
    "slug": "read-file",
    "version": "v1.0.0",
    "displayName": "Read",
    "description": "Read a file.",
    "tags": ["fs"],
    "userCallable": True,
    "argSchema": {"type": "object", "properties": {"path": {"type": "string"}}},
    "type": "go",
    "goImpl": {"func": "example.org/tools.Read"},
    "isEnabled": True,
    "createdAt": "2025-07-02T12:00:00Z",
    "modifiedAt": "2025-07-02T12:00:00Z",
}


def test_the_file_of_a_tool_and_of_a_bundle(tmp_path: Path) -> None:
    bundle = {key: TOOL[key] for key in ("displayName", "isEnabled")}
    text = "---\n".join(
        (
            *imported("t.json", TOOL)[0],
            *imported("b.json", {**bundle, "slug": "files"})[0],
        )
    )
    project = build(tmp_path, {"a.yaml": f"{text}"})
    assert [] == [each.message for each in project.diagnostics]
    assert "type: bundle\nname: files\n" in text
    assert "x-tool: { schemaVersion: 2025-07-01, userCallable: true }" in text.replace(
        '"2025-07-01"', "2025-07-01"
    )


def test_an_http_tool_of_a_store(tmp_path: Path) -> None:
    tool = {key: value for key, value in TOOL.items() if key != "goImpl"}
    request = {"method": "GET", "urlTemplate": "https://files.example/${path}"}
    http = {"request": request, "allowedHosts": ["files.example"]}
    tool |= {"type": "http", "httpImpl": http}
    tool["argSchema"] = {**TOOL["argSchema"], "required": ["path"]}
    project = built(tmp_path, "t.json", tool)
    assert "read-file" == project.catalog.tools[0].name


def test_what_a_provider_runs_is_refused() -> None:
    told = imported("t.json", {**TOOL, "type": "sdk"})[1]
    assert 1 == len(told)
    assert "I708 `read-file` is of type `sdk`" in told[0]


def test_every_tool_of_a_real_store_comes_in_with_its_schema(tmp_path: Path) -> None:
    for number, item in enumerate(corpus("flexigpt")):
        documents, told = imported("tool.json", item["raw"])
        if item["raw"]["type"] == "sdk":
            assert 1 == len(told)
            continue
        assert [] == told, item["id"]
        project = build(tmp_path / str(number), {"a.yaml": "---\n".join(documents)})
        (tool,) = project.catalog.tools
        assert item["raw"]["argSchema"] == json.loads(json.dumps(tool.input_schema))
