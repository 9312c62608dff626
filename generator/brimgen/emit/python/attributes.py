"""Attributes: the fields of a class with the names, annotations and defaults they are given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from functools import partial
from typing import Any, TypeAlias, TypeVar, TypeVarTuple, Unpack

from brimgen.emit.code import STEP, Code, fits, py
from brimgen.emit.codecs.annotations import optional
from brimgen.emit.locals import host_name, local_name, local_names
from brimgen.emit.names import attribute_name, class_name
from brimgen.emit.python.attribute_cache import meaning_of
from brimgen.emit.python.package import Module
from brimgen.emit.python.schemas import decides
from brimgen.emit.python.scope import Imports, Scope
from brimgen.emit.python.types import annotation, encoded
from brimgen.emit.python.values import NONE, PyDefault, default_of
from brimgen.emit.python_text.docstrings import docstring, is_docstring
from brimgen.emit.python_text.pieces import (
    attribute,
    entry,
)
from brimgen.frozen import dataclass, replace
from brimgen.model.fields import Caller, Field, Host
from brimgen.model.types import JsonType, NullableType

BODY = 8
"""The column of the statements of a method."""
_SELF = Code("self")
_WITH_NULL = (NullableType, JsonType)
_Made = TypeVar("_Made")
_Given = TypeVarTuple("_Given")

Parts: TypeAlias = dict[Hashable, tuple[Any, Imports]]
"""What has been made of an attribute, and the names that it takes of elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PyAttribute:
    """One attribute: its field, its name in the class, and its name inside a method.

    ``documentation`` stands below it in the class; ``entry`` stands in the display of ``to_dict``,
    unless it is too wide for that. ``keeps_null``: null and
    absence are both None, and each was said by the caller. ``keeps_absence``: a default stands for
    it where the caller left it out. ``is_hidden``: no caller sends it, it may be a secret.
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
    entry: tuple[Code, Code] | None
    is_required: bool
    keeps_null: bool
    keeps_absence: bool
    is_hidden: bool
    verdict: str
    parts: Parts

    def part(
        self,
        key: Hashable,
        scope: Scope,
        make: Callable[[Unpack[_Given]], _Made],
        *given: *_Given,
    ) -> _Made:
        """What ``make`` makes of the attribute, made once for all modules that have it.

        What rests on one module is made there; ``key`` tells all else that it rests on.
        """
        known: tuple[_Made, Imports] | None = self.parts.get(key)
        if known is not None:
            if known[1]:
                scope.take_all(known[1])
            return known[0]
        made, names = scope.watch(make, *given)
        if names is not None:
            self.parts[key] = made, names
        return made

    def said_by(self, field: Field, verdict: str) -> PyAttribute:
        """The attribute of a field that differs in words and bounds at most."""
        return PyAttribute(
            field=field,
            wire=self.wire,
            name=self.name,
            local=self.local,
            annotation=self.annotation,
            default=self.default,
            documentation=_documentation(field.description),
            entry=self.entry,
            is_required=self.is_required,
            keeps_null=self.keeps_null,
            keeps_absence=self.keeps_absence,
            is_hidden=self.is_hidden,
            verdict=verdict,
            parts=self.parts,
        )


def attributes_of(
    fields: Iterable[Field], module: Module, hint: str
) -> tuple[PyAttribute, ...]:
    """The attributes of a class whose aliases begin with ``hint``."""
    return distinct([attribute_of(field, module, hint) for field in fields])


def distinct(attributes: Collection[PyAttribute]) -> tuple[PyAttribute, ...]:
    """The attributes of a class, each with a local name of its own."""
    if len({each.local for each in attributes}) == len(attributes):
        return tuple(attributes)
    names = local_names(each.field for each in attributes)
    return tuple(
        replace(each, local=name, parts={})
        for each, name in zip(attributes, names, strict=True)
    )


def attribute_of(field: Field, module: Module, hint: str) -> PyAttribute:
    """Made once for all fields that say the same, unless a module defines something for one."""
    known, taken = module.attributes.same(field) or (None, None)
    if known is not None:
        if taken is None:
            made = _attribute(field, module, hint, known.verdict, known.parts)
            return _apart(made, known)
        module.scope.take_all(taken)
        return known
    verdict = repr({key: each for key, each in field.schema.items() if decides(key)})
    meaning = meaning_of(field, verdict)
    known, taken = module.attributes.similar(field, meaning) or (None, None)
    if known is not None and taken is not None:
        module.scope.take_all(taken)
        found = known.said_by(field, verdict)
    else:
        parts: Parts = {} if known is None else known.parts
        given = field, module, hint, verdict, parts
        found, taken = module.scope.watch(_attribute, *given)
        found = found if known is None else _apart(found, known)
        module.attributes.add_similar(found, meaning, taken)
    module.attributes.add_same(found, taken)
    return found


def _apart(made: PyAttribute, known: PyAttribute) -> PyAttribute:
    """An attribute that has the parts of one that is ``known`` of another module.

    It gets parts of its own if they would say of it what one module may have alone. The alias of a
    long ``Literal`` is such a name, too, but no part says the annotation.
    """
    is_alike = made.default == known.default and made.entry == known.entry
    return made if is_alike else replace(made, parts={})


def _attribute(
    field: Field, module: Module, hint: str, verdict: str, parts: Parts
) -> PyAttribute:
    name = attribute_name(field.name)
    alias = partial(_alias, hint, field)
    default = default_of(field, module, alias)
    shown = annotation(field.type, module, alias)
    may_be_null = isinstance(field.type, _WITH_NULL)
    is_hidden = not isinstance(field.origin, Caller)
    is_host = isinstance(field.origin, Host)
    if default is NONE and not may_be_null:
        shown = optional(shown)
    if is_hidden or default is not None:
        module.scope.standard("field")
    value = encoded(field.type, attribute(_SELF, name), module, field)
    written = entry(py(field.name), value)
    return PyAttribute(
        field=field,
        wire=field.name,
        name=name,
        local=host_name(name) if is_host else local_name(name, set()),
        annotation=shown,
        default=default,
        documentation=_documentation(field.description),
        entry=(py(field.name), value) if fits(written, BODY + STEP + 1) else None,
        is_required=default is None,
        keeps_null=default is NONE and may_be_null and not is_hidden,
        keeps_absence=default is not None and default is not NONE and not is_hidden,
        is_hidden=is_hidden,
        verdict=verdict,
        parts=parts,
    )


def _alias(hint: str, field: Field) -> str:
    """What a long ``Literal`` is called; few fields have one."""
    return f"{hint}{class_name(field.name)}"


def _documentation(text: str | None) -> Code | None:
    """What documents an attribute, four columns in."""
    if not text:
        return None
    return docstring(text, indent=STEP) if is_docstring(text) else py(text)
