"""Import ``available_commands`` as specs, with the type names of the source."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import IMPORT_SAME_NAME
from brimgen.importers.draft import Draft, Format, Shape
from brimgen.model.json import Json
from brimgen.source.nodes import MapNode, plain

_KEYS = ("command_name", "description", "parameters")
_PARAMETER_KEYS = ("name", "type", "description", "required", "enum_values", "default")


def fits(node: MapNode) -> bool:
    """Whether ``node`` looks like a command."""
    return node.get("command_name") is not None


def read(node: MapNode, diagnostics: Diagnostics) -> Draft | None:
    """The tool. Whether the grammar knows its types, the reader of specs decides."""
    shape = Shape(node, "a command", diagnostics)
    shape.only(_KEYS)
    name = shape.text("command_name") or ""
    description = shape.text("description", needed=False)
    inline: dict[str, Json] = {}
    if node.get("parameters") is not None:
        for parameter in shape.objects("parameters", "a parameter"):
            key, field = _field(parameter)
            if key in inline:
                parameter.sound = False
                diagnostics.add(
                    IMPORT_SAME_NAME, parameter.node.span, what="parameters", name=key
                )
            inline[key] = field
    if not shape.sound:
        return None
    document: dict[str, Json] = {"type": "python_function", "name": name}
    if description:
        document["description"] = description
    if inline:
        mode = {"mode": "complex"} if "properties" in inline else {}
        document["arguments"] = {**mode, "inline": inline}
    return Draft(name, node.span, document)


def _field(shape: Shape) -> tuple[str, dict[str, Json]]:
    shape.only(_PARAMETER_KEYS)
    field: dict[str, Json] = {"type": shape.text("type") or ""}
    name = shape.text("name") or ""
    description = shape.text("description", needed=False)
    if description:
        field["description"] = description
    for key, spec_key in (("enum_values", "enum"), ("default", "default")):
        value = shape.node.get(key)
        if value is not None:
            plain_value = plain(value)
            if plain_value is not None or key == "default":
                field[spec_key] = plain_value
    if shape.flag("required") is False and "default" not in field:
        field["required"] = False
    return name, field


FORMAT = Format(
    "commands",
    "available_commands JSON",
    fits,
    read,
    ("available_commands", "commands"),
)
