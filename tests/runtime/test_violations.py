"""Violations: all of them, in schema order, in words that a model can act on."""

from __future__ import annotations

import pickle
from decimal import Decimal
from typing import Any

import pytest

from brimgen_runtime.schema.errors import MISSING, REDACTED, InputError
from brimgen_runtime.schema.expects import expected_lines
from brimgen_runtime.schema.validator import Validator

COORDINATE = {
    "type": "object",
    "properties": {"lat": {"type": "number"}, "lng": {"type": "number"}},
    "required": ["lat", "lng"],
    "additionalProperties": False,
}
GEO = {
    "type": "object",
    "properties": {
        "center": COORDINATE,
        "radiusKm": {"type": "number", "exclusiveMinimum": 0},
        "kinds": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
        "since": {"type": "string", "format": "date-time"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
    },
    "required": ["center", "radiusKm"],
    "additionalProperties": False,
}


def _told(schema: Any, value: Any) -> list[tuple[str, str]]:
    return [
        (each.pointer, each.message) for each in Validator(schema).violations(value)
    ]


def test_the_message_of_language_4() -> None:
    schema = {
        "type": "object",
        "properties": {
            "resolved_datetimes": {
                "type": "array",
                "items": {"type": "string", "format": "date-time"},
            }
        },
    }
    value = {"resolved_datetimes": ["2026-01-18T05:00:00Z", "tomorrow"]}
    (only,) = Validator(schema).violations(value)
    message = 'resolved_datetimes/1: expected datetime with offset, got "tomorrow"'
    assert message == only.message
    assert ("/resolved_datetimes/1", "format", "tomorrow") == (
        only.pointer,
        only.rule,
        only.value,
    )


@pytest.mark.parametrize(
    ("schema", "value", "rule"),
    [
        ({"type": "integer"}, True, "type"),
        ({"type": "number"}, float("nan"), "type"),
        ({"type": "number"}, float("inf"), "type"),
        ({"type": ["integer", "null"]}, 1.5, "type"),
        ({"enum": [1, 2]}, True, "enum"),
        ({"const": 1}, True, "const"),
        ({"minimum": 1}, 0, "minimum"),
        ({"maximum": 1}, 2, "maximum"),
        ({"exclusiveMinimum": 1}, 1, "exclusiveMinimum"),
        ({"exclusiveMaximum": 1}, 1, "exclusiveMaximum"),
        ({"multipleOf": 0.01}, 0.075, "multipleOf"),
        ({"minLength": 2}, "a", "minLength"),
        ({"maxLength": 1}, "ab", "maxLength"),
        ({"pattern": "^a$"}, "a\n", "pattern"),
        ({"format": "date"}, "2026-02-30", "format"),
        ({"minItems": 1}, [], "minItems"),
        ({"maxItems": 1}, [1, 2], "maxItems"),
        ({"uniqueItems": True}, [1, 1.0], "uniqueItems"),
        ({"contains": {"type": "string"}}, [1], "contains"),
        ({"contains": True, "minContains": 2}, [1], "minContains"),
        ({"contains": True, "maxContains": 1}, [1, 2], "maxContains"),
        ({"minProperties": 1}, {}, "minProperties"),
        ({"maxProperties": 0}, {"a": 1}, "maxProperties"),
        ({"required": ["a"]}, {}, "required"),
        ({"additionalProperties": False}, {"a": 1}, "unknown"),
        ({"unevaluatedProperties": False}, {"a": 1}, "unknown"),
        ({"unevaluatedItems": False}, [1], "unknown"),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "propertyNames"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "dependentRequired"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1, "anyOf"),
        ({"oneOf": [{"minimum": 1}, {"minimum": 2}]}, 3, "oneOf"),
        ({"not": {"type": "string"}}, "a", "not"),
        ({"properties": {"a": False}}, {"a": 1}, "false"),
        ({}, {1, 2}, "type"),
        ({"type": "object"}, {"a": {"b": (1, 2)}}, "type"),
        ({"type": "object"}, {1: "a"}, "type"),
    ],
)
def test_each_keyword_has_its_rule(schema: Any, value: Any, rule: str) -> None:
    assert [rule] == [each.rule for each in Validator(schema).violations(value)]
    assert not Validator(schema).is_valid(value)


def test_a_union_tells_what_is_wrong_with_the_branch_that_was_meant() -> None:
    circle = {
        "type": "object",
        "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}},
        "required": ["kind", "r"],
    }
    square = {
        "type": "object",
        "properties": {"kind": {"const": "square"}, "side": {"type": "number"}},
        "required": ["kind", "side"],
    }
    schema = {"oneOf": [circle, square, {"type": "null"}]}
    assert [("/side", 'side: expected number, got "x"')] == _told(
        schema, {"kind": "square", "side": "x"}
    )
    nullable = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}
    assert [("", "input: expected at least 1, got 0")] == _told(nullable, 0)
    assert [("", 'input: expected integer or null, got "x"')] == _told(nullable, "x")


def test_a_union_of_closed_objects_tells_what_the_nearest_does_not_know() -> None:
    def closed(name: str) -> dict[str, object]:
        properties = {"a": {}, name: {}}
        return {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
        }

    schema = {"anyOf": [closed("b"), closed("c")]}
    told = [("/z", 'z: unknown argument, expected one of "a", "c"')]
    assert told == _told(schema, {"a": 1, "c": 1, "z": 1})


def test_long_values_are_cut_and_foreign_ones_are_not_printed() -> None:
    class Hostile:
        def __repr__(self) -> str:
            raise AssertionError("the value of a stranger was printed")

    (text,) = Validator({"type": "integer"}).violations("x" * 10_000)
    assert len(text.message) < 140
    (many,) = Validator({"type": "integer"}).violations(list(range(10_000)))
    assert len(many.message) < 140
    (huge,) = Validator({"type": "string"}).violations(10**5000)
    assert "an integer of more than 90 digits" in huge.message
    (foreign,) = Validator({"type": "integer"}).violations(Hostile())
    assert "input: expected integer, got a Python Hostile" == foreign.message


def test_secrets_are_not_told() -> None:
    schema = {
        "type": "object",
        "properties": {
            "password": {"type": "string", "writeOnly": True, "minLength": 12},
            "pin": {"type": "string", "format": "password", "pattern": "^[0-9]{4}$"},
        },
    }
    found = Validator(schema).violations({"password": "hunter2", "pin": "abc"})
    assert [REDACTED, REDACTED] == [each.value for each in found]
    assert (
        "<Violation minLength at '/password': password: expected at least 12 characters, "
        "got something else>"
    ) == repr(found[0])
    assert "password: expected at least 12 characters, got something else" == str(
        found[0]
    )
    assert "abc" not in str(found[1])


def test_the_value_of_an_unknown_argument_is_not_repeated() -> None:
    schema = {"type": "object", "properties": {}, "additionalProperties": False}
    ((_, message),) = _told(schema, {"api_key": "s3cr3t"})
    assert "s3cr3t" not in message


def test_objects_of_several_forms_are_told_apart_by_what_they_must_have() -> None:
    email = {"properties": {"email": {"format": "email"}}, "required": ["email"]}
    forms = [
        {"type": "object", **email},
        {"type": "object", "required": ["phone"]},
        {"type": "object", "required": []},
    ]
    with pytest.raises(InputError) as caught:
        Validator({"anyOf": forms[:2]}).check({})
    [each] = caught.value.violations
    assert "object with email or object with phone" == each.expected
    with pytest.raises(InputError) as caught:
        Validator({"oneOf": forms}).check(1)
    [each] = caught.value.violations
    assert "object with email or object with phone or object" == each.expected


def test_a_retry_message_ends_with_what_the_tool_expects() -> None:
    center = {"center": {"$ref": "#/$defs/Coordinate"}}
    schema = {
        **GEO,
        "properties": {**GEO["properties"], **center},
        "$defs": {"Coordinate": COORDINATE},
    }
    validator = Validator(
        schema, tool="geo_search", expects=lambda: expected_lines(schema)
    )
    with pytest.raises(InputError) as caught:
        validator.check({"radiusKm": 0})
    assert (
        "geo_search was called with invalid arguments:\n"
        "- center: missing, expected Coordinate\n"
        "- radiusKm: expected more than 0, got 0\n"
        "geo_search expects: center (Coordinate, required), "
        "radiusKm (number, more than 0, required), "
        'kinds (list, each one of "a", "b", optional), since (datetime with offset, optional), '
        "limit (integer, 1 to 100, optional, default 10)\n"
        "Coordinate: lat (number, required), lng (number, required)"
    ) == caught.value.retry_message()
    assert caught.value.violations is caught.value.violations
    assert isinstance(caught.value, ValueError)
    assert "geo_search" == caught.value.tool


def expects(schema: Any) -> str | None:
    return Validator({}, expects=lambda: expected_lines(schema)).expects()


TREE = {
    "$ref": "#/$defs/Tree",
    "$defs": {
        "Tree": {
            "type": "object",
            "properties": {
                "value": {"type": ["string", "null"], "format": "date"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
                "next": {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]},
            },
            "required": ["value"],
        }
    },
}
INNER = {"type": "object", "properties": {"x": {"const": 1}, "y": {}}}
LETTERS = {"type": "array", "items": {"enum": ["x", "y"]}}
EXPECTED: list[tuple[Any, str]] = [
    (True, "anything"),
    ({"type": "string"}, "string"),
    ({"type": "object", "properties": {}}, "no arguments"),
    (
        {"properties": {"a": {"enum": ["x", "y"], "default": "x"}}},
        'a (one of "x", "y", optional, default "x")',
    ),
    (
        {"properties": {"a": {"type": ["string", "null"], "format": "date"}}},
        "a (date (YYYY-MM-DD) or null, optional)",
    ),
    (
        {"properties": {"a": {"type": "string", "title": "The A"}}, "required": ["a"]},
        "a (string, required)",
    ),
    (
        {"properties": {"a": {"type": "string", "writeOnly": True, "default": "pw"}}},
        "a (string, optional)",
    ),
    (
        {"properties": {"a": {"type": "string", "default": "x" * 99}}},
        f'a (string, optional, default "{"x" * 30}…")',
    ),
    (
        {
            "properties": {
                "a": {"type": "integer", "default": 5, "maximum": 3},
                "b": {"type": "string", "pattern": "^x", "default": "y"},
                "c": {"$ref": "#/$defs/c", "default": "z"},
                "d": {"$ref": "#/$defs/c", "default": "x"},
                "e": {"$ref": "#/nowhere", "default": 1},
            },
            "$defs": {"c": {"enum": ["x"]}},
        },
        "a (integer, at most 3, optional), b (string, matching ^x, optional), "
        'c (one of "x", optional), d (one of "x", optional, default "x"), '
        "e (nowhere, optional)",
    ),
    (
        {"properties": {"a": {"type": "array", "items": INNER}, "b": INNER}},
        "a (list of object, optional), b (object, optional)\n"
        "a: x (1, optional), y (value, optional)\n"
        "b: x (1, optional), y (value, optional)",
    ),
    (
        {"properties": {"a": {"properties": {"b": INNER}, "type": "object"}}},
        "a (object, optional)\n"
        "a: b (object, optional)\n"
        "a.b: x (1, optional), y (value, optional)",
    ),
    (
        TREE,
        "value (date (YYYY-MM-DD) or null, required), children (list of Tree, optional), "
        "next (Tree or null, optional)\n"
        "Tree: value (date (YYYY-MM-DD) or null, required), children (list of Tree, optional), "
        "next (Tree or null, optional)",
    ),
    ({"properties": {"a": {"$ref": "#/nowhere"}}}, "a (nowhere, optional)"),
    (
        {"properties": {"a": {"anyOf": [LETTERS, {"type": "null"}]}}},
        'a (null or list, each one of "x", "y", optional)',
    ),
    (
        {"properties": {"a": {"type": ["array", "null"], "items": {"type": "string"}}}},
        "a (null or list of string, optional)",
    ),
    (
        {"properties": {"a": {"type": "array", "items": {"type": ["string", "null"]}}}},
        "a (list of string or null, optional)",
    ),
]


@pytest.mark.parametrize(("schema", "expected"), EXPECTED)
def test_what_is_expected_is_told_in_words_of_json(schema: Any, expected: str) -> None:
    """With the values of enums, defaults, and what the objects have: enough to mend a call."""
    assert expected == expects(schema)


def test_an_error_survives_pickling() -> None:
    with pytest.raises(InputError) as caught:
        Validator(GEO, tool="geo").check({"center": {"lat": Decimal("1.5")}})
    revived = pickle.loads(pickle.dumps(caught.value))
    assert str(caught.value) == str(revived)
    assert caught.value.retry_message() == revived.retry_message()
    assert MISSING is revived.violations[0].value


def test_a_finding_says_what_a_value_is_by_its_schema() -> None:
    schema = {
        "properties": {
            "n": {"type": ["number", "null"]},
            "b": {"type": "boolean"},
            "at": {"type": "string", "format": "date-time"},
            "local": {"type": "string", "x-tz": "assume-utc"},
            "day": {"type": ["string", "null"], "format": "date"},
            "one": {"type": "number", "enum": [1, 2]},
            "id": {"type": "string", "format": "uuid"},
            "mixed": {"type": ["number", "boolean"]},
            "gone": {"type": "string", "format": "date"},
        },
        "required": ["gone"],
        "additionalProperties": False,
    }
    value = dict.fromkeys(
        ["n", "b", "at", "local", "day", "one", "id", "mixed", "x"], "?"
    )
    found = Validator(schema).findings(value)
    assert {
        "n": ("type", "number"),
        "b": ("type", "boolean"),
        "at": ("format", "date-time"),
        "local": ("format", "date-time"),
        "day": ("format", "date"),
        "one": ("enum", "number"),
        "id": ("format", "uuid"),
        "mixed": ("type", ""),
        "gone": ("required", "date"),
        "x": ("unknown", ""),
    } == {path[1]: (rule, form) for path, rule, _, _, form in found if path}
