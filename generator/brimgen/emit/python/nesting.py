"""Find the fields that hold objects, and the classes that record which fields were absent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from brimgen.emit.codecs.schemas import items_of, values_of, without_null
from brimgen.frozen import dataclass, field
from brimgen.model.catalog import Entity, Tool
from brimgen.model.fields import Caller
from brimgen.model.json import JsonObject
from brimgen.model.types import (
    EntityType,
    Field,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)

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
