"""The null rule of ``from_call`` (spec-language.md, descriptors.md)."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from brimgen_runtime.schema.validator import Validator


def drop_nulls(value: Any, schema: Any) -> Any:
    """What the null rule makes of a value."""
    return Validator(schema).drop_nulls(value)


def test_what_an_absent_property_would_require_may_be_null() -> None:
    schema = {
        "type": "object",
        "properties": {"foo": {"type": "string"}},
        "dependentSchemas": {
            "foo": {"properties": {"bar": {"type": "string"}}, "required": ["bar"]}
        },
        "unevaluatedProperties": False,
    }
    assert {} == drop_nulls({"foo": None, "bar": None}, schema)
    assert {"foo": "a", "bar": "b"} == drop_nulls({"foo": "a", "bar": "b"}, schema)


NESTED = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "limit": {"type": "integer", "default": 10},
        "note": {"type": ["string", "null"]},
        "choice": {"anyOf": [{"enum": ["a"]}, {"type": "null"}]},
        "anything": {},
        "tags": {"type": "array", "items": {"type": "string"}},
        "node": {"$ref": "#/$defs/Node"},
        "nodes": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
        "maybe": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
        "by_name": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Node"}},
    },
    "required": ["id"],
    "additionalProperties": False,
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "size": {"type": "integer"},
                "next": {"$ref": "#/$defs/Node"},
            },
            "required": ["name"],
            "additionalProperties": False,
        }
    },
}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"id": 1, "limit": None}, {"id": 1}),
        ({"id": 1, "note": None}, {"id": 1, "note": None}),
        ({"id": 1, "choice": None, "limit": None}, {"id": 1, "choice": None}),
        ({"id": 1, "anything": None, "limit": None}, {"id": 1, "anything": None}),
        ({"id": None, "limit": None}, {"id": None}),
        ({"id": 1, "tags": [None], "limit": None}, {"id": 1, "tags": [None]}),
        ({"id": 1, "zz": None, "limit": None}, {"id": 1, "zz": None}),
        (
            {"id": 1, "node": {"name": None, "size": None}},
            {"id": 1, "node": {"name": None}},
        ),
        (
            {"id": 1, "node": {"name": "a", "next": {"name": "b", "next": None}}},
            {"id": 1, "node": {"name": "a", "next": {"name": "b"}}},
        ),
        (
            {"id": 1, "nodes": [{"name": "a", "size": None}, {"name": "b"}]},
            {"id": 1, "nodes": [{"name": "a"}, {"name": "b"}]},
        ),
        (
            {"id": 1, "maybe": {"name": "a", "size": None}},
            {"id": 1, "maybe": {"name": "a"}},
        ),
        ({"id": 1, "maybe": None, "node": None}, {"id": 1, "maybe": None}),
        (
            {"id": 1, "by_name": {"x": {"name": "a", "size": None}, "y": None}},
            {"id": 1, "by_name": {"x": {"name": "a"}, "y": None}},
        ),
    ],
)
def test_null_means_absent_where_it_is_optional_and_refused(
    given: Any, expected: Any
) -> None:
    before = copy.deepcopy(given)
    assert expected == drop_nulls(given, NESTED)
    assert before == given
    assert expected == Validator(NESTED).read_call(given)


def test_in_place_schemas_are_asked_together() -> None:
    both = {
        "allOf": [
            {"properties": {"a": {"type": ["string", "null"]}}},
            {"properties": {"a": {"type": "string"}}},
        ]
    }
    assert {} == drop_nulls({"a": None}, both)
    either = {
        "properties": {"x": {"type": "integer"}},
        "anyOf": [
            {"properties": {"a": {"type": "string"}}, "required": ["b"]},
            {"properties": {"a": {"type": "null"}}},
        ],
    }
    assert {"a": None} == drop_nulls({"a": None, "x": None}, either)
    one_of_two = {
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    assert {"a": "x"} == drop_nulls({"a": "x", "b": None}, one_of_two)
    needed = {
        "properties": {"a": {"type": "string"}},
        "oneOf": [{"required": ["a"]}, {"required": ["a"], "minProperties": 2}],
    }
    assert {"a": None} == drop_nulls({"a": None}, needed)


def test_a_schema_that_refers_to_itself_in_place_does_not_hang() -> None:
    schema = {
        "$defs": {
            "x": {"anyOf": [{"$ref": "#/$defs/x"}, {"$ref": "#/$defs/y"}]},
            "y": {},
        },
        "properties": {"a": {"type": "string"}},
        "$ref": "#/$defs/x",
    }
    assert {"a": None} == drop_nulls({"a": None}, schema)


def test_the_branch_that_fits_says_what_null_means() -> None:
    first = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": ["integer", "null"]}},
        "required": ["a"],
        "additionalProperties": False,
    }
    second = {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "integer"}},
        "additionalProperties": False,
    }
    for branches in ([first, second], [second, first]):
        for word in ("anyOf", "oneOf"):
            rows = {
                "type": "object",
                "properties": {"x": {"type": "array", "items": {word: branches}}},
            }
            sent = {"x": [{"b": None}, {"a": 1, "b": None}, {"a": 1.5, "b": None}]}
            assert {"x": [{}, {"a": 1, "b": None}, {"a": 1.5}]} == drop_nulls(
                sent, rows
            )
    assert {"a": "no", "b": None} == drop_nulls(
        {"a": "no", "b": None}, {"anyOf": [first, second]}
    )


def test_branches_at_every_depth_take_no_time() -> None:
    schema: Any = {
        "type": "object",
        "properties": {"x": {"$ref": "#"}, "a": {}, "b": {}},
        "anyOf": [
            {"properties": {"b": {"type": ["integer", "null"]}}, "required": ["a"]},
            {"properties": {"b": {"type": "integer"}}},
        ],
        "additionalProperties": False,
    }
    sent: Any = {"b": None}
    expected: Any = {}
    for depth in range(60):
        more = {"a": 1, "b": None} if depth % 2 else {}
        sent = {"x": sent, **(more or {"b": None})}
        expected = {"x": expected, **more}
    assert expected == drop_nulls(sent, schema)
