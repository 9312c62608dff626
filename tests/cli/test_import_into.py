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


def test_files_that_are_there_are_not_replaced(document: Path, run: Any) -> None:
    (document / "specs" / "entities").mkdir(parents=True)
    for path in ("getPet.yaml", "entities/Pet.yaml"):
        (document / "specs" / path).write_text("mine\n")
    ran = run("import", "pet-store.yaml", "--into", "specs")
    assert 2 == ran.code
    assert (
        "specs/entities/Pet.yaml and 1 more exist already; nothing was written."
        in ran.err
    )
    assert "mine\n" == (document / "specs" / "getPet.yaml").read_text()


def test_settings_that_are_there_are_kept(document: Path, run: Any) -> None:
    (document / "brimgen.yaml").write_text("package: mine\n")
    ran = run("import", "pet-store.yaml", "--into", "specs/pets", "--only", "getPet")
    assert 0 == ran.code, ran.err
    assert "wrote brimgen.yaml" not in ran.err
    assert "package: mine\n" == (document / "brimgen.yaml").read_text()
    assert 0 == run("generate").code


@pytest.mark.parametrize("linked", ["specs", "specs/entities", "there/specs"])
def test_no_spec_is_written_through_a_linked_folder(
    document: Path, run: Any, linked: str
) -> None:
    outside = document / "outside"
    (outside / "specs").mkdir(parents=True)
    link = document / linked
    link.parent.mkdir(parents=True, exist_ok=True)
    if linked == "there/specs":
        link.parent.rmdir()
        link.parent.symlink_to(outside)
    else:
        link.symlink_to(outside)
    into = "there/specs" if "there" in linked else "specs"
    ran = run("import", "pet-store.yaml", "--into", into)
    assert 2 == ran.code
    assert "is a link; nothing was written." in ran.err
    assert ["specs"] == [path.name for path in outside.rglob("*")]
    assert not (document / "brimgen.yaml").exists()


@pytest.mark.parametrize("linked", ["specs/getPet.yaml", "brimgen.yaml"])
def test_no_file_is_written_through_a_link_that_leads_nowhere(
    document: Path, run: Any, linked: str
) -> None:
    outside = document / "outside.yaml"
    (document / "specs").mkdir()
    (document / linked).symlink_to(outside)
    ran = run("import", "pet-store.yaml", "--into", "specs")
    assert 2 == ran.code
    assert linked in ran.err and "nothing was written" in ran.err.replace("\n", " ")
    assert not outside.exists()
    assert not (document / "specs" / "entities").exists()


def test_the_folders_above_an_absolute_one_may_be_links(
    document: Path, run: Any
) -> None:
    (document / "real").mkdir()
    (document / "link").symlink_to("real")
    into = str(document / "link" / "specs")
    assert 0 == run("import", "pet-store.yaml", "--into", into).code
    assert (document / "real" / "specs" / "getPet.yaml").is_file()
