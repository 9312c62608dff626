"""Find the entities that stand in lists, and those whose items are judged one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
        field
        for field in fields
        if not isinstance(field.type, ScalarType) and _holds_objects(field.type)
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


def listed(tools: Iterable[Tool], entities: Mapping[str, Entity]) -> set[str]:
    """The entities of a catalog that some argument or entity has a list of, by name."""
    found: set[str] = set()
    waiting: list[Type] = []
    for entity in entities.values():
        waiting += _parts(entity.fields, entity.extra)
    for tool in tools:
        waiting += _parts(caller_parts(tool), tool.extra)
    while waiting:
        match waiting.pop():
            case ListType(EntityType(name)):
                found.add(name)
            case ListType(inner) | NullableType(inner) | MapType(inner):
                waiting.append(inner)
            case RecordType(fields=fields, extra=extra):
                waiting += _parts(fields, extra)
            case _:
                pass
    return found


def _parts(fields: Iterable[Field], extra: Type | None) -> list[Type]:
    found = [with_part.type for with_part in with_parts(fields)]
    return found if extra is None else [*found, extra]


def judged(listed: Iterable[str], entities: Mapping[str, Entity]) -> frozenset[str]:
    """The entities whose items are judged one by one where the fast path misses one in a list.

    Only those that have no such lists themselves: else each level would be judged once for every
    level above it.
    """
    every = frozenset(entities)
    return frozenset(
        name
        for name in listed
        if not has_list_of(every, entities[name].fields, entities)
    )


def has_list_of(
    names: frozenset[str], fields: Iterable[Field], entities: Mapping[str, Entity]
) -> bool:
    """Whether a list of one of the entities ``names`` is among fields, at any depth."""
    seen: set[str] = set()
    waiting = [field.type for field in fields]
    while waiting:
        match waiting.pop():
            case ListType(EntityType(name)) if name in names:
                return True
            case EntityType(name) if name not in seen:
                seen.add(name)
                waiting += [field.type for field in entities[name].fields]
            case ListType(inner) | MapType(inner) | NullableType(inner):
                waiting.append(inner)
            case RecordType(fields=inner_fields):
                waiting += [inner_field.type for inner_field in inner_fields]
            case _:
                pass
    return False
