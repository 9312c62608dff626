"""Pasted JSON Schema, called through the generated package: it judges as its draft does."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
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
    published = built.schema("probe.input")["properties"]
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


@pytest.mark.parametrize("draft", ["draft-04", "draft-06", "draft-07"])
def test_a_host_name_is_judged_as_its_draft_does(tmp_path: Path, draft: str) -> None:
    """Only since draft-07 a label with hyphens in third and fourth place is an A-label."""
    host = {"type": "string", "format": "hostname"}
    short = {**host, "maxLength": 12, "allOf": [{"pattern": "e$"}]}
    schema = {
        "$schema": f"http://json-schema.org/{draft}/schema#",
        "properties": {"a": host, "b": short},
    }
    built = _built(tmp_path, schema)
    assert [] == built.codes
    is_older = draft != "draft-07"
    for name in ("a", "b"):
        assert is_older is _accepts(built, {name: "ab--c.e"})
        assert _accepts(built, {name: "host.e"})
        assert not _accepts(built, {name: "-host.e"})
    assert is_older is _accepts(built, {"a": "xn--X"})
    assert not _accepts(built, {"b": "host"})
    assert not _accepts(built, {"a": ".".join(["a" * 49] * 6)})


LED = [
    ("additionalItems", {"items": [{}], "additionalItems": {"type": "integer"}}),
    ("additionalItems", {"items": {}, "additionalItems": {"type": "integer"}}),
    ("dependencies/x", {"dependencies": {"x": {"type": "integer"}, "y": ["x"]}}),
    ("not/not", {"$ref": "#/definitions/any", "not": {"not": {"type": "integer"}}}),
    (
        "properties/p/additionalItems",
        {"properties": {"p": {"items": [{}], "additionalItems": {"type": "integer"}}}},
    ),
]


@pytest.mark.parametrize(
    "draft", ["draft-04/schema#", "draft-06/schema#", "draft-07/schema#", DRAFT_2019]
)
@pytest.mark.parametrize(("steps", "part"), LED)
def test_a_reference_into_what_newer_drafts_moved_still_leads_there(
    tmp_path: Path, draft: str, steps: str, part: dict[str, Any]
) -> None:
    """Each call raised SchemaError: the rewritten schema has nothing at the old place."""
    is_url = draft.startswith("https:")
    schema = {
        "$schema": draft if is_url else f"http://json-schema.org/{draft}",
        "properties": {"a": part, "b": {"$ref": f"#/properties/a/{steps}"}},
        "definitions": {"any": {}},
    }
    built = _built(tmp_path, schema)
    assert not built.diagnostics.has_errors
    assert _accepts(built, {"b": 1}) and not _accepts(built, {"b": "x"})


@pytest.mark.parametrize("draft", ["draft-04", "draft-06", "draft-07"])
def test_the_reference_of_the_root_itself_is_followed(
    tmp_path: Path, draft: str
) -> None:
    schema = {
        "$schema": f"http://json-schema.org/{draft}/schema#",
        "$ref": "#/definitions/all",
        "definitions": {
            "all": {
                "type": "object",
                "properties": {"b": {"type": "integer"}, "inner": {"$ref": "#"}},
            }
        },
    }
    built = _built(tmp_path, schema)
    assert not built.diagnostics.has_errors
    assert _accepts(built, {"b": 1, "inner": {"b": 2}})
    assert not _accepts(built, {"inner": {"b": "x"}})


@pytest.mark.parametrize("steps", ["items", "type"])
def test_a_reference_to_what_is_no_schema_is_told(tmp_path: Path, steps: str) -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {
            "a": {"type": "array", "items": [{}]},
            "b": {"$ref": f"#/properties/a/{steps}"},
        },
    }
    assert ["R364"] == _built(tmp_path, schema).codes


def test_a_schema_that_no_call_can_be_checked_by_stops_the_build(
    tmp_path: Path,
) -> None:
    """It was published with exit code 0, and each call raised SchemaError."""
    part = {
        "$id": "http://example.org/part",
        "items": [{}],
        "additionalItems": {"type": "integer"},
        "properties": {"z": {"$ref": "#/additionalItems"}},
    }
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": part},
    }
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / "probe.yaml").write_text(
        f"type: python_function\nname: probe\narguments:\n  inline: {json.dumps(schema)}\n",
        encoding="utf-8",
    )
    run = subprocess.run(
        [sys.executable, "-m", "brimgen", "generate"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 70 == run.returncode
    assert "specs/probe.yaml:4: the schema does not compile: $ref" in run.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("default", "is_kept"),
    [({"a": "x"}, True), ({"a": 1}, False), ({"z": 1}, False), (5, False)],
)
def test_a_default_of_the_whole_is_published_only_if_callers_may_send_it(
    tmp_path: Path, default: object, is_kept: bool
) -> None:
    """The published schema is closed, so `z` is no argument."""
    properties = {"a": {"type": "string"}}
    built = _built(
        tmp_path, {"type": "object", "default": default, "properties": properties}
    )
    assert ([] if is_kept else ["R368"]) == built.codes
    published = built.schema("probe.input")
    assert is_kept is ("default" in published)


def test_pairs_of_escapes_of_pasted_json_are_characters(tmp_path: Path) -> None:
    """YAML has no such pairs, JSON.stringify and json.dumps write them."""
    smile = "\U0001f600"
    schema = {
        "properties": {f"k{smile}": {"enum": [f"{smile}!"], "description": f"a{smile}"}}
    }
    built = _built(tmp_path, schema)
    assert ["T454"] == built.codes  # the name of the argument
    assert _accepts(built, {f"k{smile}": f"{smile}!"})
    published = built.schema("probe.input")
    assert f"a{smile}" == published["properties"][f"k{smile}"]["description"]


def _built(folder: Path, schema: dict[str, Any]) -> Built:
    inline = json.dumps(schema)
    text = f"type: python_function\nname: probe\narguments:\n  inline: {inline}\n"
    return build(folder, {"probe.yaml": text})


def _input(built: Built) -> Any:
    return built.tool("probe").input_type


def _accepts(built: Built, call: dict[str, Any]) -> bool:
    try:
        _input(built).from_dict(call)
    except import_module("brimgen_runtime.schema.errors").InputError:
        return False
    return True
