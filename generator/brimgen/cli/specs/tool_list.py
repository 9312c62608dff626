"""Print the tools of a project as a table, and one tool as a page or as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from brimgen.cli.builds.outputs import check_tool_name, paths_of_tools
from brimgen.cli.console.progress import showing_progress
from brimgen.cli.console.report import SOUND, SPEC_ERRORS, is_error, report_build
from brimgen.cli.console.stdout import print_text
from brimgen.cli.specs.tool_page import page

if TYPE_CHECKING:
    from brimgen.emit.catalog_view import ToolView
    from brimgen.settings.load import Settings
    from brimgen.stages import Build

_WIDEST_TAKES = 48


def list_tools(settings: Settings) -> int:
    """Print all tools, one per line; return the exit code. Errors of specs are reported."""
    from brimgen import api

    with showing_progress(settings) as stages:
        build = api.lint(settings, stages)
    if not _is_sound(build, settings):
        return SPEC_ERRORS
    tools = _tool_views(build)
    if settings.format == "json":
        print_text(_json([_summary(tool) for tool in tools]))
        return SOUND
    rows = [_row(tool) for tool in tools]
    for line in _table([("name", "kind", "takes", "gives", "summary"), *rows]):
        print_text(f"{line}\n")
    return SOUND


def list_tokens(settings: Settings) -> int:
    """Print the estimated sizes of all tools; return the exit code."""
    from brimgen import api
    from brimgen.cli.console.token_table import table

    with showing_progress(settings) as stages:
        build, sizes = api.weigh(settings, stages)
    report_build(build, settings)
    if build.diagnostics.has_errors:
        return SPEC_ERRORS
    for line in table(sizes):
        print_text(f"{line}\n")
    return SOUND


def show_tool(settings: Settings, name: str) -> int:
    """Print everything about one tool; return the exit code. Errors of specs are reported.

    Raises `click.BadParameter` if there is no such tool.
    """
    from brimgen import api

    with showing_progress(settings) as stages:
        build = api.build(settings, stages)
    if not _is_sound(build, settings):
        return SPEC_ERRORS
    check_tool_name(name, build, "'TOOL'")
    tool = next(
        tool_view for tool_view in _tool_views(build) if tool_view["name"] == name
    )
    paths = sorted(paths_of_tools(build, settings, [name]))
    files = [os.path.relpath(settings.out / path) for path in paths]
    if settings.format == "json":
        print_text(_json({**tool, "files": files}))
        return SOUND
    print_text(page(tool, files))
    return SOUND


def _tool_views(build: Build) -> Sequence[ToolView]:
    """Return the view of each tool, as templates see it."""
    from brimgen.emit import describing_emitters
    from brimgen.emit.catalog_view import catalog_view

    describing = describing_emitters(build.catalog.project)
    return catalog_view(build.catalog, describing)["tools"]


def _is_sound(build: Build, settings: Settings) -> bool:
    """Report the errors of a build, and return whether there are none; warnings are for `check`."""
    from brimgen.diagnostics import Diagnostics

    if not build.diagnostics.has_errors:
        return True
    errors = Diagnostics()
    errors.extend(filter(is_error, build.diagnostics))
    report_build(replace(build, diagnostics=errors), settings)
    return False


def _json(value: object) -> str:
    return f"{json.dumps(value, ensure_ascii=False, indent=2)}\n"


def _summary(tool: ToolView) -> dict[str, object]:
    """Return the entry of a tool in the JSON list."""
    return {
        "name": tool["name"],
        "kind": tool["kind"],
        "description": tool["description"],
        "bundle": tool["bundle"],
        "tags": tool["tags"],
        "enabled": tool["enabled"],
        "arguments": [
            {
                "name": argument["name"],
                "type": argument["type_text"],
                "required": argument["required"],
                "origin": argument["origin"],
            }
            for argument in tool["arguments"]
        ],
        "returns": tool["returns"] and tool["returns"]["type_text"],
        "source": tool["source"],
    }


def _row(tool: ToolView) -> tuple[str, ...]:
    words = (tool["description"] or "").split("\n")[0].partition(". ")
    summary = f"{words[0]}." if words[1] else words[0]
    if not tool["enabled"]:
        summary = f"(off) {summary}"
    gives = tool["returns"]["type_text"] if tool["returns"] else "-"
    return (tool["name"], tool["kind"], _arguments_text(tool), gives, summary)


def _arguments_text(tool: ToolView) -> str:
    """Return the arguments that a caller sends: `customer_id, limit?` (optional)."""
    names = [
        argument["name"] if argument["required"] else f"{argument['name']}?"
        for argument in tool["arguments"]
        if not argument["hidden"]
    ]
    text = ", ".join(names) or "-"
    while len(text) > _WIDEST_TAKES and len(names) > 1:
        names.pop()
        text = f"{', '.join(names)}, …"
    return text


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield the rows with aligned columns; the last column is not padded."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for *cells, last in rows:
        padded = [
            f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=False)
        ]
        yield "  ".join([*padded, last]).rstrip()
