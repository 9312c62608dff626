"""Imports: every format, what is refused and where, and nothing lost on the way (J9, J11, N10)."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.catalogue import RULES
from brimgen.emit.schema_files import schemas_root
from brimgen.importers import FORMATS, NAMES
from brimgen_runtime.calls.tool_spec import ToolParam, ToolReturn, ToolSpec
from importers import documents as whole
from support.imports import import_tools
from support.made import corpus
from support.project import Built, build

JARVIS = """\
{
  "command_name": "get_calendar_events",
  "description": "Read calendar events.",
  "parameters": [
    { "name": "resolved_datetimes", "type": "array<datetime>", "required": false }
  ]
}
"""
JARVIS_SPEC = """\
type: python_function
name: get_calendar_events
description: Read calendar events.
arguments:
  inline:
    resolved_datetimes: { type: array<datetime>, required: false }
"""
CALCULATOR = ToolSpec(
    name="calculator",
    description="Performs arithmetic operations",
    when_to_use="Use when you must compute a numeric result",
    inputs=[
        ToolParam(name="operation", type="str", description="add|sub|mul|div"),
        ToolParam(name="a", type="number", description="Left operand"),
        ToolParam(name="b", type="number", description="Right", required=False),
    ],
    returns=ToolReturn(type="number", description="Result of the operation"),
)
CALCULATOR_SPEC = """\
type: python_function
name: calculator
description: Performs arithmetic operations
when_to_use: Use when you must compute a numeric result
profiles: [toolspec]
arguments:
  inline:
    operation: { type: string, description: "add|sub|mul|div" }
    a: { type: number, description: Left operand }
    b: { type: number, description: Right, required: false }
returns: { type: number, description: Result of the operation }
"""


def imported(data: Any, **options: Any) -> tuple[tuple[str, ...], list[str]]:
    """The specs, and what was told, with its place."""
    diagnostics = Diagnostics()
    text = data if isinstance(data, str) else json.dumps(data, indent=1)
    documents = import_tools("tools.json", text, diagnostics, **options)
    told = [
        f"{each.span.line}:{each.span.column} {each.rule.code} {each.message}"
        for each in diagnostics
    ]
    return documents, told


def sound(data: Any, **options: Any) -> tuple[str, ...]:
    documents, told = imported(data, **options)
    assert [] == told
    return documents


def project(data: Any, folder: Path, *targets: str) -> Built:
    files = {"a.yaml": "---\n".join(sound(data))}
    return build(
        folder, files, targets=targets or ("json_schema", "python", "toolspec")
    )


def test_the_seed_snippet_comes_in_and_goes_out_again(tmp_path: Path) -> None:
    assert (JARVIS_SPEC,) == sound(JARVIS)
    built = project(JARVIS, tmp_path, "commands")
    assert [json.loads(JARVIS)] == built.json("commands/available_commands.json")


@pytest.mark.parametrize("wrap", ["list", "available_commands", "commands"])
def test_lists_of_commands_are_imported_in_every_wrapping(wrap: str) -> None:
    command = json.loads(JARVIS)
    data = [command] if wrap == "list" else {wrap: [command]}
    assert (JARVIS_SPEC,) == sound(data)


def test_choices_are_compared_by_type(tmp_path: Path) -> None:
    command = {
        "command_name": "t",
        "parameters": [
            {"name": "number", "type": "int", "enum_values": [1, 2]},
            {"name": "text", "type": "string", "enum_values": ["1", "yes", "null"]},
        ],
    }
    built = project(command, tmp_path)
    properties = built.schema("t.input")["properties"]
    assert [1, 2] == properties["number"]["enum"]
    assert ["1", "yes", "null"] == properties["text"]["enum"]
    decode = built.tool("t").input_type.from_dict
    assert decode({"number": 1, "text": "1"}).number == 1
    for call in ({"number": "1", "text": "1"}, {"number": 1, "text": 1}):
        with pytest.raises(ValueError):
            decode(call)
    _, told = imported(
        {
            "command_name": "t",
            "parameters": [{"name": "n", "type": "int", "enum_values": ["1"]}],
        }
    )
    assert 1 == len(told)
    assert "I707 a build would refuse the spec of `t`" in told[0]


def test_a_tool_spec_comes_in_and_goes_out_again(tmp_path: Path) -> None:
    assert (CALCULATOR_SPEC,) == sound(CALCULATOR.to_json())
    spec = project(CALCULATOR.to_json(), tmp_path).spec("calculator")
    assert CALCULATOR.to_json() == spec.to_json()
    spec.validate()


def changed(**changes: Any) -> dict[str, Any]:
    return {**CALCULATOR.to_json(), **changes}


def with_input(**changes: Any) -> dict[str, Any]:
    data = copy.deepcopy(CALCULATOR.to_json())
    data["inputs"][1].update(changes)
    return data


INVALID = {
    "calculator has no description": changed(description=" "),
    "calculator has no when_to_use": changed(when_to_use=""),
    "a tool has no name": changed(name=""),
    "calculator has no inputs": changed(inputs=[]),
    "calculator.a has unsupported type 'float'": with_input(type="float"),
    "calculator: duplicate input 'operation'": with_input(name="operation"),
    "calculator returns unsupported type 'void'": changed(
        returns={"type": "void", "description": "Nothing"}
    ),
}


@pytest.mark.parametrize("reason", INVALID)
def test_an_invalid_spec_is_refused_with_the_reason_of_validate(reason: str) -> None:
    documents, told = imported(INVALID[reason])
    assert () == documents
    assert [f"1:1 I703 not a valid ToolSpec: {reason}"] == told


def test_what_validate_does_not_see_is_refused_with_a_better_reason() -> None:
    assert [
        "1:1 I707 a build would refuse the spec of `calculator`: "
        "profile toolspec: input `a` of `calculator` has no description"
    ] == imported(with_input(description=""))[1]
    name = "x" * 65
    assert imported(changed(name=name))[1][0].startswith(
        f"1:1 I707 a build would refuse the spec of `{name}`"
    )


SHAPES: dict[str, tuple[Any, str]] = {
    "input is no object": (
        changed(inputs=["a"]),
        "6:3 I703 an item of `inputs` of a ToolSpec must be a mapping, not the text `a`",
    ),
    "inputs are no list": (
        changed(inputs={}),
        "5:12 I703 `inputs` of a ToolSpec must be a list",
    ),
    "no returns": (
        changed(returns=None),
        "25:13 I703 `returns` of a ToolSpec must be a mapping",
    ),
    "required is text": (
        with_input(required="yes"),
        "16:16 I703 `required` of an input of a ToolSpec must be `true` or `false`, not the text",
    ),
    "a slip": (
        {**CALCULATOR.to_json(), "when": "now"},
        "29:10 I703 a ToolSpec has an unknown key `when`",
    ),
    "a slip in an input": (
        with_input(requierd=True),
        "17:16 I703 an input of a ToolSpec has an unknown key `requierd`",
    ),
    "a command without a name": (
        {"command_name": 3},
        "2:18 I703 `command_name` of a command must be text, not the number `3`",
    ),
    "parameters are no list": (
        {"command_name": "t", "parameters": {"a": "int"}},
        "3:16 I703 `parameters` of a command must be a list",
    ),
    "a parameter twice": (
        {
            "command_name": "t",
            "parameters": [{"name": "a", "type": "int"}, {"name": "a", "type": "int"}],
        },
        "8:3 I706 there are two parameters `a`",
    ),
    "two tools of one name": (
        [json.loads(JARVIS), json.loads(JARVIS)],
        "13:2 I706 there are two tools `get_calendar_events`",
    ),
    "nested arrays": (
        {"command_name": "t", "parameters": [{"name": "a", "type": "int[][]"}]},
        "1:1 I707 a build would refuse the spec of `t`",
    ),
    "an unknown type": (
        {"command_name": "t", "parameters": [{"name": "a", "type": "array<foo>"}]},
        "1:1 I707 a build would refuse the spec of `t`: there is no type `foo`",
    ),
    "no known format": ({"hello": 1}, "1:1 I702 brimgen cannot import"),
    "a tool is no object": ([1], "2:2 I703 a tool must be a mapping"),
    "a scalar": ("1", "1:1 I703 a tool must be a mapping"),
    "an MCP tool with a wrong schema": (
        {"tools": [{"name": "t", "inputSchema": "x"}]},
        "5:19 I703 `inputSchema` of a tool must be a mapping",
    ),
    "a wrong hint": (
        {"name": "t", "inputSchema": {}, "annotations": {"readOnlyHint": 1}},
        "5:19 I703 `readOnlyHint` of `annotations` must be `true` or `false`",
    ),
    "a remote reference": (
        {
            "name": "t",
            "inputSchema": {
                "type": "object",
                "properties": {"a": {"$ref": "https://example.com/a.json"}},
            },
        },
        "1:1 I743 `a` of `t` is left open: `$ref` leaves this schema",
    ),
    "a function that is none": (
        {"type": "function", "function": 1},
        "3:14 I703 `function` of a tool must be a mapping",
    ),
    "a name that is no name": (
        {"name": "注", "inputSchema": {"type": "object"}},
        "1:1 I707 a build would refuse the spec of `注`",
    ),
    "no JSON": ("{'a': 1}", "1:2 I701 this is not JSON: Expecting property name"),
    "nothing": ("", "1:1 I701 this is not JSON: Expecting value"),
    "cut off": ('[\n{"a": ', "2:7 I701 this is not JSON: Expecting value"),
    "more": ("{} {}", "1:4 I701 this is not JSON: Extra data"),
    "NaN": ('{"a": NaN}', "1:7 I701 this is not JSON: NaN is no JSON number"),
    "a key twice": (
        '{"a": 1, "a": 2}',
        "1:15 I701 this is not JSON: the key `a` stands twice in one object",
    ),
    "too deep": (
        "[" * 65 + "]" * 65,
        "1:65 I701 this is not JSON: nested more than 64 deep",
    ),
    "far too deep": ("[" * 100_000, "1:65 I701 this is not JSON: nested more than"),
    "a number without end": (
        f"[{'1' * 5000}]",
        "1:2 I701 this is not JSON: a number has too many digits",
    ),
}


@pytest.mark.parametrize("case", SHAPES)
def test_refusals_point_at_their_place(case: str) -> None:
    data, message = SHAPES[case]
    documents, told = imported(data)
    assert 1 == len(told), told
    assert told[0].startswith(message), told[0]
    taken = ("two tools of one name", "a remote reference")
    assert len(documents) == (1 if case in taken else 0)


def test_every_rule_of_imports_is_told_by_a_test() -> None:
    told = {message.split()[1] for _, message in SHAPES.values()} | {"I703"}
    told -= {"I743"}
    # Those after I707 are of whole documents.
    assert told == {each.code for each in RULES if each.code < "I708"}


MCP_TOOL: dict[str, Any] = {
    "name": "search",
    "title": "Search",
    "description": "Finds things.\n\n- one\n- two",
    "inputSchema": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What: to #find, or 'not'"},
            "on": {"type": ["string", "null"], "default": None},
            "no": {"enum": ["no", "1", 1, None, "null", "~", "0o17", "1e3", ""]},
            "ratio": {"const": 0.1},
        },
        "required": ["query"],
        "additionalProperties": True,
        "examples": [{"query": '\u00a0 \r é 😀 \\ "'}],
    },
    "outputSchema": {"type": "object", "properties": {"hits": {"type": "integer"}}},
    "annotations": {"title": "Search it", "readOnlyHint": True, "openWorldHint": False},
    "_meta": {"com.example/owner": "search-team"},
    "execution": {"taskSupport": "optional"},
}


@pytest.mark.parametrize("wrap", ["bare", "tools", "result"])
def test_mcp_tools_keep_all_that_they_say(tmp_path: Path, wrap: str) -> None:
    tools = [MCP_TOOL]
    data = {
        "bare": tools,
        "tools": {"tools": tools},
        "result": {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}},
    }[wrap]
    built = project(data, tmp_path)
    [tool] = built.catalog.tools
    assert MCP_TOOL["inputSchema"] == built.schema("search.input")
    assert tool.returns is not None
    assert {"hits": {"type": "integer"}} == tool.returns.schema["properties"]
    assert ("Search", MCP_TOOL["description"]) == (tool.title, tool.description)
    assert ("Search it", True, None, False) == (
        tool.mcp.title,
        tool.mcp.read_only,
        tool.mcp.destructive,
        tool.mcp.open_world,
    )
    assert {"com.example/owner": "search-team"} == tool.mcp.meta
    assert {"execution": {"taskSupport": "optional"}} == tool.extensions["x-mcp"]


OPENAI_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
OPENAI_TOOL = {
    "name": "weather",
    "description": "Tells the weather.",
    "parameters": OPENAI_SCHEMA,
    "strict": True,
}


@pytest.mark.parametrize(
    "data",
    [
        [{"type": "function", "function": OPENAI_TOOL}],
        {"model": "m", "tools": [{"type": "function", **OPENAI_TOOL}]},
    ],
)
def test_a_tool_of_openai_keeps_its_schema_when_imported(
    tmp_path: Path, data: Any
) -> None:
    built = project(data, tmp_path)
    assert OPENAI_SCHEMA == built.schema("weather.input")
    [tool] = built.catalog.tools
    assert "Tells the weather." == tool.description
    assert {"strict": True} == tool.extensions["x-openai"]


def test_a_tool_of_anthropic_keeps_its_schema_when_imported(tmp_path: Path) -> None:
    data = {
        "name": "weather",
        "description": "Tells the weather.",
        "input_schema": OPENAI_SCHEMA,
        "input_examples": [{"city": "Rome"}],
        "strict": True,
        "cache_control": {"type": "ephemeral"},
    }
    built = project([data], tmp_path)
    assert OPENAI_SCHEMA == built.schema("weather.input")
    [tool] = built.catalog.tools
    assert {
        "x-anthropic": {"cache_control": {"type": "ephemeral"}},
        "x-anthropic-strict": True,
        "x-input-examples": [{"city": "Rome"}],
    } == dict(tool.extensions)


@pytest.mark.parametrize(
    ("target", "file", "format"),
    [
        ("openai", "openai/chat.json", "openai"),
        ("openai", "openai/responses.json", "openai"),
        ("mcp", "mcp/tools.json", "mcp"),
        ("anthropic", "anthropic/tools.json", "anthropic"),
    ],
)
def test_our_own_descriptors_come_in_again(
    tmp_path: Path, target: str, file: str, format: str
) -> None:
    spec = "type: python_function\nname: find\ndescription: Find orders.\n"
    spec += "arguments: {inline: {status: string, limit: {type: int, default: 10}}}\n"
    built = build(tmp_path, {"a.yaml": spec}, targets=(target,))
    [document] = sound(built.sent(file), format=format)
    assert "name: find" in document


@pytest.mark.parametrize("name", ["title", "type", "properties", "default", "enum"])
def test_no_name_is_a_keyword(tmp_path: Path, name: str) -> None:
    spec = with_input(name=name)
    built = project(spec, tmp_path / "a")
    assert name in [each.name for each in built.spec("calculator").inputs]
    command = {
        "command_name": "t",
        "parameters": [{"name": name, "type": "int", "required": True}],
    }
    assert [name] == [
        each.name for each in project(command, tmp_path / "b").catalog.tools[0].fields
    ]


@pytest.mark.parametrize(
    ("name", "expected", "kept"),
    [
        ("fs.read", "fs_read", "fs.read"),
        ("admin/tools list", "admin_tools_list", "admin/tools list"),
        ("3d", "n3d", '"3d"'),
        (f"{'a' * 60}.list.them", "a" * 60, f"{'a' * 60}.list.them"),
    ],
)
@pytest.mark.parametrize(
    "tool",
    [
        {"inputSchema": {"type": "object"}},
        {"input_schema": {"type": "object"}},
        {"type": "function", "parameters": {"type": "object"}},
    ],
)
def test_names_are_made_sound_and_the_original_is_kept(
    tool: dict[str, Any], name: str, expected: str, kept: str
) -> None:
    (document,) = sound([{**tool, "name": name}])
    assert f"type: python_function\nname: {expected}\nx-name: {kept}\n" in document


def test_two_names_that_become_one_are_told() -> None:
    tools = [{"name": x, "inputSchema": {"type": "object"}} for x in ("a.b", "a_b")]
    documents, told = imported(tools)
    assert 1 == len(documents)
    assert ["8:2 I706 there are two tools `a_b`"] == told


def test_the_format_may_be_named() -> None:
    names = ["toolspec", "commands", "mcp", "openai", "anthropic"]
    assert [*names, "tool_json", "bundle_json"] == [each.name for each in FORMATS]
    assert [*NAMES] == [
        *(each.name for each in FORMATS),
        "openapi",
        "toolbox",
        "json_schema",
        "python",
        *("sqlc", "aiosql", "tables"),
    ]
    _, told = imported({"name": "t"}, format="mcp")
    assert ["1:1 I703 `inputSchema` of a tool must be a mapping, not nothing"] == told


def _closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("additionalProperties", "unevaluatedProperties")
    return {key: each for key, each in schema.items() if key not in kept}


@pytest.mark.parametrize("name", ["mcp", "tau-bench"])
def test_real_tools_keep_their_schemas(name: str, step: int, tmp_path: Path) -> None:
    items = {}
    for number, item in enumerate(corpus(name)[::step]):
        items[f"tool_{number}"] = item
    tools = [
        {
            "name": key,
            "description": str(item.get("description") or ""),
            "inputSchema": item["schema"],
        }
        for key, item in items.items()
        if isinstance(item["schema"], dict)
    ]
    documents, told = imported({"tools": tools})
    assert all(" I707 " in each for each in told)
    assert len(documents) + len(told) == len(tools)
    assert step > 1 or len(documents) >= 0.97 * len(tools)
    files = {f"{number}.yaml": text for number, text in enumerate(documents)}
    built = build(tmp_path, files, targets=("json_schema",))
    root = schemas_root(built.catalog.project)
    for tool in built.catalog.tools:
        item = items[tool.name]
        whole = {"type": "object", "properties": {}, **item["schema"]}
        made = built.json(f"{root}/tools/{tool.name}.input.json")
        assert _closed(_published(whole)) == _closed(_published(made))
        assert (item.get("description") or "") == (tool.description or "")


def _published(schema: Any) -> Any:
    """A schema as it is published, apart from defaults of null, which its types may refuse.

    Draft-07 does not know the formats `uuid` and `duration`.
    """
    is_old = "draft-07" in str(schema.get("$schema", ""))

    def published(value: Any) -> Any:
        if isinstance(value, list):
            return [published(each) for each in value]
        if not isinstance(value, dict):
            return value
        later = is_old and value.get("format") in ("uuid", "duration")
        return {
            "x-format" if key == "format" and later else key: published(each)
            for key, each in value.items()
            if (key, each) != ("default", None)
        }

    return published(schema)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.py", ""),
        ("a.py", "x = 1\n"),
        ("a.json", {"tools": []}),
        ("a.json", []),
        ("a.json", {"openapi": "3.1.0", "paths": {}}),
        ("a.yaml", "openapi: 3.1.0\ncomponents: {}\n"),
    ],
)
def test_a_file_with_nothing_to_import_is_told(name: str, data: Any) -> None:
    assert ((), ["1 I702 nothing to import"]) == whole.imported(name, data)
