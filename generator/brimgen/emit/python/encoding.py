"""Encoding: the fields of a class in, the method that writes its objects as JSON out."""

from __future__ import annotations

from brimgen.emit.code import Code, py
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.lines import BODY, Lines
from brimgen.emit.python.methods import method
from brimgen.emit.python.shape import Shape
from brimgen.emit.python.types import encoded
from brimgen.emit.python.values import NONE
from brimgen.model.types import NullableType


def to_dict(shape: Shape) -> Code:
    """Writes the JSON object that ``from_dict`` reads to an equal object."""
    lines = Lines(BODY)
    first, rest = _split(shape)
    if not rest and shape.extra is None and shape.nulls is None:
        lines.call("return {", first, "}")
    else:
        head = "encoded: dict[str, Any] = "
        if shape.extra is None:
            lines.call(f"{head}{{", first, "}")
        else:
            rest, name = shape.attributes, shape.extra[0]
            lines.add(
                f"{head}{shape.module.scope.runtime('to_json_value')}(self.{name})"
            )
        if shape.nulls is not None:
            lines.add(f"encoded.update(dict.fromkeys(self.{shape.nulls}))")
        key, scope = ("encoded", shape.absent), shape.module.scope
        lines.take(
            [each.part(key, scope, _encode_attribute, each, shape) for each in rest]
        )
        lines.add("return encoded")
    shape.module.scope.standard("Any")
    return method(
        "def to_dict(self) -> dict[str, Any]:",
        lines.text,
        "Encode as the JSON object that decodes to an equal object.",
        bound=True,
    )


def _split(shape: Shape) -> tuple[list[str], tuple[PyAttribute, ...]]:
    """The entries of the dict that is written at once, and the attributes that follow it."""
    entries: list[str] = []
    for each in shape.attributes:
        if each.entry is None or each.default is NONE:
            break
        if shape.absent is not None and each.keeps_absence:
            break
        entries.append(each.entry)
    return entries, shape.attributes[len(entries) :]


def _may_be_left_out(attribute: PyAttribute, shape: Shape) -> bool:
    if attribute.default is NONE:
        return True
    return shape.absent is not None and attribute.keeps_absence


def _encode_attribute(attribute: PyAttribute, shape: Shape) -> str:
    lines = Lines(BODY)
    target, value = f"encoded[{py(attribute.wire)}]", f"self.{attribute.name}"
    type, field, module = attribute.field.type, attribute.field, shape.module
    if not _may_be_left_out(attribute, shape):
        lines.add(f"{target} = {encoded(type, value, module, field)}")
        return lines.text
    if attribute.default is not None and attribute.default is not NONE:
        given = f"{py(attribute.wire)} not in self.{shape.absent}"
        changed = f"{value} != {attribute.default.expression}"
        with lines.when([f"({given} or {changed})"]):
            lines.add(f"{target} = {encoded(type, value, module, field)}")
        return lines.text
    inner = type.inner if isinstance(type, NullableType) else type
    with lines.block(f"if {value} is not None:"):
        lines.add(f"{target} = {encoded(inner, value, module, field)}")
    return lines.text
