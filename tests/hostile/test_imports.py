"""Hostile names in the files of other systems: imported as data or refused, told at a place.

What is printed is UTF-8 and means the same to the reader of specs, whatever a name looks like:
a document of its own, an anchor, a tag, half of a character.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from support.cases import check
from support.imports import import_tools

NAMES = (
    *("\ud800", "a\udfff", "\x00", "\u202ea", "\u2028", "", "a" * 300, "é", "注"),
    *(
        "a\n---\ntype: entity",
        "a: b",
        "# a",
        '"',
        "'",
        "&a",
        "*a",
        "<<",
        "- a",
        "|",
        "%",
    ),
    *(
        "../../x",
        "/etc/passwd",
        "C:\\x",
        "nul",
        "__class__",
        "__init__",
        "class",
        "self",
    ),
    *(
        "{{x}}",
        "${x}",
        "{%x%}",
        "!!python/object:os.system",
        "!include x",
        "$ref",
        "~1",
    ),
)


def openapi(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    parameters = [
        {"name": name, "in": place, "schema": {"type": "string"}}
        for place in ("query", "header")
    ]
    operation = {
        "operationId": name,
        "summary": name,
        "tags": [name],
        "parameters": parameters,
        "responses": {"200": {"description": name}},
        "security": [{name: []}],
    }
    return {
        "openapi": "3.1.0",
        "servers": [{"url": "https://api.example.com"}],
        "paths": {"/a": {"get": operation}, f"/{name}": {"get": {"responses": {}}}},
        "components": {
            "schemas": {name: schema},
            "securitySchemes": {name: {"type": "apiKey", "in": "header", "name": name}},
        },
    }


def documents(name: str) -> dict[str, Any]:
    """A document of each format in which ``name`` stands wherever a name or text may stand."""
    texts = {"type": "string", "description": name, "default": name, "enum": [name]}
    schema = {"type": "object", "properties": {name: texts}, "required": [name]}
    words = {"name": name, "description": name}
    hints = {"title": name}
    return {
        "mcp": {"tools": [{**words, "inputSchema": schema, "annotations": hints}]},
        "openai": [{"type": "function", "function": {**words, "parameters": schema}}],
        "anthropic": [{**words, "input_schema": schema}],
        "json_schema": {
            "title": name,
            "$defs": {name: schema},
            "properties": {name: {"$ref": f"#/$defs/{name}"}},
        },
        "openapi": openapi(name, schema),
        "commands": [{"command_name": name, **words, "parameters": [words]}],
        "toolspec": {**words, "when_to_use": name, "inputs": [words], "returns": words},
        "tool_json": {**words, "slug": name, "version": name, "argSchema": schema},
    }


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_names_are_data_or_refused(name: str, tmp_path: Path) -> None:
    for kind, document in documents(name).items():
        text = json.dumps(document, indent=1)
        made, diagnostics = import_tools("in.json", text, format=kind)
        for each in diagnostics:
            each.message.encode()
            assert 1 <= each.span.line <= text.count("\n") + 1
        specs = tmp_path / kind
        specs.mkdir()
        for number, spec in enumerate(made):
            (specs / f"{number}.yaml").write_text(spec, encoding="utf-8", newline="")
        errors = [each for each in check(specs) if each.rule.severity == "error"]
        kinds = {each.rule.code[0] for each in errors}
        # What was left out may be missed by what refers to it; what targets say comes later.
        assert kinds <= ({"R", "T"} if diagnostics.has_errors else {"T"}), kind


@pytest.mark.parametrize("half", ["\ud800", "a\udfff"], ids=ascii)
def test_half_a_character_is_no_text(half: str) -> None:
    for where in ({half: 1}, {"a": half}, [half]):
        made, (told,) = import_tools("in.json", json.dumps(where))
        assert made == ()
        assert ("I701", 1) == (told.rule.code, told.span.line)
        assert "this is not JSON: a text has half of a surrogate pair" == told.message
