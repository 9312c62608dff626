"""Operations that send or return files, cookies and texts: from a document to what is sent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

API = """\
openapi: 3.1.0
info: {title: Files, version: "1"}
servers: [{url: "http://{host}"}]
paths:
  /photo:
    put:
      operationId: putPhoto
      requestBody: {content: {image/png: {schema: {type: string, format: binary}}}}
      responses: {"200": {description: ok, content: {application/json: {schema: {}}}}}
  /raw:
    post:
      operationId: sendRaw
      requestBody: {required: true, content: {application/octet-stream: {}}}
      responses: {"200": {description: ok, content: {application/json: {schema: {}}}}}
  /form:
    post:
      operationId: sendForm
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [caption, photo]
              properties:
                caption: {type: string}
                photo: {type: string, format: binary, description: The photo.}
                more: {type: array, items: {type: string, contentMediaType: image/png}}
                meta: {type: object, properties: {size: {type: integer}}}
                tags: {type: array, items: {type: string}}
                logo: {type: string}
            encoding: {logo: {contentType: image/png}}
      responses: {"200": {description: ok, content: {application/json: {schema: {}}}}}
  /told/{kind}:
    get:
      operationId: ask
      parameters:
        - {name: kind, in: path, required: true, schema: {type: string}}
        - {name: X-Trace, in: header, required: true, schema: {type: integer}}
        - {name: X-Note, in: header, schema: {type: string}}
        - {name: theme, in: cookie, required: true, schema: {type: string}}
        - {name: lang, in: cookie, schema: {type: string}}
        - {name: seen, in: cookie, explode: false, schema: {type: array, items: {type: integer}}}
      responses:
        "200": {description: ok, content: {application/x-ndjson: {schema: {}}}}
        2XX: {description: another, content: {text/plain: {schema: {type: string}}}}
"""


class _Echo(BaseHTTPRequestHandler):
    """Answers what it was sent: the media type, and the bytes or the parts of the body."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        kind = self.headers.get("Content-Type", "")
        told: dict[str, Any] = {"kind": kind, "body": body.decode("latin-1")}
        if kind.startswith("multipart/"):
            message = message_from_bytes(
                b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body
            )
            parts: Any = message.get_payload()
            told = {"kind": "multipart", "parts": [_told(part) for part in parts]}
        answer = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_PUT = do_POST

    def do_GET(self) -> None:
        status = int(self.path.rpartition("/")[2])
        names = ("X-Trace", "X-Note", "Cookie")
        told = {name: self.headers.get(name) for name in names}
        answer = f"{json.dumps(told)}\n{json.dumps(told)}\n".encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the output of the tests clean."""


def _told(part: Message) -> list[str | None]:
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    kind = part.get_content_type() if part["Content-Type"] else None
    name = part.get_param("name", header="content-disposition")
    return [str(name), part.get_filename(), kind, data.decode("latin-1")]


@pytest.fixture
def address() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Echo)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def call(project: Path, run: Any, address: str) -> Any:
    """Import and generate the document; return what calls a tool of the package."""
    (project / "files.yaml").write_text(API.replace("{host}", address))
    ran = run("import", "files.yaml", "--into", "specs")
    assert ran.code == 0, ran.err
    assert "left out" not in ran.err
    generated = run("generate")
    assert generated.code == 0, generated.err

    def call(tool: str, arguments: dict[str, Any], *options: str) -> Any:
        command = [sys.executable, "-m", "files", "call", tool, json.dumps(arguments)]
        return subprocess.run(
            [*command, *options],
            cwd=project,
            env={**os.environ, "PYTHONPATH": "out/python"},
            capture_output=True,
            text=True,
        )

    return call


PNG = "data:image/png;name=a%20b.png;base64,iVBORw=="
BYTES = "\x89PNG"


@pytest.mark.parametrize(
    ("tool", "body", "kind"),
    [
        ("putPhoto", "iVBORw==", "image/png"),
        ("putPhoto", "data:image/jpeg;base64,iVBORw==", "image/jpeg"),
        ("sendRaw", "iVBO\nRw==", "application/octet-stream"),
        ("sendRaw", "data:,%89PNG", "application/octet-stream"),
        ("sendRaw", PNG, "image/png"),
    ],
)
def test_a_body_of_bytes_is_sent_as_bytes(
    call: Any, tool: str, body: str, kind: str
) -> None:
    ran = call(tool, {"body": body})
    assert json.loads(ran.stdout) == {"kind": kind, "body": BYTES}, ran.stderr


def test_the_requests_of_files_are_proven(call: Any, run: Any) -> None:
    ran = run("verify")
    assert ran.code == 0, ran.out + ran.err


def test_a_file_that_may_be_left_out_is_left_out(call: Any) -> None:
    ran = call("putPhoto", {})
    assert json.loads(ran.stdout)["body"] == "", ran.stderr


def test_a_form_of_parts_is_sent_with_its_files(call: Any) -> None:
    arguments = {
        "caption": 'Zoë "1"',
        "photo": PNG,
        "more": ["iVBORw==", "iVBORw=="],
        "meta": {"size": 4},
        "tags": ["a", "b"],
        "logo": "iVBORw==",
    }
    ran = call("sendForm", arguments)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    untyped = "application/octet-stream"
    assert told["parts"] == [
        ["caption", None, None, 'Zoë "1"'.encode().decode("latin-1")],
        ["photo", "a b.png", "image/png", BYTES],
        ["more", "file", untyped, BYTES],
        ["more", "file", untyped, BYTES],
        ["meta", None, "application/json", '{"size":4}'],
        ["tags", None, None, "a"],
        ["tags", None, None, "b"],
        ["logo", "file", untyped, BYTES],
    ]


def test_what_is_no_file_is_refused_with_what_would_be_one(call: Any) -> None:
    ran = call("putPhoto", {"body": "photo.png"})
    assert ran.returncode == 1
    assert "body: expected base64, or a data URL such as data:image/png" in ran.stderr


def test_a_path_is_a_file_only_below_a_folder_that_is_allowed(
    project: Path, call: Any
) -> None:
    (project / "in").mkdir()
    (project / "in/a.png").write_bytes(BYTES.encode("latin-1"))
    (project / "secret.png").write_bytes(b"secret")
    (project / "in/link.png").symlink_to(project / "secret.png")
    allowed = ("--allow-files", "in")
    for path in ("a.png", (project / "in/a.png").as_uri()[5:]):
        ran = call("putPhoto", {"body": f"file:{path}"}, *allowed)
        assert json.loads(ran.stdout) == {"kind": "image/png", "body": BYTES}
    for outside in ("link.png", "../secret.png", "%2E%2E/secret.png", "gone.png", "."):
        ran = call("putPhoto", {"body": f"file:{outside}"}, *allowed)
        assert (ran.returncode, ran.stdout) == (1, "")
        assert "expected a file in a folder that is allowed here" in ran.stderr
    refused = call("putPhoto", {"body": "file:in/a.png"})
    assert "since no path is allowed here" in refused.stderr


@pytest.mark.parametrize("status", [200, 203, 299])
def test_headers_and_cookies_are_sent_and_lines_of_json_come_back_as_text(
    call: Any, status: int
) -> None:
    theme = {"kind": str(status), "X-Trace": 7, "theme": "a; b=c é"}
    sent = {"X-Trace": "7", "X-Note": None, "Cookie": "theme=a%3B%20b=c%20%C3%A9"}
    ran = call("ask", theme)
    assert ran.returncode == 0, ran.stderr
    assert [json.loads(line) for line in json.loads(ran.stdout).splitlines()] == 2 * [
        sent
    ]
    ran = call("ask", {**theme, "X-Note": "hi", "lang": "de", "seen": [1, 2]})
    told = json.loads(json.loads(ran.stdout).splitlines()[0])
    assert told["X-Note"] == "hi"
    assert told["Cookie"] == f"{sent['Cookie']}; lang=de; seen=1,2"
