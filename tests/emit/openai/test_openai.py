"""The OpenAI target: its two files, by hand-made catalogs and through the SDK's own types."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import ConfigDict, TypeAdapter, with_config

from brimgen.emit.openai import EMITTER, _as_chat
from brimgen.emit.openai.lower import lower
from brimgen.emit.openai.profiles import OPENAI, OPENAI_AZURE, OPENAI_LOOSE
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.projection.tools import shorten_description
from brimgen.model.catalog import Returns, SqlBody, TemplateBody
from brimgen.model.types import ListType, Scalar, ScalarType
from support.described import described
from support.made import SPAN, catalog, complaints, corpus, emitted, text, tool
from support.strict_subset import refusals

STRING = {"type": "string"}
FIND = {
    "type": "object",
    "properties": {
        "status": {"type": "string", "enum": ["open", "closed"]},
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 100,
            "default": 10,
            "description": "Most orders to return",
        },
    },
    "required": ["status"],
    "additionalProperties": False,
}
PARAMETERS = {
    "type": "object",
    "properties": {
        "status": {"type": "string", "enum": ["open", "closed"]},
        "limit": {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": 100},
                {"type": "null"},
            ],
            "description": "Most orders to return (null means the default: 10)",
        },
    },
    "required": ["status", "limit"],
    "additionalProperties": False,
}


def find(**values: Any) -> Any:
    """A tool with all that a descriptor can tell."""
    values = {
        "description": "Find orders.",
        "when_to_use": "The customer asks about orders",
        "returns": Returns(
            type=ListType(ScalarType(Scalar.STRING)),
            schema={"type": "array", "items": STRING},
            span=SPAN,
            description="the ids of the orders",
        ),
        **values,
    }
    return tool("find_orders", FIND, **values)


def test_both_apis_of_openai_get_their_shape_of_a_tool() -> None:
    said = "Find orders. Use when the customer asks about orders."
    assert {
        "openai/chat.json": [
            {
                "type": "function",
                "function": {
                    "name": "find_orders",
                    "description": f"{said} Returns: the ids of the orders",
                    "parameters": PARAMETERS,
                    "strict": True,
                },
            }
        ],
        "openai/responses.json": [
            {
                "type": "function",
                "name": "find_orders",
                "description": f"{said} Returns: the ids of the orders",
                "parameters": PARAMETERS,
                "strict": True,
                "output_schema": {"type": "array", "items": STRING},
            }
        ],
    } == emitted(EMITTER, catalog(find()))


def test_a_tool_without_arguments_and_words() -> None:
    [chat] = emitted(EMITTER, catalog(tool("ping")))["openai/chat.json"]
    assert {
        "name": "ping",
        "parameters": {
            "type": "object",
            "properties": {},
            "required": [],
            "additionalProperties": False,
        },
        "strict": True,
    } == chat["function"]


def test_what_goes_out_is_what_a_model_can_call() -> None:
    made = catalog(
        tool("zebra"),
        tool("apple", body=SqlBody(text("SELECT 1"), "default")),
        tool("prompt", body=TemplateBody(())),
        tool("off", enabled=False),
        tool("elsewhere", targets=("mcp",)),
        tool("here", targets=("openai",)),
    )
    listed = emitted(EMITTER, made)["openai/responses.json"]
    assert ["apple", "here", "zebra"] == [each["name"] for each in listed]


def test_the_file_is_utf_8_and_indented() -> None:
    [chat, _] = EMITTER.emit(catalog(tool("t", description="Größe 读取 <&>'\"")))
    assert '"description": "Größe 读取 <&>\'\\""' in chat.text
    assert chat.text.startswith("[\n  {\n    ") and chat.text.endswith("}\n]\n")


@pytest.mark.parametrize("profile", [OPENAI, OPENAI_AZURE])
def test_the_ledger_says_that_a_tool_goes_out_without_strict(profile: Profile) -> None:
    """So a reader of the ledger knows which calls nothing but the decoder holds to the schema."""
    schema = {
        "type": "object",
        "properties": {"filter": {"type": "object"}},
        "additionalProperties": False,
    }
    lost = [
        each
        for each in lower(tool("find", schema), profile).losses
        if each[2] == "strict"
    ]
    assert [("/tool", True, profile.name, "decoder")] == [
        (each.path, each.value, each.profile, each.recovered_by) for each in lost
    ]
    strict = lower(tool("find", {**schema, "properties": {}}), profile)
    assert "strict" not in {each.keyword for each in strict.losses}
    loose = lower(tool("find", schema), OPENAI_LOOSE)
    assert "strict" not in {each.keyword for each in loose.losses}


def test_what_strict_mode_cannot_say_goes_out_loosely_and_is_told() -> None:
    schema = {
        "type": "object",
        "properties": {"name": STRING, "filter": {"type": "object"}},
        "required": ["name"],
        "additionalProperties": False,
    }
    made = catalog(tool("find", schema))
    [said] = emitted(EMITTER, made)["openai/responses.json"]
    assert said["strict"] is False
    assert said["parameters"] == {
        **schema,
        "properties": {"name": STRING, "filter": {"type": "object", "properties": {}}},
    }
    assert [
        (
            "T450",
            11,
            "target openai: `find` goes out with `strict: false`: further properties are "
            "allowed at /properties/filter",
        )
    ] == complaints(EMITTER, made)


def test_what_goes_out_loosely_is_accounted_for_under_the_profile_that_was_asked() -> (
    None
):
    schema = {
        "type": "object",
        "properties": {"name": STRING, "filter": {"type": "object"}},
        "oneOf": [{"required": ["name"]}, {"required": ["filter"]}],
        "additionalProperties": False,
    }
    lowered = lower(tool("find", schema))
    assert not lowered.strict
    assert [("openai", "", "oneOf"), ("openai", "", "strict")] == [
        (each.profile, each.pointer, each.keyword) for each in lowered.losses
    ]


def test_a_project_with_open_schemas_is_strict_all_the_same() -> None:
    inner = {"type": "object", "properties": {"a": STRING}, "required": ["a"]}
    opened = {"type": "object", "properties": {"x": inner}, "required": ["x"]}
    closed = {
        **opened,
        "properties": {"x": {**inner, "additionalProperties": False}},
        "additionalProperties": False,
    }
    lowered = lower(tool("find", opened, closed_input_schema=closed))
    assert lowered.strict
    assert () == lowered.losses


LONG = "Orders are found by status. " * 60


@pytest.mark.parametrize(
    ("values", "start", "length", "codes"),
    [
        ({"description": LONG}, "Orders are", 1007, ["T451"]),
        ({"description": "x" * 2000}, "xxx", 1024, ["T451"]),
        (
            {"description": LONG, "extensions": {"x-short-description": "Short."}},
            "Short.",
            6,
            [],
        ),
        ({"description": "y" * 1024}, "yyy", 1024, []),
    ],
)
def test_no_description_is_longer_than_the_limit(
    values: Any, start: str, length: int, codes: list[str]
) -> None:
    made = catalog(tool("find", **values))
    [said] = emitted(EMITTER, made)["openai/responses.json"]
    assert said["description"].startswith(start)
    assert length == len(said["description"])
    assert codes == [code for code, *_ in complaints(EMITTER, made)]


def test_a_nullable_argument_with_a_default_is_told() -> None:
    schema = {"type": ["integer", "null"], "default": 10}
    arguments = {
        "type": "object",
        "properties": {"limit": schema},
        "additionalProperties": False,
    }
    [(code, line, message)] = complaints(EMITTER, catalog(tool("find", arguments)))
    assert ("T453", 10) == (code, line)
    assert "`limit` of `find`" in message


def test_sets_that_no_request_takes_are_told() -> None:
    made = catalog(*(tool(f"t{number:03}") for number in range(129)))
    assert ["T452"] == [code for code, *_ in complaints(EMITTER, made)]


def test_names_that_some_providers_refuse_are_told() -> None:
    schema = {
        "type": "object",
        "properties": {"from date": STRING, "ok_1.x-y": STRING, "ö": STRING},
        "additionalProperties": False,
    }
    told = complaints(EMITTER, catalog(tool("find", schema)))
    assert [("T454", 10), ("T454", 12)] == [(code, line) for code, line, _ in told]


CHAT = TypeAdapter(
    with_config(ConfigDict(extra="forbid"))(ChatCompletionFunctionToolParam)
)
RESPONSES = TypeAdapter(with_config(ConfigDict(extra="forbid"))(FunctionToolParam))


@pytest.mark.parametrize("name", ["bfcl", "mcp"])
def test_real_tools_pass_the_subset_and_the_types_of_the_sdk(
    name: str, step: int
) -> None:
    strict = 0
    items = corpus(name)[::step]
    for item in items:
        lowered = lower(
            tool(item["name"], item["schema"], description=item.get("description"))
        )
        responses = described("openai/responses.json.j2", lowered)
        CHAT.validate_python(_as_chat(responses), strict=True)
        RESPONSES.validate_python(responses, strict=True)
        if lowered.strict:
            strict += 1
            assert [] == refusals(lowered.parameters), item["id"]
        else:
            assert lowered.obstacles
    assert step > 1 or strict > 0.85 * len(items)


def test_a_tool_is_projected_once_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counted(each: Any, *options: Any, **more: Any) -> Any:
        asked.append(each.name)
        return shorten_description(each, *options, **more)

    monkeypatch.setattr(
        sys.modules["brimgen.emit.openai.lower"], "shorten_description", counted
    )
    made = catalog(find(), tool("ping"))
    complaints(EMITTER, made)
    emitted(EMITTER, made)
    assert EMITTER.losses is not None and EMITTER.descriptors is not None
    EMITTER.losses(made)
    EMITTER.descriptors(made)
    assert ["find_orders", "ping"] == asked
    emitted(EMITTER, catalog(find()))
    assert 3 == len(asked)
