"""Import the ``tools`` of an Anthropic request as specs in Standard mode."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.importers.draft import Draft, Format, Shape, standard_arguments
from brimgen.importers.names import name_keys
from brimgen.model.json import Json
from brimgen.source.nodes import MapNode, plain

_KEYS = ("name", "description", "input_schema", "input_examples", "strict", "type")


def fits(node: MapNode) -> bool:
    """Whether ``node`` looks like a tool of a request."""
    return node.get("input_schema") is not None


def read(node: MapNode, diagnostics: Diagnostics) -> Draft | None:
    """The tool; further keys are kept under ``x-anthropic``."""
    shape = Shape(node, "a tool", diagnostics)
    name = shape.text("name") or ""
    document: dict[str, Json] = {"type": "python_function", **name_keys(name)}
    description = shape.text("description", needed=False)
    if description:
        document["description"] = description
    schema = shape.mapping("input_schema")
    if schema is not None:
        document["arguments"] = standard_arguments(schema)
    if shape.flag("strict"):
        document["x-anthropic-strict"] = True
    examples = node.get("input_examples")
    if examples is not None:
        document["x-input-examples"] = plain(examples)
    kind = shape.text("type", needed=False)
    for entry in node.entries:
        if entry.key.text == "type" and kind not in (None, "custom"):
            shape.without_meaning(entry, "tools of one's own are of the type `custom`")
    rest = shape.rest(_KEYS, "x-anthropic")
    if rest:
        document["x-anthropic"] = rest
    return Draft(str(document["name"]), node.span, document) if shape.sound else None


FORMAT = Format("anthropic", "tools of an Anthropic request", fits, read)
