"""List every argument that a caller fills out, once, where it was declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Entity, Tool
from brimgen.model.json import Json
from brimgen.model.lint import Subject
from brimgen.model.types import (
    EntityType,
    Field,
    ListType,
    MapType,
    NullableType,
    RecordType,
)

_Place: TypeAlias = tuple[Span, str]


@dataclass(frozen=True, slots=True)
class Argument:
    """A field, and its owner: a tool or an entity, or the place in it of a field with parts.

    ``description`` is its own, else that of its type or its items.
    """

    owner: Subject
    field: Field
    description: str

    @property
    def subject(self) -> Subject:
        """The field as the subject of a finding."""
        owner, name = self.owner, self.field.name
        path = f"{owner.path}.{name}" if owner.path else name
        return Subject(owner.owner, owner.is_tool, path)


def exported_tools(catalog: Catalog) -> tuple[Tool, ...]:
    """The tools that callers are offered."""
    return tuple(filter(_is_exported, catalog.tools))


def _is_exported(tool: Tool) -> bool:
    return tool.enabled and (tool.targets is None or bool(tool.targets))


def arguments(catalog: Catalog) -> tuple[Argument, ...]:
    """The fields of all inputs, inner ones too, in the order of tools and fields.

    Fields of an entity are those of the entity, however many tools reach them.
    """
    walk = _Walk(catalog)
    for tool in exported_tools(catalog):
        walk.fields(tool.caller_fields, Subject(tool.name, True))
    return tuple(walk.arguments)


class _Walk:
    def __init__(self, catalog: Catalog) -> None:
        self.arguments: list[Argument] = []
        self._catalog = catalog
        self._owners = dict(_owners(catalog))
        self._reached: set[_Place] = set()
        self._entities: set[str] = set()

    def fields(self, fields: Iterable[Field], owner: Subject) -> None:
        """Walk through ``fields``, which ``owner`` declares or inherits, and what is in them.

        Iterative, because chains of entities may be longer than Python's stack.
        """
        walks = [(iter(fields), owner)]
        while walks:
            waiting, owner = walks[-1]
            field = next(waiting, None)
            if field is None:
                walks.pop()
                continue
            argument = self._argument(field, owner)
            if argument is not None:
                walks += self._inner_fields(argument)

    def _argument(self, field: Field, owner: Subject) -> Argument | None:
        """Note a field, unless it is inherited and was reached before."""
        declaring = owner
        if owner.path or not owner.is_tool or not field.declared:
            place = field.span, field.name
            if place in self._reached:
                return None
            self._reached.add(place)
            declaring = self._owners.get(place, owner)
        text = field.description or _described(field.schema, self._catalog.entities)
        argument = Argument(declaring, field, text.strip())
        self.arguments.append(argument)
        return argument

    def _inner_fields(
        self, argument: Argument
    ) -> Iterator[tuple[Iterator[Field], Subject]]:
        """The fields in the values of a field, and their owner."""
        kind = argument.field.type
        while True:
            match kind:
                case (
                    ListType(item=inner)
                    | MapType(value=inner)
                    | NullableType(inner=inner)
                ):
                    kind = inner
                    continue
                case RecordType(fields=fields):
                    yield iter(fields), argument.subject
                case EntityType(name) if name not in self._entities:
                    self._entities.add(name)
                    entity = self._catalog.entities.get(name)
                    if entity is not None:
                        yield iter(entity.fields), Subject(name, False)
                case _:
                    pass
            return


def _owners(catalog: Catalog) -> Iterator[tuple[_Place, Subject]]:
    """The entity that declares a field, by the place of that field."""
    for name, entity in catalog.entities.items():
        owner = Subject(name, False)
        for field in entity.fields:
            if field.declared:
                yield (field.span, field.name), owner


def _described(schema: Json, entities: Mapping[str, Entity]) -> str:
    if not isinstance(schema, Mapping):
        return ""
    entity = entities.get(str(schema.get("$ref")).removeprefix("#/$defs/"))
    text = schema.get("description", entity and entity.description)
    if isinstance(text, str) and text.strip():
        return text
    items, parts = schema.get("items"), schema.get("anyOf")
    if items is None and parts is None:
        return ""
    inner = [items, *(parts if isinstance(parts, list | tuple) else ())]
    return next(
        (text for subschema in inner if (text := _described(subschema, entities))), ""
    )
