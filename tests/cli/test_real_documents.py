"""What `brimgen import` writes of documents of real services builds, and works."""

from __future__ import annotations

import importlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

HEAD = """\
openapi: 3.0.3
info: {title: t, version: "1"}
servers: [{url: https://api.example}]
"""


def module(project: Path, name: str) -> Any:
    """A module of the package that was generated in a project; no other test has its name."""
    root = str(project / "out" / "python")
    sys.path.insert(0, root)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(root)


def imported(project: Path, run: Any, name: str, document: str, *options: str) -> Any:
    """Import a document and generate it; return the run of the import."""
    (project / f"{name}.yaml").write_text(document, encoding="utf-8")
    ran = run("import", f"{name}.yaml", "--into", "specs", *options)
    generated = run("generate")
    assert (0, []) == (
        generated.code,
        [line for line in generated.err.splitlines() if line.startswith("error")],
    )
    return ran


class Service(BaseHTTPRequestHandler):
    """Answers with the path that was asked for."""

    def do_GET(self) -> None:
        body = json.dumps({"path": self.path}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the output of the tests clean."""


def test_tools_of_a_document_without_a_server_call_the_one_in_the_environment(
    project: Path, run: Any
) -> None:
    document = HEAD.replace("https://api.example", "/v2/") + """\
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200":
          description: ok
          content: {application/json: {schema: {type: object}}}
"""
    ran = imported(project, run, "serverless", document)
    assert ran.code == 0
    assert "warning[I714]" in ran.err
    verified = run("verify")
    assert verified.code == 0, verified.err
    tool = module(project, "serverless.http.getThing")
    missing = tool.invoke({"id": "a b"})
    assert missing.error.code == "not_configured"
    assert missing.error.detail == "the secret SERVERLESS_BASE_URL is missing"
    wrong = tool.invoke({"id": "x"}, secrets={"SERVERLESS_BASE_URL": "ftp://x?y"})
    assert (wrong.error.code, "ftp" in str(wrong.error)) == ("not_configured", False)
    server = HTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/base/"
        answer = tool.invoke({"id": "a b"}, secrets={"SERVERLESS_BASE_URL": url})
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert answer.value == {"path": "/base/v2/things/a%20b"}


def test_a_descriptor_of_a_deep_schema_keeps_within_its_budget(
    project: Path, run: Any
) -> None:
    end = f"The number at the end of the way{' of all' * 5_000}"
    deep = f"{{type: integer, minimum: 1, description: {end}}}"
    for name in ("e", "d", "c", "b", "a"):
        deep = (
            f"{{type: object, required: [{name}], "
            f"properties: {{{name}: {deep}, other_{name}: {{type: string}}}}}}"
        )
    document = HEAD + f"""\
paths:
  /deep:
    post:
      operationId: postDeep
      requestBody: {{required: true, content: {{application/json: {{schema: {deep}}}}}}}
      responses: {{"204": {{description: none}}}}
"""
    assert imported(project, run, "deep", document, "--strict").code == 0
    settings = project / "brimgen.yaml"
    profiles = "descriptors: {profiles: [openai, mcp, gemini, anthropic]}\n"
    settings.write_text(settings.read_text() + profiles)
    generated = run("generate")
    assert (0, 1) == (generated.code, generated.err.count("warning[T467]"))
    verified = run("verify")
    assert verified.code == 0, verified.err
    files = sorted((project / "out/python/deep/descriptors").rglob("*.json"))
    assert len(files) == 4
    for path in files:
        text = path.read_text()
        assert "at the end of the way" not in text, path
        assert "Not shown in full: " in text, path
    rows = json.loads((project / "out/losses.json").read_text())
    assert {row["profile"] for row in rows if row["keyword"] == "token_budget"} == {
        *("openai", "mcp", "gemini", "anthropic")
    }
    tool = module(project, "deep.tools.postDeep").PostDeepInput
    right = {"a": {"b": {"c": {"d": {"e": 1}}}}}
    assert tool.from_dict(right).to_dict() == right
    with pytest.raises(ValueError, match="a/b/c/d/e: expected at least 1"):
        tool.from_dict({"a": {"b": {"c": {"d": {"e": 0}}}}})


class Picture(Service):
    """Answers with bytes that are no text."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", "4")
        self.end_headers()
        self.wfile.write(b"\x89PNG")


def test_an_answer_of_bytes_comes_back_whole(project: Path, run: Any) -> None:
    document = HEAD.replace("https://api.example", "/") + """\
paths:
  /picture:
    get:
      operationId: getPicture
      responses:
        "200":
          description: ok
          content: {image/png: {schema: {type: string, format: binary}}}
"""
    assert imported(project, run, "pictured", document, "--strict").code == 0
    verified = run("verify")
    assert verified.code == 0, verified.err
    server = HTTPServer(("127.0.0.1", 0), Picture)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        secrets = {"PICTURED_BASE_URL": f"http://127.0.0.1:{server.server_port}"}
        answer = module(project, "pictured.http.getPicture").invoke({}, secrets=secrets)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert answer.value == b"\x89PNG"
    assert answer.to_dict() == {"ok": True, "value": "iVBORw=="}


def test_a_model_that_calls_by_an_alias_is_told_what_is_wrong_by_that_alias(
    project: Path, run: Any
) -> None:
    properties = {"$.size": {"type": "integer"}, "from-date": {"type": "string"}}
    tool = {
        "name": "find",
        "description": "Find.",
        "inputSchema": {
            "type": "object",
            "properties": {"page[1]": {"type": "object", "properties": properties}},
            "required": ["page[1]"],
            "additionalProperties": False,
        },
    }
    (project / "aliased.json").write_text(json.dumps({"tools": [tool]}))
    (project / "brimgen.yaml").write_text(
        "package: told_aliases\ntargets: [default, dispatch, openai, gemini, mcp]\n"
    )
    assert run("import", "aliased.json", "--into", "specs").code == 0
    generated = run("generate")
    assert generated.code == 0, generated.err
    dispatch = module(project, "told_aliases.dispatch")
    service = module(project, "told_aliases.service").Service(
        handlers={"find": lambda **_: None}
    )
    wrong = {"page_1": {"size": "x", "from_date": 1}}
    with service:
        gemini = dispatch.GeminiContents(service).answer(
            {"name": "find", "args": wrong}
        )
        wrong["page_1"]["from-date"] = wrong["page_1"].pop("from_date")
        call = {"name": "find", "arguments": json.dumps(wrong)}
        chat = dispatch.OpenAIChat(service).answer(
            {"id": "1", "type": "function", "function": call}
        )
    said = {"chat": chat["content"], "gemini": json.dumps(gemini)}
    for told in said.values():
        assert "page_1/size: expected integer" in told
        assert "$.size" not in told and "page[1]" not in told
    assert "page_1/from-date: expected" in said["chat"]
    assert "page_1/from_date: expected" in said["gemini"]
