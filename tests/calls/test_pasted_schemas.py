"""Pasted JSON Schema, called through the generated package: it judges as its draft does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.project import Built, build

DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
LATEST = "https://json-schema.org/draft/2020-12/schema"


def test_a_null_default_of_a_plain_property_is_no_default_and_no_warning(
    tmp_path: Path,
) -> None:
    inner = {"type": "string", "default": None}
    properties = {
        "count": {"type": "integer", "default": None},
        "mode": {"enum": ["a", "b"], "default": None},
        "part": {"type": "object", "properties": {"inner": inner}},
        "open": {"type": ["string", "null"], "default": None},
    }
    built = _built(tmp_path, {"properties": properties})
    assert [] == built.codes
    published = built.json("json_schema/tools/probe.input.json")["properties"]
    assert {"type": "integer"} == published["count"]
    assert published["open"]["default"] is None
    assert {} == _input(built).from_dict({}).to_dict()
    assert not _accepts(built, {"count": None})
    assert _accepts(built, {"open": None})


@pytest.mark.parametrize("where", ["inline", "implicit"])
def test_a_schema_that_says_nothing_but_its_draft_is_no_argument(
    tmp_path: Path, where: str
) -> None:
    text = "type: python_function\nname: probe\narguments:\n"
    text += "  inline:\n" if where == "inline" else ""
    text += f"    $schema: {LATEST}\n    additionalProperties: {{type: integer}}\n"
    built = build(tmp_path, {"probe.yaml": text})
    assert not built.diagnostics.has_errors
    assert _accepts(built, {}) and _accepts(built, {"any": 1})
    assert not _accepts(built, {"any": "x"})


def test_an_argument_may_be_called_like_the_keyword_for_a_draft(tmp_path: Path) -> None:
    text = (
        "type: python_function\nname: probe\narguments:\n  inline: {$schema: string}\n"
    )
    built = build(tmp_path, {"probe.yaml": text})
    assert _accepts(built, {"$schema": "x"}) and not _accepts(built, {})


def test_contains_of_2019_evaluates_no_item(tmp_path: Path) -> None:
    """Only 2020-12 counts the items that `contains` finds as evaluated (2019-09, 9.3.1.3)."""
    lists = {
        "contains": {"type": "string"},
        "minContains": 2,
        "items": [True, True],
        "unevaluatedItems": False,
    }
    schema = {"$schema": DRAFT_2019, "properties": {"a": lists}}
    built = _built(tmp_path, schema)
    assert not built.diagnostics.has_errors
    assert _accepts(built, {"a": ["x", "y"]})
    assert not _accepts(built, {"a": ["x", 1]})
    assert not _accepts(built, {"a": ["x", "y", "z"]})


def _built(folder: Path, schema: dict[str, Any]) -> Built:
    inline = json.dumps(schema)
    text = f"type: python_function\nname: probe\narguments:\n  inline: {inline}\n"
    return build(folder, {"probe.yaml": text})


def _input(built: Built) -> Any:
    return built.tool("probe").input_type


def _accepts(built: Built, call: dict[str, Any]) -> bool:
    try:
        _input(built).from_dict(call)
    except built.load("_runtime.errors").InputError:
        return False
    return True
