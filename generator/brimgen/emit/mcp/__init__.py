"""The MCP target: descriptors of tools, resource templates and prompts.

SQL and Python functions are tools, resources are resource templates (``resources.json`` where a
path has no variables), templates are prompts. Each file is the result of the list method of that
name, in the form that the revisions 2025-06-18 to 2026-07-28 share; an empty list of resources or
prompts has no file.
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import (
    ARGUMENT_CALLED_TOOL,
    MCP_HINTS_CONTRADICT,
    MCP_META_KEY,
    MCP_URI_SCHEME,
    RESOURCE_VARIABLE_NAME,
    TOOL_NAME_LONG,
)
from brimgen.emit.account import Loss
from brimgen.emit.artifact import Emitter
from brimgen.emit.projection.described_tools import report_names
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.emit.protocol.annotations import contradict
from brimgen.emit.protocol.lists import (
    further_descriptors,
    list_files,
    listed,
    tool_descriptors,
)
from brimgen.emit.protocol.meta_keys import key_fault
from brimgen.emit.protocol.profiles import PROFILES as PROFILES
from brimgen.emit.protocol.uris import is_scheme, is_variable, scheme_of
from brimgen.model.catalog import Catalog, ResourceBody, Tool
from brimgen.model.fields import Caller
from brimgen.model.targets import target_named

NAME = "mcp"
NAME_LIMIT = 48
"""Characters of a tool's name that survive the prefixes of clients (descriptors.md)."""


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report what the protocol, or a client of it, cannot carry."""
    tools = target_tools(catalog, NAME, CALLABLE)
    report_names(tools, listed(catalog).tools, NAME, diagnostics)
    for tool in target_tools(catalog, NAME):
        if len(tool.name) > NAME_LIMIT:
            diagnostics.add(
                TOOL_NAME_LONG,
                tool.span,
                tool=tool.name,
                length=len(tool.name),
                limit=NAME_LIMIT,
            )
        for key in tool.mcp.meta:
            reason = key_fault(key)
            if reason:
                diagnostics.add(
                    MCP_META_KEY, tool.mcp.span or tool.span, key=key, reason=reason
                )
        if isinstance(tool.body, ResourceBody):
            _check_resource(catalog, tool, diagnostics)
        elif isinstance(tool.body, CALLABLE):
            _check_callable(catalog, tool, diagnostics)


def _check_callable(catalog: Catalog, tool: Tool, diagnostics: Diagnostics) -> None:
    for field in tool.fields:
        if field.name == "tool" and isinstance(field.origin, Caller):
            diagnostics.add(ARGUMENT_CALLED_TOOL, field.span, tool=tool.name)
    if contradict(catalog, tool):
        diagnostics.add(
            MCP_HINTS_CONTRADICT, tool.mcp.span or tool.span, tool=tool.name
        )


def _check_resource(catalog: Catalog, tool: Tool, diagnostics: Diagnostics) -> None:
    scheme = scheme_of(catalog, tool)
    if not is_scheme(scheme):
        diagnostics.add(MCP_URI_SCHEME, tool.mcp.span or tool.span, scheme=scheme)
    for field in tool.caller_fields:
        if not is_variable(field.name):
            diagnostics.add(
                RESOURCE_VARIABLE_NAME, field.span, tool=tool.name, name=field.name
            )


def losses(catalog: Catalog) -> tuple[Loss, ...]:
    """What tools, resources and prompts leave out."""
    return tuple(loss for item in listed(catalog) for loss in item.losses)


EMITTER = Emitter(
    target_named(NAME),
    list_files,
    check,
    descriptors=tool_descriptors,
    further_descriptors=further_descriptors,
    losses=losses,
)
