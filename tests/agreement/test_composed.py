"""Schemas that are put together of others say the same in every profile."""

from __future__ import annotations

from typing import Any

import pytest

from agreement.everywhere import PROFILES, shown

DRAFT7 = "http://json-schema.org/draft-07/schema#"
REF: dict[str, Any] = {"$ref": "#/properties/given/$defs/it"}
TEXT: dict[str, Any] = {"type": "string"}
FOO: dict[str, Any] = {"properties": {"foo": TEXT}}
BAR: dict[str, Any] = {"properties": {"bar": TEXT}}
ALONE: dict[str, Any] = {"unevaluatedProperties": False}


def given(**schema: Any) -> dict[str, Any]:
    """Arguments of which one has this schema."""
    properties = {"given": schema, "other": {"type": "integer"}}
    return {"type": "object", "properties": properties, "additionalProperties": False}


CASES: dict[str, dict[str, Any]] = {
    "a definition that admits nothing": given(**REF, **{"$defs": {"it": False}}),
    "a definition that admits all": given(**REF, **{"$defs": {"it": True}}),
    "nothing in allOf": given(allOf=[REF], **{"$defs": {"it": False}}),
    "nothing in a list": given(type="array", items=REF, **{"$defs": {"it": False}}),
    "nothing in anyOf": given(anyOf=[REF, TEXT], **{"$defs": {"it": False}}),
    "all beside a keyword": given(**REF, maxLength=2, **{"$defs": {"it": True}}),
    "nothing beside a keyword": given(**REF, maxLength=2, **{"$defs": {"it": False}}),
    "nothing in draft-07": {
        "$schema": DRAFT7,
        "type": "object",
        "properties": {"given": {"$ref": "#/definitions/it"}, "other": TEXT},
        "definitions": {"it": False},
    },
    "nothing but no arguments": {
        "type": "object",
        "properties": {"a": TEXT},
        "allOf": [{"$ref": "#/$defs/it"}],
        "$defs": {"it": True},
    },
    "unevaluated beside a reference": given(
        **REF, **FOO, **ALONE, **{"$defs": {"it": BAR}}
    ),
    "unevaluated objects beside a reference": given(
        type="object", **REF, **FOO, **ALONE, **{"$defs": {"it": BAR}}
    ),
    "unevaluated behind a reference": given(**REF, **FOO, **{"$defs": {"it": ALONE}}),
    "unevaluated cousins": given(type="object", allOf=[FOO, {**BAR, **ALONE}]),
    "unevaluated cousins without type": given(allOf=[ALONE, FOO]),
    "unevaluated in anyOf": given(type="object", **FOO, anyOf=[{**BAR, **ALONE}]),
    "unevaluated outside of anyOf": given(
        type="object", **FOO, **ALONE, anyOf=[BAR, TEXT]
    ),
    "unevaluated with allOf": given(type="object", allOf=[FOO, BAR], **ALONE),
    "open objects in anyOf": given(
        anyOf=[
            {"type": "object", "properties": {"b": {"type": "integer"}}},
            {"type": "object", "properties": {"c": TEXT}},
        ]
    ),
    "what one branch has nullable": given(
        anyOf=[
            {"type": "object", "properties": {"a": TEXT}, "required": ["a"]},
            {
                "type": "object",
                "properties": {
                    "a": {"type": "integer"},
                    "c": {"type": ["string", "null"]},
                },
                "required": ["a"],
            },
        ]
    ),
    "branches of the arguments, in a tool that is not strict": {
        "type": "object",
        "allOf": [
            {"oneOf": [{**FOO, "required": ["foo"]}, {**BAR, "required": ["bar"]}]},
            {"properties": {"any": {"type": "object"}}},
        ],
    },
    "values of another type": given(type="boolean", enum=["true", "false"]),
    "conditions in allOf": {
        "type": "object",
        **FOO,
        "allOf": [
            {"if": {"required": ["foo"]}, "then": BAR},
            {"if": {"properties": {"foo": {"const": "x"}}}, "else": {"anyOf": [BAR]}},
            {"dependentSchemas": {"foo": {"properties": {"more": TEXT}}}},
        ],
    },
    "no items": given(type="array", items=False),
    "no items without type": given(items=False),
    "no unevaluated items": given(unevaluatedItems=False),
    "no more items": given(type="array", prefixItems=[TEXT], items=False),
    "items of cousins": given(
        type="array", allOf=[{"prefixItems": [TEXT]}, {"items": {"maxLength": 2}}]
    ),
    "patterns of cousins": given(
        type="object",
        allOf=[
            {**FOO, "additionalProperties": False},
            {"patternProperties": {"^b": TEXT}},
        ],
    ),
    "further texts and nothing unevaluated": given(
        type="object", **FOO, additionalProperties=TEXT, unevaluatedProperties=False
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_every_provider_accepts_the_same_calls_of_a_composed_schema(name: str) -> None:
    report = shown([CASES[name]])
    assert [] == [f"{x.artifact} {x.says} {x.instance}" for x in report.differences]
    assert ([], 1) == (report.unshown + report.uncalled, report.tools)
    assert {*PROFILES} <= report.tallies.keys()
    assert report.instances > 10
