"""Write the fast paths of a class: that of ``from_dict``, and the functions that others call."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from brimgen.emit.code import STEP, Code, fits, py
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.fast import FastPath
from brimgen.emit.python.lines import BODY, Lines
from brimgen.emit.python.listed import has_list_of, with_parts
from brimgen.emit.python.package import Readers
from brimgen.emit.python.reading import LEVELS, NotFast
from brimgen.emit.python.schemas import has_reference
from brimgen.emit.python.scope import Imports
from brimgen.emit.python.shape import Shape
from brimgen.emit.python_text.docstrings import docstring
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import attribute as attribute_piece
from brimgen.emit.python_text.pieces import (
    call,
    compared,
    keyword,
    subscript,
    tuple_of,
)
from brimgen.emit.python_text.statements import (
    assigned,
    function,
    parameter,
    raised,
    returned,
    when,
)

INPUT = BODY + STEP
"""Where the fast path of an input stands."""

OF_DECODERS: Imports = ("Any", "Mapping", "Self")
"""The names in the heads of what decodes."""


_CLS, _RAW, _SELF, _LEVELS, _ITEMS = map(
    Code, ("cls", "raw", "Self", "levels", "items")
)
_LIST, _INT, _ONLY = Code("list"), Code("int"), Code("/")
MAPPING = subscript(Code("Mapping"), Code("str"), Code("Any"))


@cache
def _documented(text: str, indent: int) -> Code:
    """The methods of all classes are documented in a few texts."""
    return docstring(text, indent=indent)


def fast_path(shape: Shape) -> Code | None:
    """The statements of ``from_dict`` that decode the common spellings."""
    quick = _fast(shape, _CLS, INPUT, levels=LEVELS - 1)
    if quick is None:
        return None
    if has_judged_items(shape):
        shape.module.scope.runtime("Refused")
    return Code(quick[0].text)


def has_judged_items(shape: Shape) -> bool:
    package = shape.module.package
    if not package.judged:
        return False
    fields = with_parts(each.field for each in shape.attributes)
    return has_list_of(package.judged, fields, package.entities)


def is_read_at_once(shape: Shape, indent: int) -> bool:
    """Whether the objects of a class can be read at once."""
    return _fast(shape, Code("X"), indent) is not None


def entity_readers(shape: Shape, name: Code, entity: str) -> tuple[Code, ...]:
    """The functions that read one object of an entity, and a list of them, on the fast path."""
    package = shape.module.package
    names = package.readers[entity]
    one = reader(shape, name, names.one)
    if one is None:
        return ()
    if entity not in package.judged:
        return (one,)
    return one, _list_reader(shape, name, names)


def reader(shape: Shape, name: Code, reader: Code) -> Code | None:
    """The function that reads one object; None where the schema does not admit a fast path.

    It is no method: CPython 3.11 does not specialize the look-up of an attribute of an imported
    class, which would cost nested objects a fifth.
    """
    quick = _fast(shape, name, STEP)
    if quick is None:
        return None
    quickly, may_end = quick
    lines = Lines(STEP)
    shape.module.scope.mapping()
    parameters = [parameter("raw", MAPPING), *_levels(shape, lines)]
    lines.take_over(quickly)
    if may_end:
        lines.add(raised(shape.module.scope.runtime("FastPathMiss")))
    return _function(
        function(reader, parameters, name),
        lines,
        "Decode the common spelling; raise an exception where the validator is to decide.",
    )


def _list_reader(shape: Shape, name: Code, readers: Readers) -> Code:
    """The function that reads a list: where it refuses one item, it is not read a second time."""
    assert shape.validator is not None
    lines = Lines(STEP)
    read_items = attribute_piece(shape.validator, "read_items")
    lines.add(returned(call(read_items, _ITEMS, readers.one)))
    parameters = [parameter("items", subscript(_LIST, MAPPING))]
    return _function(
        function(readers.many, parameters, subscript(_LIST, name)),
        lines,
        "Decode each item; raise `Refused` where the schema refuses one.",
    )


def _levels(shape: Shape, lines: Lines) -> list[Code]:
    """The parameter that says how many levels an object may have, where its class sets no end to
    them, and the statement that leaves to the slow path what may have more.
    """
    fields = [each.field for each in shape.attributes]
    if not any(has_reference(each.schema) for each in with_parts(fields)):
        return []
    heights = shape.module.package.heights
    if not heights.is_endless(fields):
        return []
    with lines.block(when(compared(_LEVELS, "<", py(heights.least(fields))))):
        lines.add(raised(shape.module.scope.runtime("FastPathMiss")))
    return [parameter("levels", _INT, py(LEVELS))]


def _function(head: Code, lines: Lines, documentation: str) -> Code:
    return Code(
        f"{laid_out(head)}\n    {_documented(documentation, STEP)}\n{lines.text}"
    )


def _fast(
    shape: Shape,
    made: Code,
    indent: int,
    *,
    levels: int | None = None,
) -> tuple[Lines, bool] | None:
    lines = Lines(indent)
    further: list[tuple[Code, Code]] = []
    if shape.extra is not None:
        further.append((shape.extra[0], Code("{}")))
    if shape.nulls is not None:
        further.append((shape.nulls, Code("()")))
    if shape.absent is not None:
        further.append((shape.absent, left_out(shape)))
    try:
        path = FastPath(shape.module, shape.schema, lines, levels=levels)
        scope = shape.module.scope
        return lines, scope.attempt(path.write, shape.attributes, made, further)
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
    names = [each.wire for each in shape.attributes if each.keeps_absence]
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
