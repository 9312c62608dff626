"""Defaults beside patterns, which are not run: refused only where everything else refuses them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.linked import tool

CASES: list[tuple[dict[str, Any], Any, bool]] = [
    ({"type": "string", "not": {"pattern": "^x"}}, "abc", True),
    ({"oneOf": [{"pattern": "^a"}, {"pattern": "^b"}]}, "abc", True),
    ({"if": {"pattern": "^x"}, "then": {"maxLength": 1}}, "abc", True),
    ({"not": {"$ref": "#/$defs/x"}}, "abc", True),
    ({"contains": {"pattern": "^a"}, "maxContains": 1}, ["ab", "b"], True),
    ({"pattern": "^a", "maxLength": 2}, "abc", False),
    ({"patternProperties": {"^x": {}}, "additionalProperties": False}, {"x": 1}, True),
    ({"type": "object", "patternProperties": {"^x": {}}}, "abc", False),
    ({"type": "object", "properties": {"p": {"patternProperties": {}}}}, 1, False),
    ({"type": "array"}, 5, False),
    ({"type": "object"}, "abc", False),
    ({"type": "number", "not": {"$ref": "#anchor"}}, "abc", False),
    ({"type": "number", "not": {"$ref": "#anchor"}}, 1, True),
    (
        {
            "anyOf": [{"properties": {"a": {"pattern": "^x"}}}],
            "unevaluatedProperties": False,
        },
        {"a": "x"},
        True,
    ),
]


@pytest.mark.parametrize(("schema", "default", "applies"), CASES)
def test_a_default_beside_patterns(
    schema: dict[str, Any], default: Any, applies: bool
) -> None:
    root = {
        "properties": {"a": {**schema, "default": default}},
        "$defs": {"x": {"pattern": "^x", "$anchor": "anchor"}},
    }
    linked = tool(json.dumps(root))
    assert ([] if applies else ["default-not-applied"]) == linked.slugs
    [made] = linked.catalog.tools
    assert applies == (made.fields[0].default is not None)


def test_dependencies_of_both_kinds_beside_references() -> None:
    root = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"$ref": "#/definitions/x"}, "b": {"type": "string"}},
        "dependencies": {"a": {"required": ["b"]}, "b": ["a"]},
        "definitions": {"x": {"type": "integer"}},
    }
    assert [] == tool(json.dumps(root)).slugs
