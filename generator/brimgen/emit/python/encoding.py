"""Encoding: the fields of a class in, the method that writes its objects as JSON out."""

from __future__ import annotations

from brimgen.emit.code import Code, py
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.lines import BODY, Lines
from brimgen.emit.python.methods import method
from brimgen.emit.python.shape import Shape
from brimgen.emit.python.types import encoded
from brimgen.emit.python.values import NONE
from brimgen.emit.python_text.pieces import (
    any_of,
    call,
    compared,
    mapping,
    subscript,
)
from brimgen.emit.python_text.pieces import attribute as attribute_piece
from brimgen.emit.python_text.statements import (
    assigned,
    function,
    returned,
    when,
)
from brimgen.model.types import NullableType

_SELF, _ENCODED, _NONE = Code("self"), Code("encoded"), Code("None")
_ANY_DICT = subscript(Code("dict"), Code("str"), Code("Any"))


def to_dict(shape: Shape) -> Code:
    """Writes the JSON object that ``from_dict`` reads to an equal object."""
    lines = Lines(BODY)
    first, rest = _split(shape)
    if not rest and shape.extra is None and shape.nulls is None:
        lines.add(returned(mapping(first)))
    else:
        if shape.extra is None:
            lines.add(assigned(_ENCODED, mapping(first), _ANY_DICT))
        else:
            rest = shape.attributes
            extra = attribute_piece(_SELF, shape.extra[0])
            copied = call(shape.module.scope.runtime("to_json_value"), extra)
            lines.add(assigned(_ENCODED, copied, _ANY_DICT))
        if shape.nulls is not None:
            nulls = attribute_piece(_SELF, shape.nulls)
            lines.add(call(Code("encoded.update"), call(Code("dict.fromkeys"), nulls)))
        key, scope = ("encoded", shape.absent), shape.module.scope
        lines.take(
            [each.part(key, scope, _encode_attribute, each, shape) for each in rest]
        )
        lines.add(returned(_ENCODED))
    shape.module.scope.standard("Any")
    return method(
        function("to_dict", [_SELF], _ANY_DICT),
        lines.text,
        "Encode as the JSON object that decodes to an equal object.",
        bound=True,
    )


def _split(shape: Shape) -> tuple[list[tuple[Code, Code]], tuple[PyAttribute, ...]]:
    """The entries of the dict that is written at once, and the attributes that follow it."""
    entries: list[tuple[Code, Code]] = []
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
    key, value = py(attribute.wire), attribute_piece(_SELF, attribute.name)
    target = subscript(_ENCODED, key)
    type, field, module = attribute.field.type, attribute.field, shape.module
    if not _may_be_left_out(attribute, shape):
        lines.add(assigned(target, encoded(type, value, module, field)))
        return lines.text
    if attribute.default is not None and attribute.default is not NONE:
        assert shape.absent is not None
        given = compared(key, "not in", attribute_piece(_SELF, shape.absent))
        changed = compared(value, "!=", attribute.default.expression)
        with lines.block(when(any_of([given, changed]))):
            lines.add(assigned(target, encoded(type, value, module, field)))
        return lines.text
    inner = type.inner if isinstance(type, NullableType) else type
    with lines.block(when(compared(value, "is not", _NONE))):
        lines.add(assigned(target, encoded(inner, value, module, field)))
    return lines.text
