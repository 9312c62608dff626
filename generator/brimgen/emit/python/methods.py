"""Write the fast paths of a class: that of ``from_dict``, and the functions that others call."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import STEP, Code, fits, py
from brimgen.emit.python.attributes import BODY, PyAttribute
from brimgen.emit.python.fast import FastPath
from brimgen.emit.python.listed import has_list_of, with_parts
from brimgen.emit.python.reading import LEVELS, NotFast
from brimgen.emit.python.schemas import has_reference
from brimgen.emit.python.scope import Imports
from brimgen.emit.python.shape import Shape
from brimgen.emit.python.view import PyFast, PyReader, PyValue
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import (
    call,
    keyword,
    tuple_of,
)
from brimgen.emit.python_text.statements import (
    assigned,
)

INPUT = BODY + STEP
"""Where the fast path of an input stands."""

OF_DECODERS: Imports = ("Any", "Mapping", "Self")
"""The names in the heads of what decodes."""


_RAW = Code("raw")


def fast_path(shape: Shape) -> PyFast | None:
    """The fast path of ``from_dict``, where the schema admits one."""
    found = _fast(shape, INPUT, levels=LEVELS - 1)
    if found is not None and has_judged_items(shape):
        shape.module.scope.runtime("Refused")
    return found


def has_judged_items(shape: Shape) -> bool:
    """Whether the fast path may refuse an item of a list."""
    package = shape.module.package
    if not package.judged:
        return False
    fields = with_parts(attribute.field for attribute in shape.attributes)
    return has_list_of(package.judged, fields, package.entities)


def is_read_at_once(shape: Shape, indent: int) -> bool:
    """Whether the objects of a class can be read at once."""
    return _fast(shape, indent) is not None


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
    found = _fast(shape, STEP)
    if found is None:
        return None
    shape.module.scope.mapping()
    if found.condition is not None:
        shape.module.scope.runtime("FastPathMiss")
    least = _least_levels(shape)
    return PyReader(
        name=name,
        fast=found,
        levels=None if least is None else py(LEVELS),
        least_levels=least,
        list_name=list_name,
    )


def _least_levels(shape: Shape) -> Code | None:
    """How many levels an object has at least, where its class sets no end to them."""
    fields = [attribute.field for attribute in shape.attributes]
    if not any(has_reference(with_part.schema) for with_part in with_parts(fields)):
        return None
    heights = shape.module.package.heights
    if not heights.is_endless(fields):
        return None
    shape.module.scope.runtime("FastPathMiss")
    return py(heights.least(fields))


def _fast(shape: Shape, indent: int, *, levels: int | None = None) -> PyFast | None:
    further: list[PyValue] = []
    if shape.extra is not None:
        further.append(PyValue(shape.extra[0], Code("{}")))
    if shape.nulls is not None:
        further.append(PyValue(shape.nulls, Code("()")))
    if shape.absent is not None:
        further.append(PyValue(shape.absent, left_out(shape)))
    try:
        path = FastPath(shape.module, shape.schema, indent, levels=levels)
        return shape.module.scope.attempt(path.find, shape.attributes, further)
    except NotFast:
        return None


def arguments_of(
    attributes: Sequence[PyAttribute], values: Sequence[Code]
) -> list[Code]:
    """The arguments of a constructor: by position up to the first optional one, then by name."""
    first = 0
    for each in attributes:
        if not each.is_required:
            break
        first += 1
    named = zip(attributes[first:], values[first:], strict=True)
    return [*values[:first], *[keyword(each.name, value) for each, value in named]]


def left_out(shape: Shape) -> Code:
    """The expression of what was left out, so that its default applies."""
    names = [
        attribute.wire for attribute in shape.attributes if attribute.keeps_absence
    ]
    runtime = shape.module.scope.runtime("left_out")
    return call(runtime, _RAW, names_in(shape, names, "OPTIONAL", "absent"))


def names_in(shape: Shape, names: Sequence[str], constant: str, field: str) -> Code:
    """Names as a tuple: where it stands if it fits there, else as a constant of the module."""
    shown = tuple_of([py(each) for each in names])
    if fits(f"{field}=given_nulls(raw, {shown}),", BODY + 4 * STEP):
        return shown
    return shape.module.scope.define_after(
        f"_{shape.module.prefix}{constant}",
        f"{field} {shown}",
        lambda name: laid_out(assigned(name, shown)),
    )
