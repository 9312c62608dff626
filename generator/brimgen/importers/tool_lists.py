"""Import lists of tools: of OpenAI, Anthropic and MCP, ToolSpec JSON, and available_commands.

A document holds tools alone, in lists, or under the keys that formats use (`find_parts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import (
    IMPORT_INVALID_TOOLSPEC,
    IMPORT_SAME_NAME,
)
from brimgen.importers.draft import (
    Choice,
    Draft,
    Format,
    PartReader,
    own_arguments,
)
from brimgen.importers.names import name_keys
from brimgen.importers.nodes import is_null, items_of, text_at
from brimgen.model.json import Json
from brimgen.source.nodes import MapNode, Node, ScalarNode, plain
from brimgen_runtime.calls.tool_spec import ToolParam, ToolReturn, ToolSpec

HINTS = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}
"""The options of ``mcp`` by the annotations of MCP."""
_OPENAI = ("type", "name", "description", "parameters")
_ANTHROPIC = ("name", "description", "input_schema", "input_examples", "strict", "type")
_MCP = (
    *("name", "title", "description", "inputSchema", "outputSchema"),
    *("annotations", "_meta"),
)
_TEXTS = ("name", "description", "when_to_use")
_PARAMETER = ("name", "type", "description", "required", "enum_values", "default")
_ENVELOPE = (
    *("jsonrpc", "id", "model", "messages", "input", "system", "instructions"),
    *("temperature", "max_tokens", "stream"),
)
"""Keys that JSON-RPC puts around a result, and keys of a request besides its tools."""
_IN_TOOLS = ("tools",)


def find_parts(
    root: Node, formats: Sequence[Format], diagnostics: Diagnostics
) -> tuple[Node, ...]:
    """The parts of a document that ``formats`` read: all of it, or the tools under their keys.

    The keys beside them are reported. FlexiGPT keeps bundles in a mapping, by their ids.
    """
    wrappers = {key for format_ in formats for key in format_.wrappers}
    wrappers |= {"result"} if wrappers else set()
    while isinstance(root, MapNode) and not _fits(root, formats):
        key = next((wrapper for wrapper in sorted(wrappers) if root.get(wrapper)), "")
        inner = root.get(key)
        if inner is None or isinstance(inner, ScalarNode):
            return (root,)
        _report_extra_keys(root, key, diagnostics)
        root = inner
        if isinstance(root, MapNode) and root.entries:
            values = tuple(entry.value for entry in root.entries)
            if all(_fits(value, formats) for value in values):
                return values
    return items_of(root)


def _fits(node: Node, formats: Sequence[Format]) -> bool:
    return isinstance(node, MapNode) and any(each.fits(node) for each in formats)


def _report_extra_keys(root: MapNode, taken: str, diagnostics: Diagnostics) -> None:
    """Report the keys beside the one that holds the tools."""
    part = PartReader(root, "the document", diagnostics)
    for entry in root.entries:
        key = entry.key.text
        if key == taken or key in _ENVELOPE or is_null(entry.value):
            continue
        reason = f"only what is under `{taken}` is imported"
        if key == "nextCursor":
            reason = "it says that more tools are on a next page"
        part.without_meaning(entry, reason)


def _named(part: PartReader, *texts: str) -> dict[str, Json]:
    """The first keys of a spec: its name, and those ``texts`` of a tool that are not empty."""
    names = name_keys(part.text("name") or "")
    return {"type": "python_function", **names, **part.texts(*texts)}


def _fits_openai(node: MapNode) -> bool:
    return text_at(node, "type") == "function"


def _read_openai(
    node: MapNode, diagnostics: Diagnostics, _choice: Choice
) -> Iterable[Draft]:
    """A tool of Chat Completions or Responses; further keys are kept under ``x-openai``."""
    outer = PartReader(node, "a tool", diagnostics)
    function: MapNode | None = node
    if node.get("function") is not None:
        outer.only(("type", "function"))
        function = outer.mapping("function")
    if function is None:
        return ()
    part = PartReader(function, "a function", diagnostics)
    document = _named(part, "description") | part.schema("parameters")
    return outer.draft(document | part.kept(_OPENAI, "x-openai"))


def _read_anthropic(
    node: MapNode, diagnostics: Diagnostics, _choice: Choice
) -> Iterable[Draft]:
    """A tool of a request to Anthropic; further keys are kept under ``x-anthropic``."""
    part = PartReader(node, "a tool", diagnostics)
    document = _named(part, "description") | part.schema("input_schema", needed=True)
    if part.flag("strict"):
        document["x-anthropic-strict"] = True
    examples = node.get("input_examples")
    if examples is not None:
        document["x-input-examples"] = plain(examples)
    entry = node.entry("type")
    if part.text("type", needed=False) not in (None, "custom") and entry is not None:
        part.without_meaning(entry, "tools of one's own are of the type `custom`")
    return part.draft(document | part.kept(_ANTHROPIC, "x-anthropic"))


def _read_mcp(
    node: MapNode, diagnostics: Diagnostics, _choice: Choice
) -> Iterable[Draft]:
    """A tool of an MCP server; keys without a counterpart are kept under ``x-mcp``."""
    part = PartReader(node, "a tool", diagnostics)
    document = _named(part, "title", "description")
    options: dict[str, Json] = {}
    kept: dict[str, Json] = {}
    annotations = part.inner("annotations")
    if annotations is not None:
        options |= annotations.texts("title")
        hints = {option: annotations.flag(key) for key, option in HINTS.items()}
        options |= _given(hints)
        rest = _given(annotations.rest(("title", *HINTS), "x-mcp"))
        kept = {"annotations": rest} if rest else {}
    options |= part.schema("_meta", "meta")
    document |= {"mcp": options} if options else {}
    document |= part.schema("inputSchema", needed=True)
    document |= part.schema("outputSchema", "returns")
    rest = _given(part.rest(_MCP, "x-mcp")) | kept
    return part.draft(document | ({"x-mcp": rest} if rest else {}))


def _given(values: Mapping[str, Json]) -> dict[str, Json]:
    """The values that are not null: servers list what they do not say as null."""
    return {key: value for key, value in values.items() if value is not None}


def _read_command(
    node: MapNode, diagnostics: Diagnostics, _choice: Choice
) -> Iterable[Draft]:
    """A command. Whether the grammar knows its types, the reader of specs decides."""
    part = PartReader(node, "a command", diagnostics)
    part.only(("command_name", "description", "parameters"))
    name = part.text("command_name") or ""
    document = {"type": "python_function", "name": name, **part.texts("description")}
    inline: dict[str, Json] = {}
    if node.get("parameters") is not None:
        for parameter in part.objects("parameters", "a parameter"):
            key, field = _parameter(parameter)
            if key in inline:
                span = parameter.node.span
                parameter.report(IMPORT_SAME_NAME, span, what="parameters", name=key)
            inline[key] = field
    document |= {"arguments": own_arguments(inline)} if inline else {}
    return part.draft(document)


def _parameter(part: PartReader) -> tuple[str, dict[str, Json]]:
    part.only(_PARAMETER)
    field: dict[str, Json] = {"type": part.text("type") or ""}
    name = part.text("name") or ""
    field |= part.texts("description")
    values, default = part.node.get("enum_values"), part.node.get("default")
    if values is not None and not is_null(values):
        field["enum"] = plain(values)
    if default is not None:
        field["default"] = plain(default)
    if part.flag("required") is False and "default" not in field:
        field["required"] = False
    return name, field


def _fits_tool_spec(node: MapNode) -> bool:
    return node.get("inputs") is not None and node.get("command_name") is None


def _read_tool_spec(
    node: MapNode, diagnostics: Diagnostics, _choice: Choice
) -> Iterable[Draft]:
    """A ToolSpec, as ``to_json`` writes it; errors of ``validate()`` are reported."""
    part = PartReader(node, "a ToolSpec", diagnostics)
    part.only((*_TEXTS, "inputs", "returns"))
    texts = {key: part.text(key) or "" for key in _TEXTS}
    inputs = [_input(each) for each in part.objects("inputs", "an input")]
    result = part.inner("returns", needed=True)
    if result is None:
        return ()
    result.only(("type", "description"))
    returned = ToolReturn(**_type_and_description(result))
    if not part.sound:
        return ()
    try:
        ToolSpec(**texts, inputs=inputs, returns=returned).validate()
    except ValueError as problem:
        diagnostics.add(IMPORT_INVALID_TOOLSPEC, node.span, reason=problem)
        return ()
    inline: dict[str, Json] = {
        param.name: {
            **{key: param.to_json()[key] for key in ("type", "description")},
            **({} if param.required else {"required": False}),
        }
        for param in inputs
    }
    document: dict[str, Json] = {
        "type": "python_function",
        **texts,
        "profiles": ["toolspec"],
        "arguments": own_arguments(inline),
        "returns": returned.to_json(),
    }
    return part.draft(document)


def _input(part: PartReader) -> ToolParam:
    part.only(("name", "type", "description", "required"))
    return ToolParam(
        name=part.text("name") or "",
        **_type_and_description(part),
        required=part.flag("required") is not False,
    )


def _type_and_description(part: PartReader) -> dict[str, str]:
    return {key: part.text(key) or "" for key in ("type", "description")}


FORMATS = (
    Format("toolspec", "ToolSpec JSON", _fits_tool_spec, _read_tool_spec, _IN_TOOLS),
    Format(
        "commands",
        "available_commands JSON",
        lambda node: node.get("command_name") is not None,
        _read_command,
        ("available_commands", "commands"),
    ),
    Format(
        "mcp",
        "tools of an MCP server (tools/list)",
        lambda node: node.get("inputSchema") is not None,
        _read_mcp,
        _IN_TOOLS,
    ),
    Format(
        "openai", "tools of an OpenAI request", _fits_openai, _read_openai, _IN_TOOLS
    ),
    Format(
        "anthropic",
        "tools of an Anthropic request",
        lambda node: node.get("input_schema") is not None,
        _read_anthropic,
        _IN_TOOLS,
    ),
)
"""The formats, in the order in which they are tried."""
