"""The Gemini target: its files, by hand-made catalogs and through the SDK's own types."""

from __future__ import annotations

from typing import Any

import pytest
from google.genai import types as sdk

from brimgen.emit.gemini import EMITTER
from brimgen.emit.gemini.lower import GeminiTool, lower
from brimgen.emit.gemini.profiles import GEMINI, GEMINI_OPENAPI
from brimgen.model.catalog import Returns
from brimgen.model.project import DescriptorOptions
from brimgen.model.types import Scalar, ScalarType
from support.described import described
from support.made import SPAN, catalog, complaints, corpus, emitted, tool
from support.subsets import gemini_refusals, openapi_refusals

STRING = {"type": "string"}
OPENAPI = DescriptorOptions(profiles=("gemini_openapi",))


def arguments(*required: str, **properties: Any) -> dict[str, Any]:
    """A closed object."""
    return {
        "type": "object",
        "properties": properties,
        **({"required": list(required)} if required else {}),
        "additionalProperties": False,
    }


def declaration(lowered: GeminiTool) -> Any:
    """The declaration of a tool."""
    return described("gemini/tool.json.j2", lowered)


def json_schema(schema: Any) -> Any:
    """What becomes of one property in ``parametersJsonSchema``."""
    said: Any = declaration(lower(tool("t", arguments("x", x=schema))))
    assert [] == gemini_refusals(said["parametersJsonSchema"])
    return said["parametersJsonSchema"]["properties"]["x"]


def openapi(schema: Any) -> Any:
    """What becomes of one property in ``parameters``."""
    lowered = lower(tool("t", arguments("x", x=schema)), GEMINI_OPENAPI)
    said = declaration(lowered)
    assert () == lowered.obstacles
    assert [] == openapi_refusals(said["parameters"])
    return said["parameters"]["properties"]["x"]


@pytest.mark.parametrize(
    ("schema", "json", "spelt"),
    [
        (
            {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10},
            {"type": "integer", "minimum": 1, "maximum": 9},
            {"type": "INTEGER", "format": "int64", "minimum": 1, "maximum": 9},
        ),
        (
            {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
            {"type": "number", "description": "(more than 0; multiple of 0.5)"},
            {"type": "NUMBER", "description": "(more than 0; multiple of 0.5)"},
        ),
        (
            {"type": "string", "minLength": 1, "pattern": "^a", "default": "a"},
            {
                "type": "string",
                "description": '(default: "a"; at least 1 character; pattern ^a)',
            },
            {
                "type": "STRING",
                "minLength": "1",
                "pattern": "^a",
                "description": '(default: "a")',
            },
        ),
        (
            {"type": "integer", "enum": [1, 2]},
            {"type": "integer", "enum": [1, 2]},
            {"type": "INTEGER", "format": "int64", "description": "(one of 1, 2)"},
        ),
        (
            {"type": "string", "const": "a"},
            {"type": "string", "enum": ["a"]},
            {"type": "STRING", "enum": ["a"], "format": "enum"},
        ),
        (
            {"type": "boolean", "const": True},
            {"type": "boolean", "description": "(always true)"},
            {"type": "BOOLEAN", "description": "(always true)"},
        ),
        (
            {"type": "object", "properties": {"gone": False, "kept": STRING}},
            {
                "type": "object",
                "properties": {"kept": STRING},
                "description": "(never with gone)",
            },
            {
                "type": "OBJECT",
                "properties": {"kept": {"type": "STRING"}},
                "description": "(never with gone)",
            },
        ),
        (
            {"minLength": 2, "anyOf": [STRING, {"type": "integer", "maximum": 9}]},
            {
                "anyOf": [
                    {"type": "string", "description": "(at least 2 characters)"},
                    {"type": "integer", "maximum": 9},
                ]
            },
            {
                "anyOf": [
                    {"type": "STRING", "minLength": "2"},
                    {"type": "INTEGER", "format": "int64", "maximum": 9},
                ]
            },
        ),
        (
            {"type": ["integer", "null"], "description": "How many"},
            {
                "anyOf": [{"type": "integer"}, {"type": "null"}],
                "description": "How many",
            },
            {
                "type": "INTEGER",
                "format": "int64",
                "description": "How many",
                "nullable": True,
            },
        ),
        (
            {"type": ["string", "number", "null"]},
            {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}]},
            {"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}], "nullable": True},
        ),
        (
            {"type": "array", "items": STRING, "minItems": 1, "uniqueItems": True},
            {
                "type": "array",
                "items": STRING,
                "minItems": 1,
                "description": "(no repeated items)",
            },
            {
                "type": "ARRAY",
                "items": {"type": "STRING"},
                "minItems": "1",
                "description": "(no repeated items)",
            },
        ),
        (
            {"type": "string", "format": "date"},
            {"type": "string", "format": "date", "description": "(YYYY-MM-DD)"},
            {"type": "STRING", "format": "date", "description": "(YYYY-MM-DD)"},
        ),
        (
            {"oneOf": [STRING, arguments("a", a=STRING)]},
            {"anyOf": [STRING, arguments("a", a=STRING)]},
            {
                "anyOf": [
                    {"type": "STRING"},
                    {
                        "type": "OBJECT",
                        "properties": {"a": {"type": "STRING"}},
                        "required": ["a"],
                    },
                ]
            },
        ),
    ],
)
def test_a_property_in_both_forms(schema: Any, json: Any, spelt: Any) -> None:
    assert json == json_schema(schema)
    assert spelt == openapi(schema)


def test_what_json_schema_alone_can_say() -> None:
    assert {} == json_schema({})
    assert {"type": "object", "properties": {}} == json_schema({"type": "object"})
    mapping = {"type": "object", "additionalProperties": {"type": "integer"}}
    assert {**mapping, "properties": {}} == json_schema(mapping)


def test_recursion_goes_through_optional_properties_only() -> None:
    node = arguments("value", "next", value=STRING, next={"$ref": "#/$defs/Node"})
    whole = {**arguments("x", x={"$ref": "#/$defs/Node"}), "$defs": {"Node": node}}
    lowered = lower(tool("t", whole))
    said = declaration(lowered)["parametersJsonSchema"]
    assert ["x"] == said["required"]
    assert ["value"] == said["$defs"]["Node"]["required"]
    assert "(always with next)" == said["$defs"]["Node"]["description"]
    [loss] = lowered.losses
    assert ("required", ["next"], "text") == (
        loss.keyword,
        loss.value,
        loss.recovered_by,
    )


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"$ref": "#/$defs/Node"}])
def test_what_openapi_cannot_say_goes_out_as_json_schema(schema: Any) -> None:
    node = arguments(next={"$ref": "#/$defs/Node"})
    whole = {**arguments("x", x=schema), "$defs": {"Node": node}}
    made = catalog(tool("t", whole), descriptors=OPENAPI)
    [said] = emitted(EMITTER, made)["gemini/openapi/tools.json"]
    [declaration] = said["functionDeclarations"]
    assert "parameters" not in declaration
    assert "parametersJsonSchema" in declaration
    assert ["T450"] == [code for code, *_ in complaints(EMITTER, made)]


def test_a_tool_without_arguments_has_no_parameters() -> None:
    [said] = emitted(EMITTER, catalog(tool("ping")))["gemini/tools.json"]
    assert {"functionDeclarations": [{"name": "ping"}]} == said


def test_results_are_described_in_the_same_form() -> None:
    schema = arguments("total", total={"type": "integer", "exclusiveMinimum": 0})
    returns = Returns(type=ScalarType(Scalar.STRING), schema=schema, span=SPAN)
    made = tool("t", returns=returns)
    assert {
        "name": "t",
        "responseJsonSchema": arguments(
            "total", total={"type": "integer", "minimum": 1}
        ),
    } == declaration(lower(made))
    assert {
        "name": "t",
        "response": {
            "type": "OBJECT",
            "properties": {
                "total": {"type": "INTEGER", "format": "int64", "minimum": 1}
            },
            "required": ["total"],
        },
    } == declaration(lower(made, GEMINI_OPENAPI))


@pytest.mark.parametrize("profile", [GEMINI, GEMINI_OPENAPI])
@pytest.mark.parametrize("name", ["bfcl", "mcp"])
def test_real_tools_pass_the_subset_and_the_types_of_the_sdk(
    name: str, profile: Any, step: int
) -> None:
    whole = 0
    items = corpus(name)[::step]
    for item in items:
        made = tool(item["name"], item["schema"], description=item.get("description"))
        lowered = lower(made, profile)
        if lowered.unnamable is not None:
            continue
        said = declaration(lowered)
        read = sdk.FunctionDeclaration.model_validate(said)
        assert said == _written(read), item["id"]
        if "parameters" in said:
            assert [] == openapi_refusals(said["parameters"]), item["id"]
        elif "parametersJsonSchema" in said:
            assert [] == gemini_refusals(said["parametersJsonSchema"]), item["id"]
        whole += not lowered.obstacles
    assert step > 1 or whole > 0.85 * len(items)


def _written(read: sdk.FunctionDeclaration) -> Any:
    """The declaration as the SDK holds it; counts are numbers there, text on the wire."""
    return _as_on_the_wire(
        read.model_dump(by_alias=True, exclude_none=True, mode="json")
    )


def _as_on_the_wire(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_on_the_wire(each) for each in value]
    if not isinstance(value, dict) or "parametersJsonSchema" in value:
        return value
    return {
        key: (
            str(each)
            if key in ("minItems", "maxItems", "minLength", "maxLength")
            and isinstance(each, int)
            else _as_on_the_wire(each)
        )
        for key, each in value.items()
    }
