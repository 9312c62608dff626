"""Listed: a catalog in, the classes out whose objects stand in lists and are read many at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from brimgen.frozen import dataclass, field
from brimgen.model.catalog import Entity, Tool
from brimgen.model.fields import Caller, Field
from brimgen.model.types import (
    EntityType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)


def with_parts(fields: Iterable[Field]) -> list[Field]:
    """Those of fields whose values are or hold objects of classes: most are scalars, and asked no
    further.
    """
    return [
        each
        for each in fields
        if not isinstance(each.type, ScalarType) and _holds_objects(each.type)
    ]


def _holds_objects(type: Type) -> bool:
    while True:
        if isinstance(type, ListType):
            type = type.item
        elif isinstance(type, NullableType):
            type = type.inner
        elif isinstance(type, MapType):
            type = type.value
        else:
            return isinstance(type, _OF_CLASSES)


_OF_CLASSES = (EntityType, RecordType)


def has_parts(tool: Tool) -> bool:
    """Whether a tool has arguments with parts, or further ones: most have none."""
    return tool.extra is not None or bool(with_parts(tool.fields))


def caller_parts(tool: Tool) -> list[Field]:
    """The arguments with parts that a caller may send."""
    found = with_parts(tool.fields)
    return [each for each in found if isinstance(each.origin, Caller)]


@dataclass(slots=True)
class Listed:
    """The classes of items: entities by name, records by type."""

    entities: set[str] = field(default_factory=set[str])
    records: list[RecordType] = field(default_factory=list[RecordType])

    def walk(self, fields: Iterable[Field], extra: Type | None) -> None:
        """Look below the fields and further properties of an object."""
        for each in with_parts(fields):
            self._type(each.type)
        if extra is not None:
            self._type(extra)

    def walk_tool(self, tool: Tool) -> None:
        """Look below the arguments of a tool."""
        self.walk(caller_parts(tool), tool.extra)

    def _type(self, type: Type) -> None:
        match type:
            case ListType(EntityType(name)):
                self.entities.add(name)
            case ListType(item):
                if isinstance(item, RecordType) and item not in self.records:
                    self.records.append(item)
                self._type(item)
            case NullableType(inner):
                self._type(inner)
            case MapType(value):
                self._type(value)
            case RecordType():
                self.walk(type.fields, type.extra)
            case _:
                return


def listed(tools: Iterable[Tool], entities: Mapping[str, Entity]) -> Listed:
    """The classes of a catalog that some argument or entity has a list of."""
    found = Listed()
    for entity in entities.values():
        found.walk(entity.fields, entity.extra)
    for tool in tools:
        found.walk_tool(tool)
    return found


def judged(fast: frozenset[str], entities: Mapping[str, Entity]) -> frozenset[str]:
    """The entities that are judged one by one where a list of them is not read at once.

    Only those that have no such lists themselves: else each level would be judged once for every
    level above it.
    """
    return frozenset(
        name for name in fast if not has_list_of(fast, entities[name].fields, entities)
    )


def has_list_of(
    names: frozenset[str], fields: Iterable[Field], entities: Mapping[str, Entity]
) -> bool:
    """Whether a list of one of the entities ``names`` is among fields, at any depth."""
    seen: set[str] = set()
    waiting = [each.type for each in fields]
    while waiting:
        match waiting.pop():
            case ListType(EntityType(name)) if name in names:
                return True
            case EntityType(name) if name not in seen:
                seen.add(name)
                waiting += [each.type for each in entities[name].fields]
            case ListType(inner) | MapType(inner) | NullableType(inner):
                waiting.append(inner)
            case RecordType(fields=inner_fields):
                waiting += [each.type for each in inner_fields]
            case _:
                pass
    return False
