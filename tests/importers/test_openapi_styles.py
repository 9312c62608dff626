"""Styles of OpenAPI: how a parameter or a field is written, in the words of a spec."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from brimgen.diagnostics import Diagnostics
from support.imports import import_tools
from support.project import build

LIST = {"type": "array", "items": {"type": "integer"}}
RANGE = {
    "type": "object",
    "properties": {"min": {"type": "integer"}, "max": {"type": "integer"}},
}
OPEN = {"type": "object", "additionalProperties": {"type": "string"}}
Node = dict[str, Any]


def api(*parameters: Node, version: str = "3.1.0", **operation: Any) -> Node:
    """A document with one operation."""
    named = [each["name"] for each in parameters if each["in"] == "path"]
    path = "/find" + "".join(f"/{{{each}}}" for each in named)
    said = {"operationId": "find", "parameters": parameters, **operation}
    return {
        "openapi": version,
        "servers": [{"url": "https://api.example.com"}],
        "paths": {path: {"post": said}},
        "components": {"schemas": {"Range": RANGE, "List": LIST, "Open": OPEN}},
    }


def sent(name: str, schema: Node, place: str = "query", **said: Any) -> Node:
    """A parameter."""
    needed = {"required": True} if place == "path" else {}
    return {"name": name, "in": place, "schema": schema, **needed, **said}


def imported(document: Node) -> tuple[list[str], list[str]]:
    """What is imported, and what is told."""
    diagnostics = Diagnostics()
    texts = import_tools("api.json", json.dumps(document), diagnostics)
    return list(texts), [each.message for each in diagnostics]


def request(document: Node) -> str:
    """The line of the only tool that says the request."""
    texts, told = imported(document)
    assert [] == told
    (tool,) = (each for each in texts if "type: http_function" in each)
    return tool.partition("request:")[2]


PARAMETERS: list[tuple[Node, str]] = [
    (sent("q", LIST), 'query: { q: "${q}" }'),
    (sent("q", LIST, explode=False), 'query: { q: "${q | comma}" }'),
    (sent("q", LIST, style="form", explode=True), 'query: { q: "${q}" }'),
    (sent("q", LIST, style="spaceDelimited"), 'query: { q: "${q | space}" }'),
    (sent("q", LIST, style="pipeDelimited", explode=False), '"${q | pipe}"'),
    (sent("q", LIST, style="pipeDelimited", explode=True), 'query: { q: "${q}" }'),
    (sent("q", LIST, style="deepObject"), 'query: { q: "${q | deep}" }'),
    (sent("q", OPEN, style="deepObject", explode=True), '"${q | deep}"'),
    (sent("q", RANGE), 'query: { min: "${q.min}", max: "${q.max}" }'),
    (sent("q", {"$ref": "#/components/schemas/Range"}), 'min: "${q.min}"'),
    (sent("q", {"$ref": "#/components/schemas/List"}, explode=False), "| comma}"),
    (sent("q", {"$ref": "#/components/schemas/Open"}, style="deepObject"), "| deep}"),
    (
        sent("q", {"anyOf": [LIST, {"type": "null"}]}, explode=False),
        'query: { q: "${q | comma}" }',
    ),
    (
        sent("q", {"type": ["array", "null"], "items": {}}, explode=False),
        'query: { q: "${q | comma}" }',
    ),
    (sent("q", {"type": "string"}, style="deepObject"), 'query: { q: "${q}" }'),
    (
        {"name": "q", "in": "query", "content": {"application/json": {"schema": OPEN}}},
        'query: { q: "${q | json}" }',
    ),
    (
        {
            "name": "q",
            "in": "header",
            "content": {"application/json": {"schema": RANGE}},
        },
        'headers: { q: "${q | json}" }',
    ),
    (sent("X-Ids", LIST, "header"), 'headers: { X-Ids: "${X-Ids | comma}" }'),
    (sent("ids", LIST, "path"), "/find/${ids | comma}"),
    (sent("id", {"type": "string"}, "path", style="label"), "/find/.${id}"),
    (sent("id", {"type": "string"}, "path", style="matrix"), "/find/;id=${id}"),
    (sent("ids", LIST, "path", style="label"), "/find/.${ids | comma}"),
    (sent("ids", LIST, "path", style="matrix"), "/find/;ids=${ids | comma}"),
    (sent("filter[ids]", LIST, explode=False), '"${filter[ids] | comma}"'),
]


@pytest.mark.parametrize(("parameter", "expected"), PARAMETERS)
def test_a_parameter_is_sent_in_the_style_of_its_document(
    parameter: Node, expected: str
) -> None:
    assert expected in request(api(parameter))


def test_a_nullable_reference_of_30_is_what_it_refers_to() -> None:
    schema = {"allOf": [{"$ref": "#/components/schemas/Range"}], "nullable": True}
    made = request(api(sent("q", schema, style="deepObject"), version="3.0.3"))
    assert 'query: { q: "${q | deep}" }' in made


def test_pairs_of_two_parameters_are_not_mixed() -> None:
    document = api(sent("q", RANGE), sent("min", {"type": "integer"}))
    expected = "`find` cannot be imported: `min` stands twice in the query"
    assert expected in imported(document)[1]


def form(schema: Node, **encoding: Any) -> Node:
    """A document whose operation has a form with one field."""
    media: Node = {"schema": {"type": "object", "properties": {"f": schema}}}
    if encoding:
        media["encoding"] = {"f": encoding}
    return api(requestBody={"content": {"application/x-www-form-urlencoded": media}})


FIELDS: list[tuple[Node, Node, str]] = [
    (LIST, {}, 'body: { f: "${f}" }'),
    (LIST, {"explode": False}, 'body: { f: "${f | comma}" }'),
    (LIST, {"style": "spaceDelimited"}, 'body: { f: "${f | space}" }'),
    (LIST, {"contentType": "text/plain"}, 'body: { f: "${f}" }'),
    (LIST, {"contentType": "application/json"}, 'body: { f: "${f | json}" }'),
    (OPEN, {}, 'body: { f: "${f | json}" }'),
    (OPEN, {"style": "deepObject", "explode": True}, 'body: { f: "${f | deep}" }'),
    (RANGE, {"style": "form"}, 'body: { min: "${f.min}", max: "${f.max}" }'),
    (
        {"$ref": "#/components/schemas/Range"},
        {"style": "deepObject"},
        'body: { f: "${f | deep}" }',
    ),
    # What is said of the style counts more than a media type.
    (
        LIST,
        {"contentType": "image/png", "explode": False},
        'body: { f: "${f | comma}" }',
    ),
]


@pytest.mark.parametrize(("schema", "encoding", "expected"), FIELDS)
def test_fields_of_a_form(schema: Node, encoding: Node, expected: str) -> None:
    assert expected in request(form(schema, **encoding))


def test_what_comes_in_is_sent_so(tmp_path: Path) -> None:
    document = api(
        sent("ids", LIST, "path"),
        sent("page", {"$ref": "#/components/schemas/Range"}, required=True),
        sent("filter", OPEN, style="deepObject", explode=True),
        sent("fields", {"type": "array", "items": {"type": "string"}}, explode=False),
        sent("X-More", LIST, "header"),
    )
    texts, told = imported(document)
    assert [] == told
    made = build(tmp_path, {"a.yaml": "---\n".join(texts)})
    assert [] == [x.message for x in made.diagnostics if x.rule.severity == "error"]
    kind = made.load("tools.find").FindInput
    call = kind.from_call(
        {
            "ids": [1, 2],
            "page": {"max": 9},
            "filter": {"a b": "x&y"},
            "fields": ["id", "näme"],
            "X-More": [3, 4],
        }
    )
    found = made.load("http.find").build(call)
    assert "/find/1,2" == urlsplit(found.url).path
    assert [
        ("max", "9"),
        ("filter[a b]", "x&y"),
        ("fields", "id,näme"),
    ] == parse_qsl(urlsplit(found.url).query)
    assert ("X-More", "3,4") in found.headers
