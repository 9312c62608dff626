"""Decoding: the fields of a class in, the method that decodes what a validator has accepted out."""

from __future__ import annotations

from brimgen.diagnostics import Span
from brimgen.emit.code import STEP, Code, fits, py
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
from brimgen.emit.python_text.inspect_pieces import mentions
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import (
    call,
    compared,
    keyword,
    mapping_of,
    set_of,
    spread,
    subscript,
)
from brimgen.emit.python_text.statements import (
    assigned,
    for_each,
    function,
    parameter,
    returned,
    when,
)
from brimgen.model.fields import Field
from brimgen.model.types import JsonType, NullableType

_EXTRA = Field(name="", type=JsonType(), schema={}, span=Span.at_file(""))
"""Stands for any further property: one without field options."""
_RAW, _GET, _KEY, _EACH, _NULL = map(Code, ("raw", "raw.get", "key", "each", "None"))
RAW = parameter("raw", subscript(Code("Mapping"), Code("str"), Code("Any")))
"""The parameter of what decodes a JSON object."""
_SELF = Code("Self")
_ITEMS = Code("raw.items()")


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
        given.append(keyword(shape.extra[0], _decode_extra(shape, lines)))
    if shape.nulls is not None:
        given.append(keyword(shape.nulls, _given_nulls(shape)))
    if shape.absent is not None:
        given.append(keyword(shape.absent, left_out(shape)))
    lines.add(returned(spread(Code("cls"), *given)))
    module.scope.take_all(OF_DECODERS)
    return method(
        function("from_accepted", [Code("cls"), RAW, Code("/")], _SELF),
        lines.text,
        "Decode what the schema has accepted.",
    )


def _decode_attribute(attribute: PyAttribute, module: Module) -> tuple[str, Code]:
    """The value of an attribute, an expression, and statements that go before: they make a local
    name of it where one expression is too little.
    """
    lines = Lines(BODY)
    value = _value(attribute, module, lines)
    return lines.text, value


def _value(attribute: PyAttribute, module: Module, lines: Lines) -> Code:
    key, field, default = py(attribute.wire), attribute.field, attribute.default
    if default is None:
        return _decoded_from(subscript(_RAW, key), attribute, module, lines)
    if default.wire is not None:
        source = call(_GET, key, default.wire)
        return _decoded_from(source, attribute, module, lines)
    type = field.type.inner if isinstance(field.type, NullableType) else field.type
    if default is NONE:
        if decoded(type, attribute.local, module, field) == attribute.local:
            return _decoded_from(call(_GET, key), attribute, module, lines)
        test = compared(call(_GET, key), "is not", _NULL)
    else:
        type, test = field.type, compared(key, "in", _RAW)
    value = decoded(type, subscript(_RAW, key), module, field)
    annotation = None if default is NONE else attribute.annotation
    lines.add(assigned(attribute.local, default.expression, annotation))
    with lines.block(when(test)):
        lines.add(assigned(attribute.local, value))
    return attribute.local


def _decoded_from(
    source: Code, attribute: PyAttribute, module: Module, lines: Lines
) -> Code:
    local, field = attribute.local, attribute.field
    whole = decoded(field.type, source, module, field)
    if mentions(whole, source) == 1 and _fits_as_argument(whole, attribute):
        return whole
    lines.add(assigned(local, source))
    value = decoded(field.type, local, module, field)
    if value != local:
        lines.add(assigned(local, value))
    return local


def _fits_as_argument(value: Code, attribute: PyAttribute) -> bool:
    return fits(f"{attribute.name}={value},", BODY + STEP)


def decode_value(
    attribute: PyAttribute, source: Code, module: Module, lines: Lines
) -> None:
    """Statements that decode ``source`` into the local name of ``attribute``."""
    local, field = attribute.local, attribute.field
    inner = field.type.inner if isinstance(field.type, NullableType) else field.type
    if inner is field.type or decoded(inner, local, module, field) == local:
        if source != local or decoded(inner, local, module, field) != local:
            lines.add(assigned(local, decoded(inner, source, module, field)))
        return
    if source != local:
        lines.add(assigned(local, source))
    with lines.block(when(compared(local, "is not", _NULL))):
        lines.add(assigned(local, decoded(inner, local, module, field)))


def _given_nulls(shape: Shape) -> Code:
    names = [each.wire for each in shape.attributes if each.keeps_null]
    given = names_in(shape, names, "NULLABLE", "nulls")
    return call(shape.module.scope.runtime("given_nulls"), _RAW, given)


def _decode_extra(shape: Shape, lines: Lines) -> Code:
    assert shape.extra is not None
    name, value = shape.extra
    wires = [py(each.wire) for each in shape.attributes]
    taken = {each.local for each in shape.attributes}
    local = name
    while local in taken:
        local = Code(f"{local}_")
    item = decoded(value, _EACH, shape.module, _EXTRA)
    if not wires:
        lines.add(assigned(local, mapping_of(_KEY, item, "key, each", _ITEMS)))
        return local
    known = shape.module.scope.define_after(
        f"_{shape.module.prefix}KEYS",
        f"keys {wires}",
        lambda each: laid_out(assigned(each, set_of(wires))),
    )
    lines.add(assigned(local, Code("{}"), Code("dict[str, Any]")))
    with (
        lines.block(for_each("key, each", _ITEMS)),
        lines.block(when(compared(_KEY, "not in", known))),
    ):
        lines.add(assigned(subscript(local, _KEY), item))
    return local
