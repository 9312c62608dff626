"""Lower the methods of a class: the fast paths, ``from_accepted`` and ``to_dict``."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.diagnostics import Span
from brimgen.emit.code import Code, py
from brimgen.emit.codecs.conversions import reads_once
from brimgen.emit.codecs.schemas import has_reference
from brimgen.emit.python.attributes import NONE, PyAttribute
from brimgen.emit.python.fast import FastPath
from brimgen.emit.python.nesting import has_list_of, object_fields
from brimgen.emit.python.package import Module
from brimgen.emit.python.reading import LEVELS, NotFast
from brimgen.emit.python.scope import Imports
from brimgen.emit.python.shape import Shape
from brimgen.emit.python.types import decoded, decoding, encoded
from brimgen.emit.python.view import (
    PyDecoded,
    PyDecodedExtra,
    PyDecoder,
    PyEncoded,
    PyEncoder,
    PyFast,
    PyReader,
    PyValue,
)
from brimgen.emit.python_text import (
    any_of,
    call,
    compared,
    joined,
    keyword,
    mapping,
    set_of,
    subscript,
    tuple_of,
)
from brimgen.emit.python_text import attribute as attribute_piece
from brimgen.model.types import Field, JsonType, NullableType, Type

OF_DECODERS: Imports = ("Any", "Mapping", "Self")
"""The names in the heads of what decodes."""


_RAW, _GET, _EACH, _NULL = map(Code, ("raw", "raw.get", "each", "None"))
_SELF, _NONE = Code("self"), Code("None")
_EXTRA = Field(name="", type=JsonType(), schema={}, span=Span.at_file(""))
"""Stands for any further property: one without field options."""


def fast_path(shape: Shape) -> PyFast | None:
    """The fast path of ``from_dict``, where the schema admits one."""
    fast = _fast(shape, levels=LEVELS - 1)
    if fast is not None and has_judged_items(shape):
        shape.module.scope.runtime("Refused")
    return fast


def has_judged_items(shape: Shape) -> bool:
    """Whether the fast path may refuse an item of a list."""
    package = shape.module.package
    if not package.judged:
        return False
    fields = object_fields(attribute.field for attribute in shape.attributes)
    return has_list_of(package.judged, fields, package.entities)


def is_read_at_once(shape: Shape) -> bool:
    """Whether the objects of a class can be read at once."""
    return _fast(shape) is not None


def entity_reader(shape: Shape, entity: str) -> PyReader | None:
    """The functions that read one object of an entity, and a list of them, on the fast path."""
    package = shape.module.package
    names = package.readers[entity]
    many = names.many if entity in package.judged else None
    return reader(shape, names.one, many)


def reader(shape: Shape, name: Code, list_name: Code | None = None) -> PyReader | None:
    """The function that reads one object; None where the schema does not admit a fast path.

    It is no method: CPython 3.11 does not specialize the look-up of an attribute of an imported
    class, which would cost nested objects a fifth.
    """
    fast = _fast(shape)
    if fast is None:
        return None
    shape.module.scope.mapping()
    if fast.condition is not None:
        shape.module.scope.runtime("FastPathMiss")
    least = _least_levels(shape)
    return PyReader(
        name=name,
        fast=fast,
        levels=None if least is None else py(LEVELS),
        least_levels=least,
        list_name=list_name,
    )


def _least_levels(shape: Shape) -> Code | None:
    """The least number of levels of an object whose class is recursive; None for others."""
    fields = [attribute.field for attribute in shape.attributes]
    if not any(
        has_reference(object_field.schema) for object_field in object_fields(fields)
    ):
        return None
    heights = shape.module.package.heights
    if not heights.is_endless(fields):
        return None
    shape.module.scope.runtime("FastPathMiss")
    return py(heights.least(fields))


def _fast(shape: Shape, *, levels: int | None = None) -> PyFast | None:
    further: list[PyValue] = []
    if shape.extra is not None:
        further.append(PyValue(shape.extra[0], Code("{}")))
    if shape.nulls is not None:
        further.append(PyValue(shape.nulls, Code("()")))
    if shape.absent is not None:
        further.append(PyValue(shape.absent, left_out(shape)))
    try:
        path = FastPath(shape.module, shape.schema, levels=levels)
        return shape.module.scope.attempt(path.find, shape.attributes, further)
    except NotFast:
        return None


def arguments_of(
    attributes: Sequence[PyAttribute], values: Sequence[Code]
) -> list[Code]:
    """The arguments of a constructor: by position up to the first optional one, then by name."""
    first = 0
    for attribute in attributes:
        if not attribute.is_required:
            break
        first += 1
    named = zip(attributes[first:], values[first:], strict=True)
    return [
        *values[:first],
        *[keyword(attribute.name, value) for attribute, value in named],
    ]


def left_out(shape: Shape) -> Code:
    """The expression of what was left out, so that its default applies."""
    names = [
        attribute.wire for attribute in shape.attributes if attribute.keeps_absence
    ]
    runtime = shape.module.scope.runtime("left_out")
    return call(runtime, _RAW, tuple_of([*map(py, names)]))


def decoder(shape: Shape) -> PyDecoder:
    """What ``from_accepted`` does: the general way to decode what a validator has accepted."""
    module, attributes = shape.module, shape.attributes
    module.scope.take_all(OF_DECODERS)
    parts = [
        attribute.part("decoded", module.scope, _decode_attribute, attribute, module)
        for attribute in attributes
    ]
    arguments = arguments_of(attributes, [value for _, value in parts])
    extra = None
    if shape.extra is not None:
        extra = _decode_extra(shape, *shape.extra)
        arguments.append(keyword(shape.extra[0], extra.name))
    if shape.nulls is not None:
        arguments.append(keyword(shape.nulls, _given_nulls(shape)))
    if shape.absent is not None:
        arguments.append(keyword(shape.absent, left_out(shape)))
    return PyDecoder(
        decoded=tuple(before for before, _ in parts if before is not None),
        extra=extra,
        arguments=joined(arguments),
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
        annotation=(
            None
            if default is NONE or attribute.annotation == "str"
            else attribute.annotation
        ),
    )
    return py_decoded, attribute.local


def _decoded_from(
    source: Code, attribute: PyAttribute, module: Module
) -> tuple[PyDecoded | None, Code]:
    local, field = attribute.local, attribute.field
    if reads_once(decoding(field.type, module, field)):
        return None, decoded(field.type, source, module, field)
    value = decoded(field.type, local, module, field)
    return PyDecoded(local, source, None if value == local else value), local


def _given_nulls(shape: Shape) -> Code:
    names = [attribute.wire for attribute in shape.attributes if attribute.keeps_null]
    nulls = tuple_of([*map(py, names)])
    return call(shape.module.scope.runtime("given_nulls"), _RAW, nulls)


def _decode_extra(shape: Shape, name: Code, value: Type) -> PyDecodedExtra:
    wires = [py(attribute.wire) for attribute in shape.attributes]
    taken = {attribute.local for attribute in shape.attributes}
    while name in taken:
        name = Code(f"{name}_")
    known_keys = None
    item = decoded(value, _EACH, shape.module, _EXTRA)
    if wires:
        known_keys = shape.module.scope.define_after(
            f"_{shape.module.prefix}KEYS",
            f"keys {wires}",
            lambda constant: Code(f"{constant} = {set_of(wires)}"),
        )
    return PyDecodedExtra(name, item, known_keys)


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
            attribute.part(key, scope, _encode_attribute, attribute, shape)
            for attribute in rest
        ),
    )


def _split(shape: Shape) -> tuple[list[tuple[Code, Code]], tuple[PyAttribute, ...]]:
    """The entries of the dict that is written at once, and the attributes that follow it."""
    entries: list[tuple[Code, Code]] = []
    for attribute in shape.attributes:
        if attribute.default is NONE:
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
        is_given = compared(key, "not in", attribute_piece(_SELF, shape.absent))
        changed = compared(value, "!=", attribute.default.expression)
        encoded_value = encoded(type, value, module, field)
        return PyEncoded(key, encoded_value, any_of([is_given, changed]))
    inner = type.inner if isinstance(type, NullableType) else type
    encoded_value = encoded(inner, value, module, field)
    return PyEncoded(key, encoded_value, compared(value, "is not", _NONE))
