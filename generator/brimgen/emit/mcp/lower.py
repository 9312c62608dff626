"""Lower: tools, resources and prompts in, their MCP descriptors out (descriptors.md 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from brimgen.emit.mcp.arguments import argument_text, arguments_text
from brimgen.emit.mcp.hints import hints_of
from brimgen.emit.mcp.uris import query_of, uri_template
from brimgen.emit.projection import Loss, as_object, project_input, project_output
from brimgen.emit.projection.profiles import MCP, MCP_OUTPUT
from brimgen.emit.projection.tools import told
from brimgen.model.catalog import Catalog, PathVariable, ResourceBody, Tool
from brimgen.model.json import Json, JsonObject

META = "dev.brimgen/spec"
"""The key of ``_meta`` that holds version, slug and tags."""


@dataclass(frozen=True, slots=True)
class Lowered:
    """One descriptor, and what it leaves out."""

    descriptor: JsonObject
    losses: tuple[Loss, ...] = ()


def lower_tool(catalog: Catalog, tool: Tool) -> Lowered:
    """The ``Tool`` object of an SQL or Python function."""
    arguments = project_input(tool.input_schema, MCP, tool.name)
    losses = arguments.losses
    made = _named(tool, told(tool, arguments.notes))
    made["inputSchema"] = arguments.schema
    if tool.returns is not None:
        output = project_output(tool.returns.schema, MCP_OUTPUT, tool.name)
        made["outputSchema"] = as_object(output.schema)
        losses = (*losses, *output.losses)
    hints = hints_of(catalog, tool)
    if hints:
        made["annotations"] = hints
    return Lowered(_with_meta(made, tool), losses)


def lower_resource(catalog: Catalog, tool: Tool, body: ResourceBody) -> JsonObject:
    """The ``ResourceTemplate`` of a resource, or its ``Resource`` if it has no variables."""
    template = uri_template(catalog, tool, body)
    variables = tool.caller_fields
    text = told(tool)
    if variables:
        said = f"Arguments: {arguments_text(variables)}."
        text = f"{text} {said}" if text else said
    key = "uriTemplate" if is_template(tool, body) else "uri"
    made: dict[str, Json] = {"name": tool.name, key: template}
    made |= _named(tool, text)
    mime_type = tool.mcp.mime_type or body.mime_type
    if mime_type:
        made["mimeType"] = mime_type
    return _with_meta(made, tool)


def is_template(tool: Tool, body: ResourceBody) -> bool:
    """Whether the URI of a resource has variables."""
    rest = any(isinstance(each, PathVariable) for each in body.segments)
    return rest or bool(query_of(tool, body))


def lower_prompt(tool: Tool) -> JsonObject:
    """The ``Prompt`` of a template; its arguments are strings, so their types are told."""
    made = _named(tool, told(tool))
    arguments: list[Json] = []
    for field in tool.caller_fields:
        text = argument_text(field)
        arguments.append(
            {
                "name": field.name,
                **({"description": text} if text else {}),
                "required": field.required,
            }
        )
    if arguments:
        made["arguments"] = arguments
    return _with_meta(made, tool)


def _named(tool: Tool, text: str | None) -> dict[str, Json]:
    title = tool.mcp.title or tool.title
    made: dict[str, Json] = {"name": tool.name}
    made.update({"title": title} if title else {})
    made.update({"description": text} if text else {})
    return made


def _with_meta(made: dict[str, Json], tool: Tool) -> JsonObject:
    about: Mapping[str, Json] = {
        "version": tool.version,
        "slug": tool.slug,
        "tags": list(tool.tags) or None,
    }
    own = {key: value for key, value in about.items() if value is not None}
    meta = {**({META: own} if own else {}), **tool.mcp.meta}
    return {**made, "_meta": meta} if meta else made
