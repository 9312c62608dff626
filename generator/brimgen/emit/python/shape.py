"""Shape: the attributes of a class and what it enforces; what its methods are made from."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import STEP, Code
from brimgen.emit.locals import free_name
from brimgen.emit.python.attributes import (
    PyAttribute,
    absent_view,
    extra_view,
    nulls_view,
)
from brimgen.emit.python.package import Module
from brimgen.emit.python.scope import Imports
from brimgen.emit.python.view import PyClass
from brimgen.emit.python_text.docstrings import docstring
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.statements import class_head
from brimgen.frozen import dataclass
from brimgen.model.fields import Field
from brimgen.model.json import JsonObject
from brimgen.model.types import Type

_BASE = Code("JsonObject")
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
    has_nulls = [each for each in attributes if each.keeps_null]
    has_absent = counted and [each for each in attributes if each.keeps_absence]
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
    text: str,
    shape: Shape,
    hint: str,
    methods: Sequence[Code],
    functions: Sequence[Code] = (),
) -> PyClass:
    """The class ``name``, documented by ``text``; ``hint`` begins the names of its aliases."""
    fields = [each.declaration for each in shape.attributes]
    if shape.extra is not None:
        fields.append(extra_view(*shape.extra, shape.module, hint))
    if shape.nulls is not None:
        fields.append(nulls_view(shape.nulls, shape.module))
    if shape.absent is not None:
        fields.append(absent_view(shape.absent, shape.module))
    return PyClass(
        head=laid_out(class_head(name, _BASE)),
        documentation=docstring(text, indent=STEP),
        fields=tuple(fields),
        methods=tuple(methods),
        functions=tuple(functions),
    )
