"""The MCP target: its files, by hand-made catalogs and through the models of the official SDK."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import types as sdk
from mcp_types import _v2025_11_25 as before
from mcp_types import _v2026_07_28 as today

from brimgen.emit.mcp import EMITTER
from brimgen.emit.protocol.meta_keys import key_fault
from brimgen.model.catalog import (
    McpOptions,
    Message,
    ResourceBody,
    Returns,
    TemplateBody,
)
from brimgen.model.types import Scalar, ScalarType
from support.made import SPAN, catalog, corpus, emitted, text, tool
from support.project import build

STRING = {"type": "string"}


def arguments(**properties: Any) -> dict[str, Any]:
    """A closed object whose ``properties`` are all required."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def returning(schema: Any) -> Returns:
    """A ``returns`` block with ``schema``."""
    return Returns(type=ScalarType(Scalar.STRING), schema=schema, span=SPAN)


def tools_of(*made: Any) -> list[Any]:
    """The tools that go out, after the SDK's model has read them."""
    listed = emitted(EMITTER, catalog(*made))["mcp/tools.json"]
    read = sdk.ListToolsResult.model_validate(listed)
    written = read.model_dump(by_alias=True, exclude_unset=True, mode="json")
    assert listed["tools"] == written["tools"]
    return list(listed["tools"])


def resource(body: ResourceBody, *names: str, **values: Any) -> Any:
    """A resource with string arguments."""
    return tool("docs", arguments(**dict.fromkeys(names, STRING)), body=body, **values)


def test_prompts_tell_types_in_words() -> None:
    schema = {
        "type": "object",
        "properties": {
            "tone": {"type": "string", "enum": ["dry", "warm"], "description": "Tone"},
            "words": {"type": "integer", "default": 100, "maximum": 500},
            "since": {"type": "string", "format": "date", "description": "From"},
            "strict": {"type": "boolean"},
            "tags": {"type": "array", "items": STRING, "maxItems": 3},
            "ids": {"type": "array", "items": {"type": "integer", "minimum": 1}},
            "days": {
                "type": "array",
                "items": {"type": "string", "enum": ["mon", "tue"]},
            },
            "filter": {"type": "object", "properties": {"a": STRING}},
            "either": {"type": ["string", "number", "boolean"]},
            "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "plain": STRING,
        },
        "required": ["tone"],
        "additionalProperties": False,
    }
    body = TemplateBody((Message("user", text("Write.")),))
    listed = emitted(
        EMITTER, catalog(tool("summary", schema, body=body, description="Sum up."))
    )["mcp/prompts.json"]
    [prompt] = sdk.ListPromptsResult.model_validate(listed).prompts
    assert ("summary", "Sum up.") == (prompt.name, prompt.description)
    assert {
        "tone": 'Tone (one of "dry", "warm")',
        "words": "(integer; default: 100; maximum 500)",
        "since": "From (YYYY-MM-DD)",
        "strict": "(true or false)",
        "tags": "(JSON array of strings; at most 3 items)",
        "ids": "(JSON array of integer, each minimum 1)",
        "days": '(JSON array of strings, each one of "mon", "tue")',
        "filter": "(JSON object)",
        "either": "(text or number or true or false)",
        "maybe": "(integer or null)",
        "plain": None,
    } == {each.name: each.description for each in prompt.arguments or ()}
    assert ["tone"] == [each.name for each in prompt.arguments or () if each.required]


@pytest.mark.parametrize(
    ("key", "fine"),
    [
        ("com.example/owner", True),
        ("owner", True),
        ("com.example/", True),
        ("io.modelcontextprotocol/x", False),
        ("dev.mcp/x", False),
        ("com.mcp.tools/x", False),
        ("com.example.mcp/x", True),
        ("-a/x", False),
        ("com.example/-x", False),
        ("", False),
        ("a b", False),
    ],
)
def test_reserved_and_malformed_keys_of_meta_are_refused(key: str, fine: bool) -> None:
    assert fine == (key_fault(key) is None)


@pytest.mark.parametrize("name", ["bfcl", "mcp"])
def test_real_tools_pass_the_models_of_the_sdk(name: str, step: int) -> None:
    for number, item in enumerate(corpus(name)[::step]):
        output = item.get("outputSchema")
        made = tool(
            f"t{number}",
            item["schema"],
            description=item.get("description"),
            returns=returning(output) if output else None,
        )
        [said] = tools_of(made)
        Draft202012Validator.check_schema(said["inputSchema"])
        assert "object" == said["inputSchema"]["type"]
        assert not {"anyOf", "oneOf", "allOf", "$schema"} & set(said["inputSchema"])
        if output:
            Draft202012Validator.check_schema(said["outputSchema"])
            assert "object" == said["outputSchema"]["type"]


SHARED = {"name", "title", "description", "inputSchema", "outputSchema", "annotations"}


@pytest.mark.parametrize("era", [before, today])
@pytest.mark.parametrize(
    "output",
    [
        STRING,
        {"type": "array", "items": STRING},
        {"type": ["object", "null"], "properties": {}},
        {"anyOf": [arguments(a=STRING), STRING]},
        arguments(a=STRING),
    ],
)
def test_one_descriptor_for_old_and_new_revisions(era: Any, output: Any) -> None:
    """Only what 2025-06-18 to 2026-07-28 share; results have an object for their root."""
    made = tool(
        "find",
        arguments(day={"type": "string", "format": "date"}),
        title="Find",
        description="Find.",
        version="2",
        returns=returning(output),
        mcp=McpOptions(read_only=True),
    )
    [said] = tools_of(made)
    assert {*SHARED, "_meta"} == set(said)
    assert "object" == said["outputSchema"]["type"]
    read = era.Tool.model_validate(said)
    assert said == read.model_dump(by_alias=True, exclude_unset=True, mode="json")


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/a%20b/x", "shop:///a%20b/x"),
        ("/%E5%9F%8E/x", "shop:///%E5%9F%8E/x"),
        ("/a%2Fb/x", "shop:///a%2Fb/x"),
        ("/a%253A/x", "shop:///a%253A/x"),
    ],
)
def test_literals_of_a_path_are_encoded_once(
    tmp_path: Path, path: str, uri: str
) -> None:
    spec = (
        f"type: resource\nname: page\npath: {path}\narguments: {{}}\nreturns: string\n"
    )
    built = build(tmp_path, {"r.yaml": spec})
    assert [] == built.codes
    (listed,) = built.sent("mcp/resources.json")["resources"]
    own = f"{built.package.replace('_', '-')}://"
    assert uri.replace("shop://", own) == listed["uri"]
    found = built.load("resources").RESOURCES.match(listed["uri"])
    assert found is not None
