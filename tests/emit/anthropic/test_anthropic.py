"""The Anthropic target: its files, by hand-made catalogs and through the SDK's own types."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic.types import ToolParam
from pydantic import ConfigDict, TypeAdapter, with_config

from brimgen.emit.anthropic import EMITTER
from brimgen.emit.anthropic.lower import lower
from brimgen.emit.anthropic.profiles import ANTHROPIC, ANTHROPIC_STRICT
from brimgen.model.project import DescriptorOptions
from support.described import described
from support.made import catalog, complaints, corpus, emitted, tool
from support.subsets import anthropic_refusals

STRING = {"type": "string"}
STRICT = {"x-anthropic-strict": True}
BOTH = DescriptorOptions(profiles=("anthropic", "anthropic_strict"))
SDK = TypeAdapter(with_config(ConfigDict(extra="forbid"))(ToolParam))


def arguments(*required: str, **properties: Any) -> dict[str, Any]:
    """A closed object."""
    return {
        "type": "object",
        "properties": properties,
        **({"required": list(required)} if required else {}),
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "object"}, "further properties are allowed"),
        ({}, "any value is allowed"),
        (
            {"type": "string", "enum": ["mb", "MB"]},
            "`mb` and `MB` differ in nothing but case",
        ),
        ({"$ref": "#/$defs/Node"}, "it refers to itself"),
    ],
)
def test_what_cannot_be_strict_goes_out_without_and_is_told(
    schema: Any, reason: str
) -> None:
    node = arguments(next={"$ref": "#/$defs/Node"})
    whole = {**arguments("x", x=schema), "$defs": {"Node": node}}
    made = catalog(tool("find", whole, extensions=STRICT))
    [said] = emitted(EMITTER, made)["anthropic/tools.json"]
    assert "strict" not in said
    [(code, _, message)] = complaints(EMITTER, made)
    assert "T450" == code
    assert reason in message


@pytest.mark.parametrize(
    ("count", "schema", "reason"),
    [
        (21, arguments(), "it has 21 tools, and 20 are allowed"),
        (
            5,
            arguments(**dict.fromkeys("abcde", STRING)),
            "it has 25 optional parameters, and 24 are allowed",
        ),
        (
            17,
            arguments("x", x={"type": ["string", "number"]}),
            "it has 17 parameters of several types, and 16 are allowed",
        ),
        (20, arguments("x", x=STRING), None),
    ],
)
def test_limits_are_counted_over_the_strict_tools_of_the_set(
    count: int, schema: Any, reason: str | None
) -> None:
    tools = [tool(f"t{n:02}", schema, extensions=STRICT) for n in range(count)]
    loose = [tool(f"z{n:02}", schema) for n in range(30)]
    told = complaints(EMITTER, catalog(*tools, *loose))
    assert [reason] * (reason is not None) == [
        message.partition("set: ")[2] for code, _, message in told if code == "T452"
    ]


@pytest.mark.parametrize(
    ("schema", "own", "sent"),
    [
        (arguments("a", a={"type": "integer", "examples": [1, "x"]}), None, [{"a": 1}]),
        (arguments("a", "b", a={"examples": [1]}, b=STRING), None, []),
        (
            arguments("a", "b", a={"examples": [1]}, b={"enum": ["p", "q"]}),
            None,
            [{"a": 1, "b": "p"}],
        ),
        (arguments("a", a=STRING), [{"a": "x"}, {"a": 1}, 7], [{"a": "x"}]),
        ({**arguments("a", a=STRING), "examples": [{"a": "x"}]}, None, [{"a": "x"}]),
    ],
)
def test_examples_are_calls_that_the_schema_accepts(
    schema: Any, own: Any, sent: Any
) -> None:
    extensions = {} if own is None else {"x-input-examples": own}
    lowered = lower(tool("find", schema, extensions=extensions))
    assert sent == list(lowered.examples)


@pytest.mark.parametrize("profile", [ANTHROPIC, ANTHROPIC_STRICT])
@pytest.mark.parametrize("name", ["bfcl", "mcp"])
def test_real_tools_pass_the_subset_and_the_types_of_the_sdk(
    name: str, profile: Any, step: int
) -> None:
    strict = 0
    items = corpus(name)[::step]
    for item in items:
        made = tool(item["name"], item["schema"], description=item.get("description"))
        lowered = lower(made, profile)
        SDK.validate_python(described("anthropic/tool.json.j2", lowered), strict=True)
        assert "object" == lowered.parameters["type"]
        assert not {"anyOf", "oneOf", "allOf"} & set(lowered.parameters)
        if lowered.strict:
            strict += 1
            assert [] == anthropic_refusals(lowered.parameters), item["id"]
    assert step > 1 or (strict > 0.85 * len(items)) is (profile is ANTHROPIC_STRICT)


@pytest.mark.parametrize(
    ("count", "schema", "reason"),
    [
        (24, {"type": "string"}, None),
        (25, {"type": "string"}, "it has 25 optional parameters, and 24 are allowed"),
        (16, {"anyOf": [{"type": "string"}, {"type": "null"}]}, None),
        (
            17,
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "it has 17 parameters of several types, and 16 are allowed",
        ),
    ],
)
def test_a_tool_that_no_request_takes_is_sent_without_strict(
    count: int, schema: dict[str, Any], reason: str | None
) -> None:
    properties = {f"p{number}": schema for number in range(count)}
    required = properties if "anyOf" in schema else ()
    made = tool("find", arguments(*required, **properties))
    whole = catalog(made, descriptors=BOTH)
    sent = emitted(EMITTER, whole)["anthropic/strict/tools.json"][0]
    assert sent.get("strict", False) is (reason is None)
    told = [each for each in complaints(EMITTER, whole) if "strict" in str(each)]
    assert [reason is None] == [not told]
    rows = [
        (each.pointer, each.keyword, each.recovered_by, each.part)
        for each in lower(made, ANTHROPIC_STRICT).losses
        if each.keyword == "strict"
    ]
    assert ([] if reason is None else [("", "strict", "decoder", "tool")]) == rows
