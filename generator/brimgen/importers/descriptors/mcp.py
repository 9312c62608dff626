"""Import the tools of an MCP server (``tools/list``) as specs in Standard mode."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.diagnostics import Diagnostics
from brimgen.importers.draft import Draft, Format, Shape, standard_arguments
from brimgen.importers.names import name_keys
from brimgen.model.json import Json
from brimgen.source.nodes import MapNode, plain

HINTS = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}
_KEYS = (
    "name",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "_meta",
)


def fits(node: MapNode) -> bool:
    """Whether ``node`` looks like a tool of MCP."""
    return node.get("inputSchema") is not None


def read(node: MapNode, diagnostics: Diagnostics) -> Draft | None:
    """Read the tool; keys without a counterpart are kept under ``x-mcp``."""
    shape = Shape(node, "a tool", diagnostics)
    name = shape.text("name") or ""
    document: dict[str, Json] = {"type": "python_function", **name_keys(name)}
    for key in ("title", "description"):
        text = shape.text(key, needed=False)
        if text:
            document[key] = text
    mcp, kept = _options(shape)
    if mcp:
        document["mcp"] = mcp
    schema = shape.mapping("inputSchema")
    returned = shape.mapping("outputSchema", needed=False)
    if schema is not None:
        document["arguments"] = standard_arguments(schema)
    if returned is not None:
        document["returns"] = plain(returned)
    rest = _given(shape.rest(_KEYS, "x-mcp")) | kept
    if rest:
        document["x-mcp"] = rest
    return Draft(str(document["name"]), node.span, document) if shape.sound else None


def _options(shape: Shape) -> tuple[dict[str, Json], dict[str, Json]]:
    """Return the options of ``mcp``, and the annotations that have no counterpart."""
    options: dict[str, Json] = {}
    kept: dict[str, Json] = {}
    annotations = shape.mapping("annotations", needed=False)
    if annotations is not None:
        inner = Shape(annotations, "`annotations`", shape.diagnostics)
        title = inner.text("title", needed=False)
        if title:
            options["title"] = title
        for key, option in HINTS.items():
            hint = inner.flag(key)
            if hint is not None:
                options[option] = hint
        rest = _given(inner.rest(("title", *HINTS), "x-mcp"))
        kept = {"annotations": rest} if rest else {}
        shape.sound = shape.sound and inner.sound
    meta = shape.mapping("_meta", needed=False)
    if meta is not None:
        options["meta"] = plain(meta)
    return options, kept


def _given(values: Mapping[str, Json]) -> dict[str, Json]:
    """The values that are not null: servers list what they do not say as null."""
    return {key: value for key, value in values.items() if value is not None}


FORMAT = Format("mcp", "tools of an MCP server (tools/list)", fits, read)
