"""Lower tools, resources and prompts to what their MCP descriptors say (descriptors.md)."""

from __future__ import annotations

from brimgen.emit.account import Loss, Recovery
from brimgen.emit.projection import Prepared, prepare, project
from brimgen.emit.projection.describe_keywords import phrase
from brimgen.emit.projection.described_tools import (
    describe_result,
    is_read_leniently,
    is_worth_its_price,
    returns_no_object,
    unsaid_result,
)
from brimgen.emit.projection.tools import full_description
from brimgen.emit.protocol.annotations import annotations_of
from brimgen.emit.protocol.describe_arguments import (
    argument_schema,
    argument_text,
    arguments_text,
)
from brimgen.emit.protocol.profiles import MCP
from brimgen.emit.protocol.uris import query_of, uri_template
from brimgen.emit.protocol.view import McpPrompt, McpResource, McpTool
from brimgen.frozen import replace
from brimgen.model.catalog import Catalog, ResourceBody, Tool
from brimgen.model.json import Json, JsonObject
from brimgen.model.paths import PathVariable
from brimgen.model.types import Field
from brimgen.schema.walk import ANNOTATIONS, pointer_to

META = "dev.brimgen/spec"
"""The key of ``_meta`` under which version, slug and tags stand."""


def lower_tool(
    catalog: Catalog, tool: Tool, prepared: Prepared | None = None
) -> McpTool:
    """Return what the ``Tool`` object of an SQL, Python or HTTP function says.

    Its output schema has an object root, which is what clients of all revisions take; where it has
    none, the description says what comes back.
    """
    prepared = prepared or prepare(tool.input_schema, tool.name)
    arguments = project(prepared, MCP)
    result = output = None
    if not is_read_leniently(tool):
        result = describe_result(tool, MCP)
    is_wrapped = returns_no_object(tool) if result is None else result.is_wrapped
    text, result_losses = unsaid_result(tool, MCP)
    if result is not None and is_worth_its_price(arguments.schema, result.in_object):
        output, text, result_losses = result.in_object, None, result.losses
    return McpTool(
        name=tool.name,
        title=_title(tool),
        description=full_description(
            _with_mcp_description(tool), arguments.notes, after=text
        ),
        parameters=arguments.schema,
        output=output,
        is_wrapped=is_wrapped,
        annotations=annotations_of(catalog, tool).as_json(),
        meta=_meta(tool),
        losses=(*arguments.losses, *result_losses),
    )


def lower_resource(catalog: Catalog, tool: Tool, body: ResourceBody) -> McpResource:
    """Return what the ``ResourceTemplate`` of a resource says, or its ``Resource`` if it has no
    variables.
    """
    text = full_description(_with_mcp_description(tool))
    if tool.caller_fields:
        arguments = f"Arguments: {arguments_text(tool.caller_fields, tool)}"
        text = f"{_sentence(text)} {arguments}" if text else arguments
    return McpResource(
        name=tool.name,
        title=_title(tool),
        description=text,
        uri=uri_template(catalog, tool, body),
        is_template=is_template(tool, body),
        mime_type=tool.mcp.mime_type or body.mime_type or None,
        meta=_meta(tool),
        losses=_losses_in_words(tool),
    )


def _sentence(text: str) -> str:
    return text if text[-1:] in ".!?:)" else f"{text}."


def is_template(tool: Tool, body: ResourceBody) -> bool:
    """Whether the URI of a resource has variables."""
    has_variables = any(isinstance(segment, PathVariable) for segment in body.segments)
    return has_variables or bool(query_of(tool, body))


def lower_prompt(tool: Tool) -> McpPrompt:
    """Return what the ``Prompt`` of a template says; its arguments are strings, so it describes
    their types.
    """
    return McpPrompt(
        name=tool.name,
        title=_title(tool),
        description=full_description(_with_mcp_description(tool)),
        arguments=[_argument(field, tool) for field in tool.caller_fields] or None,
        meta=_meta(tool),
        losses=_losses_in_words(tool),
    )


def _argument(field: Field, tool: Tool) -> JsonObject:
    text = argument_text(field, tool)
    described = {"description": text} if text else {}
    return {"name": field.name, **described, "required": field.required}


def _with_mcp_description(tool: Tool) -> Tool:
    """Return the tool with its own description for MCP, if it has one."""
    text = tool.mcp.description
    return tool if text is None else replace(tool, description=text)


def _losses_in_words(tool: Tool) -> tuple[Loss, ...]:
    """Return the losses of a descriptor without a schema: words say what the arguments must be."""
    return tuple(
        Loss(
            tool.name, pointer_to("", "properties", name), keyword, value, MCP.name, how
        )
        for name, schema in _arguments(tool)
        for keyword, value in schema.items()
        if keyword != "description"
        for how in [_recovery_in_words(keyword, value)]
    )


def _arguments(tool: Tool) -> list[tuple[str, JsonObject]]:
    return [(field.name, argument_schema(field, tool)) for field in tool.caller_fields]


def _recovery_in_words(keyword: str, value: Json) -> Recovery:
    if keyword in ("type", "anyOf") or phrase(keyword, value) is not None:
        return Recovery.TEXT
    mute = keyword in ANNOTATIONS or keyword.startswith("x-")
    return Recovery.ANNOTATION if mute else Recovery.DECODER


def _title(tool: Tool) -> str | None:
    return tool.mcp.title or tool.title or None


def _meta(tool: Tool) -> JsonObject | None:
    """Return ``_meta``; an author who has the key of brimgen there replaces what it says."""
    known = {"version": tool.version, "slug": tool.slug, "tags": tool.tags or None}
    spec = {key: value for key, value in known.items() if value is not None}
    if META not in tool.mcp.meta and not spec:
        return {**tool.mcp.meta} or None
    return {META: spec, **tool.mcp.meta}
