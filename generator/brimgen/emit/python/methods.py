"""Methods: the bodies of a generated class, and how its objects are read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from brimgen.emit.code import STEP, Code, bracketed, docstring, fits, py
from brimgen.emit.expressions import tupled
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.fast import FastPath
from brimgen.emit.python.lines import BODY, Lines
from brimgen.emit.python.listed import has_list_of, with_parts
from brimgen.emit.python.package import Readers
from brimgen.emit.python.reading import LEVELS, NotFast
from brimgen.emit.python.schemas import has_reference
from brimgen.emit.python.scope import Imports
from brimgen.emit.python.shape import Shape

INPUT = BODY + STEP
"""Where the fast path of an input stands."""

OF_DECODERS: Imports = ("Any", "Mapping", "Self")
"""The names in the heads of what decodes."""


def method(head: str, body: str, documentation: str, *, bound: bool = False) -> Code:
    """A method, its head at four columns; a class method unless ``bound`` to an object."""
    decorated = "" if bound else "@classmethod\n    "
    return Code(
        f"{decorated}{head}\n        {_documented(documentation, BODY)}\n{body}"
    )


@cache
def _documented(text: str, indent: int) -> Code:
    """The methods of all classes are documented in a few texts."""
    return docstring(text, indent=indent)


def from_dict(shape: Shape) -> Code:
    """Reads what the schema accepts: the usual spelling at once, all else the slow way."""
    scope = shape.module.scope
    lines = Lines(BODY)
    quick = (
        _fast(shape, "cls", INPUT, levels=LEVELS - 1) if shape.reads_itself else None
    )
    refused = unusual = None
    if quick is not None:
        with lines.block("try:"):
            lines.take_over(quick[0])
        unusual = scope.runtime("UNUSUAL")
        if _has_judged_items(shape):
            refused = scope.runtime("Refused")
    assert shape.validator is not None
    lines.take([_slowly(shape.validator, refused, unusual)])
    scope.take_all(OF_DECODERS)
    return method(
        "def from_dict(cls, raw: Mapping[str, Any], /) -> Self:",
        lines.text,
        "Decode exactly what the schema accepts; else raise `InputError` with every violation.",
    )


@lru_cache(maxsize=64)
def _slowly(validator: Code, refused: Code | None, unusual: Code | None) -> str:
    """How ``from_dict`` goes on where its fast path, if it has one, came to no end.

    The inputs of all tools go on alike.
    """
    lines = Lines(BODY)
    if refused is not None:
        with lines.block(f"except {refused}:"):
            lines.add(f"raise {validator}.refusal(raw) from None")
    if unusual is not None:
        with lines.block(f"except {unusual}:"):
            lines.add("pass")
    with lines.block(f"if {validator}.is_valid(raw):"):
        lines.add(f"return {validator}.decode(raw, cls.from_accepted)")
    # Raised here, the error has one frame fewer to leave: a tenth of what a refusal costs.
    lines.add(f"raise {validator}.refusal(raw)")
    return lines.text


def _has_judged_items(shape: Shape) -> bool:
    package = shape.module.package
    if not package.judged:
        return False
    fields = with_parts(each.field for each in shape.attributes)
    return has_list_of(package.judged, fields, package.entities)


def from_call(shape: Shape) -> Code:
    """Reads what a model sent."""
    shape.module.scope.take_all(OF_DECODERS)
    return method(
        "def from_call(cls, raw: Mapping[str, Any] | str | bytes, /) -> Self:",
        f"        return cls.from_dict({shape.validator}.read_call(raw))",
        "Decode what a model sent: JSON text or an object, null where it means absent.",
    )


def is_read_at_once(shape: Shape, indent: int) -> bool:
    """Whether the objects of a class can be read at once."""
    return _fast(shape, "X", indent) is not None


def readers(
    shape: Shape,
    name: Code,
    readers: Readers,
    *,
    is_read: bool = True,
    is_listed: bool,
    judge: Code | None = None,
) -> tuple[Code, ...]:
    """The fast paths of a class that others read: none where the schema does not admit one.

    They are functions and no methods: CPython 3.11 does not specialize the look-up of an attribute
    of an imported class, which costs nested objects a fifteenth. A class that stands in lists has
    its body twice: one object by way of a list of one would be a sixth of what they cost.
    """
    one = _one(shape, name, readers.one) if is_read else None
    many = _many(shape, name, readers, judge) if is_listed else None
    return tuple(each for each in (one, many) if each is not None)


def _one(shape: Shape, name: Code, reader: Code) -> Code | None:
    quick = _fast(shape, name, STEP)
    if quick is None:
        return None
    quickly, may_end = quick
    lines = Lines(STEP)
    parameters = [f"raw: {shape.module.scope.mapping()}", *_levels(shape, lines)]
    lines.take_over(quickly)
    if may_end:
        lines.add(f"raise {shape.module.scope.runtime('Unusual')}")
    return _function(
        bracketed(parameters, before=f"def {reader}(", after=f") -> {name}:"),
        lines,
        "Decode the usual spelling; raise `UNUSUAL` where the slow path is to decide.",
    )


def _many(
    shape: Shape, name: Code, readers: Readers, judge: Code | None
) -> Code | None:
    """As `_one`, for all objects of a list; one call for each would be a tenth of the whole.

    The validator ``judge`` is asked about the object that is not read: where that is refused, the
    list is not read a second time.
    """
    depth = 0 if judge is None else STEP
    quick = _fast(shape, name, 2 * STEP + depth, of_many=True)
    if quick is None:
        return None
    lines = Lines(STEP)
    parameters = [f"rows: list[{shape.module.scope.mapping()}]", *_levels(shape, lines)]
    lines.add(f"found: list[{name}] = []")
    text = "Decode the usual spelling of each; raise `UNUSUAL` where the slow path is to decide."
    if judge is None:
        with lines.block("for raw in rows:"):
            lines.take_over(quick[0])
    else:
        with lines.block("try:"), lines.block("for raw in rows:"):
            lines.take_over(quick[0])
        with lines.block(f"except {shape.module.scope.runtime('UNUSUAL')}:"):
            lines.add(f"raise {judge}.doubt(rows[len(found)]) from None")
        text = "Decode the usual spelling of each; raise `Refused` where the schema refuses one."
    lines.add("return found")
    return _function(
        bracketed(
            parameters, before=f"def {readers.many}(", after=f") -> list[{name}]:"
        ),
        lines,
        text,
    )


def _levels(shape: Shape, lines: Lines) -> list[str]:
    """The parameter that says how many levels an object may have, where its class sets no end to
    them, and the statement that leaves to the slow path what may have more.
    """
    fields = [each.field for each in shape.attributes]
    if not any(has_reference(each.schema) for each in with_parts(fields)):
        return []
    heights = shape.module.package.heights
    if not heights.is_endless(fields):
        return []
    with lines.block(f"if levels < {heights.least(fields)}:"):
        lines.add(f"raise {shape.module.scope.runtime('Unusual')}")
    return [f"levels: int = {LEVELS}"]


def _function(head: Code, lines: Lines, documentation: str) -> Code:
    return Code(f"{head}\n    {_documented(documentation, STEP)}\n{lines.text}")


def _fast(
    shape: Shape,
    made: str,
    indent: int,
    *,
    of_many: bool = False,
    levels: int | None = None,
) -> tuple[Lines, bool] | None:
    lines = Lines(indent)
    further = [] if shape.extra is None else [f"{shape.extra[0]} = {{}}"]
    further += [] if shape.nulls is None else [f"{shape.nulls} = ()"]
    if shape.absent is not None:
        further.append(f"{shape.absent} = {left_out(shape)}")
    try:
        path = FastPath(
            shape.module, shape.schema, lines, of_many=of_many, levels=levels
        )
        scope = shape.module.scope
        return lines, scope.attempt(path.write, shape.attributes, made, further)
    except NotFast:
        return None


def arguments_of(attributes: Sequence[PyAttribute], values: Sequence[str]) -> list[str]:
    """The arguments of a constructor: by position up to the first optional one, then by name."""
    first = 0
    for each in attributes:
        if not each.is_required:
            break
        first += 1
    named = zip(attributes[first:], values[first:], strict=True)
    return [*values[:first], *[f"{each.name}={value}" for each, value in named]]


def left_out(shape: Shape) -> Code:
    """The expression of what was left out, so that its default applies."""
    names = [each.wire for each in shape.attributes if each.keeps_absence]
    function = shape.module.scope.runtime("left_out")
    return Code(f"{function}(raw, {names_in(shape, names, 'OPTIONAL', 'absent')})")


def names_in(shape: Shape, names: Sequence[str], constant: str, field: str) -> Code:
    """Names as a tuple: where it stands if it fits there, else as a constant of the module."""
    shown = [py(each) for each in names]
    flat = Code(f"({', '.join(shown)}{',' if len(shown) == 1 else ''})")
    if fits(f"{field}=given_nulls(raw, {flat}),", BODY + 4 * STEP):
        return flat
    return shape.module.scope.define_after(
        f"_{shape.module.prefix}{constant}",
        f"{field} {flat}",
        lambda name: tupled(shown, before=f"{name} = "),
    )
