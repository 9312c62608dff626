"""`brimgen import`: specs on stdout, refusals on stderr, an exit code for both."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

COMMAND = '{"command_name": "ping", "description": "Answers."}'
BAD = '{"command_name": "bad", "parameters": [{"name": "a", "type": "foo"}]}'
SPEC = "type: python_function\nname: ping\ndescription: Answers.\n"


def test_only_the_chosen_tools_are_imported_and_a_missing_one_is_told(
    project: Path, run: Any
) -> None:
    other = COMMAND.replace("ping", "pong")
    (project / "a.json").write_text(f"[{COMMAND}, {other}]")
    ran = run("import", "a.json", "--only", "pi*", "--only", "pang")
    assert (1, SPEC) == (ran.code, ran.out)
    assert "error[I702]: the file has no tool `pang` to import" in ran.err


API = """\
openapi: 3.1.0
servers: [{ url: /api/v3 }]
paths: { /pets: { get: { operationId: get_pets } } }
"""


def test_the_server_of_an_api(project: Path, run: Any) -> None:
    (project / "api.yaml").write_text(API)
    ran = run("import", "api.yaml")
    assert 0 == ran.code
    assert 'urlTemplate: "${API_BASE_URL}/api/v3/pets"' in ran.out
    told = "warning[I714]: no absolute URL of a server is given (only `/api/v3`)"
    assert told in ran.err
    assert "`brimgen import FILE --into specs --server https://" in ran.err
    ran = run("import", "api.yaml", "--server", "http://localhost:8080/api/")
    assert (0, "") == (ran.code, ran.err)
    assert 'allowedHosts: ["localhost:8080"]' in ran.out
    assert 'urlTemplate: "http://localhost:8080/api/pets"' in ran.out


def test_a_server_that_is_none(project: Path, run: Any) -> None:
    (project / "api.yaml").write_text(API)
    for url in (
        "api.example.com",
        "ftp://a.example",
        "https://u:p@a.example",
        "/v1",
        "http://[",
        "https://a.example?x=1",
    ):
        ran = run("import", "api.yaml", "--server", url)
        assert 2 == ran.code
        assert "is no URL of a server" in ran.err


def test_a_server_that_nothing_calls(project: Path, run: Any) -> None:
    (project / "a.json").write_text(COMMAND)
    ran = run("import", "a.json", "--server", "https://a.example")
    assert (0, SPEC) == (ran.code, ran.out)
    assert "warning[I714]: no imported tool calls `https://a.ex" in ran.err


def test_what_is_refused_is_told_and_the_rest_printed(project: Path, run: Any) -> None:
    (project / "a.json").write_text(f"[{BAD},\n {COMMAND}]")
    ran = run("import", "a.json", "--strict")
    assert (1, SPEC) == (ran.code, ran.out)
    assert 0 == run("import", "a.json").code
    assert "left out      1  " in ran.err
    assert "error[I707]: a build would refuse the spec of `bad`" in ran.err
    assert "a.json:1:2" in ran.err


def test_a_tool_is_imported_from_stdin(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(COMMAND.encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert SPEC == run("import", "-").out


def test_a_wrong_call_of_import_ends_with_code_2(project: Path, run: Any) -> None:
    (project / "a.json").write_bytes(b"\xff")
    assert 2 == run("import", "a.json").code
    assert 2 == run("import", "gone.json").code
    (project / "a.json").write_text(COMMAND)
    ran = run("import", "a.json", "--as", "toolspecs")
    assert 2 == ran.code
    assert "Did you mean 'toolspec'?" in ran.err


def test_further_annotations_and_nulls_of_an_mcp_list_are_no_mistake(
    project: Path, run: Any
) -> None:
    tool = {
        "name": "find",
        "title": None,
        "description": "Find.",
        "inputSchema": {"type": "object", "properties": {}},
        "outputSchema": None,
        "annotations": {"category": "search", "readOnlyHint": None, "title": None},
        "icons": None,
        "_meta": None,
    }
    (project / "list.json").write_text(json.dumps({"tools": [tool]}))
    ran = run("import", "list.json", "--into", "specs")
    assert 0 == ran.code
    assert "error" not in ran.err
    text = (project / "specs" / "find.yaml").read_text()
    assert "x-mcp:\n  annotations: { category: search }\n" in text
    assert 0 == run("generate").code
