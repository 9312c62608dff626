"""Attributes of classes, their defaults, and a cache of attributes for fields that say the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar, TypeVarTuple, Unpack

from brimgen.emit.code import STEP, Code, py, skipped_unless_fits
from brimgen.emit.python.scope import Imports, Scope
from brimgen.emit.python_text import docstring, is_docstring
from brimgen.frozen import dataclass
from brimgen.model.types import Field, NullableType, ScalarType, UnionType

_Result = TypeVar("_Result")
_Arguments = TypeVarTuple("_Arguments")

Parts: TypeAlias = dict[Hashable, tuple[Any, Imports]]
"""The results of `PyAttribute.part`, each with the names that it takes of other modules."""

_Place: TypeAlias = tuple[str, int, int]
_TYPE_FACTS: Callable[[Field], tuple[object, ...]] = attrgetter(
    *("type", "origin", "required", "zone", "wire_string", "attribute")
)


@dataclass(frozen=True, slots=True)
class PyDefault:
    """A default: the expression that makes the value; ``factory`` makes one that can be changed.

    ``wire`` is the JSON that decodes to it, where that is a short literal; ``is_display`` says
    that it is a list or an object, ``is_constant`` that no function makes it.
    """

    expression: Code
    factory: Code | None = None
    wire: Code | None = None
    is_display: bool = False
    is_constant: bool = False


NONE = PyDefault(Code("None"), is_constant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class PyAttribute:
    """One attribute: its field, its name in the class, and its name inside a method.

    ``documentation`` stands below it in the class; ``entry`` stands in the display of ``to_dict``.
    ``keeps_null``: null and absence are both None, and each was said by the caller.
    ``keeps_absence``: a default stands for it where the caller left it out.
    ``is_hidden``: no caller sends it, it may be a secret.
    ``verdict`` is what its schema decides by, as text. ``parts`` is what else has been made of it
    (`part`), and of all that differ in words and bounds at most.
    """

    field: Field
    wire: str
    name: Code
    local: Code
    annotation: Code
    default: PyDefault | None
    documentation: Code | None
    entry: tuple[Code, Code]
    is_required: bool
    keeps_null: bool
    keeps_absence: bool
    is_hidden: bool
    verdict: str
    parts: Parts

    @property
    def note(self) -> Code:
        """What stands behind the line of the class that has the attribute."""
        is_union = isinstance(self.field.type, NullableType | UnionType)
        if is_union or self.default is NONE:
            return skipped_unless_fits(f"{self.name}: (", STEP)
        end = "" if self.default is None and not self.is_hidden else " = field("
        return skipped_unless_fits(f"{self.name}: {self.annotation}{end}", STEP)

    def part(
        self,
        key: Hashable,
        scope: Scope,
        make: Callable[[Unpack[_Arguments]], _Result],
        *arguments: *_Arguments,
    ) -> _Result:
        """The result of ``make``, computed once for all modules that have the attribute.

        A result that depends on one module is computed there. ``key`` holds whatever else the
        result depends on.
        """
        cached: tuple[_Result, Imports] | None = self.parts.get(key)
        if cached is not None:
            if cached[1]:
                scope.take_all(cached[1])
            return cached[0]
        value, names = scope.watch(make, *arguments)
        if names is not None:
            self.parts[key] = value, names
        return value

    def for_field(self, field: Field, verdict: str) -> PyAttribute:
        """The attribute of a field that differs in words and bounds at most."""
        return PyAttribute(
            field=field,
            wire=self.wire,
            name=self.name,
            local=self.local,
            annotation=self.annotation,
            default=self.default,
            documentation=documentation_of(field.description),
            entry=self.entry,
            is_required=self.is_required,
            keeps_null=self.keeps_null,
            keeps_absence=self.keeps_absence,
            is_hidden=self.is_hidden,
            verdict=verdict,
            parts=self.parts,
        )


def documentation_of(text: str | None) -> Code | None:
    """What documents an attribute, four columns in."""
    if not text:
        return None
    return docstring(text, indent=STEP) if is_docstring(text) else py(text)


class AttributeCache:
    """Attributes by their fields: by very schema and default, and by what these mean.

    Fields that were declared in the same words have one schema
    (`brimgen.resolve.fields.fields`). Many others differ in words and bounds, which is
    little of what an attribute is.
    """

    __slots__ = ("_by_meaning", "_by_schema")

    def __init__(self) -> None:
        self._by_schema: dict[_Place, tuple[PyAttribute, Imports | None]] = {}
        self._by_meaning: dict[Hashable, tuple[PyAttribute, Imports | None]] = {}

    def same(self, field: Field) -> tuple[PyAttribute, Imports | None] | None:
        """The attribute of a field that says the same.

        Without names it is one of another module, and only its parts are of use.
        """
        cached = self._by_schema.get((field.name, id(field.schema), id(field.default)))
        return (
            cached if cached is not None and _is_copy(cached[0].field, field) else None
        )

    def add_same(self, py_attribute: PyAttribute, names: Imports | None) -> None:
        """Keep an attribute for fields that say the same."""
        field = py_attribute.field
        place = field.name, id(field.schema), id(field.default)
        self._by_schema[place] = py_attribute, names

    def similar(
        self, field: Field, meaning: Hashable
    ) -> tuple[PyAttribute, Imports | None] | None:
        """The attribute of a field that differs in words and bounds at most; else as `same`."""
        cached = self._by_meaning.get(meaning)
        if cached is None or _TYPE_FACTS(cached[0].field) != _TYPE_FACTS(field):
            return None
        return cached

    def add_similar(
        self, py_attribute: PyAttribute, meaning: Hashable, names: Imports | None
    ) -> None:
        """Keep an attribute for fields that differ in words and bounds at most."""
        self._by_meaning[meaning] = py_attribute, names


def _is_copy(original: Field, field: Field) -> bool:
    """Whether a field is ``original``, or a copy of it at another place (`Field.called`).

    Both have the same name, schema and default; a copy shares all other members, too.
    """
    return original is field or (
        original.type is field.type
        and original.description is field.description
        and original.origin is field.origin
        and original.zone is field.zone
        and original.required is field.required
        and original.wire_string is field.wire_string
        and original.attribute == field.attribute
    )


def meaning_of(field: Field, verdict: str) -> Hashable:
    """What a field says besides `_TYPE_FACTS`; of what ``verdict`` says of a scalar, its choices.

    Equal values may differ in their literals, 1 and 1.0; texts tell them apart.
    """
    default, type = field.default, field.type
    default_key = None if default is None else (repr(default.value), default.text)
    if isinstance(type, ScalarType):
        choices = repr(type.choices) if type.choices else ""
        return field.name, default_key, type.scalar, choices
    return field.name, default_key, verdict
