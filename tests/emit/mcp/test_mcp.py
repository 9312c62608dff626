"""The MCP target: its files, by hand-made catalogs and through the models of the official SDK."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import types as sdk
from mcp.shared.uri_template import UriTemplate
from mcp_types import _v2025_11_25 as before
from mcp_types import _v2026_07_28 as today

from brimgen.emit.mcp import EMITTER
from brimgen.emit.protocol.meta_keys import key_fault
from brimgen.model.catalog import (
    McpOptions,
    Message,
    ResourceBody,
    Returns,
    SqlBody,
    TemplateBody,
)
from brimgen.model.paths import PathLiteral, PathVariable
from brimgen.model.types import Scalar, ScalarType
from support.made import SPAN, catalog, complaints, corpus, emitted, text, tool
from support.project import build

STRING = {"type": "string"}
INTEGER = {"type": "integer"}


def arguments(**properties: Any) -> dict[str, Any]:
    """A closed object whose ``properties`` are all required."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def sql(name: str, statement: str, **values: Any) -> Any:
    """An SQL tool."""
    return tool(name, body=SqlBody(text(statement), "default"), **values)


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


def test_a_tool_with_everything() -> None:
    schema = arguments(day={"type": "string", "format": "date", "description": "Day"})
    made = sql(
        "find_orders",
        "SELECT id FROM orders WHERE day = :day",
        input_schema=schema,
        title="Find orders",
        description="Find orders.",
        when_to_use="when someone asks",
        version="1.10",
        slug="find-orders",
        tags=("orders", "read"),
        returns=returning({"type": "array", "items": STRING}),
        mcp=McpOptions(idempotent=True, meta={"com.example/owner": "shop"}),
    )
    assert [
        {
            "name": "find_orders",
            "title": "Find orders",
            "description": "Find orders. Use when someone asks.",
            "inputSchema": arguments(
                day={
                    "type": "string",
                    "format": "date",
                    "description": "Day (YYYY-MM-DD)",
                }
            ),
            "outputSchema": arguments(result={"type": "array", "items": STRING}),
            "annotations": {
                "readOnlyHint": True,
                "destructiveHint": False,
                "idempotentHint": True,
                "openWorldHint": False,
            },
            "_meta": {
                "dev.brimgen/spec": {
                    "version": "1.10",
                    "slug": "find-orders",
                    "tags": ["orders", "read"],
                },
                "com.example/owner": "shop",
            },
        }
    ] == tools_of(made)


def test_a_tool_of_which_little_is_known() -> None:
    empty = {"type": "object", "properties": {}, "additionalProperties": False}
    assert [{"name": "ping", "inputSchema": empty}] == tools_of(tool("ping"))


@pytest.mark.parametrize(
    ("statement", "hints"),
    [
        (
            "SELECT 1",
            {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": False},
        ),
        (
            "INSERT INTO a VALUES (1)",
            {
                "readOnlyHint": False,
                "destructiveHint": False,
                "idempotentHint": False,
                "openWorldHint": False,
            },
        ),
        (
            "DELETE FROM a WHERE id = 1",
            {
                "readOnlyHint": False,
                "destructiveHint": True,
                "idempotentHint": True,
                "openWorldHint": False,
            },
        ),
    ],
)
def test_hints_come_from_the_statement(statement: str, hints: Any) -> None:
    [said] = tools_of(sql("run", statement))
    assert hints == said["annotations"]


def test_the_author_has_the_last_word_about_hints() -> None:
    [said] = tools_of(sql("run", "SELECT 1", mcp=McpOptions(open_world=True)))
    assert True is said["annotations"]["openWorldHint"]


BOTH = McpOptions(span=SPAN, read_only=True, destructive=True)


@pytest.mark.parametrize(
    ("made", "codes"),
    [
        (tool("run", mcp=BOTH), ["T458"]),
        (sql("run", "CALL f()", mcp=BOTH), ["T458"]),
        (sql("run", "DELETE FROM a", mcp=BOTH), []),
        (tool("run", mcp=McpOptions(read_only=True, destructive=False)), []),
    ],
    ids=["function", "unknown statement", "told by the SQL target", "no contradiction"],
)
def test_hints_that_contradict_each_other(made: Any, codes: list[str]) -> None:
    assert codes == [code for code, *_ in complaints(EMITTER, catalog(made))]


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (arguments(a=STRING), arguments(a=STRING)),
        (INTEGER, arguments(result=INTEGER)),
        (
            {"anyOf": [STRING, {"type": "null"}]},
            arguments(result={"anyOf": [STRING, {"type": "null"}]}),
        ),
        (
            {
                "type": "array",
                "items": {"$ref": "#/$defs/N"},
                "$defs": {
                    "N": arguments(n={"type": "array", "items": {"$ref": "#/$defs/N"}})
                },
            },
            {
                **arguments(result={"type": "array", "items": {"$ref": "#/$defs/N"}}),
                "$defs": {
                    "N": arguments(n={"type": "array", "items": {"$ref": "#/$defs/N"}})
                },
            },
        ),
        (
            {"$ref": "#/$defs/M", "$defs": {"M": arguments(m=STRING)}},
            arguments(m=STRING),
        ),
    ],
    ids=["object", "scalar", "union", "recursive list", "reference"],
)
def test_the_root_of_an_output_is_an_object(schema: Any, said: Any) -> None:
    [made] = tools_of(tool("get", returns=returning(schema)))
    assert said == made["outputSchema"]
    Draft202012Validator.check_schema(made["outputSchema"])


def test_rules_about_the_arguments_as_a_whole_go_into_the_description() -> None:
    schema = {
        "type": "object",
        "properties": {"id": INTEGER, "email": STRING},
        "anyOf": [{"required": ["id"]}, {"required": ["email"]}],
        "additionalProperties": False,
    }
    [said] = tools_of(tool("find", schema, description="Find."))
    assert "Find. (needs id / email)" == said["description"]
    assert "anyOf" not in said["inputSchema"]


DOCS = ResourceBody(
    "/docs/{category}/{doc_index}/{remainder*}",
    (
        PathLiteral("docs"),
        PathVariable("category"),
        PathVariable("doc_index"),
        PathVariable("remainder", rest=True),
    ),
    query=("page", "secret"),
    mime_type="text/markdown",
)


def resource(body: ResourceBody, *names: str, **values: Any) -> Any:
    """A resource with string arguments."""
    return tool("docs", arguments(**dict.fromkeys(names, STRING)), body=body, **values)


def test_a_resource_is_a_template() -> None:
    schema = arguments(
        category={"type": "string", "enum": ["a", "b"]},
        doc_index={"type": "integer", "minimum": 1, "description": "Which"},
        remainder=STRING,
        page={"type": "integer", "default": 1},
    )
    made = catalog(
        tool("docs", schema, body=DOCS, description="Pages."), package="my_shop"
    )
    listed = emitted(EMITTER, made)["mcp/resource_templates.json"]
    assert {
        "resourceTemplates": [
            {
                "name": "docs",
                "uriTemplate": "my-shop:///docs/{category}/{doc_index}/{+remainder}{?page}",
                "description": 'Pages. Arguments: category (one of "a", "b"); doc_index '
                "(integer; minimum 1): Which; remainder (string); "
                "page (integer; default: 1).",
                "mimeType": "text/markdown",
            }
        ]
    } == listed
    sdk.ListResourceTemplatesResult.model_validate(listed)
    template = UriTemplate.parse(listed["resourceTemplates"][0]["uriTemplate"])
    uri = template.expand(
        {"category": "a b", "doc_index": "7", "remainder": "x/y", "page": "2"}
    )
    assert "my-shop:///docs/a%20b/7/x/y?page=2" == uri
    matched = template.match(uri)
    assert matched is not None
    assert ("a b", "7", "x/y") == tuple(
        matched[name] for name in ("category", "doc_index", "remainder")
    )


def test_literal_segments_are_encoded() -> None:
    body = ResourceBody(
        "/größe/a b/{x}", (*map(PathLiteral, ["größe", "a b"]), PathVariable("x"))
    )
    listed = emitted(EMITTER, catalog(resource(body, "x"), package="p"))
    [said] = listed["mcp/resource_templates.json"]["resourceTemplates"]
    assert "p:///gr%C3%B6%C3%9Fe/a%20b/{x}" == said["uriTemplate"]


def test_a_path_without_variables_is_a_resource() -> None:
    body = ResourceBody("/readme", (PathLiteral("readme"),))
    made = catalog(resource(body, mcp=McpOptions(uri_scheme="shop", mime_type="a/b")))
    listed = emitted(EMITTER, made)
    assert {"mcp/tools.json", "mcp/resources.json"} == set(listed)
    assert {
        "resources": [{"name": "docs", "uri": "shop:///readme", "mimeType": "a/b"}]
    } == listed["mcp/resources.json"]
    sdk.ListResourcesResult.model_validate(listed["mcp/resources.json"])


def test_names_and_schemes_that_no_uri_can_hold() -> None:
    body = ResourceBody("/d/{doc-id}", (PathLiteral("d"), PathVariable("doc-id")))
    made = catalog(resource(body, "doc-id", mcp=McpOptions(uri_scheme="1x")))
    assert ["T458", "T463"] == [code for code, *_ in complaints(EMITTER, made)]


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


def test_disabled_and_excluded_ones_stay_at_home() -> None:
    body = TemplateBody((Message("user", text("Write.")),))
    listed = emitted(
        EMITTER,
        catalog(
            tool("a", enabled=False),
            tool("b", body=body, targets=("python",)),
            tool("c"),
        ),
    )
    assert ["c"] == [each["name"] for each in listed["mcp/tools.json"]["tools"]]
    assert ["mcp/tools.json"] == [*listed]


def test_what_clients_stumble_over_is_told() -> None:
    made = catalog(
        tool("t" * 49, arguments(tool=STRING), mcp=McpOptions(meta={"io.mcp/x": 1}))
    )
    assert ["T454", "T458", "T454"] == [code for code, *_ in complaints(EMITTER, made)]


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
