"""Answers of OpenAPI: what a tool returns, and what it asks for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from brimgen.diagnostics import Diagnostics
from support.imports import import_tools

Node = dict[str, Any]
JSON = "application/json"


def tool(responses: Node) -> str:
    """The tool of an operation with these responses."""
    operation = {"operationId": "find", "responses": responses}
    document = {
        "openapi": "3.0.3",
        "servers": [{"url": "https://api.example.com"}],
        "paths": {"/find": {"get": operation}},
    }
    diagnostics = Diagnostics()
    (made,) = import_tools("api.json", json.dumps(document), diagnostics)
    assert [] == [each.message for each in diagnostics]
    return made


def content(schema: Node | None, media: str = JSON) -> Node:
    """An answer with a content."""
    return {"content": {media: {} if schema is None else {"schema": schema}}}


RETURNS: list[tuple[Node, str]] = [
    ({"200": content({"type": "boolean"})}, "returns: { type: boolean }\n"),
    # Where nothing else tells of success, `default` does.
    ({"default": content({"type": "boolean"})}, "returns: { type: boolean }\n"),
    (
        {"404": content(None), "default": content({"type": "integer"})},
        "returns: { type: integer }\n",
    ),
    # JSON of which nothing is said is any.
    ({"200": content(None)}, "successCodes: [200]\nreturns: {}\n"),
    ({"200": content({})}, "successCodes: [200]\nreturns: {}\n"),
    ({"2XX": content(None)}, "returns: {}\n"),
    # A list of types is none of the language of specs.
    (
        {"200": content({"type": "string", "nullable": True, "description": "d"})},
        'returns:\n  anyOf:\n    - { type: string }\n    - { type: "null" }\n'
        "  description: d\n",
    ),
]


@pytest.mark.parametrize(("responses", "expected"), RETURNS)
def test_what_a_tool_returns(responses: Node, expected: str) -> None:
    assert tool(responses).endswith(expected)


def test_default_is_about_errors_beside_an_answer_of_success() -> None:
    responses = {"204": {}, "default": content({"type": "integer"})}
    assert tool(responses).endswith("response:\n  successCodes: [204]\n")


@pytest.mark.parametrize(
    ("media", "expected"),
    [
        (JSON, None),
        ("*/*", None),
        (f"{JSON}; charset=utf-8", None),
        ("application/vnd.shop.v2+json", "application/vnd.shop.v2+json"),
        ("application/hal+json;charset=UTF-8", "application/hal+json"),
    ],
)
def test_the_media_type_that_is_asked_for(media: str, expected: str | None) -> None:
    made = tool({"200": content({"type": "object"}, media)})
    assert (f'headers: {{ Accept: "{expected}" }}' in made) is (expected is not None)
    assert ("headers:" in made) is (expected is not None)
