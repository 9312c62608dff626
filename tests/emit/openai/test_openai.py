"""The OpenAI target: its two files, by hand-made catalogs and through the SDK's own types."""

from __future__ import annotations

from typing import Any

import pytest
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import ConfigDict, TypeAdapter, with_config

from brimgen.emit.openai import EMITTER, _as_chat
from brimgen.emit.openai.lower import lower
from brimgen.model.catalog import Returns
from brimgen.model.types import ListType, Scalar, ScalarType
from support.described import described
from support.made import SPAN, catalog, complaints, corpus, emitted, tool
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
