"""Methods: the bodies of a generated class, and how its objects are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brimgen.emit.code import STEP, Code, bracketed, docstring, fits, py
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.fast import FastPath
from brimgen.emit.python.lines import BODY, Lines
from brimgen.emit.python.reading import NotFast
from brimgen.emit.python.shape import Shape
from brimgen.emit.python.view import PyMethod

_CLASSMETHOD = "@classmethod\n    "


def method(
    head: str, body: Code, documentation: str, *, bound: bool = False
) -> PyMethod:
    """A method, its head at four columns; a class method unless ``bound`` to an object."""
    return PyMethod(
        head=Code(head if bound else f"{_CLASSMETHOD}{head}"),
        documentation=docstring(documentation, indent=BODY),
        body=body,
    )


def from_dict(shape: Shape) -> PyMethod:
    """Reads what the schema accepts: the usual spelling at once, all else the slow way."""
    scope = shape.module.scope
    lines = Lines(BODY)
    quick = _fast(shape, "cls", BODY + STEP) if shape.reads_itself else None
    if quick is not None:
        with lines.block("try:"):
            lines.take_over(quick[0])
        with lines.block(f"except {scope.runtime('UNUSUAL')}:"):
            lines.add("pass")
    lines.add(f"return {shape.validator}.decode(raw, cls._decode)")
    head = f"def from_dict(cls, raw: {mapping(shape)}, /) -> {scope.standard('Self')}:"
    return method(
        head,
        lines.text,
        "Decode exactly what the schema accepts; else raise `InputError` with every violation.",
    )


def from_call(shape: Shape) -> PyMethod:
    """Reads what a model sent."""
    head = f"def from_call(cls, raw: {mapping(shape)} | str | bytes, /) -> Self:"
    return method(
        head,
        Code(f"        return cls.from_dict({shape.validator}.read_call(raw))"),
        "Decode what a model sent: JSON text or an object, null where it means absent.",
    )


def mapping(shape: Shape) -> str:
    scope = shape.module.scope
    return f"{scope.standard('Mapping')}[str, {scope.standard('Any')}]"


def readers(shape: Shape, name: Code, *, is_listed: bool) -> list[PyMethod]:
    """The fast paths of a class that others read: none where the schema does not admit one.

    A class that stands in lists has its body twice: one object by way of a list of one would be a
    sixth of what nested objects cost.
    """
    found = [_read(shape, name), _read_all(shape, name) if is_listed else None]
    return [each for each in found if each is not None]


def _read(shape: Shape, name: Code) -> PyMethod | None:
    quick = _fast(shape, name, BODY)
    if quick is None:
        return None
    lines, may_end = quick
    if may_end:
        lines.add(f"raise {shape.module.scope.runtime('Unusual')}")
    parameter = f"raw: {shape.module.scope.standard('Any')}"
    head = bracketed([parameter], before="def _read(", after=f") -> {name}:", indent=4)
    return PyMethod(
        head=Code(f"@staticmethod\n    {head}"),
        documentation=docstring(
            "Decode the usual spelling; raise `UNUSUAL` where the slow path is to decide.",
            indent=BODY,
        ),
        body=lines.text,
    )


def _read_all(shape: Shape, name: Code) -> PyMethod | None:
    """As `_read`, for all objects of a list; one call for each would be a tenth of the whole."""
    quick = _fast(shape, name, BODY + STEP, of_many=True)
    if quick is None:
        return None
    lines = Lines(BODY)
    lines.add(f"found: list[{name}] = []")
    with lines.block("for raw in rows:"):
        lines.take_over(quick[0])
    lines.add("return found")
    parameter = f"rows: list[{shape.module.scope.standard('Any')}]"
    head = bracketed(
        [parameter], before="def _read_all(", after=f") -> list[{name}]:", indent=4
    )
    return PyMethod(
        head=Code(f"@staticmethod\n    {head}"),
        documentation=docstring(
            "Decode all in the usual spelling, as `_read` does one.", indent=BODY
        ),
        body=lines.text,
    )


def _fast(
    shape: Shape, made: str, indent: int, *, of_many: bool = False
) -> tuple[Lines, bool] | None:
    lines = Lines(indent)
    further = [] if shape.extra is None else [f"{shape.extra[0]} = {{}}"]
    further += [] if shape.nulls is None else [f"{shape.nulls} = ()"]
    if shape.absent is not None:
        further.append(f"{shape.absent} = {left_out(shape)}")
    try:
        with shape.module.scope.attempt():
            path = FastPath(shape.module, shape.schema, lines, of_many=of_many)
            return lines, path.write(shape.attributes, made, further)
    except NotFast:
        return None


def arguments_of(values: Iterable[tuple[PyAttribute, str]]) -> list[str]:
    """The arguments of a constructor: by position up to the first optional one, then by name."""
    given: list[str] = []
    by_name = False
    for attribute, value in values:
        by_name = by_name or not attribute.is_required
        given.append(f"{attribute.name}={value}" if by_name else value)
    return given


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
        lambda name: bracketed(shown, before=f"{name} = (", after=")"),
    )
