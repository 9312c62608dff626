"""Give fields whose usual attributes collide in Python attributes of their own.

An attribute that has the name of a class would hide that class in the annotations below it, and two
fields cannot have one attribute. Names in JSON stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count
from operator import is_
from typing import TypeVar

from brimgen.emit.names import attribute_name, class_name, classes_of
from brimgen.frozen import replace
from brimgen.model.catalog import Catalog, Entity, Tool
from brimgen.model.types import (
    Field,
    ListType,
    MapType,
    NullableType,
    RecordType,
    Type,
)


def name_attributes(catalog: Catalog) -> Catalog:
    """Return ``catalog`` with `Field.attribute` set where the usual attribute is taken.

    A field whose name is its attribute keeps it, and else the first; the others are numbered
    (``when_``, ``when_2``). Beside a class ``Address``, an attribute ``Address`` is ``Address_``.
    What has no collision is the same object as before.
    """
    naming = _Naming(frozenset(_classes(catalog)))
    return replace(
        catalog,
        entities={
            name: naming.owner(entity) for name, entity in catalog.entities.items()
        },
        tools=tuple(map(naming.owner, catalog.tools)),
    )


def _classes(catalog: Catalog) -> Iterator[str]:
    for named in (catalog.entities, catalog.enums, catalog.leaves):
        yield from map(class_name, named)
    for tool in catalog.tools:
        yield from classes_of(tool.name)


_Owner = TypeVar("_Owner", Entity, Tool)


class _Naming:
    """Names the attributes of a package that has these ``classes``."""

    def __init__(self, classes: frozenset[str]) -> None:
        self._classes = classes

    def owner(self, owner: _Owner) -> _Owner:
        """Return an entity or a tool with the attributes of its fields."""
        fields = self._fields(owner.fields)
        extra = None if owner.extra is None else self._type(owner.extra)
        if fields is owner.fields and extra is owner.extra:
            return owner
        return replace(owner, fields=fields, extra=extra)

    def _fields(self, fields: tuple[Field, ...]) -> tuple[Field, ...]:
        named = tuple(map(self._field, fields, self._attributes(fields)))
        return fields if all(map(is_, named, fields)) else named

    def _field(self, field: Field, attribute: str) -> Field:
        type = self._type(field.type)
        if type is field.type and attribute == attribute_name(field.name):
            return field
        return replace(field, type=type, attribute=attribute)

    def _attributes(self, fields: Sequence[Field]) -> list[str]:
        usual: list[str] = [attribute_name(field.name) for field in fields]
        if len({*usual}) == len(usual) and self._classes.isdisjoint(usual):
            return usual
        kept = {field.name for field in fields} & {*usual} - self._classes
        taken = {*kept}
        attributes: list[str] = []
        for field, name in zip(fields, usual, strict=True):
            attributes.append(name if field.name in kept else self._free(name, taken))
            taken.add(attributes[-1])
        return attributes

    def _free(self, name: str, taken: set[str]) -> str:
        """Return the first attribute for ``name`` that is neither ``taken`` nor a class."""
        first = f"{name}_" if name in self._classes else name
        numbered = (f"{name.rstrip('_')}_{number}" for number in count(2))
        return next(
            free
            for free in chain((first,), numbered)
            if free not in taken and free not in self._classes
        )

    def _type(self, type: Type) -> Type:
        match type:
            case RecordType():
                fields = self._fields(type.fields)
                extra = None if type.extra is None else self._type(type.extra)
                is_same = fields is type.fields and extra is type.extra
                return type if is_same else replace(type, fields=fields, extra=extra)
            case ListType(item=inner):
                named = self._type(inner)
                return type if named is inner else ListType(named)
            case MapType(value=inner):
                named = self._type(inner)
                return type if named is inner else MapType(named)
            case NullableType(inner=inner):
                named = self._type(inner)
                return type if named is inner else NullableType(named)
            case _:
                return type
