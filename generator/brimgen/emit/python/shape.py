"""The attributes and the schema of a class, from which its methods are lowered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, Unpack

from brimgen.emit.code import Code
from brimgen.emit.locals import free_name
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.package import Module
from brimgen.emit.python.scope import Imports
from brimgen.emit.python.types import annotation
from brimgen.emit.python.view import (
    PyBinder,
    PyClass,
    PyDecoder,
    PyEncoder,
    PyExtra,
    PyFast,
    PyReader,
)
from brimgen.frozen import dataclass
from brimgen.model.json import JsonObject
from brimgen.model.types import Field, Type

_OF_CLASSES: Imports = ("JsonObject", "dataclass")
"""The names in the head of each class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the methods of a class are made from.

    ``schema`` is what they enforce; ``extra`` is the attribute of further properties and the type
    of its values; ``nulls`` the attribute that tells nulls from absence, ``absent`` the one that
    tells defaults from values that were given; ``validator`` the module's name of the validator,
    where the class has one; ``reads_itself`` says that only ``from_dict`` of the class has its
    fast path.
    """

    module: Module
    attributes: tuple[PyAttribute, ...]
    schema: JsonObject
    extra: tuple[Code, Type] | None = None
    nulls: Code | None = None
    absent: Code | None = None
    validator: Code | None = None
    reads_itself: bool = False


@dataclass(frozen=True, slots=True)
class Described:
    """The kind of a class, its name in the specs, and its description there."""

    kind: str
    owner: str
    text: str | None


class Methods(TypedDict, total=False):
    """What a class may have besides ``to_dict``."""

    fast: PyFast | None
    refuses_items: bool
    reads_calls: bool
    decoder: PyDecoder
    binder: PyBinder
    reader: PyReader | None


def shape_of(
    module: Module,
    attributes: tuple[PyAttribute, ...],
    schema: JsonObject,
    *,
    around: Sequence[Field],
    extra: Type | None,
    counted: bool,
    validator: Code | None = None,
    reads_itself: bool = False,
) -> Shape:
    """The shape of a class that is printed.

    ``around`` are all fields of its tool, of which it may have some only; ``counted`` says that a
    schema notices what was left out.
    """
    module.scope.take_all(_OF_CLASSES)
    has_nulls = [attribute for attribute in attributes if attribute.keeps_null]
    has_absent = counted and [
        attribute for attribute in attributes if attribute.keeps_absence
    ]
    return Shape(
        module=module,
        attributes=attributes,
        schema=schema,
        extra=None if extra is None else (free_name("extra", around), extra),
        nulls=free_name("nulls", around) if has_nulls else None,
        absent=free_name("absent", around) if has_absent else None,
        validator=validator,
        reads_itself=reads_itself,
    )


def class_of(
    name: Code,
    described: Described,
    shape: Shape,
    hint: str,
    encoder: PyEncoder,
    **methods: Unpack[Methods],
) -> PyClass:
    """The class ``name``; ``hint`` begins the names of its aliases."""
    extra = shape.extra
    if extra is not None or shape.nulls is not None or shape.absent is not None:
        shape.module.scope.standard("field")
    return PyClass(
        kind=described.kind,
        owner=described.owner,
        name=name,
        description=described.text,
        fields=shape.attributes,
        extra=None if extra is None else _extra(*extra, shape.module, hint),
        nulls=shape.nulls,
        absent=shape.absent,
        validator=shape.validator,
        encoder=encoder,
        **methods,
    )


def _extra(name: Code, value: Type, module: Module, hint: str) -> PyExtra:
    """The attribute that keeps further properties."""
    module.scope.standard("Any")
    return PyExtra(name, annotation(value, module, lambda: f"{hint}Extra"))
