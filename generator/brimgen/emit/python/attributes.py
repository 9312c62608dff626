"""Attributes: the fields of a class with the names, annotations and defaults they are given."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, bracketed, docstring, fits, py
from brimgen.emit.locals import local_name
from brimgen.emit.names import attribute_name, class_name
from brimgen.emit.python.package import Module
from brimgen.emit.python.types import annotation, optional
from brimgen.emit.python.values import NONE, PyDefault, default_of
from brimgen.emit.python.view import PyField
from brimgen.frozen import dataclass
from brimgen.model.fields import Caller, Field
from brimgen.model.types import JsonType, NullableType, Type


@dataclass(frozen=True, slots=True, kw_only=True)
class PyAttribute:
    """One attribute: its field, its name in the class, and its name inside a method."""

    field: Field
    name: Code
    local: Code
    annotation: Code
    default: PyDefault | None

    @property
    def wire(self) -> str:
        """The name in JSON."""
        return self.field.name

    @property
    def is_required(self) -> bool:
        """Whether it must be given."""
        return self.default is None

    @property
    def keeps_null(self) -> bool:
        """Whether null and absence are both None, and each was said by the caller."""
        may_be_null = isinstance(self.field.type, NullableType | JsonType)
        return self.default is NONE and may_be_null and not self.is_hidden

    @property
    def keeps_absence(self) -> bool:
        """Whether a default stands for it where the caller left it out."""
        return self.default not in (None, NONE) and not self.is_hidden

    @property
    def is_hidden(self) -> bool:
        """Whether no caller sends it: it may be a secret."""
        return not isinstance(self.field.origin, Caller)


def attributes_of(
    fields: Sequence[Field], module: Module, hint: str
) -> tuple[PyAttribute, ...]:
    """The attributes of a class whose aliases begin with ``hint``."""
    locals_taken: set[str] = set()
    return tuple(_attribute(field, module, hint, locals_taken) for field in fields)


def _attribute(
    field: Field, module: Module, hint: str, locals_taken: set[str]
) -> PyAttribute:
    name = attribute_name(field.name)
    default, shown = _default_and_annotation(field, module, hint)
    return PyAttribute(
        field=field,
        name=name,
        local=local_name(name, locals_taken),
        annotation=shown,
        default=default,
    )


def _default_and_annotation(
    field: Field, module: Module, hint: str
) -> tuple[PyDefault | None, Code]:
    """Made once for the input of a tool and what its handler receives, which share fields."""
    key = (id(field), hint, module.prefix)
    if key not in module.declared:
        alias = f"{hint}{class_name(field.name)}"
        default = default_of(field, module, alias)
        shown = annotation(field.type, module, alias)
        if default is NONE and not isinstance(field.type, NullableType | JsonType):
            shown = optional(shown)
        module.declared[key] = field, default, shown
    return module.declared[key][1:]


def field_view(attribute: PyAttribute) -> PyField:
    """The declaration of an attribute, four columns in, and its description below it."""
    head = f"{attribute.name}: {attribute.annotation}"
    description = attribute.field.description
    return PyField(
        declaration=declaration(head, attribute.default, hidden=attribute.is_hidden),
        documentation=_documentation(description) if description else None,
    )


def extra_view(name: Code, value: Type, module: Module, hint: str) -> PyField:
    """The declaration of the attribute that keeps further properties."""
    shown = annotation(value, module, f"{hint}Extra")
    module.scope.standard("field")
    return PyField(
        declaration=bracketed(
            ["default_factory=dict", "kw_only=True"],
            before=f"{name}: dict[str, {shown}] = field(",
            after=")",
            indent=4,
        ),
        documentation=docstring("Further properties, by their names."),
    )


def nulls_view(name: Code, module: Module) -> PyField:
    """The declaration of the attribute that tells nulls from absence."""
    return _names_view(name, "What was given as null and not just left out.", module)


def absent_view(name: Code, module: Module) -> PyField:
    """The declaration of the attribute that tells defaults from values that were given."""
    return _names_view(name, "What was left out, so that its default applies.", module)


def _names_view(name: Code, text: str, module: Module) -> PyField:
    module.scope.standard("field")
    arguments = ["default=()", "kw_only=True", "compare=False"]
    return PyField(
        declaration=bracketed(
            arguments, before=f"{name}: tuple[str, ...] = field(", after=")", indent=4
        ),
        documentation=docstring(text),
    )


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
