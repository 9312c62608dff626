"""Import lists of tools: of OpenAI, Anthropic and MCP, ToolSpec JSON, and available_commands.

A document holds tools alone, in lists, or under the keys that formats use (`find_tools`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import (
    IMPORT_INVALID_TOOLSPEC,
    IMPORT_SAME_NAME,
    IMPORT_UNKNOWN_FORMAT,
    IMPORT_WRONG_SHAPE,
)
from brimgen.importers.draft import Draft, Format, PartReader, standard_arguments
from brimgen.importers.names import name_keys
from brimgen.importers.nodes import is_null, items_of
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
_TOOL_SPEC = ("name", "description", "when_to_use", "inputs", "returns")
_PARAMETER = ("name", "type", "description", "required", "enum_values", "default")
_ENVELOPE = (
    *("jsonrpc", "id", "model", "messages", "input", "system", "instructions"),
    *("temperature", "max_tokens", "stream"),
)
"""Keys that JSON-RPC puts around a result, and keys of a request besides its tools."""


def find_tools(
    root: Node,
    formats: Sequence[Format],
    format: str | None,
    diagnostics: Diagnostics,
) -> Iterator[tuple[MapNode, Format]]:
    """The tools of a document, each with its format; ``format`` names the only allowed one."""
    allowed = [format_ for format_ in formats if format in (None, format_.name)]
    nodes = _unwrap(root, allowed, diagnostics)
    return match_formats(nodes, allowed, format, diagnostics)


def match_formats(
    nodes: Iterable[Node],
    formats: Sequence[Format],
    format: str | None,
    diagnostics: Diagnostics,
) -> Iterator[tuple[MapNode, Format]]:
    """Yield the objects among nodes, each with the first format that it fits; report the others."""
    for node in nodes:
        if not isinstance(node, MapNode):
            diagnostics.add(
                IMPORT_WRONG_SHAPE, node.span, what="a tool", expected="a mapping"
            )
            continue
        fitting = [each for each in formats if each.fits(node)]
        if fitting or format is not None:
            yield node, (fitting or formats)[0]
        else:
            diagnostics.add(IMPORT_UNKNOWN_FORMAT, node.span)


def _unwrap(
    root: Node, formats: Sequence[Format], diagnostics: Diagnostics
) -> tuple[Node, ...]:
    """The tools of a document: a list or a single one, possibly under a key that formats use.

    The keys beside them are reported. FlexiGPT keeps bundles in a mapping, by their ids.
    """
    wrappers = {key for format_ in formats for key in format_.wrappers} | {"result"}
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
    kind = node.get("type")
    return isinstance(kind, ScalarNode) and kind.value == "function"


def _read_openai(node: MapNode, diagnostics: Diagnostics) -> Draft | None:
    """A tool of Chat Completions or Responses; further keys are kept under ``x-openai``."""
    outer = PartReader(node, "a tool", diagnostics)
    function: MapNode | None = node
    if node.get("function") is not None:
        outer.only(("type", "function"))
        function = outer.mapping("function")
    if function is None:
        return None
    part = PartReader(function, "a function", diagnostics)
    document = _named(part, "description")
    parameters = part.mapping("parameters", needed=False)
    if parameters is not None:
        document["arguments"] = standard_arguments(parameters)
    document |= part.kept(_OPENAI, "x-openai")
    outer.take_faults(part)
    return outer.draft(document)


def _read_anthropic(node: MapNode, diagnostics: Diagnostics) -> Draft | None:
    """A tool of a request to Anthropic; further keys are kept under ``x-anthropic``."""
    part = PartReader(node, "a tool", diagnostics)
    document = _named(part, "description")
    schema = part.mapping("input_schema")
    if schema is not None:
        document["arguments"] = standard_arguments(schema)
    if part.flag("strict"):
        document["x-anthropic-strict"] = True
    examples = node.get("input_examples")
    if examples is not None:
        document["x-input-examples"] = plain(examples)
    entry = node.entry("type")
    if part.text("type", needed=False) not in (None, "custom") and entry is not None:
        part.without_meaning(entry, "tools of one's own are of the type `custom`")
    document |= part.kept(_ANTHROPIC, "x-anthropic")
    return part.draft(document)


def _read_mcp(node: MapNode, diagnostics: Diagnostics) -> Draft | None:
    """A tool of an MCP server; keys without a counterpart are kept under ``x-mcp``."""
    part = PartReader(node, "a tool", diagnostics)
    document = _named(part, "title", "description")
    options: dict[str, Json] = {}
    kept: dict[str, Json] = {}
    annotations = part.inner("annotations")
    if annotations is not None:
        options |= annotations.texts("title")
        for key, option in HINTS.items():
            hint = annotations.flag(key)
            if hint is not None:
                options[option] = hint
        rest = _given(annotations.rest(("title", *HINTS), "x-mcp"))
        kept = {"annotations": rest} if rest else {}
        part.take_faults(annotations)
    meta = part.mapping("_meta", needed=False)
    if meta is not None:
        options["meta"] = plain(meta)
    if options:
        document["mcp"] = options
    schema = part.mapping("inputSchema")
    returned = part.mapping("outputSchema", needed=False)
    if schema is not None:
        document["arguments"] = standard_arguments(schema)
    if returned is not None:
        document["returns"] = plain(returned)
    rest = _given(part.rest(_MCP, "x-mcp")) | kept
    return part.draft(document | ({"x-mcp": rest} if rest else {}))


def _given(values: Mapping[str, Json]) -> dict[str, Json]:
    """The values that are not null: servers list what they do not say as null."""
    return {key: value for key, value in values.items() if value is not None}


def _read_command(node: MapNode, diagnostics: Diagnostics) -> Draft | None:
    """A command. Whether the grammar knows its types, the reader of specs decides."""
    part = PartReader(node, "a command", diagnostics)
    part.only(("command_name", "description", "parameters"))
    name = part.text("command_name") or ""
    description = part.texts("description")
    inline: dict[str, Json] = {}
    if node.get("parameters") is not None:
        for parameter in part.objects("parameters", "a parameter"):
            key, field = _parameter(parameter)
            if key in inline:
                parameter.report(
                    IMPORT_SAME_NAME, parameter.node.span, what="parameters", name=key
                )
            inline[key] = field
    document = {"type": "python_function", "name": name, **description}
    if inline:
        document["arguments"] = _in_own_types(inline)
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


def _in_own_types(inline: dict[str, Json]) -> dict[str, Json]:
    """Return ``arguments`` with their types; one called ``properties`` is no JSON Schema."""
    return {**({"mode": "complex"} if "properties" in inline else {}), "inline": inline}


def _fits_tool_spec(node: MapNode) -> bool:
    return node.get("inputs") is not None and node.get("command_name") is None


def _read_tool_spec(node: MapNode, diagnostics: Diagnostics) -> Draft | None:
    """A ToolSpec, as ``to_json`` writes it; errors of ``validate()`` are reported."""
    part = PartReader(node, "a ToolSpec", diagnostics)
    part.only(_TOOL_SPEC)
    name, description, when_to_use = (part.text(key) or "" for key in _TOOL_SPEC[:3])
    inputs = [_input(each) for each in part.objects("inputs", "an input")]
    returns = part.inner("returns", needed=True)
    if returns is None:
        return None
    returns.only(("type", "description"))
    returned = ToolReturn(
        type=returns.text("type") or "", description=returns.text("description") or ""
    )
    if not (part.sound and returns.sound):
        return None
    spec = ToolSpec(
        name=name,
        description=description,
        when_to_use=when_to_use,
        inputs=inputs,
        returns=returned,
    )
    try:
        spec.validate()
    except ValueError as problem:
        diagnostics.add(IMPORT_INVALID_TOOLSPEC, node.span, reason=problem)
        return None
    inline: dict[str, Json] = {
        param.name: {
            **{key: param.to_json()[key] for key in ("type", "description")},
            **({} if param.required else {"required": False}),
        }
        for param in inputs
    }
    document: dict[str, Json] = {
        "type": "python_function",
        "name": name,
        "description": description,
        "when_to_use": when_to_use,
        "profiles": ["toolspec"],
        "arguments": _in_own_types(inline),
        "returns": returned.to_json(),
    }
    return part.draft(document)


def _input(part: PartReader) -> ToolParam:
    part.only(("name", "type", "description", "required"))
    return ToolParam(
        name=part.text("name") or "",
        type=part.text("type") or "",
        description=part.text("description") or "",
        required=part.flag("required") is not False,
    )


FORMATS = (
    Format("toolspec", "ToolSpec JSON", _fits_tool_spec, _read_tool_spec),
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
    ),
    Format("openai", "tools of an OpenAI request", _fits_openai, _read_openai),
    Format(
        "anthropic",
        "tools of an Anthropic request",
        lambda node: node.get("input_schema") is not None,
        _read_anthropic,
    ),
)
"""The formats, in the order in which they are tried."""
