"""Import the ``tools`` of an OpenAI request (Chat Completions or Responses) as specs."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.importers.draft import Draft, Format, Shape, standard_arguments
from brimgen.importers.names import name_keys
from brimgen.model.json import Json
from brimgen.source.nodes import MapNode, ScalarNode

_KEYS = ("type", "name", "description", "parameters")


def fits(node: MapNode) -> bool:
    """Whether ``node`` looks like a function tool."""
    kind = node.get("type")
    return isinstance(kind, ScalarNode) and kind.value == "function"


def read(node: MapNode, diagnostics: Diagnostics) -> Draft | None:
    """The tool, its parameters in Standard mode; further keys are kept under ``x-openai``."""
    outer = Shape(node, "a tool", diagnostics)
    function = node
    if node.get("function") is not None:
        outer.only(("type", "function"))
        inner = outer.mapping("function")
        if inner is None:
            return None
        function = inner
    shape = Shape(function, "a function", diagnostics)
    name = shape.text("name") or ""
    document: dict[str, Json] = {"type": "python_function", **name_keys(name)}
    description = shape.text("description", needed=False)
    if description:
        document["description"] = description
    parameters = shape.mapping("parameters", needed=False)
    if parameters is not None:
        document["arguments"] = standard_arguments(parameters)
    rest = shape.rest(_KEYS, "x-openai")
    if rest:
        document["x-openai"] = rest
    return (
        Draft(str(document["name"]), node.span, document)
        if shape.sound and outer.sound
        else None
    )


FORMAT = Format("openai", "tools of an OpenAI request", fits, read)
