"""Decoding: the fields of a class in, the method that decodes what a validator has accepted out."""

from __future__ import annotations

from brimgen.diagnostics import Span
from brimgen.emit.code import STEP, Code, bracketed, fits, py
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.lines import BODY, Lines
from brimgen.emit.python.methods import (
    OF_DECODERS,
    arguments_of,
    left_out,
    method,
    names_in,
)
from brimgen.emit.python.package import Module
from brimgen.emit.python.shape import Shape
from brimgen.emit.python.types import decoded
from brimgen.emit.python.values import NONE
from brimgen.model.fields import Field
from brimgen.model.types import JsonType, NullableType

_EXTRA = Field(name="", type=JsonType(), schema={}, span=Span.at_file(""))
"""Stands for any further property: one without field options."""


def decode(shape: Shape) -> Code:
    """The general way to decode what a validator has accepted."""
    lines = Lines(BODY)
    module, attributes = shape.module, shape.attributes
    found = [
        each.part("decoded", module.scope, _decode_attribute, each, module)
        for each in attributes
    ]
    lines.take([before for before, _ in found if before])
    given = arguments_of(attributes, [value for _, value in found])
    if shape.extra is not None:
        given.append(f"{shape.extra[0]}={_decode_extra(shape, lines)}")
    if shape.nulls is not None:
        given.append(f"{shape.nulls}={_given_nulls(shape)}")
    if shape.absent is not None:
        given.append(f"{shape.absent}={left_out(shape)}")
    lines.call("return cls(", given)
    module.scope.take_all(OF_DECODERS)
    return method(
        "def from_accepted(cls, raw: Mapping[str, Any], /) -> Self:",
        lines.text,
        "Decode what the schema has accepted.",
    )


def _decode_attribute(attribute: PyAttribute, module: Module) -> tuple[str, str]:
    """The value of an attribute, an expression, and statements that go before: they make a local
    name of it where one expression is too little.
    """
    lines = Lines(BODY)
    value = _value(attribute, module, lines)
    return lines.text, value


def _value(attribute: PyAttribute, module: Module, lines: Lines) -> str:
    key, field, default = py(attribute.wire), attribute.field, attribute.default
    if default is None:
        return _decoded_from(f"raw[{key}]", attribute, module, lines)
    if default.wire is not None:
        source = f"raw.get({key}, {default.wire})"
        return _decoded_from(source, attribute, module, lines)
    type = field.type.inner if isinstance(field.type, NullableType) else field.type
    if default is NONE:
        if decoded(type, attribute.local, module, field) == attribute.local:
            return _decoded_from(f"raw.get({key})", attribute, module, lines)
        test = f"raw.get({key}) is not None"
    else:
        type, test = field.type, f"{key} in raw"
    value = decoded(type, f"raw[{key}]", module, field)
    lines.add(f"{attribute.local} = {default.expression}")
    with lines.block(f"if {test}:"):
        lines.add(f"{attribute.local} = {value}")
    return attribute.local


def _decoded_from(
    source: str, attribute: PyAttribute, module: Module, lines: Lines
) -> str:
    local, field = attribute.local, attribute.field
    whole = decoded(field.type, source, module, field)
    if whole.count(source) == 1 and _fits_as_argument(whole, attribute):
        return whole
    lines.add(f"{local} = {source}")
    value = decoded(field.type, local, module, field)
    if value != local:
        lines.add(f"{local} = {value}")
    return local


def _fits_as_argument(value: str, attribute: PyAttribute) -> bool:
    return fits(f"{attribute.name}={value},", BODY + STEP)


def decode_value(
    attribute: PyAttribute, source: str, module: Module, lines: Lines
) -> None:
    """Statements that decode ``source`` into the local name of ``attribute``."""
    local, field = attribute.local, attribute.field
    inner = field.type.inner if isinstance(field.type, NullableType) else field.type
    if inner is field.type or decoded(inner, local, module, field) == local:
        if source != local or decoded(inner, local, module, field) != local:
            lines.add(f"{local} = {decoded(inner, source, module, field)}")
        return
    if source != local:
        lines.add(f"{local} = {source}")
    with lines.block(f"if {local} is not None:"):
        lines.add(f"{local} = {decoded(inner, local, module, field)}")


def _given_nulls(shape: Shape) -> Code:
    names = [each.wire for each in shape.attributes if each.keeps_null]
    function = shape.module.scope.runtime("given_nulls")
    return Code(f"{function}(raw, {names_in(shape, names, 'NULLABLE', 'nulls')})")


def _decode_extra(shape: Shape, lines: Lines) -> Code:
    assert shape.extra is not None
    name, value = shape.extra
    wires = [py(each.wire) for each in shape.attributes]
    taken = {each.local for each in shape.attributes}
    local = name
    while local in taken:
        local = Code(f"{local}_")
    item = decoded(value, "each", shape.module, _EXTRA)
    if not wires:
        lines.add(f"{local} = {{key: {item} for key, each in raw.items()}}")
        return local
    known = shape.module.scope.define_after(
        f"_{shape.module.prefix}KEYS",
        f"keys {wires}",
        lambda each: bracketed(wires, before=f"{each} = {{", after="}"),
    )
    lines.add(f"{local}: dict[str, Any] = {{}}")
    with (
        lines.block("for key, each in raw.items():"),
        lines.block(f"if key not in {known}:"),
    ):
        lines.add(f"{local}[key] = {item}")
    return local
