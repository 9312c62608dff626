"""Instances reach every part of a schema, and no part takes the place of another."""

from __future__ import annotations

from typing import Any

import pytest

from brimgen.agreement.instances import MOST, Instances, in_turns, joined
from brimgen.agreement.reference_validator import Oracle
from brimgen_runtime.grammar.schema_parts import resolve_pointer

TEXT = {"type": "string"}
A_B = {"properties": {"a": TEXT, "b": TEXT}}


def edges(schema: Any) -> list[Any]:
    return Instances(schema, Oracle(schema).accepts_part).edges()


@pytest.mark.parametrize(
    ("schema", "wanted"),
    [
        ({"not": {"const": 7}}, 7),
        ({"if": A_B, "then": {"required": ["a", "b"]}}, {"a": "aaa", "b": "aaa"}),
        ({"patternProperties": {"^x-": TEXT}}, {"x-": None}),
        ({"propertyNames": {"maxLength": 2}}, {"aa": None}),
        ({"minProperties": 2}, {"no_such_property": None}),
        ({"maxProperties": 1}, {"no_such_property0": "x", "no_such_property1": "x"}),
        ({"contains": {"const": 5}, "minContains": 2}, [5, 5]),
        ({"contains": {"const": 5}, "maxContains": 2}, [5, 5, 5]),
        ({"prefixItems": [{"const": 1}, {"const": 2}]}, [1, None, None]),
        ({"uniqueItems": True, "items": TEXT}, ["aaa", "aaa"]),
        ({"unevaluatedItems": {"const": 5}}, [5]),
        ({"dependentSchemas": {"a": {"required": ["b"]}}, **A_B}, {"a": "aaa"}),
        ({"allOf": [{"required": ["a"]}, {"required": ["b"]}], **A_B}, {"a": "aaa"}),
        ({"oneOf": [{"const": "o"}, {"const": "p"}]}, "p"),
    ],
    ids=str,
)
def test_an_edge_is_there(schema: Any, wanted: Any) -> None:
    assert wanted in edges(
        {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    )


def test_a_right_value_of_several_parts() -> None:
    parts = [{"required": ["a"]}, {"$ref": "#/$defs/it"}]
    schema = {
        "type": "object",
        **A_B,
        "allOf": parts,
        "$defs": {"it": {"required": ["b"]}},
    }
    assert {"a": "aaa", "b": "aaa"} == edges(schema)[0]


def test_the_last_of_many_properties_is_asked_as_the_first() -> None:
    inner = {"type": "string", "minLength": 3, "maxLength": 40, "pattern": "^[a-z]+$"}
    names = [f"p{number}" for number in range(9)]
    item = {"type": "object", "properties": dict.fromkeys(names, inner)}
    made = edges({"type": "object", "properties": {"x": item, "y": item}})
    assert MOST == len(made)
    inside = [each["y"] for each in made if isinstance(each.get("y"), dict)]
    wrong = {name for each in inside for name in each if each[name] == "aa"}
    assert {*names} == wrong, len(made)


def test_samples_are_taken_from_each_source_in_turn() -> None:
    assert [1, 4, 2, 5, 3] == [*in_turns([iter([1, 2, 3]), iter([4, 5])])]


def test_schemas_are_joined_without_losing_a_keyword() -> None:
    left = {"properties": {"a": TEXT, "b": False}, "required": ["a"], "minLength": 1}
    right = {"properties": {"a": {"maxLength": 3}, "b": TEXT}, "required": ["b", "a"]}
    assert {
        "properties": {"a": {**TEXT, "maxLength": 3}, "b": False},
        "required": ["a", "b"],
        "minLength": 1,
    } == joined([left, right])


@pytest.mark.parametrize("step", ["\u00b2", "\u0660", "9" * 5000, "-1", ""])
def test_only_a_number_is_a_place_in_a_list(step: str) -> None:
    assert TEXT == resolve_pointer({"allOf": [TEXT]}, "#/allOf/0")
    assert resolve_pointer({"allOf": [TEXT]}, f"#/allOf/{step}") is None
