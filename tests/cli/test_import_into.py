"""``brimgen import --into``: from an OpenAPI document to tools that answer, in three commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

API = """\
openapi: 3.0.3
info: {title: Pet Store, version: "1"}
servers: [{url: https://pets.example/v1}]
security: [{token: []}]
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    Pet: {type: object, required: [id], properties: {id: {type: integer}, name: {type: string}}}
paths:
  /pets/{id}:
    get:
      operationId: getPet
      summary: Look up a pet.
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        "200":
          description: ok
          content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
  /photo:
    post:
      operationId: sendPhoto
      summary: Send a photo.
      requestBody: {content: {multipart/mixed: {schema: {type: object}}}}
      responses: {"200": {description: ok}}
"""


class _Pets(BaseHTTPRequestHandler):
    """Answers who has the token."""

    def do_GET(self) -> None:
        has_token = self.headers.get("Authorization") == "Bearer s3cret"
        body = json.dumps({"id": int(self.path.split("/")[-1]), "name": "Rex"}).encode()
        self.send_response(200 if has_token else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the output of the tests clean."""


@pytest.fixture
def address() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Pets)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def document(project: Path) -> Path:
    (project / "specs").rmdir()
    (project / "pet-store.yaml").write_text(API)
    return project


def test_a_tool_of_an_openapi_document_answers(
    document: Path, run: Any, address: str
) -> None:
    ran = run("import", "pet-store.yaml", "--into", "specs", "--server", address)
    assert 0 == ran.code, ran.err
    assert "`sendPhoto` cannot be imported: its body is multipart/mixed" in ran.err
    assert "wrote 2 specs to specs\nwrote brimgen.yaml\n" in ran.err
    assert "python -m pet_store list" in ran.err
    specs = document / "specs"
    assert ["entities/Pet.yaml", "getPet.yaml"] == sorted(
        file.relative_to(specs).as_posix() for file in specs.rglob("*.yaml")
    )
    assert 0 == run("generate").code
    called = subprocess.run(
        [
            *(sys.executable, "-m", "pet_store", "call"),
            *("getPet", '{"id": 5}', "--allow-private"),
        ],
        cwd=document,
        env={**os.environ, "PYTHONPATH": "out/python", "TOKEN": "s3cret"},
        capture_output=True,
        text=True,
    )
    assert {"id": 5, "name": "Rex"} == json.loads(called.stdout), called.stderr


def test_the_folders_above_an_absolute_one_may_be_links(
    document: Path, run: Any
) -> None:
    (document / "real").mkdir()
    (document / "link").symlink_to("real")
    into = str(document / "link" / "specs")
    assert 0 == run("import", "pet-store.yaml", "--into", into).code
    assert (document / "real" / "specs" / "getPet.yaml").is_file()
