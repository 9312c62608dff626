"""Limits in what a retry message says that a tool expects (S3.25; spec-language.md)."""

from __future__ import annotations

from typing import Any

import pytest

from brimgen_runtime.schema.expects import expected_lines
from brimgen_runtime.schema.json_values import BASE64, DURATION, TIME

TEXT = {"type": "string"}
NUMBER = {"type": "number"}
LIST = {"type": "array", "items": TEXT}


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 100}, "integer, 1 to 100"),
        ({"type": "integer", "minimum": 1}, "integer, at least 1"),
        ({**NUMBER, "exclusiveMinimum": 0}, "number, more than 0"),
        (
            {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 1.5},
            "number or null, more than 0 and at most 1.5",
        ),
        ({"type": "integer", "multipleOf": 5}, "integer, multiple of 5"),
        ({**TEXT, "minLength": 1, "maxLength": 9}, "string, 1 to 9 characters"),
        ({**TEXT, "minLength": 1}, "string, at least 1 character"),
        ({**TEXT, "minLength": 0, "maxLength": 1}, "string, at most 1 character"),
        (
            {**TEXT, "minLength": 3, "maxLength": 3, "pattern": "^[A-Z]{3}$"},
            "string, exactly 3 characters, matching ^[A-Z]{3}$",
        ),
        ({**TEXT, "pattern": "a" * 200}, f"string, matching {'a' * 70}…"),
        ({**TEXT, "pattern": TIME}, "time of day (HH:MM:SS)"),
        (
            {"type": "array", "items": {**TEXT, "pattern": DURATION}},
            "list of ISO 8601 duration (PT1H30M; no years or months)",
        ),
        ({"type": ["string", "null"], "pattern": BASE64}, "base64 text or null"),
        ({**TEXT, "enum": ["a"], "maxLength": 1}, 'one of "a"'),
        ({"const": 1, "minimum": 0}, "1"),
        ({**TEXT, "format": "date"}, "date (YYYY-MM-DD)"),
        (
            {**TEXT, "pattern": "^[0-9]", "x-tz": "assume-utc"},
            "datetime (YYYY-MM-DDTHH:MM:SS, offset optional)",
        ),
        (
            {**LIST, "minItems": 1, "maxItems": 5, "uniqueItems": True},
            "list of string, 1 to 5 items, no two alike",
        ),
        (
            {"type": "array", "items": {**TEXT, "minLength": 1, "pattern": "a"}},
            "list of string, each at least 1 character and matching a",
        ),
        (
            {
                "type": "array",
                "items": {**LIST, "items": {"minimum": 1}, "minItems": 2},
            },
            "list of list, each at least 2 items",
        ),
        (
            {
                **NUMBER,
                "minimum": 0,
                "exclusiveMaximum": 10**8,
                "x-decimal": {"precision": 10, "scale": 2},
            },
            "number, at least 0, at most 8 digits before the point, "
            "at most 2 digits after the point",
        ),
        (
            {**NUMBER, "x-decimal": {"scale": 1}, "exclusiveMaximum": 10},
            "number, less than 10, at most 1 digit after the point",
        ),
        ({"type": "object", "minProperties": 1}, "object, at least 1 property"),
        ({"$ref": "#/$defs/Slug"}, "string, matching ^[a-z]+$"),
        (
            {"anyOf": [{"$ref": "#/$defs/Slug"}, {"type": "null"}]},
            "string or null, matching ^[a-z]+$",
        ),
        ({"not": NUMBER}, "value"),
        (True, "anything"),
    ],
)
def test_a_property_with_its_limits(schema: Any, said: str) -> None:
    whole = {
        "type": "object",
        "properties": {"x": schema},
        "required": ["x"],
        "$defs": {"Slug": {"type": "string", "pattern": "^[a-z]+$"}},
    }
    assert [[f"x ({said}, required)"]] == expected_lines(whole)
