"""Lay out everything about one tool as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brimgen.emit.catalog_view import ToolView
    from brimgen.emit.catalog_view.view_types import (
        FieldView,
        RequestView,
        RowView,
        ToldView,
    )

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
