"""Facts about nested types: entities in lists, classes that record absent fields, and depth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from brimgen.emit.codecs.schemas import items_of, values_of, without_null
from brimgen.frozen import dataclass, field
from brimgen.model.catalog import Entity, Tool
from brimgen.model.fields import Caller
from brimgen.model.json import JsonObject
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    Field,
    JsonType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)

SHALLOW = 50
"""How many levels a value may have that is validated alone, if its schema sets no limit.

A deeper value is left to the validator of the whole.
"""

_OF_CLASSES = (EntityType, RecordType)


def object_fields(fields: Iterable[Field]) -> list[Field]:
    """The fields whose values are or hold objects of classes; most fields are scalars."""
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


def has_object_fields(tool: Tool) -> bool:
    """Whether a tool has arguments that hold objects, or further ones: most tools have none."""
    return tool.extra is not None or bool(object_fields(tool.fields))


def caller_object_fields(tool: Tool) -> list[Field]:
    """The arguments that hold objects and that a caller may send."""
    arguments = object_fields(tool.fields)
    return [argument for argument in arguments if isinstance(argument.origin, Caller)]


def entities_in_lists(
    tools: Iterable[Tool], entities: Mapping[str, Entity]
) -> set[str]:
    """The entities of a catalog that some argument or entity has a list of, by name."""
    names: set[str] = set()
    waiting: list[Type] = []
    for entity in entities.values():
        waiting += _parts(entity.fields, entity.extra)
    for tool in tools:
        waiting += _parts(caller_object_fields(tool), tool.extra)
    while waiting:
        match waiting.pop():
            case ListType(EntityType(name)):
                names.add(name)
            case ListType(inner) | NullableType(inner) | MapType(inner):
                waiting.append(inner)
            case RecordType(fields=fields, extra=extra):
                waiting += _parts(fields, extra)
            case _:
                pass
    return names


def _parts(fields: Iterable[Field], extra: Type | None) -> list[Type]:
    types = [object_field.type for object_field in object_fields(fields)]
    return types if extra is None else [*types, extra]


def judged_entities(
    listed: Iterable[str], entities: Mapping[str, Entity]
) -> frozenset[str]:
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


_COUNTING = frozenset(
    {
        "allOf",
        "anyOf",
        "const",
        "contains",
        "dependencies",
        "dependentRequired",
        "dependentSchemas",
        "enum",
        "if",
        "maxProperties",
        "minProperties",
        "not",
        "oneOf",
        "patternProperties",
        "propertyNames",
        "uniqueItems",
    }
)


def counts(schema: JsonObject) -> bool:
    """Whether a schema may accept an object, but not the same object with its defaults."""
    return not _COUNTING.isdisjoint(schema) or {"$ref", "properties"} <= schema.keys()


@dataclass(slots=True)
class Counted:
    """The classes below a schema that counts: entities by name, records by type."""

    entities: set[str] = field(default_factory=set[str])
    records: list[RecordType] = field(default_factory=list[RecordType])

    def walk(self, fields: Iterable[Field], below: bool) -> None:
        """Look below the fields of an object; ``below`` says that a schema around it counts."""
        for object_field in object_fields(fields):
            self._type(object_field.type, object_field.schema, below)

    def walk_tool(self, tool: Tool) -> None:
        """Look below the arguments of a tool."""
        self.walk(caller_object_fields(tool), counts(tool.enforced_schema))
        self.walk_extra(tool.extra, tool.enforced_schema)

    def walk_extra(
        self, type: Type | None, schema: JsonObject, below: bool = False
    ) -> None:
        """Look at the further properties of an object with a schema."""
        if type is not None:
            self._type(type, values_of(schema), below or counts(schema))

    def _type(self, type: Type, schema: JsonObject, below: bool) -> None:
        match type:
            case ScalarType():
                return
            case NullableType():
                inner = without_null(schema)
                self._type(type.inner, inner, below or not inner)
            case ListType():
                self._type(type.item, items_of(schema), below or counts(schema))
            case MapType():
                self._type(type.value, values_of(schema), below or counts(schema))
            case EntityType():
                if below or counts(schema):
                    self.entities.add(type.name)
            case RecordType():
                self._record(type, schema, below or counts(schema) or "$ref" in schema)
            case _:
                pass

    def _record(self, type: RecordType, schema: JsonObject, below: bool) -> None:
        if below and type not in self.records:
            self.records.append(type)
        self.walk(type.fields, below)
        self.walk_extra(type.extra, schema, below)


def counted_classes(tools: Iterable[Tool], entities: Mapping[str, Entity]) -> Counted:
    """The classes of entities, and of their records, that keep which fields were absent."""
    classes = Counted()
    for tool in tools:
        classes.walk_tool(tool)
    count = -1
    while count != len(classes.entities):
        count = len(classes.entities)
        for name, entity in entities.items():
            is_counted = name in classes.entities or counts(entity.enforced_schema)
            if is_counted:
                classes.entities.add(name)
            classes.walk(entity.fields, is_counted)
            classes.walk_extra(entity.extra, entity.enforced_schema)
    return classes


class Heights:
    """The heights of types; None for recursive entities, and for types that hold one."""

    __slots__ = ("_entities", "_heights")

    def __init__(self, entities: Mapping[str, Entity]) -> None:
        self._entities = entities
        self._heights: dict[str, int | None] = {}

    def of(self, type: Type) -> int | None:
        """The height of a type."""
        match type:
            case ScalarType():
                return SHALLOW if SCALARS[type.scalar].is_structured else 0
            case NullableType(inner):
                return self.of(inner)
            case ListType(inner) | MapType(inner):
                return _above(self.of(inner))
            case RecordType(fields=fields):
                return _above(self._highest(fields))
            case EntityType(name):
                if name not in self._heights:
                    self._measure(name)
                return self._heights[name]
            case JsonType():
                return SHALLOW
            case _:
                return 0

    def _measure(self, start: str) -> None:
        """Measure an entity and all that it holds.

        Iterative, because chains of entities may be longer than Python's stack. An entity that is
        met again while it is measured is recursive, and has no height; nor has what holds it.
        """
        path = {start: iter(self._held(start))}
        self._heights[start] = None
        while path:
            name, waiting = next(reversed(path.items()))
            for entity in waiting:
                if entity not in self._heights:
                    self._heights[entity] = None
                    path[entity] = iter(self._held(entity))
                    break
            else:
                del path[name]
                highest = self._highest(self._entities[name].fields)
                self._heights[name] = _above(highest)

    def _held(self, name: str) -> Iterator[str]:
        """The entities that the fields of one name, in their order."""
        waiting = [field.type for field in reversed(self._entities[name].fields)]
        while waiting:
            match waiting.pop():
                case NullableType(inner) | ListType(inner) | MapType(inner):
                    waiting.append(inner)
                case RecordType(fields=fields):
                    waiting += [field.type for field in reversed(fields)]
                case EntityType(entity):
                    yield entity
                case _:
                    pass

    def _highest(self, fields: Iterable[Field]) -> int | None:
        heights = [self.of(field.type) for field in fields]
        finite = [height for height in heights if height is not None]
        return max(finite, default=0) if len(finite) == len(heights) else None

    def least(self, fields: Iterable[Field]) -> int:
        """The height of an object with these fields, but for those that have none."""
        heights = (self.of(field.type) for field in fields)
        return 1 + max((height for height in heights if height is not None), default=0)

    def is_endless(self, fields: Iterable[Field]) -> bool:
        """Whether an object with these fields has no height."""
        return any(self.of(field.type) is None for field in fields)


def _above(height: int | None) -> int | None:
    return None if height is None else height + 1
