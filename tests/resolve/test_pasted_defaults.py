"""Defaults of pasted schemas: a refused one is told, and neither applied nor published."""

from __future__ import annotations

import json
from typing import Any

import pytest

from brimgen.emit import emitter
from brimgen.judging import rejection
from support.linked import Linked, link, tool
from support.syntax import HEAD

X = {"$defs": {"x": {"pattern": "^x", "$anchor": "anchor"}}}

CASES: list[tuple[dict[str, Any], Any, bool]] = [
    ({"type": "string", "not": {"pattern": "^x"}}, "abc", True),
    ({"type": "string", "not": {"pattern": "^a"}}, "abc", False),
    ({"oneOf": [{"pattern": "^a"}, {"pattern": "^b"}]}, "abc", True),
    ({"oneOf": [{"pattern": "^a"}, {"pattern": "c$"}]}, "abc", False),
    ({"anyOf": [{"pattern": "^x"}, {"pattern": "^y"}]}, "abc", False),
    ({"anyOf": [{"pattern": "^x"}, {"type": "null"}]}, None, True),
    ({"allOf": [{"type": "string"}, {"pattern": "^x"}]}, "abc", False),
    ({"if": {"pattern": "^x"}, "then": {"maxLength": 1}}, "abc", True),
    ({"if": {"pattern": "^a"}, "then": {"maxLength": 1}}, "abc", False),
    ({"$ref": "#/$defs/x"}, "abc", False),
    ({"$ref": "#/$defs/x"}, "xyz", True),
    ({"not": {"$ref": "#/$defs/x"}}, "abc", True),
    ({"not": {"$ref": "#/$defs/x"}}, "xyz", False),
    ({"items": {"pattern": "^x"}}, ["xa", "b"], False),
    ({"items": {"pattern": "^x"}}, ["xa"], True),
    ({"contains": {"pattern": "^a"}, "maxContains": 1}, ["ab", "b"], True),
    ({"contains": {"pattern": "^a"}, "maxContains": 1}, ["ab", "ac"], False),
    ({"properties": {"p": {"pattern": "^x"}}}, {"p": "abc"}, False),
    ({"properties": {"p": {"pattern": "^a"}}}, {"p": "abc"}, True),
    ({"propertyNames": {"pattern": "^x"}}, {"abc": 1}, False),
    ({"propertyNames": {"pattern": "^x"}}, {"xyz": 1}, True),
    ({"additionalProperties": {"pattern": "^x"}}, {"p": "abc"}, False),
    ({"pattern": "^a", "maxLength": 2}, "abc", False),
    ({"patternProperties": {"^x": {}}, "additionalProperties": False}, {"x": 1}, True),
    ({"patternProperties": {"^x": {}}, "additionalProperties": False}, {"y": 1}, False),
    ({"patternProperties": {"^x": {"type": "string"}}}, {"x": 1}, False),
    ({"type": "object", "patternProperties": {"^x": {}}}, "abc", False),
    ({"type": "object", "properties": {"p": {"patternProperties": {}}}}, 1, False),
    ({"type": "array"}, 5, False),
    ({"type": "object"}, "abc", False),
    ({"enum": ["a", "b"]}, "all", False),
    ({"type": "number", "not": {"$ref": "#anchor"}}, "abc", False),
    ({"type": "number", "not": {"$ref": "#anchor"}}, 1, False),
    (
        {
            "anyOf": [{"properties": {"a": {"pattern": "^x"}}}],
            "unevaluatedProperties": False,
        },
        {"a": "x"},
        True,
    ),
    ({"pattern": r"^(a|b)\1$", "maxLength": 1}, "aa", False),
    ({"anyOf": [{"pattern": r"^(a|b)\1$"}, {"pattern": "^a"}]}, "aa", True),
]


@pytest.mark.parametrize(("schema", "default", "applies"), CASES)
def test_a_default_beside_patterns(
    schema: dict[str, Any], default: Any, applies: bool
) -> None:
    linked = _tool({"properties": {"a": {**schema, "default": default}}, **X})
    assert ([] if applies else ["default-not-applied"]) == linked.slugs
    _hold(linked, applies=applies)


def test_a_default_that_no_build_can_decide_is_told_and_left_out() -> None:
    schema = {"pattern": "^(a+)+$", "default": "aa" * 9, "maxLength": 20}
    linked = _tool({"properties": {"a": schema}})
    assert ["default-not-decided"] == linked.slugs
    assert "`^(a+)+$` cannot be searched" in linked.only.message
    _hold(linked, applies=False)


INNER = {"pattern": "^x", "default": "refused"}


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [INNER, {"type": "null"}]},
        {"type": "array", "items": INNER},
        {"properties": {"inner": INNER}},
        {"additionalProperties": INNER},
        {"$ref": "#/$defs/inner"},
        {"allOf": [{"$ref": "#/$defs/inner"}]},
        {"type": "array", "prefixItems": [INNER]},
    ],
)
def test_a_refused_default_is_published_nowhere(schema: dict[str, Any]) -> None:
    root = {"properties": {"a": schema}, "$defs": {"inner": INNER}}
    linked = _tool(root)
    assert {"default-not-applied"} == set(linked.slugs)
    [made] = linked.catalog.tools
    assert '"default"' not in json.dumps(made.input_schema)
    assert '"default"' not in json.dumps(made.bound_schema)
    assert '"default"' not in json.dumps(made.fields[0].schema)


def test_no_descriptor_and_no_package_states_a_refused_default() -> None:
    words = {"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}], "default": "whole"}
    linked = _tool({"properties": {"a": words, "b": {"type": "array", "items": INNER}}})
    made = {
        each.path: each.text
        for target in map(emitter, ("python", "json_schema", "mcp", "anthropic"))
        for each in target.emit(linked.catalog)
        if "probe" in each.text
    }
    assert {"anthropic", "mcp", "tools"} <= {path.split("/")[-2] for path in made}
    for path, text in made.items():
        assert "whole" not in text and "refused" not in text, path


def test_a_default_that_another_part_of_the_schema_refuses() -> None:
    a = {"type": "integer", "default": 5}
    linked = _tool(
        {"properties": {"a": a}, "allOf": [{"properties": {"a": {"maximum": 3}}}]}
    )
    assert ["default-not-applied"] == linked.slugs
    _hold(linked, applies=False)


def test_a_default_of_a_hidden_argument_that_its_pattern_refuses() -> None:
    a = {"anyOf": [{"pattern": "^x"}], "default": "abc", "from_context": "app.tenant"}
    linked = _tool({"properties": {"a": a}})
    assert ["default-not-applied"] == linked.slugs
    [made] = linked.catalog.tools
    assert made.fields[0].default is None


def test_a_default_of_a_result_that_its_schema_refuses() -> None:
    returns = "{type: object, properties: {n: {enum: [1], default: 2}}}"
    linked = link(f"{HEAD}returns: {returns}\n")
    assert ["default-not-applied"] == linked.slugs
    assert '"default"' not in json.dumps(linked.catalog.tools[0].returns.schema)


def test_defaults_of_recursive_entities_are_decided_or_kept() -> None:
    node = {
        "properties": {
            "label": {"type": "string", "pattern": "^x", "default": "xa"},
            "next": {"type": "array", "items": {"entity_ref": "Node"}, "default": []},
        }
    }
    entity = "type: entity\nname: Node\nproperties: " + json.dumps(node["properties"])
    linked = tool('{"properties": {"a": {"entity_ref": "Node"}}}', entity)
    assert [] == linked.slugs
    defaults = {
        each.name: each.default and each.default.value
        for each in linked.entity("Node").fields
    }
    assert {"label": "xa", "next": []} == defaults


def test_the_text_that_is_searched_for_one_default_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched = 0

    def search(pattern: str, text: str) -> bool:
        nonlocal searched
        searched += len(pattern) + len(text)
        return False

    monkeypatch.setattr(rejection, "is_found", search)
    options = [{"pattern": f"^(a|b{n})*c$"} for n in range(300)]
    default = ["a" * 40 + str(n) for n in range(300)]
    schema = {"items": {"anyOf": options}, "default": default}
    assert ["default-not-decided"] == _tool({"properties": {"a": schema}}).slugs
    assert 0 < searched < 1_000_000


def test_dependencies_of_both_kinds_beside_references() -> None:
    root = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"$ref": "#/definitions/x"}, "b": {"type": "string"}},
        "dependencies": {"a": {"required": ["b"]}, "b": ["a"]},
        "definitions": {"x": {"type": "integer"}},
    }
    assert [] == _tool(root).slugs


def _tool(root: dict[str, Any]) -> Linked:
    return tool(json.dumps(root))


def _hold(linked: Linked, *, applies: bool) -> None:
    [made] = linked.catalog.tools
    properties: Any = made.input_schema["properties"]
    assert applies == (made.fields[0].default is not None)
    assert applies == ("default" in properties["a"])
