"""Documents of real services: what their schemas do that small ones never do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from importers.documents import built


def _message(level: int) -> dict[str, Any]:
    """An object of which each part has all parts of the next level, as messages of chats have."""
    if level == 5:
        return {"type": "object", "properties": {"text": {"type": "string"}}}
    part = {"$ref": f"#/components/schemas/Part{level + 1}"}
    return {
        "type": "object",
        "properties": {f"part_{n}": part for n in range(12)},
    }


def test_a_schema_that_would_have_a_million_parts_is_taken_whole(
    tmp_path: Path,
) -> None:
    body = {"$ref": "#/components/schemas/Part1"}
    operation = {
        "operationId": "send",
        "summary": "Send a message.",
        "requestBody": {"content": {"application/json": {"schema": body}}},
        "responses": {"204": {"description": "Sent."}},
    }
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Chat", "version": "1"},
        "servers": [{"url": "https://chat.example"}],
        "paths": {"/messages": {"post": operation}},
        "components": {"schemas": {f"Part{n}": _message(n) for n in range(1, 6)}},
    }
    project = built(tmp_path, "chat.json", document)
    assert set() == {each.rule.code for each in project.diagnostics}
    [file] = [name for name in project.files if name.endswith("/send.input.json")]
    schema = json.loads(project.files[file])
    value: Any = {"text": 5}
    for n in range(4):
        value = {f"part_{n}": value}
    validator: Any = Draft202012Validator(schema)
    [error] = validator.iter_errors(
        {"body": value} if "body" in schema["properties"] else value
    )
    assert "5 is not of type 'string'" in error.message


def test_a_reference_finds_its_anchor_and_unknown_keywords_are_extensions(
    tmp_path: Path,
) -> None:
    thing = {
        "type": "object",
        "propertyOrder": ["part"],
        "properties": {
            "part": {"$ref": "#it"},
            "by_id": {"$ref": "https://x.example/it"},
        },
    }
    part = {
        "$anchor": "it",
        "$id": "https://x.example/it",
        "type": "object",
        "properties": {"size": {"type": "integer"}},
    }
    body = {"$ref": "#/components/schemas/Thing"}
    operation = {
        "operationId": "send",
        "summary": "Send a thing.",
        "requestBody": {"content": {"application/json": {"schema": body}}},
        "responses": {"204": {"description": "Sent."}},
    }
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Things", "version": "1"},
        "servers": [{"url": "https://things.example"}],
        "paths": {"/things": {"post": operation}},
        "components": {"schemas": {"Thing": thing, "Part": part}},
    }
    project = built(tmp_path, "things.json", document)
    assert [] == [*project.diagnostics]
    [file] = [name for name in project.files if name.endswith("/send.input.json")]
    schema = json.loads(project.files[file])
    sent = {"part": {"size": "a"}, "by_id": {"size": "b"}}
    validator: Any = Draft202012Validator(schema)
    wrong = validator.iter_errors(
        {"body": sent} if "body" in schema["properties"] else sent
    )
    told = {error.message for error in wrong}
    assert {"'a' is not of type 'integer'", "'b' is not of type 'integer'"} == told
