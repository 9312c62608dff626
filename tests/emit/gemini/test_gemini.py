"""The Gemini target: its files, by hand-made catalogs and through the SDK's own types."""

from __future__ import annotations

from typing import Any

import pytest
from google.genai import types as sdk

from brimgen.emit.gemini.lower import GeminiTool, lower
from brimgen.emit.gemini.profiles import GEMINI, GEMINI_OPENAPI
from support.described import described
from support.made import corpus, tool
from support.subsets import gemini_refusals, openapi_refusals

STRING = {"type": "string"}


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
