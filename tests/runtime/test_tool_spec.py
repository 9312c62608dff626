"""ToolSpec: what it refuses in itself and in a call, and how a tool's schema becomes one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from brimgen_runtime.calls.spec_of import spec_of
from brimgen_runtime.calls.tool_spec import TYPES, ToolParam, ToolReturn, ToolSpec
from brimgen_runtime.calls.tools import Tool
from support.given_schemas import given_schemas


def tool(
    input_schema: dict[str, Any],
    output_schema: dict[str, Any] | None,
    description: str | None = None,
) -> Tool[Any, Any]:
    """A tool of these schemas, called ``t``."""
    return Tool(
        "t",
        input_type=Any,  # type: ignore[arg-type]
        bound_type=Any,  # type: ignore[arg-type]
        schemas=given_schemas(input_schema, output_schema),
        description=description,
    )


TEXT = ToolParam(name="text", type="string", description="Text to echo")
ECHO = ToolSpec(
    name="echo",
    description="Echoes text back to the caller.",
    when_to_use="Use for smoke tests.",
    inputs=[TEXT],
    returns=ToolReturn(type="string", description="The echoed text"),
)


def spec(**changes: Any) -> ToolSpec:
    return replace(ECHO, **changes)


def taking(type: str, **changes: Any) -> ToolSpec:
    return spec(inputs=[replace(TEXT, name="v", type=type, **changes)])


BAD = {
    "echo has no description": spec(description=""),
    "echo has no when_to_use": spec(when_to_use=" \n\t"),
    "a tool has no name": spec(name="  "),
    "echo has no inputs": spec(inputs=[]),
    "echo.text has unsupported type 'float'": spec(
        inputs=[replace(TEXT, type="float")]
    ),
    "echo returns unsupported type 'void'": spec(
        returns=ToolReturn(type="void", description="Nothing")
    ),
    "echo: duplicate input 'text'": spec(inputs=[TEXT, replace(TEXT, type="integer")]),
    "echo has an input without a name": spec(inputs=[replace(TEXT, name="")]),
}


@pytest.mark.parametrize("message", BAD)
def test_a_bad_tool_spec_says_what_is_wrong(message: str) -> None:
    with pytest.raises(ValueError) as caught:
        BAD[message].validate()
    assert message == str(caught.value)


@pytest.mark.parametrize("type", [None, 1, ["string"], {}, "String", "string ", ""])
def test_what_is_no_type(type: Any) -> None:
    with pytest.raises(ValueError, match="unsupported type"):
        taking(type).validate()
    with pytest.raises(ValueError, match="unsupported type"):
        taking(type).check_inputs({"v": "a"})


VALUES: dict[str, Any] = {
    "True": True,
    "1.0": 1.0,
    "3": 3,
    "'3'": "3",
    "None": None,
    "[]": [],
    "()": (),
    "{}": {},
    "nan": float("nan"),
    "b''": b"",
}
ACCEPTED = {
    "string": {"'3'"},
    "str": {"'3'"},
    "integer": {"3"},
    "number": {"1.0", "3", "nan"},
    "boolean": {"True"},
    "array": {"[]"},
    "object": {"{}"},
}


@pytest.mark.parametrize("type", ACCEPTED)
def test_the_predicates_are_those_of_the_seed(type: str) -> None:
    assert {*TYPES, "str"} == set(ACCEPTED)
    subject = taking(type)
    subject.validate()

    def accepts(value: Any) -> bool:
        raw = {"v": value}
        try:
            assert raw is subject.check_inputs(raw)
        except ValueError:
            return False
        return True

    assert ACCEPTED[type] == {name for name, value in VALUES.items() if accepts(value)}


def test_an_optional_input_may_be_absent_and_is_checked_where_it_is_not() -> None:
    subject = taking("integer", required=False)
    assert {} == subject.check_inputs({})
    with pytest.raises(ValueError, match=r"^echo.v must be integer, got null$"):
        subject.check_inputs({"v": None})


def test_everything_wrong_with_a_call_is_told_at_once() -> None:
    subject = spec(inputs=[TEXT, replace(TEXT, name="size", type="integer")])
    raw = {"size": "4", "from": 1, "x" * 200: 2}
    before = dict(raw)
    with pytest.raises(ValueError) as caught:
        subject.check_inputs(raw)
    told = str(caught.value)
    assert told.startswith(
        "echo: missing required 'text'; echo.size must be integer, got string; "
        "echo: unexpected 'from'; echo: unexpected 'xxx"
    )
    assert len(told) < 250
    assert before == raw


@pytest.mark.parametrize("raw", [None, [], "text", 1])
def test_a_call_is_an_object(raw: Any) -> None:
    with pytest.raises(ValueError, match=r"^echo: inputs must be object"):
        ECHO.check_inputs(raw)


def test_a_tool_spec_is_written_as_json() -> None:
    made = json.loads(json.dumps(taking("str", required=False).to_json()))
    assert {
        "name": "echo",
        "description": "Echoes text back to the caller.",
        "when_to_use": "Use for smoke tests.",
        "inputs": [
            {
                "name": "v",
                "type": "string",
                "description": "Text to echo",
                "required": False,
            }
        ],
        "returns": {"type": "string", "description": "The echoed text"},
    } == made


def test_parameters_of_a_tool_spec_are_named() -> None:
    with pytest.raises(TypeError):
        ToolParam("text", "string", "Text")  # type: ignore[misc]
    assert TEXT.required


def of(properties: Any, **more: Any) -> ToolSpec:
    schema = {"type": "object", "properties": properties, **more}
    return spec_of(
        tool(schema, {"type": "string", "description": "Done"}, description="Does it.")
    )


@pytest.mark.parametrize(
    ("schema", "type"),
    [
        ({"type": ["number", "integer"]}, "number"),
        ({"anyOf": [{"type": "string"}, {"const": "x"}]}, "string"),
        ({"allOf": [{"type": ["string", "integer"]}, {"minLength": 1}]}, None),
        ({"allOf": [{"type": ["string", "integer"]}, {"type": "string"}]}, "string"),
        ({"enum": [1, 2.5]}, "number"),
        ({"enum": ["a", 1]}, None),
        ({"type": ["string", "number", "boolean"]}, None),
        ({}, None),
        (True, None),
        (False, None),
        ({"type": "null"}, None),
        ({"$ref": "#/$defs/Loop"}, None),
        ({"$ref": "#/nowhere"}, None),
    ],
)
def test_the_narrowest_type_that_holds_every_value(
    schema: Any, type: str | None
) -> None:
    loop = {"Loop": {"$ref": "#/$defs/Loop"}}
    if type is None:
        with pytest.raises(ValueError, match=r"^t.x has unsupported type"):
            of({"x": schema}, **{"$defs": loop})
    else:
        assert [type] == [each.type for each in of({"x": schema}).inputs]


def test_null_is_said_by_absence_where_that_means_the_same() -> None:
    nullable = {"type": ["integer", "null"]}
    [one] = of({"x": nullable}).inputs
    assert ("integer", False) == (one.type, one.required)
    [two] = of({"x": {**nullable, "default": None}}).inputs
    assert ("integer", False) == (two.type, two.required)
    for schema, required in (({**nullable, "default": 3}, []), (nullable, ["x"])):
        with pytest.raises(ValueError, match="'integer or null'"):
            of({"x": schema}, required=required)


@pytest.mark.parametrize(
    "more",
    [
        {"additionalProperties": True},
        {"additionalProperties": {"type": "string"}},
        {"patternProperties": {"^x": {}}, "additionalProperties": False},
        {"allOf": [{"properties": {"b": {}}}], "unevaluatedProperties": False},
    ],
)
def test_arguments_without_names_are_not_left_out_in_silence(more: Any) -> None:
    with pytest.raises(ValueError, match="does not name"):
        of({"x": {"type": "string"}}, **more)


def test_nothing_returned_is_no_type() -> None:
    with pytest.raises(ValueError, match=r"^t returns unsupported type 'void'$"):
        spec_of(tool({"type": "object"}, None))
