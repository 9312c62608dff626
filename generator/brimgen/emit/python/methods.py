"""Methods: the bodies that read and write the objects of one generated class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from brimgen.diagnostics import Span
from brimgen.emit.code import STEP, Code, bracketed, docstring, fits, py
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.fast import FastPath
from brimgen.emit.python.lines import Lines
from brimgen.emit.python.package import Module
from brimgen.emit.python.reading import NotFast
from brimgen.emit.python.types import decoded, encoded
from brimgen.emit.python.values import NONE
from brimgen.emit.python.view import PyMethod
from brimgen.model.fields import Field
from brimgen.model.json import JsonObject
from brimgen.model.types import JsonType, NullableType, Type

_BODY = 8
_CLASSMETHOD = "@classmethod\n    "
EXTRA = Field(name="", type=JsonType(), schema={}, span=Span.at_file(""))
"""Stands for any further property: one without field options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the methods of a class are made from.

    ``schema`` is what they enforce; ``extra`` is the attribute of further properties and the type
    of its values; ``validator`` the module's name of the validator, where the class has one;
    ``reads_itself`` says that only ``from_dict`` of the class has its fast path.
    """

    module: Module
    attributes: tuple[PyAttribute, ...]
    schema: JsonObject
    extra: tuple[Code, Type] | None = None
    validator: Code | None = None
    reads_itself: bool = False


def method(
    head: str, body: Sequence[Code], documentation: str = "", *, bound: bool = False
) -> PyMethod:
    """A method, its head at four columns; a class method unless ``bound`` to an object."""
    return PyMethod(
        head=Code(head if bound else f"{_CLASSMETHOD}{head}"),
        documentation=docstring(documentation, indent=_BODY) if documentation else None,
        body=tuple(body),
    )


def from_dict(shape: Shape) -> PyMethod:
    """Reads what the schema accepts: the usual spelling at once, all else the slow way."""
    scope = shape.module.scope
    lines = Lines(_BODY)
    quick = _fast(shape, "cls", _BODY + STEP) if shape.reads_itself else None
    if quick is not None:
        with lines.block("try:"):
            lines.take_over(quick[0])
        with lines.block(f"except {scope.runtime('UNUSUAL')}:"):
            lines.add("pass")
    lines.add(f"{shape.validator}.check(raw)")
    lines.add("return cls._decode(raw)")
    head = f"def from_dict(cls, raw: {_mapping(shape)}, /) -> {scope.standard('Self')}:"
    return method(
        head,
        lines.taken,
        "Decode exactly what the schema accepts; else raise `InputError` with every violation.",
    )


def from_call(shape: Shape) -> PyMethod:
    """Reads what a model sent."""
    head = f"def from_call(cls, raw: {_mapping(shape)} | str | bytes, /) -> Self:"
    return method(
        head,
        [Code(f"        return cls.from_dict({shape.validator}.read_call(raw))")],
        "Decode what a model sent: JSON text or an object, null where it means absent.",
    )


def _mapping(shape: Shape) -> str:
    scope = shape.module.scope
    return f"{scope.standard('Mapping')}[str, {scope.standard('Any')}]"


def read(shape: Shape, name: Code) -> PyMethod | None:
    """The fast path of a class that others read; None where the schema does not admit one."""
    quick = _fast(shape, name, _BODY)
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
            indent=_BODY,
        ),
        body=lines.taken,
    )


def _fast(shape: Shape, made: str, indent: int) -> tuple[Lines, bool] | None:
    lines = Lines(indent)
    further = [] if shape.extra is None else [f"{shape.extra[0]} = {{}}"]
    try:
        with shape.module.scope.attempt():
            path = FastPath(shape.module, shape.schema, lines)
            return lines, path.write(shape.attributes, made, further)
    except NotFast:
        return None


def decode(shape: Shape) -> PyMethod:
    """The general way to decode what a validator has accepted."""
    lines = Lines(_BODY)
    values = [
        (each, _decode_attribute(each, shape.module, lines))
        for each in shape.attributes
    ]
    given = arguments_of(values)
    if shape.extra is not None:
        given.append(f"{shape.extra[0]}={_decode_extra(shape, lines)}")
    lines.call("return cls(", given)
    head = f"def _decode(cls, raw: {_mapping(shape)}) -> {shape.module.scope.standard('Self')}:"
    return method(head, lines.taken, "Decode what the schema has accepted.")


def arguments_of(values: Iterable[tuple[PyAttribute, str]]) -> list[str]:
    """The arguments of a constructor: by position up to the first optional one, then by name."""
    given: list[str] = []
    by_name = False
    for attribute, value in values:
        by_name = by_name or not attribute.is_required
        given.append(f"{attribute.name}={value}" if by_name else value)
    return given


def _decode_attribute(attribute: PyAttribute, module: Module, lines: Lines) -> str:
    """The value of an attribute: an expression, or a local name that is given it first."""
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
    value = decoded(field.type, local, module, field)
    if value == local and _fits_as_argument(source, attribute):
        return source
    whole = decoded(field.type, source, module, field)
    if whole.count(source) == 1 and _fits_as_argument(whole, attribute):
        return whole
    lines.add(f"{local} = {source}")
    if value != local:
        lines.add(f"{local} = {value}")
    return local


def _fits_as_argument(value: str, attribute: PyAttribute) -> bool:
    return fits(f"{attribute.name}={value},", _BODY + STEP)


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


def _decode_extra(shape: Shape, lines: Lines) -> Code:
    assert shape.extra is not None
    name, value = shape.extra
    wires = [py(each.wire) for each in shape.attributes]
    taken = {each.local for each in shape.attributes}
    local = name
    while local in taken:
        local = Code(f"{local}_")
    item = decoded(value, "each", shape.module, EXTRA)
    if not wires:
        lines.add(f"{local} = {{key: {item} for key, each in raw.items()}}")
        return local
    known = shape.module.scope.define_after(
        f"_{shape.module.prefix}KEYS",
        f"keys {wires}",
        lambda each: bracketed(wires, before=f"{each} = {{", after="}"),
    )
    lines.add(f"{local} = {{}}")
    with (
        lines.block("for key, each in raw.items():"),
        lines.block(f"if key not in {known}:"),
    ):
        lines.add(f"{local}[key] = {item}")
    return local


def to_dict(shape: Shape) -> PyMethod:
    """Writes the JSON object that ``from_dict`` reads to an equal object."""
    lines = Lines(_BODY)
    first, rest = _split(shape)
    if not rest and shape.extra is None:
        lines.call("return {", first, "}")
    else:
        head = f"encoded: dict[str, {shape.module.scope.standard('Any')}] = "
        if shape.extra is None:
            lines.call(f"{head}{{", first, "}")
        else:
            rest, name = shape.attributes, shape.extra[0]
            lines.add(
                f"{head}{shape.module.scope.runtime('to_json_value')}(self.{name})"
            )
        for each in rest:
            _encode_attribute(each, shape.module, lines)
        lines.add("return encoded")
    any_type = shape.module.scope.standard("Any")
    return method(
        f"def to_dict(self) -> dict[str, {any_type}]:",
        lines.taken,
        "Encode as the JSON object that decodes to an equal object.",
        bound=True,
    )


def _split(shape: Shape) -> tuple[list[str], tuple[PyAttribute, ...]]:
    """The entries of the dict that is written at once, and the attributes that follow it."""
    entries: list[str] = []
    for index, each in enumerate(shape.attributes):
        entry = f"{py(each.wire)}: {_encoded(each, shape.module)}"
        if each.default is NONE or not fits(f"{entry},", _BODY + 4):
            return entries, shape.attributes[index:]
        entries.append(entry)
    return entries, ()


def _encoded(attribute: PyAttribute, module: Module) -> Code:
    return encoded(
        attribute.field.type, f"self.{attribute.name}", module, attribute.field
    )


def _encode_attribute(attribute: PyAttribute, module: Module, lines: Lines) -> None:
    target, value = f"encoded[{py(attribute.wire)}]", f"self.{attribute.name}"
    type, field = attribute.field.type, attribute.field
    if attribute.default is not NONE:
        lines.add(f"{target} = {encoded(type, value, module, field)}")
        return
    inner = type.inner if isinstance(type, NullableType) else type
    with lines.block(f"if {value} is not None:"):
        lines.add(f"{target} = {encoded(inner, value, module, field)}")
