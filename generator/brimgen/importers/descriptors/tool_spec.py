"""Import ToolSpec JSON, as ``to_json`` writes it, under the profile ``toolspec``."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import IMPORT_INVALID_TOOLSPEC
from brimgen.importers.draft import Draft, Format, Shape
from brimgen.model.json import Json
from brimgen.source.nodes import MapNode
from brimgen_runtime.calls.tool_spec import ToolParam, ToolReturn, ToolSpec

_KEYS = ("name", "description", "when_to_use", "inputs", "returns")


def fits(node: MapNode) -> bool:
    """Whether ``node`` looks like a ToolSpec."""
    return node.get("inputs") is not None and node.get("command_name") is None


def read(node: MapNode, diagnostics: Diagnostics) -> Draft | None:
    """The tool; errors of ``validate()`` are reported."""
    spec = _spec(node, diagnostics)
    if spec is None:
        return None
    try:
        spec.validate()
    except ValueError as problem:
        diagnostics.add(IMPORT_INVALID_TOOLSPEC, node.span, reason=problem)
        return None
    inline: dict[str, Json] = {param.name: _field(param) for param in spec.inputs}
    arguments: dict[str, Json] = {"inline": inline}
    if "properties" in inline:
        arguments = {"mode": "complex", **arguments}
    document: dict[str, Json] = {
        "type": "python_function",
        "name": spec.name,
        "description": spec.description,
        "when_to_use": spec.when_to_use,
        "profiles": ["toolspec"],
        "arguments": arguments,
        "returns": spec.returns.to_json(),
    }
    return Draft(spec.name, node.span, document)


def _spec(node: MapNode, diagnostics: Diagnostics) -> ToolSpec | None:
    shape = Shape(node, "a ToolSpec", diagnostics)
    shape.only(_KEYS)
    texts = [shape.text(key) for key in _KEYS[:3]]
    inputs = [
        _param(input_shape) for input_shape in shape.objects("inputs", "an input")
    ]
    returns = shape.mapping("returns")
    returned = None
    if returns is not None:
        inner = Shape(returns, "`returns`", diagnostics)
        inner.only(("type", "description"))
        returned = ToolReturn(
            type=inner.text("type") or "", description=inner.text("description") or ""
        )
        shape.sound = shape.sound and inner.sound
    if not shape.sound or returned is None:
        return None
    name, description, when_to_use = (text or "" for text in texts)
    return ToolSpec(
        name=name,
        description=description,
        when_to_use=when_to_use,
        inputs=inputs,
        returns=returned,
    )


def _param(shape: Shape) -> ToolParam:
    shape.only(("name", "type", "description", "required"))
    return ToolParam(
        name=shape.text("name") or "",
        type=shape.text("type") or "",
        description=shape.text("description") or "",
        required=shape.flag("required") is not False,
    )


def _field(param: ToolParam) -> dict[str, Json]:
    parameter = param.to_json()
    field: dict[str, Json] = {
        "type": parameter["type"],
        "description": parameter["description"],
    }
    if not param.required:
        field["required"] = False
    return field


FORMAT = Format("toolspec", "ToolSpec JSON", fits, read)
