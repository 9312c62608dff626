"""The three starts of a newcomer, each to the first answered call of an MCP client over stdio."""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from mcp import StdioServerParameters

from brimgen.cli.run import run
from end_to_end.served import connected

DOCUMENT = """
openapi: 3.1.0
info: { title: Pets, version: "1" }
paths:
  /pets/{id}:
    get:
      operationId: getPet
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        "200":
          description: A pet.
          content: { application/json: { schema: { type: object } } }
"""


class Pets(BaseHTTPRequestHandler):
    """Stands for the service that the document describes."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"path": self.path}).encode())


@contextmanager
def pets() -> Generator[str]:
    server = HTTPServer(("127.0.0.1", 0), Pets)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()


def first_answer(package: str, tool: str, arguments: Any, **more: str) -> Any:
    assert 0 == run(["generate"])
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", package, "serve"],
        env={**os.environ, "PYTHONPATH": "out/python", **more},
    )

    async def see(client: Any) -> Any:
        return (await client.call_tool(tool, arguments)).structured_content

    with connected(server, "2026-07-28") as asked:
        return asked(see)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.whole
def test_an_empty_folder_and_its_database_answer_a_client(folder: Path) -> None:
    assert 0 == run(["init"])
    runpy.run_path("make_database.py", run_name="__main__")
    orders = first_answer("agent_tools", "get_orders", {"customer_id": 7})["result"]
    assert [2, 1] == [each["order_id"] for each in orders]

    assert 0 == run(["init", "again", "--from", "sqlite:///shop.db"])
    os.chdir("again")
    assert 3 == len(first_answer("shop", "list_orders", {})["result"])


@pytest.mark.whole
def test_a_document_answers_a_client(folder: Path) -> None:
    (folder / "pets.yaml").write_text(DOCUMENT)
    assert 0 == run(["init", "--from", "pets.yaml"])
    with pets() as url:
        answer = first_answer("pets", "getPet", {"id": 7}, PETS_BASE_URL=url)
    assert {"path": "/pets/7"} == answer
