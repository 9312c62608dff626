"""Lower ``from_accepted``: how the fields of a class are decoded that a validator has accepted."""

from __future__ import annotations

from brimgen.diagnostics import Span
from brimgen.emit.code import STEP, Code, fits, py
from brimgen.emit.python.attributes import BODY, PyAttribute
from brimgen.emit.python.methods import (
    OF_DECODERS,
    arguments_of,
    left_out,
    names_in,
)
from brimgen.emit.python.package import Module
from brimgen.emit.python.shape import Shape
from brimgen.emit.python.types import decoded
from brimgen.emit.python.values import NONE
from brimgen.emit.python.view import PyDecoded, PyDecodedExtra, PyDecoder
from brimgen.emit.python_text.inspect_pieces import mentions
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import (
    call,
    compared,
    joined,
    keyword,
    set_of,
    subscript,
)
from brimgen.emit.python_text.statements import assigned
from brimgen.model.fields import Field
from brimgen.model.types import JsonType, NullableType, Type

_EXTRA = Field(name="", type=JsonType(), schema={}, span=Span.at_file(""))
"""Stands for any further property: one without field options."""
_RAW, _GET, _EACH, _NULL = map(Code, ("raw", "raw.get", "each", "None"))


def decoder(shape: Shape) -> PyDecoder:
    """What ``from_accepted`` does: the general way to decode what a validator has accepted."""
    module, attributes = shape.module, shape.attributes
    module.scope.take_all(OF_DECODERS)
    found = [
        attribute.part("decoded", module.scope, _decode_attribute, attribute, module)
        for attribute in attributes
    ]
    given = arguments_of(attributes, [value for _, value in found])
    extra = None
    if shape.extra is not None:
        extra = _decode_extra(shape, *shape.extra)
        given.append(keyword(shape.extra[0], extra.name))
    if shape.nulls is not None:
        given.append(keyword(shape.nulls, _given_nulls(shape)))
    if shape.absent is not None:
        given.append(keyword(shape.absent, left_out(shape)))
    return PyDecoder(
        decoded=tuple(before for before, _ in found if before is not None),
        extra=extra,
        arguments=joined(given),
    )


def _decode_attribute(
    attribute: PyAttribute, module: Module
) -> tuple[PyDecoded | None, Code]:
    """The value of an attribute, an expression, and the statements that go before: they make a
    local name of it where one expression is too little.
    """
    key, field, default = py(attribute.wire), attribute.field, attribute.default
    if default is None:
        return _decoded_from(subscript(_RAW, key), attribute, module)
    if default.wire is not None:
        return _decoded_from(call(_GET, key, default.wire), attribute, module)
    type = field.type.inner if isinstance(field.type, NullableType) else field.type
    if default is NONE:
        if decoded(type, attribute.local, module, field) == attribute.local:
            return _decoded_from(call(_GET, key), attribute, module)
        test = compared(call(_GET, key), "is not", _NULL)
    else:
        type, test = field.type, compared(key, "in", _RAW)
    py_decoded = PyDecoded(
        name=attribute.local,
        value=decoded(type, subscript(_RAW, key), module, field),
        condition=test,
        default=default.expression,
        annotation=None if default is NONE else attribute.annotation,
    )
    return py_decoded, attribute.local


def _decoded_from(
    source: Code, attribute: PyAttribute, module: Module
) -> tuple[PyDecoded | None, Code]:
    local, field = attribute.local, attribute.field
    whole = decoded(field.type, source, module, field)
    if mentions(whole, source) == 1 and _fits_as_argument(whole, attribute):
        return None, whole
    value = decoded(field.type, local, module, field)
    return PyDecoded(local, source, None if value == local else value), local


def _fits_as_argument(value: Code, attribute: PyAttribute) -> bool:
    return fits(f"{attribute.name}={value},", BODY + STEP)


def decoded_value(attribute: PyAttribute, module: Module) -> tuple[Code | None, bool]:
    """What is made of an accepted value that its local name has; None where it stays as it is.

    Also whether it may be None, which then stays None.
    """
    local, field = attribute.local, attribute.field
    inner = field.type.inner if isinstance(field.type, NullableType) else field.type
    made = decoded(inner, local, module, field)
    return (None if made == local else made), inner is not field.type


def _given_nulls(shape: Shape) -> Code:
    names = [attribute.wire for attribute in shape.attributes if attribute.keeps_null]
    given = names_in(shape, names, "NULLABLE", "nulls")
    return call(shape.module.scope.runtime("given_nulls"), _RAW, given)


def _decode_extra(shape: Shape, name: Code, value: Type) -> PyDecodedExtra:
    wires = [py(attribute.wire) for attribute in shape.attributes]
    taken = {attribute.local for attribute in shape.attributes}
    while name in taken:
        name = Code(f"{name}_")
    known = None
    item = decoded(value, _EACH, shape.module, _EXTRA)
    if wires:
        known = shape.module.scope.define_after(
            f"_{shape.module.prefix}KEYS",
            f"keys {wires}",
            lambda each: laid_out(assigned(each, set_of(wires))),
        )
    return PyDecodedExtra(name, item, known)
