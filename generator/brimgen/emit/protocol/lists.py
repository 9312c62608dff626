"""Lower a catalog to the four lists of MCP: descriptors, losses, files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from brimgen.emit.account import once_per_catalog
from brimgen.emit.artifact import Artifact
from brimgen.emit.indented import Written
from brimgen.emit.projection.targets.descriptor_files import descriptor_files, folder_of
from brimgen.emit.projection.targets.prepared_tools import prepared_tools
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.emit.protocol.lower import lower_prompt, lower_resource, lower_tool
from brimgen.emit.protocol.profiles import MCP
from brimgen.emit.protocol.view import (
    ListFile,
    McpEntry,
    McpPrompt,
    McpResource,
    McpTool,
)
from brimgen.emit.render import render_json, render_part
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, ResourceBody, TemplateBody

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

    def __iter__(self) -> Iterator[McpEntry]:
        yield from self.tools
        yield from self.templates
        yield from self.resources
        yield from self.prompts


@once_per_catalog
def listed(catalog: Catalog) -> Listing:
    """Return the lists of ``catalog``."""
    prepared = prepared_tools(catalog)
    tools = tuple(
        lower_tool(catalog, tool, prepared.of(tool).published)
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


@once_per_catalog
def tool_texts(catalog: Catalog) -> Mapping[str, Written]:
    """Return the descriptor of each tool, by name."""
    return {tool.name: render_part(TOOL, tool) for tool in listed(catalog).tools}


def further_texts(catalog: Catalog) -> Iterator[tuple[str, Written]]:
    """Return the descriptors of resources and prompts, each with its name."""
    listing = listed(catalog)
    for template, entries in (
        (RESOURCE, (*listing.templates, *listing.resources)),
        (PROMPT, listing.prompts),
    ):
        for entry in entries:
            yield entry.name, render_part(template, entry)


def list_files(catalog: Catalog) -> Iterator[Artifact]:
    """Write ``tools``, and ``resource_templates``, ``resources`` and ``prompts`` if there are any,
    each as the result of its list method; or each tool alone, if the project asks for that.
    """
    listing = listed(catalog)
    folder = folder_of(catalog.project, MCP)
    if catalog.project.descriptors.per_tool:
        sources = {
            tool.name: tool.sources for tool in target_tools(catalog, TARGET, CALLABLE)
        }
        yield from descriptor_files(catalog, MCP, "tools", tool_texts(catalog), sources)
    else:
        yield _list_file(f"{folder}/tools", "tools", [*tool_texts(catalog).values()])
    for name, key, entries in (
        (
            "resource_templates",
            "resourceTemplates",
            _texts(RESOURCE, listing.templates),
        ),
        ("resources", "resources", _texts(RESOURCE, listing.resources)),
        ("prompts", "prompts", _texts(PROMPT, listing.prompts)),
    ):
        if entries:
            yield _list_file(f"{folder}/{name}", key, entries)


def _list_file(path: str, key: str, entries: Sequence[Written]) -> Artifact:
    text = render_json("mcp/list.json.j2", ListFile(key, entries))
    return Artifact(f"{path}.json", text)


def _texts(template: str, entries: Sequence[McpEntry]) -> list[Written]:
    return [render_part(template, entry) for entry in entries]
