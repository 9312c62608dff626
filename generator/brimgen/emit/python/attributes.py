"""Attributes: the fields of a class with the names, annotations and defaults they are given."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar, cast

from brimgen.emit.code import (
    STEP,
    Code,
    Measured,
    bracketed,
    docstring,
    fits,
    measured,
    py,
)
from brimgen.emit.locals import local_name
from brimgen.emit.names import attribute_name, class_name
from brimgen.emit.python.package import Module
from brimgen.emit.python.scope import Imports, Scope
from brimgen.emit.python.types import annotation, optional
from brimgen.emit.python.values import NONE, PyDefault, default_of
from brimgen.frozen import dataclass
from brimgen.model.fields import Caller, Field
from brimgen.model.types import JsonType, NullableType, Type

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True, kw_only=True)
class PyAttribute:
    """One attribute: its field, its name in the class, and its name inside a method.

    ``keeps_null``: null and absence are both None, and each was said by the caller.
    ``keeps_absence``: a default stands for it where the caller left it out. ``is_hidden``: no
    caller sends it, it may be a secret. ``parts`` is what has been made of it (`part`).
    """

    field: Field
    name: Code
    local: Code
    annotation: Code
    default: PyDefault | None
    keeps_null: bool
    keeps_absence: bool
    is_hidden: bool
    parts: dict[Hashable, tuple[Any, Imports]]

    @property
    def wire(self) -> str:
        """The name in JSON."""
        return self.field.name

    @property
    def is_required(self) -> bool:
        """Whether it must be given."""
        return self.default is None

    def part(self, key: Hashable, scope: Scope, make: Callable[[], _Made]) -> _Made:
        """What ``make`` makes of the attribute, made once for all modules that have it.

        What rests on one module is made there; ``key`` tells all else that it rests on.
        """
        known = self.parts.get(key)
        if known is not None:
            scope.take_all(known[1])
            return cast("_Made", known[0])
        made, names = scope.watch(make)
        if names is not None:
            self.parts[key] = made, names
        return made


Attributes: TypeAlias = dict[tuple[str, str, str], tuple[PyAttribute, Imports]]
"""Attributes by what their fields say, and the names that their annotations take."""

_SAID = attrgetter(
    *("type", "origin", "default", "required", "description", "zone", "wire_string")
)


def attributes_of(
    fields: Sequence[Field], module: Module, hint: str
) -> tuple[PyAttribute, ...]:
    """The attributes of a class whose aliases begin with ``hint``."""
    found = tuple([_attribute(field, module, hint) for field in fields])
    if len({each.local for each in found}) == len(found):
        return found
    taken: set[str] = set()
    return tuple(
        replace(each, local=local_name(each.name, taken), parts={}) for each in found
    )


def _attribute(field: Field, module: Module, hint: str) -> PyAttribute:
    """Made once for the classes of a module, which share fields."""
    place = (id(field), hint, module.prefix)
    known = module.declared.get(place)
    if known is None:
        known = module.declared[place] = _shared(field, module, hint)
    return known


def _shared(field: Field, module: Module, hint: str) -> PyAttribute:
    """Made once for all fields that say the same, unless a module defines something for one."""
    default = field.default
    # Equal values may differ in their literals, 1 and 1.0; these texts tell them apart.
    key = (
        field.name,
        repr(field.schema),
        "" if default is None else repr(default.value),
    )
    known = module.attributes.get(key)
    if known is not None and _SAID(known[0].field) == _SAID(field):
        module.scope.take_all(known[1])
        return known[0]
    made, names = module.scope.watch(lambda: _declared(field, module, hint))
    if names is not None:
        module.attributes[key] = made, names
    return made


def _declared(field: Field, module: Module, hint: str) -> PyAttribute:
    name = attribute_name(field.name)
    alias = f"{hint}{class_name(field.name)}"
    default = default_of(field, module, alias)
    shown = annotation(field.type, module, alias)
    may_be_null = isinstance(field.type, NullableType | JsonType)
    is_hidden = not isinstance(field.origin, Caller)
    if default is NONE and not may_be_null:
        shown = optional(shown)
    return PyAttribute(
        field=field,
        name=name,
        local=local_name(name, set()),
        annotation=shown,
        default=default,
        keeps_null=default is NONE and may_be_null and not is_hidden,
        keeps_absence=default is not None and default is not NONE and not is_hidden,
        is_hidden=is_hidden,
        parts={},
    )


def literals_of(
    fields: Sequence[Field], module: Module, hint: str
) -> Mapping[int, Measured]:
    """The literals of what fields say in JSON Schema, by the ids of their schemas."""
    return {
        id(field.schema): _attribute(field, module, hint).part(
            "literal", module.scope, partial(measured, field.schema)
        )
        for field in fields
    }


def field_view(attribute: PyAttribute, scope: Scope) -> Code:
    """The declaration of an attribute, four columns in, and its description below it."""
    return attribute.part("declaration", scope, lambda: _field_view(attribute, scope))


def _field_view(attribute: PyAttribute, scope: Scope) -> Code:
    head = f"{attribute.name}: {attribute.annotation}"
    if attribute.is_hidden or not attribute.is_required:
        scope.standard("field")
    shown = declaration(head, attribute.default, hidden=attribute.is_hidden)
    description = attribute.field.description
    return _documented(shown, _documentation(description)) if description else shown


def _documented(shown: Code, documentation: Code) -> Code:
    return Code(f"{shown}\n{' ' * STEP}{documentation}")


def extra_view(name: Code, value: Type, module: Module, hint: str) -> Code:
    """The declaration of the attribute that keeps further properties."""
    shown = annotation(value, module, f"{hint}Extra")
    module.scope.standard("field")
    declared = bracketed(
        ["default_factory=dict", "kw_only=True"],
        before=f"{name}: dict[str, {shown}] = field(",
        after=")",
        indent=STEP,
    )
    return _documented(declared, docstring("Further properties, by their names."))


def nulls_view(name: Code, module: Module) -> Code:
    """The declaration of the attribute that tells nulls from absence."""
    return _names_view(name, "What was given as null and not just left out.", module)


def absent_view(name: Code, module: Module) -> Code:
    """The declaration of the attribute that tells defaults from values that were given."""
    return _names_view(name, "What was left out, so that its default applies.", module)


def _names_view(name: Code, text: str, module: Module) -> Code:
    module.scope.standard("field")
    arguments = ["default=()", "kw_only=True", "compare=False"]
    declared = bracketed(
        arguments, before=f"{name}: tuple[str, ...] = field(", after=")", indent=STEP
    )
    return _documented(declared, docstring(text))


def declaration(head: str, default: PyDefault | None, *, hidden: bool = False) -> Code:
    """``head`` with its ``field(...)``; what is hidden is not shown when the object is."""
    arguments = [] if default is None else [default.argument, "kw_only=True"]
    arguments += ["repr=False"] if hidden else []
    if not arguments:
        return Code(head if fits(head, 4) else f"{head}  # fmt: skip")
    if not fits(f"{head} = field(", 4):
        return Code(f"{head} = field({', '.join(arguments)})  # fmt: skip")
    return bracketed(arguments, before=f"{head} = field(", after=")", indent=4)


def _documentation(text: str) -> Code:
    shown = docstring(text, indent=4)
    return py(text) if shown.startswith("__doc__") else shown
