"""Lower tools, resources and prompts to their MCP descriptors (descriptors.md 2)."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.emit.account import Loss, Recovery
from brimgen.emit.projection import Prepared, inline, prepare, project
from brimgen.emit.projection.describe_keywords import phrase
from brimgen.emit.projection.keywords import ANNOTATIONS, pointer_to
from brimgen.emit.projection.results import describe_result
from brimgen.emit.projection.tools import full_description
from brimgen.emit.protocol.annotations import hints_of
from brimgen.emit.protocol.describe_arguments import argument_text, arguments_text
from brimgen.emit.protocol.profiles import MCP
from brimgen.emit.protocol.uris import query_of, uri_template
from brimgen.frozen import dataclass, replace
from brimgen.model.catalog import Catalog, ResourceBody, Tool
from brimgen.model.json import Json, JsonObject
from brimgen.model.paths import PathVariable

META = "dev.brimgen/spec"
"""The key of ``_meta`` that holds version, slug and tags."""


@dataclass(frozen=True, slots=True)
class Lowered:
    """One descriptor, and what it leaves out; ``wrapped``: the result is a member of an object."""

    descriptor: JsonObject
    losses: tuple[Loss, ...] = ()
    wrapped: bool = False


def lower_tool(
    catalog: Catalog, tool: Tool, prepared: Prepared | None = None
) -> Lowered:
    """Return the ``Tool`` object of an SQL, Python or HTTP function.

    Its output schema has an object root, which is what clients of all revisions take.
    """
    prepared = prepared or prepare(tool.input_schema, tool.name)
    arguments = project(prepared, MCP)
    losses = arguments.losses
    descriptor = _named(
        tool, full_description(_with_mcp_description(tool), arguments.notes)
    )
    descriptor["inputSchema"] = arguments.schema
    result = describe_result(tool, MCP, prepared.cache)
    wrapped = False
    if result is not None:
        descriptor["outputSchema"] = result.in_object
        wrapped = result.in_object is not result.schema
        losses = (*losses, *result.losses)
    hints = hints_of(catalog, tool)
    if hints:
        descriptor["annotations"] = hints
    return Lowered(_with_meta(descriptor, tool), losses, wrapped)


def lower_resource(catalog: Catalog, tool: Tool, body: ResourceBody) -> Lowered:
    """Return the ``ResourceTemplate`` of a resource, or its ``Resource`` if it has no
    variables.
    """
    template = uri_template(catalog, tool, body)
    variables = tool.caller_fields
    text = full_description(_with_mcp_description(tool))
    if variables:
        said = f"Arguments: {arguments_text(variables)}"
        text = f"{_sentence(text)} {said}" if text else said
    key = "uriTemplate" if is_template(tool, body) else "uri"
    descriptor: dict[str, Json] = {"name": tool.name, key: template}
    descriptor |= _named(tool, text)
    mime_type = tool.mcp.mime_type or body.mime_type
    if mime_type:
        descriptor["mimeType"] = mime_type
    return Lowered(_with_meta(descriptor, tool), _losses_in_words(tool))


def _sentence(text: str) -> str:
    return text if text[-1:] in ".!?:)" else f"{text}."


def is_template(tool: Tool, body: ResourceBody) -> bool:
    """Whether the URI of a resource has variables."""
    rest = any(isinstance(each, PathVariable) for each in body.segments)
    return rest or bool(query_of(tool, body))


def lower_prompt(tool: Tool) -> Lowered:
    """Return the ``Prompt`` of a template; its arguments are strings, so it describes their
    types.
    """
    descriptor = _named(tool, full_description(_with_mcp_description(tool)))
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
        descriptor["arguments"] = arguments
    return Lowered(_with_meta(descriptor, tool), _losses_in_words(tool))


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
        for how in [_said_in_words(keyword, value)]
    )


def _arguments(tool: Tool) -> list[tuple[str, JsonObject]]:
    return [(field.name, inline(field.schema)) for field in tool.caller_fields]


def _said_in_words(keyword: str, value: Json) -> Recovery:
    if keyword in ("type", "anyOf") or phrase(keyword, value) is not None:
        return Recovery.TEXT
    mute = keyword in ANNOTATIONS or keyword.startswith("x-")
    return Recovery.ANNOTATION if mute else Recovery.DECODER


def _named(tool: Tool, text: str | None) -> dict[str, Json]:
    title = tool.mcp.title or tool.title
    made: dict[str, Json] = {"name": tool.name}
    made.update({"title": title} if title else {})
    made.update({"description": text} if text else {})
    return made


def _with_meta(descriptor: dict[str, Json], tool: Tool) -> JsonObject:
    about: Mapping[str, Json] = {
        "version": tool.version,
        "slug": tool.slug,
        "tags": list(tool.tags) or None,
    }
    own = {key: value for key, value in about.items() if value is not None}
    meta = {**({META: own} if own else {}), **tool.mcp.meta}
    return {**descriptor, "_meta": meta} if meta else descriptor
