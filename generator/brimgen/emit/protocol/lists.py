"""Lower a catalog to the four lists of MCP: descriptors, losses, files."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.emit.account import Descriptor, once_per_catalog
from brimgen.emit.artifact import Artifact
from brimgen.emit.indented import json_file
from brimgen.emit.projection.described_tools import (
    Arguments,
    alias_file,
    descriptor_files,
    folder_of,
    prepared_arguments,
    under_aliases,
)
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.emit.protocol.lower import lower_prompt, lower_resource, lower_tool
from brimgen.emit.protocol.profiles import MCP
from brimgen.emit.protocol.view import McpEntry, McpPrompt, McpResource, McpTool
from brimgen.emit.render import render_object
from brimgen.frozen import dataclass, replace
from brimgen.model.catalog import Catalog, ResourceBody, TemplateBody, Tool

TARGET = "mcp"
"""The target by whose name a tool asks to be listed, or not."""


TOOL = "mcp/tool.json.j2"
RESOURCE = "mcp/resource.json.j2"
PROMPT = "mcp/prompt.json.j2"


@dataclass(frozen=True, slots=True)
class Listing:
    """The contents of the four lists, each sorted by name."""

    tools: tuple[McpTool, ...]
    templates: tuple[McpResource, ...]
    resources: tuple[McpResource, ...]
    prompts: tuple[McpPrompt, ...]

    def __iter__(self) -> Iterator[McpTool | McpEntry]:
        yield from self.tools
        yield from self.templates
        yield from self.resources
        yield from self.prompts


@once_per_catalog
def listed(catalog: Catalog) -> Listing:
    """Return the lists of ``catalog``."""
    arguments = prepared_arguments(catalog)
    tools = tuple(
        _lower_tool(catalog, tool, arguments[tool.name])
        for tool in target_tools(catalog, TARGET, CALLABLE)
    )
    resources: list[McpResource] = []
    prompts: list[McpPrompt] = []
    for tool in target_tools(catalog, TARGET):
        if isinstance(tool.body, TemplateBody):
            prompts.append(lower_prompt(tool))
        elif isinstance(tool.body, ResourceBody):
            resources.append(lower_resource(catalog, tool, tool.body))
    return Listing(
        tools,
        tuple(resource for resource in resources if resource.is_template),
        tuple(resource for resource in resources if not resource.is_template),
        tuple(prompts),
    )


def _lower_tool(catalog: Catalog, tool: Tool, arguments: Arguments) -> McpTool:
    """Lower a tool under aliases; under its own names where it can have none, as MCP takes any."""

    def lowered(tool: Tool, _: Profile, arguments: Arguments) -> McpTool:
        return lower_tool(catalog, tool, arguments.published)

    named = under_aliases(tool, MCP, arguments, lowered)
    if named.unnamable is None:
        return named
    own = lower_tool(catalog, tool, arguments.published)
    return replace(own, unnamable=named.unnamable)


def tool_descriptors(catalog: Catalog) -> tuple[Descriptor, ...]:
    """Return the descriptors of tools, which are those that a model is shown."""
    return tuple(
        Descriptor(MCP.name, tool.name, render_object(TOOL, tool), tool.own_names)
        for tool in listed(catalog).tools
    )


def further_descriptors(catalog: Catalog) -> tuple[Descriptor, ...]:
    """Return the descriptors of resources and prompts."""
    listing = listed(catalog)
    entries = [
        *((RESOURCE, entry) for entry in (*listing.templates, *listing.resources)),
        *((PROMPT, prompt) for prompt in listing.prompts),
    ]
    return tuple(
        Descriptor(MCP.name, entry.name, render_object(template, entry))
        for template, entry in entries
    )


def list_files(catalog: Catalog) -> Iterator[Artifact]:
    """Write ``tools``, and ``resource_templates``, ``resources`` and ``prompts`` if there are any,
    each as the result of its list method; or each tool alone, if the project asks for that.
    """
    listing = listed(catalog)
    tools = {tool.tool: tool.json for tool in tool_descriptors(catalog)}
    yield from descriptor_files(
        catalog, MCP, "tools", tools, lambda entries: {"tools": entries}
    )
    yield from alias_file(catalog, TARGET)
    folder = folder_of(catalog.project, MCP)
    for name, key, template, entries in (
        ("resource_templates", "resourceTemplates", RESOURCE, listing.templates),
        ("resources", "resources", RESOURCE, listing.resources),
        ("prompts", "prompts", PROMPT, listing.prompts),
    ):
        if entries:
            listed_entries = [render_object(template, entry) for entry in entries]
            yield Artifact(f"{folder}/{name}.json", json_file({key: listed_entries}))
