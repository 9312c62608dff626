"""A key that nobody knows, planted everywhere in a document: it is found in a spec, or told."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from importers.documents import imported

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Which city"},
        "days": {"type": "array", "items": {"type": "integer"}, "maxItems": 7},
        "unit": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["city"],
    "additionalProperties": False,
}
WORDS = {"name": "weather", "description": "Tells the weather."}
TOOL = {
    "id": "018fe0f4-b8cd-7e55-82d5-9df0bd70e4bd",
    "slug": "read-file",
    "version": "v1.0.0",
    "displayName": "Read",
    "description": "Read a file.",
    "tags": ["fs"],
    "argSchema": SCHEMA,
    "outputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}},
    "type": "go",
    "goImpl": {"func": "example.org/tools.Read"},
    "isEnabled": True,
}
HTTP_TOOL = {
    **{key: value for key, value in TOOL.items() if key != "goImpl"},
    "type": "http",
    "httpImpl": {
        "request": {"method": "GET", "urlTemplate": "https://a.example/${city}"},
    },
    "x-brimgen": {"allowedHosts": ["a.example"]},
}
DOCUMENTS: dict[str, Any] = {
    "mcp": {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {
            "tools": [
                {
                    **WORDS,
                    "title": "Weather",
                    "inputSchema": SCHEMA,
                    "outputSchema": SCHEMA,
                    "annotations": {"title": "W", "readOnlyHint": True},
                    "_meta": {"a": {"b": 1}},
                }
            ]
        },
    },
    "chat": {
        "model": "m",
        "tools": [{"type": "function", "function": {**WORDS, "parameters": SCHEMA}}],
    },
    "responses": {"tools": [{"type": "function", **WORDS, "parameters": SCHEMA}]},
    "anthropic": {"tools": [{"type": "custom", **WORDS, "input_schema": SCHEMA}]},
    "commands": {
        "available_commands": [
            {
                "command_name": "weather",
                "description": "Tells it.",
                "parameters": [
                    {"name": "city", "type": "string", "required": True},
                    {"name": "unit", "type": "string", "enum_values": ["c", "f"]},
                ],
            }
        ]
    },
    "toolspec": {
        **WORDS,
        "when_to_use": "Often.",
        "inputs": [
            {
                "name": "city",
                "type": "string",
                "description": "Where",
                "required": True,
            }
        ],
        "returns": {"type": "string", "description": "What"},
    },
    "tool": TOOL,
    "http tool": HTTP_TOOL,
    "bundle": {
        "slug": "files",
        "displayName": "Files",
        "isEnabled": True,
        "tools": [TOOL],
    },
    "bundles": {
        "bundles": [
            {"slug": "files", "displayName": "F", "isEnabled": True, "tools": [TOOL]},
            {"slug": "net", "displayName": "N", "isEnabled": True},
        ]
    },
    "json schema": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Forecast",
        **SCHEMA,
        "$defs": {"Place": SCHEMA},
    },
}
MEDIA = {"application/json": {"schema": {"$ref": "#/components/schemas/Book"}}}
DOCUMENTS["openapi"] = {
    "openapi": "3.1.0",
    "info": {"title": "Books", "version": "1", "contact": {"name": "n"}},
    "servers": [
        {
            "url": "https://{host}.example/v1",
            "variables": {"host": {"default": "a", "description": "Where"}},
        }
    ],
    "tags": [{"name": "books"}],
    "security": [{"key": []}],
    "paths": {
        "/books/{id}": {
            "parameters": [
                {
                    "name": "id",
                    "in": "path",
                    "required": True,
                    "schema": {"type": "string"},
                }
            ],
            "put": {
                "operationId": "put_book",
                "summary": "Put a book.",
                "tags": ["books"],
                "parameters": [
                    {"$ref": "#/components/parameters/Dry"},
                    {
                        "name": "near",
                        "in": "query",
                        "content": {"application/json": {"schema": SCHEMA}},
                    },
                ],
                "requestBody": {"required": True, "content": MEDIA},
                "responses": {"200": {"description": "ok", "content": MEDIA}},
            },
        }
    },
    "components": {
        "schemas": {"Book": SCHEMA},
        "parameters": {
            "Dry": {"name": "dry", "in": "query", "schema": {"type": "boolean"}}
        },
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
    },
}
_FOR_READERS = ("info", "tags/0", "security/0", "components/parameters")
"""Where OpenAPI speaks to readers alone, and what nothing refers to."""
KEY, VALUE = "zzPlanted", "zz-value"


def planted(document: Any) -> Iterator[tuple[str, Any]]:
    """Copies of a document, each with one more key in one of its objects."""
    places: list[tuple[Any, ...]] = []
    waiting: list[tuple[tuple[Any, ...], Any]] = [((), document)]
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, dict):
            places.append(path)
            waiting += [((*path, key), each) for key, each in node.items()]
        elif isinstance(node, list):
            waiting += [((*path, at), each) for at, each in enumerate(node)]
    for path in places:
        made = copy.deepcopy(document)
        holder = made
        for step in path:
            holder = holder[step]
        holder[KEY] = VALUE
        yield "/".join(map(str, path)), made


def lost(document: Any, name: str = "a.json") -> list[str]:
    """The places in which a planted key is neither taken nor told."""
    places: list[str] = []
    for path, made in planted(document):
        documents, told = imported(name, made)
        text = "".join(documents) + "".join(told)
        if KEY not in text and VALUE not in text:
            places.append(path)
    return places


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_document_itself_is_imported_without_a_word(name: str) -> None:
    documents, told = imported("a.json", DOCUMENTS[name])
    assert documents
    assert [] == told


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_key_that_nobody_knows_is_never_lost(name: str) -> None:
    places = lost(DOCUMENTS[name])
    if name == "openapi":
        places = [each for each in places if not each.startswith(_FOR_READERS)]
    assert [] == places


def test_tools_in_the_file_of_a_bundle_are_its_members() -> None:
    documents, _ = imported("a.json", DOCUMENTS["bundles"])
    assert 3 == len(documents)
    assert "bundle: files" in documents[1]
    assert "name: read-file" in documents[1]


def test_what_is_no_tool_in_a_bundle_is_told() -> None:
    bundle = {**DOCUMENTS["bundle"], "tools": [{"a": 1}, 3]}
    _, told = imported("a.json", bundle)
    assert [" I702 ", " I703 "] == [each[each.index(" ") :][:6] for each in told]


def test_a_next_page_is_told() -> None:
    answer = copy.deepcopy(DOCUMENTS["mcp"])
    answer["result"]["nextCursor"] = "p2"
    (only,) = imported("a.json", answer)[1]
    assert "`nextCursor` of the document has no effect here" in only
    assert "more tools are on a next page" in only


@pytest.mark.parametrize(
    ("name", "path", "misspelt"),
    [
        ("mcp", ("result", "tools", 0), "descripton"),
        ("responses", ("tools", 0), "paramters"),
        ("anthropic", ("tools", 0), "inputschema"),
        ("tool", (), "displayNam"),
        ("bundle", (), "descriptoin"),
    ],
)
def test_a_misspelt_key_is_told(
    name: str, path: tuple[Any, ...], misspelt: str
) -> None:
    made = copy.deepcopy(DOCUMENTS[name])
    holder = made
    for step in path:
        holder = holder[step]
    holder[misspelt] = "x"
    _, told = imported("a.json", made)
    assert any(f"`{misspelt}` of a" in each for each in told), told


def test_what_belongs_to_the_other_type_of_tool_is_told() -> None:
    made = {**TOOL, "httpImpl": HTTP_TOOL["httpImpl"]}
    (only,) = imported("a.json", made)[1]
    assert (
        "`httpImpl` of a tool has no effect here: the tool is of the type `go`" in only
    )
