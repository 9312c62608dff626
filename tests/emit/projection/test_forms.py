"""Forms that only Standard mode brings: what each becomes in the strict subset and at the root."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from brimgen.emit.gemini.profiles import GEMINI
from brimgen.emit.openai.profiles import OPENAI
from brimgen.emit.projection import Recovery
from brimgen.emit.protocol.profiles import MCP
from brimgen.model.fields import LOCAL_DATETIME
from support.projected import projected
from support.strict_subset import refusals

NULL = {"type": "null"}


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


CLOSED = {
    "type": "object",
    "properties": {},
    "required": [],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        pytest.param(
            {"type": "integer", "default": 10, "minimum": 1, "description": "How many"},
            {"type": "integer", "minimum": 1, "description": "How many (default: 10)"},
            id="a default is told",
        ),
        pytest.param(
            {"type": "string", "minLength": 2, "maxLength": 1},
            {
                "type": "string",
                "description": "(at least 2 characters; at most 1 character)",
            },
            id="lengths are told",
        ),
        pytest.param(
            {"type": "string", "format": "date-time", "description": "Start"},
            {
                "type": "string",
                "format": "date-time",
                "description": "Start (ISO-8601 with offset, e.g. 2026-01-18T05:00:00Z)",
            },
            id="a format with a meaning in words",
        ),
        pytest.param(
            {"type": "string", "format": "uri"},
            {"type": "string", "description": "(format uri)"},
            id="a format that strict mode does not know",
        ),
        pytest.param(
            {"type": "string", "pattern": "^(?=a)b"},
            {"type": "string", "description": "(pattern ^(?=a)b)"},
            id="look-around",
        ),
        pytest.param(
            {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            {
                "type": "array",
                "items": {"type": "string"},
                "description": "(no repeated items)",
            },
            id="unique items",
        ),
        pytest.param(
            {"type": ["string", "null"], "enum": ["a", "b", None]},
            {"anyOf": [{"type": "string", "enum": ["a", "b"]}, NULL]},
            id="a nullable enum is split",
        ),
        pytest.param(
            {"type": ["string", "null"], "enum": ["a", "b"]},
            {"type": "string", "enum": ["a", "b"]},
            id="an enum without null does not admit it",
        ),
        pytest.param(
            {"enum": ["a", 1, 2.5, True]},
            {
                "anyOf": [
                    {"type": "string", "enum": ["a"]},
                    {"type": "number", "enum": [1, 2.5]},
                    {"type": "boolean", "enum": [True]},
                ]
            },
            id="an enum of several types",
        ),
        pytest.param(
            {"const": "a"},
            {"type": "string", "const": "a"},
            id="a constant gets a type",
        ),
        pytest.param(
            {"type": ["string", "number", "boolean"], "description": "Any"},
            {
                "anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}],
                "description": "Any",
            },
            id="primitive",
        ),
        pytest.param(
            {"oneOf": [{"type": "string"}, {"type": "integer"}]},
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            id="oneOf is said as anyOf",
        ),
        pytest.param(
            {"anyOf": [{"anyOf": [{"type": "string"}, NULL]}, {"type": "integer"}]},
            {"anyOf": [{"type": "string"}, NULL, {"type": "integer"}]},
            id="unions within unions are opened",
        ),
        pytest.param(
            {"type": "string", "anyOf": [{"format": "date"}, {"pattern": "^now$"}]},
            {
                "anyOf": [
                    {
                        "type": "string",
                        "format": "date",
                        "description": "(YYYY-MM-DD)",
                    },
                    {"type": "string", "pattern": "^now$"},
                ]
            },
            id="what stands beside a union is said in each branch",
        ),
        pytest.param(
            {
                "type": "object",
                "properties": {"kind": {"type": "string"}},
                "required": ["kind"],
                "oneOf": [
                    {
                        "properties": {
                            "kind": {"const": "a"},
                            "n": {"type": "integer"},
                        },
                        "required": ["n"],
                    },
                    {"properties": {"kind": {"const": "b"}}},
                ],
            },
            {
                "anyOf": [
                    {
                        "type": "object",
                        "properties": {
                            "kind": {"type": "string", "const": "a"},
                            "n": {"type": "integer"},
                        },
                        "required": ["kind", "n"],
                        "additionalProperties": False,
                    },
                    {
                        "type": "object",
                        "properties": {"kind": {"type": "string", "const": "b"}},
                        "required": ["kind"],
                        "additionalProperties": False,
                    },
                ]
            },
            id="a tagged union with its tag outside",
        ),
        pytest.param(
            {
                "allOf": [
                    {"type": "integer", "minimum": 1, "maximum": 9},
                    {"type": "number", "minimum": 3, "description": "Inner"},
                ],
                "description": "Outer",
            },
            {"type": "integer", "minimum": 3, "maximum": 9, "description": "Outer"},
            id="allOf is merged",
        ),
        pytest.param(
            {
                "type": "string",
                "allOf": [{"pattern": "a"}, {"pattern": "b"}],
            },
            {"type": "string"},
            id="allOf that cannot be merged is left to the decoder",
        ),
        pytest.param(
            {
                "type": "array",
                "prefixItems": [{"type": "number"}, {"type": "string"}],
                "items": False,
            },
            {
                "type": "array",
                "items": {"anyOf": [{"type": "number"}, {"type": "string"}]},
            },
            id="a tuple",
        ),
        pytest.param(
            {"type": "integer", "not": {"const": 3}},
            {"type": "integer", "description": '(not {"const": 3})'},
            id="not",
        ),
        pytest.param(
            {"type": "string", "title": "T", "x-note": 1, "$comment": "c"},
            {"type": "string"},
            id="annotations without a word",
        ),
        pytest.param(
            {"type": "string", "examples": ["a", "b"], "deprecated": True},
            {"type": "string", "description": '(e.g. "a", "b"; deprecated)'},
            id="examples and deprecated are told",
        ),
        pytest.param(
            {"type": "object", "properties": {"y": False, "z": {"type": "string"}}},
            {
                **CLOSED,
                "properties": {
                    "z": {
                        "anyOf": [{"type": "string"}, NULL],
                        "description": "(null means no value)",
                    }
                },
                "required": ["z"],
            },
            id="a property that nothing satisfies",
        ),
    ],
)
def test_what_strict_mode_says(schema: Any, said: Any) -> None:
    assert said == strict(schema)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (
            {"type": "integer", "default": 10},
            {
                "anyOf": [{"type": "integer"}, NULL],
                "description": "(null means the default: 10)",
            },
        ),
        (
            {"type": ["integer", "null"], "default": 10},
            {"anyOf": [{"type": "integer"}, NULL], "description": "(default: 10)"},
        ),
        (
            {"type": "string", "enum": ["a"], "description": "Which"},
            {
                "anyOf": [{"type": "string", "enum": ["a"]}, NULL],
                "description": "Which (null means no value)",
            },
        ),
    ],
    ids=[
        "default",
        "nullable with default",
        "enum",
    ],
)
def test_what_null_means_is_told(schema: Any, said: Any) -> None:
    optional = {**root(x=schema), "required": []}
    projection = projected(optional, OPENAI)
    assert {**CLOSED, "properties": {"x": said}, "required": ["x"]} == projection.schema


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


def test_mcp_says_every_keyword_and_names_what_models_need() -> None:
    schema = root(
        day={"type": "string", "format": "date", "description": "Day"},
        name={"type": ["string", "null"], "minLength": 1, "default": None},
        free={"type": "object"},
        any={"type": "array"},
    )
    projection = projected(schema, MCP)
    said: Any = projection.schema["properties"]
    assert {
        "day": {"type": "string", "format": "date", "description": "Day (YYYY-MM-DD)"},
        "name": {"anyOf": [{"type": "string", "minLength": 1}, NULL]},
        "free": {"type": "object", "properties": {}},
        "any": {"type": "array", "items": {}},
    } == said
    assert [("default", Recovery.ANNOTATION)] == [
        (loss.keyword, loss.recovered_by) for loss in projection.losses
    ]


def test_a_phrase_that_the_author_wrote_is_not_repeated() -> None:
    day = {"type": "string", "format": "date", "description": "Day, as YYYY-MM-DD."}
    said: Any = projected(root(day=day), MCP).schema
    assert "Day, as YYYY-MM-DD." == said["properties"]["day"]["description"]


def test_a_tool_without_arguments_has_a_schema_that_providers_take() -> None:
    for profile, schema in (
        (OPENAI, CLOSED),
        (MCP, {"type": "object", "properties": {}, "additionalProperties": False}),
    ):
        said = projected({"type": "object", **root()}, profile).schema
        assert {**schema, "required": []} == {"required": [], **said}
        Draft202012Validator.check_schema(said)


def test_the_ledger_says_what_was_lost_where_and_what_makes_up_for_it() -> None:
    schema = root(
        limit={"type": "integer", "default": 10},
        name={"type": "string", "maxLength": 5, "title": "Name", "default": "a"},
        rule={"type": "string", "allOf": [{"pattern": "a"}, {"pattern": "b"}]},
        inner={"type": "object", "properties": {"a": {"type": "string"}}},
        long={"type": "string", "default": "x" * 300},
    )
    losses = projected(schema, OPENAI, "find").losses
    assert {("find", "openai")} == {(each.tool, each.profile) for each in losses}
    assert [
        ("/properties/limit", "default", 10, "text"),
        ("/properties/name", "default", "a", "text"),
        ("/properties/name", "maxLength", 5, "text"),
        ("/properties/name", "title", "Name", "annotation"),
        (
            "/properties/rule",
            "allOf",
            [{"pattern": "a"}, {"pattern": "b"}],
            "decoder",
        ),
        ("/properties/inner", "additionalProperties", True, "narrowed"),
        ("/properties/long", "default", "x" * 300, "decoder"),
    ] == [
        (each.pointer, each.keyword, each.value, each.recovered_by) for each in losses
    ]


def test_what_admits_anything_is_the_empty_schema_at_the_root_as_elsewhere() -> None:
    schema = {"type": "object", "properties": {}, "additionalProperties": True}
    assert {} == projected(schema, MCP).schema["additionalProperties"]
    closed = {**schema, "additionalProperties": False}
    assert closed == projected(closed, MCP).schema


def test_a_moment_whose_offset_may_be_absent_is_told_once() -> None:
    kinds = {
        "type": ["string", "null"],
        "pattern": LOCAL_DATETIME,
        "x-tz": "assume-utc",
    }
    said = projected(root(x=kinds), MCP).schema["properties"]["x"]  # type: ignore[index,call-overload]
    branch = {"type": "string", "pattern": LOCAL_DATETIME}
    assert {"anyOf": [branch, NULL], "description": "(UTC without an offset)"} == said
    said = projected(root(x=kinds), GEMINI).schema["properties"]["x"]  # type: ignore[index,call-overload]
    words = "(ISO-8601, e.g. 2026-01-18T05:00:00; UTC without an offset)"
    assert {"anyOf": [{"type": "string"}, NULL], "description": words} == said
