"""Lower ``to_dict``: how the objects of a class are encoded as JSON."""

from __future__ import annotations

from brimgen.emit.code import Code, py
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.shape import Shape
from brimgen.emit.python.types import encoded
from brimgen.emit.python.values import NONE
from brimgen.emit.python.view import PyEncoded, PyEncoder
from brimgen.emit.python_text.pieces import (
    any_of,
    call,
    compared,
    mapping,
)
from brimgen.emit.python_text.pieces import attribute as attribute_piece
from brimgen.model.types import NullableType

_SELF, _NONE = Code("self"), Code("None")


def encoder(shape: Shape) -> PyEncoder:
    """What ``to_dict`` writes: the JSON object that ``from_dict`` reads to an equal object."""
    scope = shape.module.scope
    scope.standard("Any")
    entries, rest = _split(shape)
    first: Code = mapping(entries)
    if shape.extra is not None:
        rest = shape.attributes
        extra = attribute_piece(_SELF, shape.extra[0])
        first = call(scope.runtime("to_json_value"), extra)
    key = "encoded", shape.absent
    return PyEncoder(
        first=first,
        is_all=not rest and shape.extra is None and shape.nulls is None,
        nulls=shape.nulls,
        encoded=tuple(
            each.part(key, scope, _encode_attribute, each, shape) for each in rest
        ),
    )


def _split(shape: Shape) -> tuple[list[tuple[Code, Code]], tuple[PyAttribute, ...]]:
    """The entries of the dict that is written at once, and the attributes that follow it."""
    entries: list[tuple[Code, Code]] = []
    for attribute in shape.attributes:
        if attribute.entry is None or attribute.default is NONE:
            break
        if shape.absent is not None and attribute.keeps_absence:
            break
        entries.append(attribute.entry)
    return entries, shape.attributes[len(entries) :]


def _may_be_left_out(attribute: PyAttribute, shape: Shape) -> bool:
    if attribute.default is NONE:
        return True
    return shape.absent is not None and attribute.keeps_absence


def _encode_attribute(attribute: PyAttribute, shape: Shape) -> PyEncoded:
    key, value = py(attribute.wire), attribute_piece(_SELF, attribute.name)
    type, field, module = attribute.field.type, attribute.field, shape.module
    if not _may_be_left_out(attribute, shape):
        return PyEncoded(key, encoded(type, value, module, field))
    if attribute.default is not None and attribute.default is not NONE:
        assert shape.absent is not None
        given = compared(key, "not in", attribute_piece(_SELF, shape.absent))
        changed = compared(value, "!=", attribute.default.expression)
        made = encoded(type, value, module, field)
        return PyEncoded(key, made, any_of([given, changed]))
    inner = type.inner if isinstance(type, NullableType) else type
    made = encoded(inner, value, module, field)
    return PyEncoded(key, made, compared(value, "is not", _NONE))
