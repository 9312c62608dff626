"""Report targets that the server needs to run its tools, and that are not generated."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import assert_never

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import TARGET_MISSING
from brimgen.model.catalog import (
    Catalog,
    PythonBody,
    ResourceBody,
    SqlBody,
    TemplateBody,
    Tool,
)
from brimgen.model.http import HttpBody

_SERVER = "server"


def check_server_needs(
    catalog: Catalog, generated_targets: Collection[str], diagnostics: Diagnostics
) -> None:
    """Report tools that the server lists, and that none of ``generated_targets`` can run.

    A missing target is reported once, at the first tool that needs it.
    """
    if _SERVER not in generated_targets:
        return
    lacking: dict[str, list[Tool]] = {}
    for tool in catalog.tools:
        for target in _needed(tool) if tool.enabled and tool.is_for(_SERVER) else ():
            if target not in generated_targets or not tool.is_for(target):
                lacking.setdefault(target, []).append(tool)
                break
    for target, tools in lacking.items():
        first, more = tools[0], len(tools) - 1
        diagnostics.add(
            TARGET_MISSING,
            first.span,
            tool=first.name,
            others=f" and {more} more" if more else "",
            target=target,
        )


def _needed(tool: Tool) -> Iterator[str]:
    """Return the targets without which a server cannot run a tool."""
    yield "python"
    match tool.body:
        case SqlBody():
            yield "sql"
        case HttpBody():
            yield "http"
        case TemplateBody():
            yield "prompts"
        case ResourceBody():
            yield "resources"
        case PythonBody():
            pass
        case _:
            assert_never(tool.body)
