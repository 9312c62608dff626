"""Find the classes whose schemas notice that a property was left out.

A default is written back like any other value, as long as no schema counts properties, compares
whole objects, or demands one property where there is another. Where one does, here or around the
object, a class keeps in mind what was absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from brimgen.emit.python.listed import caller_parts, with_parts
from brimgen.emit.python.schemas import items_of, values_of, without_null
from brimgen.frozen import dataclass, field
from brimgen.model.catalog import Entity, Tool
from brimgen.model.fields import Field
from brimgen.model.json import JsonObject
from brimgen.model.types import (
    EntityType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)

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

    def walk(self, fields: Iterable[Field], inside: bool) -> None:
        """Look below the fields of an object; ``inside`` says that a schema around it counts."""
        for with_part in with_parts(fields):
            self._type(with_part.type, with_part.schema, inside)

    def walk_tool(self, tool: Tool) -> None:
        """Look below the arguments of a tool."""
        self.walk(caller_parts(tool), counts(tool.enforced_schema))
        self.walk_extra(tool.extra, tool.enforced_schema)

    def walk_extra(
        self, type: Type | None, schema: JsonObject, inside: bool = False
    ) -> None:
        """Look at the further properties of an object with a schema."""
        if type is not None:
            self._type(type, values_of(schema), inside or counts(schema))

    def _type(self, type: Type, schema: JsonObject, inside: bool) -> None:
        match type:
            case ScalarType():
                return
            case NullableType():
                inner = without_null(schema)
                self._type(type.inner, inner, inside or not inner)
            case ListType():
                self._type(type.item, items_of(schema), inside or counts(schema))
            case MapType():
                self._type(type.value, values_of(schema), inside or counts(schema))
            case EntityType():
                if inside or counts(schema):
                    self.entities.add(type.name)
            case RecordType():
                self._record(type, schema, inside or counts(schema) or "$ref" in schema)
            case _:
                pass

    def _record(self, type: RecordType, schema: JsonObject, inside: bool) -> None:
        if inside and type not in self.records:
            self.records.append(type)
        self.walk(type.fields, inside)
        self.walk_extra(type.extra, schema, inside)


def counted(tools: Iterable[Tool], entities: Mapping[str, Entity]) -> Counted:
    """The classes of a catalog that keep in mind what was absent; those of tools aside."""
    found = Counted()
    for tool in tools:
        found.walk_tool(tool)
    known = -1
    while known != len(found.entities):
        known = len(found.entities)
        for name, entity in entities.items():
            inside = name in found.entities or counts(entity.enforced_schema)
            if inside:
                found.entities.add(name)
            found.walk(entity.fields, inside)
            found.walk_extra(entity.extra, entity.enforced_schema)
    return found
