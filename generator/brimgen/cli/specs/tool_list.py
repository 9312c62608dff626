"""Print the tools of a project as a table, and one tool as a page or as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from brimgen.cli.console.progress import showing_progress
from brimgen.cli.console.report import (
    SOUND,
    SPEC_ERRORS,
    is_error,
    print_text,
    report_build,
)
from brimgen.cli.options import check_known
from brimgen.frozen import replace

if TYPE_CHECKING:
    from brimgen.emit.catalog_view import ToolView
    from brimgen.emit.catalog_view.view_types import (
        FieldView,
        RequestView,
        RowView,
        ToldView,
    )
    from brimgen.emit.tokens import Size
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
    for line in _grid([("name", "kind", "takes", "gives", "summary"), *rows]):
        print_text(f"{line}\n")
    return SOUND


def list_tokens(settings: Settings) -> int:
    """Print the estimated sizes of all tools; return the exit code."""
    from brimgen import api

    with showing_progress(settings) as stages:
        build, sizes = api.weigh(settings, stages)
    report_build(build, settings)
    if build.diagnostics.has_errors:
        return SPEC_ERRORS
    for line in token_table(sizes):
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
    views = {view["name"]: view for view in _tool_views(build)}
    check_known("tool", name, views, "'TOOL'")
    tool, paths = views[name], _paths_of(name, build, settings)
    files = [os.path.relpath(settings.out / path) for path in paths]
    if settings.format == "json":
        print_text(_json({**tool, "files": files}))
        return SOUND
    print_text(page(tool, files))
    return SOUND


def _paths_of(name: str, build: Build, settings: Settings) -> list[str]:
    """Return the paths of the generated files that exist only because of a tool, sorted."""
    from brimgen import api
    from brimgen.emitting import emitted

    others = tuple(tool for tool in build.catalog.tools if tool.name != name)
    emitters = api.real_stages(settings).emitters
    without = replace(build.catalog, tools=others)
    paths = {artifact.path for _, artifact in emitted(without, emitters)}
    outputs = [output for output in build.outputs or () if output.sources]
    return sorted(output.path for output in outputs if output.path not in paths)


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


_KINDS = {
    "sql": "SQL tool",
    "python": "Python tool",
    "http": "HTTP tool",
    "template": "prompt",
    "resource": "resource",
}
_HINTS = {
    "read_only": ("only reads", "changes something"),
    "destructive": ("may delete or overwrite", "deletes and overwrites nothing"),
    "idempotent": ("a second call adds nothing", "a second call adds to the first"),
    "open_world": ("reaches systems outside", "reaches no system outside"),
}
_NOT_TOLD = {"none", "narrowed"}
"""Recoveries of losses that a reader must know of: the provider neither reads nor enforces them."""


def page(tool: ToolView, files: Sequence[str]) -> str:
    """Return the page of a tool, with the ``files`` that are generated only for it."""
    return "".join(f"{line}".rstrip() + "\n" for line in _lines(tool, files))


def _lines(tool: ToolView, files: Sequence[str]) -> Iterator[str]:
    yield from _head(tool)
    yield from _section("Arguments", _input(tool))
    hidden = [field for field in tool["arguments"] if field["hidden"]]
    yield from _section("Hidden from callers", _grid(map(_hidden, hidden)))
    yield from _section("Returns", _returns(tool))
    yield from _section("Runs", _body(tool))
    yield from _section("Effects", _effects(tool))
    yield from _section("Providers", _grid(map(_provider, tool["told"])))
    yield from _section("Example", _examples(tool))
    yield from _section("Entities", tool["entities"])
    yield from _section("Files", files)


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield title
        yield from (f"  {line}" for line in lines)


def _head(tool: ToolView) -> Iterator[str]:
    source = tool["source"]
    name = tool["name"] if tool["title"] is None else f"{tool['name']}: {tool['title']}"
    yield f"{name} ({_KINDS[tool['kind']]}, {source['file']}:{source['line']})"
    yield from (tool["description"] or "").splitlines()
    if tool["when_to_use"]:
        yield f"When to use: {tool['when_to_use']}"
    facts = {
        "bundle": tool["bundle"],
        "version": tool["version"],
        "tags": ", ".join(tool["tags"]),
        "targets": ", ".join(tool["targets"] or ()),
    }
    for key, value in facts.items():
        if value:
            yield f"{key}: {value}"
    if not tool["enabled"]:
        yield "off: it is offered to nobody"


def _input(tool: ToolView) -> list[str]:
    """Return a line for each value that a caller may send."""
    return _grid(map(_input_row, tool["input_rows"])) or ["none"]


def _input_row(row: RowView) -> tuple[str, ...]:
    default = None if row["default"] is None else f"default {row['default']}"
    state = "required" if row["required"] else default or "optional"
    return (row["path"], row["type_text"], state, _words(row))


def _words(row: RowView) -> str:
    """Return the constraints, then the description."""
    limits = "; ".join(row["limits"])
    return ". ".join(text for text in (limits, row["description"]) if text)


def _hidden(field: FieldView) -> tuple[str, ...]:
    path = field["context_path"]
    origin = f"context {'.'.join(path)}" if path else "the host program"
    limits = "; ".join(field["limits"])
    return (field["name"], field["type_text"], f"from {origin}", limits)


def _returns(tool: ToolView) -> list[str]:
    returns = tool["returns"]
    if returns is None:
        return ["nothing"] if tool["kind"] in {"sql", "python", "http"} else []
    description = f": {returns['description']}" if returns["description"] else ""
    rows = [
        (
            row["path"],
            row["type_text"],
            "" if row["required"] else "may be absent",
            _words(row),
        )
        for row in tool["output_rows"]
    ]
    return [f"{returns['type_text']}{description}", *_grid(rows)]


def _body(tool: ToolView) -> list[str]:
    if tool["statement"]:
        statement = tool["statement"]
        dialect = f" ({statement['dialect']})" if statement["dialect"] else ""
        head = f"SQL on the connection {statement['connection']}{dialect}"
        return [head, "", *statement["text"].strip("\n").splitlines()]
    if tool["request"]:
        return _request(tool["request"])
    if tool["prompt"]:
        return [
            line
            for message in tool["prompt"]["messages"]
            for line in (f"{message['role']}:", *message["text"].splitlines())
        ]
    called = tool["resource"] or tool["function"]
    handler = called["handler"] if called else None
    calls = f"calls {handler}" if handler else "a function that the host registers"
    if tool["resource"]:
        return [f"reads {tool['resource']['uri_template']}", calls]
    return [calls]


def _request(request: RequestView) -> list[str]:
    pairs = [*request["headers"], *request["query"]]
    lines = [f"{request['method']} {request['url']}"]
    lines += [f"{pair['name']}: {pair['text']}" for pair in pairs]
    if request["body"]:
        lines += ["", *request["body"].splitlines(), ""]
    lines.append(f"hosts: {', '.join(request['hosts'])}")
    if request["secrets"]:
        lines.append(f"secrets: {', '.join(request['secrets'])}")
    lines.append(f"{request['timeout_ms']} ms, attempts: {request['attempts']}")
    return lines


def _effects(tool: ToolView) -> list[str]:
    hints = tool["hints"].items()
    return [
        _HINTS[key][0 if value else 1]
        for key, value in hints
        if isinstance(value, bool)
    ]


def _provider(view: ToldView) -> tuple[str, ...]:
    lost = [loss for loss in view["losses"] if loss["recovered_by"] in _NOT_TOLD]
    keywords = "; ".join(f"{loss['path']} {loss['keyword']}" for loss in lost)
    aliases = "; ".join(f"{name} is {ours}" for name, ours in view["aliases"].items())
    notes = (f"is not told {keywords}" if keywords else "", aliases)
    return (
        view["profile"],
        f"about {view['tokens']} tokens",
        "; ".join(note for note in notes if note),
    )


def _examples(tool: ToolView) -> list[str]:
    return [
        json.dumps(example["arguments"], ensure_ascii=False)
        for example in tool["examples"]
    ]


def _grid(rows: Iterator[tuple[str, ...]] | Sequence[tuple[str, ...]]) -> list[str]:
    """Return the rows as lines with aligned columns."""
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in cells
    ]


_NOTE = "tokens, estimated: bytes of compact JSON / 4"


def token_table(measured: Sequence[Size]) -> Iterator[str]:
    """Yield a row for each tool, largest first, with a column for each profile; then the sums."""
    profiles = list(dict.fromkeys(size.profile for size in measured))
    by_tool: dict[str, dict[str, int]] = {}
    for size in measured:
        by_tool.setdefault(size.tool, {})[size.profile] = size.tokens
    if not by_tool:
        yield "no target that is chosen describes tools"
        return
    width = max(len("the whole set"), *map(len, by_tool))
    rows = sorted(by_tool.items(), key=lambda row: (-max(row[1].values()), row[0]))
    yield _token_row(_NOTE, width, profiles, profiles)
    for tool, sizes in rows:
        yield _token_row(
            tool, width, profiles, [sizes.get(profile, "-") for profile in profiles]
        )
    sums = [
        sum(row.get(profile, 0) for row in by_tool.values()) for profile in profiles
    ]
    yield _token_row("the whole set", width, profiles, sums)


def _token_row(
    name: str, width: int, profiles: Sequence[str], cells: Sequence[int | str]
) -> str:
    columns = zip(profiles, cells, strict=True)
    row = "".join(f"  {cell:>{max(len(profile), 7)}}" for profile, cell in columns)
    return f"{name:<{max(width, len(_NOTE))}}{row}"
