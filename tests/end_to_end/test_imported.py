"""From an OpenAPI document to a client: imported, generated, served over stdio, and called.

The service behind it answers as its document says, and says more: what it sends is not ours.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from end_to_end.served import EACH_ERA, connected, plain
from support.imports import import_tools
from support.loopback import Loopback, answer, loopback
from support.project import Built, build

DOCUMENT = """\
openapi: 3.0.3
info: { title: Library, version: "1" }
servers: [{ url: "http://HERE/v1" }]
security: [{ key: [] }]
paths:
  /books/{isbn}:
    parameters:
      - { name: isbn, in: path, required: true, schema: { type: string } }
    get:
      operationId: getBook
      summary: Get a book by its number.
      responses:
        "200": { $ref: "#/components/responses/Novel" }
        "204": { description: it was lent to somebody }
    put:
      operationId: putBook
      summary: Write a book. Changes the library.
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Novel" } } }
      responses:
        "2XX": { $ref: "#/components/responses/Novel" }
  /loans:
    post:
      operationId: lend
      summary: Lend books. Writes to the library.
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [reader]
              properties:
                reader: { type: string }
                book: { type: array, items: { type: string } }
                at: { type: string, readOnly: true }
      responses: { "201": { description: ok, content: { text/plain: {} } } }
  /cover:
    post:
      operationId: addCover
      requestBody: { content: { multipart/mixed: { schema: { type: object } } } }
      responses: { "200": { description: ok } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  responses:
    Novel:
      description: ok
      content: { application/json: { schema: { $ref: "#/components/schemas/Novel" } } }
  schemas:
    Person:
      type: object
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string }
        pin: { type: string, writeOnly: true }
    Book:
      type: object
      required: [id, title]
      properties:
        id: { type: integer, readOnly: true }
        title: { type: string }
        author: { $ref: "#/components/schemas/Person" }
        note: { type: string }
    Novel:
      allOf:
        - $ref: "#/components/schemas/Book"
        - type: object
          required: [plot]
          properties: { plot: { type: string } }
"""
SENT: dict[str, Any] = {
    "isbn": "1/2",
    "title": "T",
    "plot": "P",
    "author": {"name": "A", "pin": "7"},
}
KEPT: dict[str, Any] = {
    "id": 3,
    "title": "T",
    "plot": "P",
    "author": {"id": 4, "name": "A", "born": 1900},
    "since_today": {"x": [1]},
}
"""What a client gets of an answer: what the service has learned since is kept."""
SAID: dict[str, Any] = {**KEPT, "note": None}


@dataclass(frozen=True)
class Imported:
    """The generated package, and the service that its tools call."""

    built: Built
    there: Loopback
    see: Any

    def called(self, name: str, arguments: dict[str, Any]) -> Any:
        """The result of one call, as it came over the wire."""

        async def call(client: Client) -> Any:
            [result] = plain([await client.call_tool(name, arguments)])
            return result

        return self.see(call)


@pytest.fixture(scope="module", params=EACH_ERA)
def running(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Imported]:
    folder: Path = tmp_path_factory.mktemp("imported")
    with loopback() as there:
        text = DOCUMENT.replace("HERE", f"127.0.0.1:{there.port}")
        documents, diagnostics = import_tools("library.yaml", text)
        told = [each.message for each in diagnostics]
        assert ["`addCover` cannot be imported: its body is multipart/mixed"] == told
        built = build(folder, {"library.yaml": "---\n".join(documents)})
        assert not built.diagnostics.has_errors
        environment = {
            **os.environ,
            "PYTHONPATH": str(built.out / "python"),
            "KEY": "s3cret",
        }
        arguments = ["-m", f"{built.package}.mcp_server"]
        server = StdioServerParameters(
            command=sys.executable, args=arguments, env=environment
        )
        with connected(server, request.param) as see:
            yield Imported(built, there, see)


@pytest.fixture
def imported(running: Imported) -> Imported:
    """A running server of the package, and the service, which has heard nothing yet."""
    running.there.says(answer(500))
    return running


def test_a_client_gets_what_the_schema_says_and_what_is_new(imported: Imported) -> None:
    imported.there.says(answer(200, json.dumps(SAID), content_type="application/json"))
    result = imported.called("putBook", SENT)
    assert (False, KEPT) == (result["isError"], result["structuredContent"])
    assert KEPT == json.loads(result["content"][0]["text"])
    heard = imported.there.only
    assert ("PUT", "/v1/books/1%2F2") == (heard.method, heard.target)
    assert "s3cret" == heard.header("x-key")
    assert {each: SENT[each] for each in ("title", "plot", "author")} == json.loads(
        heard.body
    )


def test_a_model_is_told_that_it_cannot_send_what_is_read_only(
    imported: Imported,
) -> None:
    imported.there.says(answer(200, json.dumps(SAID)))
    for more, name in (({"id": 1}, "id"), ({"author": {"id": 1}}, "author/id")):
        result = imported.called("putBook", {**SENT, **more})
        assert result["isError"]
        assert f"{name}: unknown" in result["content"][0]["text"]
    assert [] == imported.there.heard


@pytest.mark.parametrize(
    ("status", "body", "value"), [(200, json.dumps(SAID), KEPT), (204, "", None)]
)
def test_an_answer_without_content_is_null(
    imported: Imported, status: int, body: str, value: Any
) -> None:
    imported.there.says(answer(status, body))
    result = imported.called("getBook", {"isbn": "1"})
    assert (False, {"result": value}) == (
        result["isError"],
        result["structuredContent"],
    )


def test_a_form_is_sent_as_the_document_says(imported: Imported) -> None:
    imported.there.says(answer(201, "until May", content_type="text/plain"))
    arguments = {"reader": "Ann & Bob", "book": ["1", "2"]}
    result = imported.called("lend", arguments)
    assert {"result": "until May"} == result["structuredContent"]
    heard = imported.there.only
    assert "application/x-www-form-urlencoded" == heard.header("content-type")
    assert b"reader=Ann+%26+Bob&book=1&book=2" == heard.body


def test_a_wrong_answer_is_an_error_that_names_no_value(imported: Imported) -> None:
    wrong = {**SAID, "title": {"a": "hunter2"}}
    imported.there.says(answer(200, json.dumps(wrong)))
    result = imported.called("putBook", SENT)
    said = "putBook: the answer is not what the tool returns"
    assert (True, said) == (result["isError"], result["content"][0]["text"])
