"""Lower a catalog to the four lists of MCP: descriptors, losses, files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from brimgen.emit.account import once_per_catalog
from brimgen.emit.projection.descriptor_files import TEMPLATE
from brimgen.emit.projection.prepared_tools import prepared_tools
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.emit.protocol.lower import (
    Lowered,
    is_template,
    lower_prompt,
    lower_resource,
    lower_tool,
)
from brimgen.emit.recurring import json_file, texts_of
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, ResourceBody, TemplateBody

TARGET = "mcp"
"""The target by whose name a tool asks to be listed, or not."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The contents of the four lists, each sorted by name."""

    tools: tuple[Lowered, ...]
    templates: tuple[Lowered, ...]
    resources: tuple[Lowered, ...]
    prompts: tuple[Lowered, ...]

    def __iter__(self) -> Iterator[Lowered]:
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
    templates: list[Lowered] = []
    resources: list[Lowered] = []
    prompts: list[Lowered] = []
    for tool in target_tools(catalog, TARGET):
        if isinstance(tool.body, TemplateBody):
            prompts.append(lower_prompt(tool))
        elif isinstance(tool.body, ResourceBody):
            kind = templates if is_template(tool, tool.body) else resources
            kind.append(lower_resource(catalog, tool, tool.body))
    return Listing(tools, tuple(templates), tuple(resources), tuple(prompts))


@once_per_catalog
def list_files(catalog: Catalog) -> Mapping[str, str]:
    """Return the text of each list by the name of its file; ``resources`` only if there are
    any.
    """
    made, texts = listed(catalog), texts_of(catalog)
    lists = {
        "tools": ("tools", made.tools),
        "resource_templates": ("resourceTemplates", made.templates),
        "resources": ("resources", made.resources),
        "prompts": ("prompts", made.prompts),
    }
    return {
        name: json_file(TEMPLATE, {key: [each.descriptor for each in lowered]}, texts)
        for name, (key, lowered) in lists.items()
        if lowered or name != "resources"
    }
