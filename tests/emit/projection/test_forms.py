"""Forms that only Standard mode brings: what each becomes in the strict subset and at the root."""

from __future__ import annotations

from typing import Any

import pytest

from brimgen.emit.gemini.profiles import GEMINI
from brimgen.emit.openai.profiles import OPENAI
from brimgen.emit.protocol.profiles import MCP
from support.projected import projected
from support.strict_subset import refusals


def root(**properties: Any) -> dict[str, Any]:
    """The arguments of a tool with required ``properties``."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def strict(schema: Any) -> Any:
    """What becomes of one property with ``schema``."""
    projection = projected(root(x=schema), OPENAI)
    assert () == projection.obstacles
    assert [] == refusals(projection.schema)
    return projection.schema["properties"]["x"]  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({}, "any value is allowed"),
        (True, "any value is allowed"),
        ({"description": "?"}, "any value is allowed"),
        ({"type": "array"}, "any value is allowed"),
        ({"type": "array", "items": True}, "any value is allowed"),
        ({"type": "object"}, "further properties are allowed"),
        (
            {"type": "object", "additionalProperties": {"type": "string"}},
            "further properties are allowed",
        ),
        (
            {
                "type": "object",
                "properties": {},
                "patternProperties": {"a": {}},
                "additionalProperties": False,
            },
            "further properties are allowed by pattern",
        ),
        (
            {
                "type": "object",
                "required": ["y"],
                "properties": {"z": {"type": "null"}},
            },
            '"y" is required but not declared',
        ),
        ({"enum": [{"a": 1}]}, "only certain objects or lists are allowed"),
        ({"type": "boolean", "enum": ["yes"]}, "no value of its type is allowed"),
        ({"type": "boolean", "const": "yes"}, "no value of its type is allowed"),
        (
            {"type": ["boolean", "null"], "enum": ["yes"]},
            "no value of its type is allowed",
        ),
        (
            {"minLength": 3},
            "no type is said, so that values of every other type are allowed",
        ),
        (
            {"properties": {"a": {"type": "string"}}, "additionalProperties": False},
            "no type is said, so that values of every other type are allowed",
        ),
        ({"type": "array", "prefixItems": [{"type": "null"}]}, "any value is allowed"),
        ({"$ref": "#/nowhere"}, "the reference #/nowhere leads nowhere"),
    ],
)
def test_what_strict_mode_cannot_say(schema: Any, reason: str) -> None:
    projection = projected(root(x=schema), OPENAI)
    assert reason in [each.reason for each in projection.obstacles]
    assert projection.obstacles[0].pointer.startswith("/properties/x")


def test_a_schema_over_a_limit_of_openai_is_not_sent_as_strict() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(11):
        deep = root(x=deep)
    many = root(**{f"p{number}": {"type": "string"} for number in range(5001)})
    enum = root(x={"type": "string", "enum": [f"{n:080}" for n in range(251)]})
    values = root(x={"type": "integer", "enum": list(range(1001))})
    assert [
        ["it has 11 levels of objects, and 10 are allowed"],
        ["it has 5001 properties, and 5000 are allowed"],
        ["an enum of 251 values has 20582 characters"],
        ["it has 1001 enum values, and 1000 are allowed"],
    ] == [
        [each.reason for each in projected(schema, OPENAI).obstacles]
        for schema in (deep, many, enum, values)
    ]


ROOTS = [
    pytest.param(
        {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
            "additionalProperties": False,
        },
        ["a", "b"],
        [],
        ("needs a / b",),
        id="one of two",
    ),
    pytest.param(
        {
            "type": "object",
            "oneOf": [
                {
                    "properties": {"k": {"const": "a"}, "n": {"type": "integer"}},
                    "required": ["k", "n"],
                },
                {"properties": {"k": {"const": "b"}}, "required": ["k"]},
            ],
            "unevaluatedProperties": False,
        },
        ["k", "n"],
        ["k"],
        ('needs exactly one of k "a" + n / k "b"',),
        id="variants",
    ),
    pytest.param(
        {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "string"}}},
                {"properties": {"b": {"type": "string"}}, "required": ["b"]},
            ],
            "unevaluatedProperties": False,
        },
        ["a", "b"],
        ["b"],
        (),
        id="parts",
    ),
    pytest.param(
        {
            "$ref": "#/definitions/Args",
            "definitions": {"Args": root(a={"type": "string"})},
        },
        ["a"],
        ["a"],
        (),
        id="a reference",
    ),
    pytest.param(
        {
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "if": {"required": ["a"]},
            "then": {"properties": {"b": {"type": "string"}}, "required": ["b"]},
            "unevaluatedProperties": False,
        },
        ["a", "b"],
        [],
        (),
        id="a condition",
    ),
]


@pytest.mark.parametrize(("schema", "names", "required", "notes"), ROOTS)
def test_the_root_is_a_plain_object(
    schema: Any, names: list[str], required: list[str], notes: tuple[str, ...]
) -> None:
    projection = projected(schema, MCP)
    said: Any = projection.schema
    assert names == list(said["properties"])
    assert required == said.get("required", [])
    assert "object" == said["type"]
    assert False is said["additionalProperties"]
    assert not {"anyOf", "oneOf", "allOf", "if", "then", "$ref", "$defs"} & set(said)
    assert notes == projection.notes
    assert [] == refusals(projected(schema, OPENAI).schema)


BY_KIND = {
    "if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
    "then": {"properties": {"size": {"type": "string"}}},
    "else": {"properties": {"size": {"type": "integer"}, "more": {"type": "boolean"}}},
}
MATCHING = {"type": "object", "patternProperties": {"^x-": {"type": "string"}}}
COUNTED = {"type": "object", "properties": {"count": {"type": "integer"}}}
EITHER = [{"type": "string"}, {"type": "integer"}]


@pytest.mark.parametrize(
    ("schema", "said", "narrowed"),
    [
        (
            {**BY_KIND},
            {"size": {"anyOf": EITHER}, "more": {"type": "boolean"}},
            ["more"],
        ),
        (
            {"allOf": [{"not": {}}, BY_KIND, {"not": {"required": ["z"]}}]},
            {"size": {"anyOf": EITHER}, "more": {"type": "boolean"}},
            ["more"],
        ),
        (
            {**BY_KIND, "unevaluatedProperties": False},
            {
                "kind": {"const": "a"},
                "size": {"anyOf": EITHER},
                "more": {"type": "boolean"},
            },
            [],
        ),
        ({"oneOf": [MATCHING, COUNTED]}, {"count": {"type": "integer"}}, ["count"]),
        (
            {
                "dependentSchemas": {
                    "a": {"properties": {"b": {"type": "string"}}},
                    "c": {"properties": {"b": {"type": "integer"}}},
                }
            },
            {"b": {"anyOf": EITHER}},
            ["b"],
        ),
        (
            {"anyOf": [{**COUNTED, "additionalProperties": False}, COUNTED]},
            {"count": {"type": "integer"}},
            [],
        ),
    ],
    ids=["if", "allOf", "closed", "oneOf", "dependentSchemas", "sure"],
)
def test_a_property_of_some_branches_is_said_and_noted_where_others_admit_more(
    schema: Any, said: Any, narrowed: list[str]
) -> None:
    projection = projected({"type": "object", **schema}, MCP)
    assert said == projection.schema["properties"]
    rows = [loss for loss in projection.losses if loss.recovered_by == "narrowed"]
    assert [f"/input/properties/{name}" for name in narrowed] == [r.path for r in rows]


def test_an_object_is_as_open_as_its_branches() -> None:
    schema = {
        "type": "object",
        "oneOf": [MATCHING, COUNTED],
        "unevaluatedProperties": False,
    }
    projection = projected(schema, MCP)
    assert "additionalProperties" not in projection.schema
    assert "unevaluatedProperties" in {loss.keyword for loss in projection.losses}


def test_recursion_keeps_one_definition_and_a_description_wraps_the_reference() -> None:
    schema = {
        **root(
            tree={"$ref": "#/$defs/Node", "description": "The tree"},
            once={"$ref": "#/$defs/Leaf"},
        ),
        "$defs": {
            "Node": root(children={"type": "array", "items": {"$ref": "#/$defs/Node"}}),
            "Leaf": {"type": "string"},
            "Unused": {"type": "string"},
        },
    }
    said: Any = projected(schema, OPENAI).schema
    assert ["Node"] == list(said["$defs"])
    assert {"anyOf": [{"$ref": "#/$defs/Node"}], "description": "The tree"} == said[
        "properties"
    ]["tree"]
    assert {"type": "string"} == said["properties"]["once"]


def test_what_stands_beside_a_recursive_reference_is_told() -> None:
    node = {
        "type": "object",
        "properties": {
            "children": {"$ref": "#/$defs/nodes", "minItems": 1, "description": "Some."}
        },
        "additionalProperties": False,
    }
    schema = {
        **root(nodes={"$ref": "#/$defs/nodes"}),
        "$defs": {"nodes": {"type": "array", "items": node}},
    }
    projection = projected(schema, GEMINI)
    said: Any = projection.schema
    children = said["$defs"]["nodes"]["items"]["properties"]["children"]
    assert "Some. (at least 1 item)" == children["description"]
    [row] = [loss for loss in projection.losses if "minItems" == loss.keyword]
    assert ("/input/$defs/nodes/items/properties/children", 1) == (row.path, row.value)


def test_references_that_double_at_every_level_stay_references() -> None:
    levels = {
        f"L{n}": root(a={"$ref": f"#/$defs/L{n + 1}"}, b={"$ref": f"#/$defs/L{n + 1}"})
        for n in range(20)
    }
    schema = {
        **root(x={"$ref": "#/$defs/L0"}),
        "$defs": {**levels, "L20": {"type": "string"}},
    }
    said: Any = projected(schema, MCP).schema
    assert 21 == len(said["$defs"])
    assert {"$ref": "#/$defs/L0"} == said["properties"]["x"]


def test_anchors_and_embedded_documents_are_followed() -> None:
    schema = {
        **root(x={"$ref": "#word"}, y={"$ref": "other#/$defs/n"}),
        "$defs": {
            "w": {"$anchor": "word", "type": "string"},
            "o": {"$id": "other", "$defs": {"n": {"type": "integer"}}},
        },
    }
    said: Any = projected(schema, MCP).schema
    assert {"x": {"type": "string"}, "y": {"type": "integer"}} == said["properties"]
