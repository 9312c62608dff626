"""Names that a generated package shares: its classes, and the module that defines each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from brimgen.emit.code import Code
from brimgen.emit.codecs.annotations import named
from brimgen.emit.codecs.schemas import (
    items_of,
    values_of,
    without_null,
)
from brimgen.emit.names import class_name, member_names
from brimgen.emit.python.nesting import (
    Counted,
    counted_classes,
    has_object_fields,
    object_fields,
)
from brimgen.emit.python.scope import Scope
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Entity, EnumEntity, Tool
from brimgen.model.http import HttpBody
from brimgen.model.json import JsonObject
from brimgen.model.leaves import Leaf
from brimgen.model.types import (
    EntityType,
    EnumType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    Type,
)
from brimgen.schema.walk import followed

TOOL_NAMES = ("INPUT_SCHEMA", "BOUND_SCHEMA", "OUTPUT_SCHEMA", "TOOL")
"""What is defined in the module of each tool."""


@dataclass(frozen=True, slots=True)
class PyRecord:
    """A record, the class that stands for it, and its schema."""

    type: RecordType
    name: Code
    schema: JsonObject


class Package:
    """The entities, enums and their records, with the names of their classes.

    ``nested`` are the tools with arguments that hold objects, or further ones.
    """

    def __init__(self, catalog: Catalog) -> None:
        self.entities: Mapping[str, Entity] = catalog.entities
        self.enums: Mapping[str, EnumEntity] = catalog.enums
        self.classes = {
            name: class_name(name) for name in (*catalog.entities, *catalog.enums)
        }
        self.leaves: Mapping[str, Leaf] = catalog.leaves
        self.own_leaves = frozenset(
            name for name, leaf in catalog.leaves.items() if leaf.python is not None
        )
        self.members = {
            name: member_names(enum) for name, enum in catalog.enums.items()
        }
        self.open_enums = _open_enums(catalog)
        nested = [tool for tool in catalog.tools if has_object_fields(tool)]
        self.nested = frozenset(tool.name for tool in nested)
        self.counted: Counted = counted_classes(nested, catalog.entities)
        self.scope = Scope("", self.classes.values())
        self.records = tuple(
            record
            for entity in catalog.entities.values()
            for record in name_records(entity, entity.enforced_schema, self.scope)
        )
        names = [record.name for record in self.records]
        self.imported = frozenset((*self.classes.values(), *names, *TOOL_NAMES))
        """Whatever a tool may import of the entities, and what each has of its own."""


class Module:
    """One module of a package while it is lowered: its scope, and what its types are called.

    ``counted`` are the records of the module that keep in mind what was absent.
    """

    def __init__(
        self,
        package: Package,
        scope: Scope,
        records: tuple[PyRecord, ...],
        counted: Sequence[RecordType] = (),
    ) -> None:
        self.package = package
        self.scope = scope
        self.records = records
        self.counted = counted

    def entity_class(self, type: EntityType | EnumType) -> Code:
        """The class of an entity or enum, imported where needed."""
        return self.scope.entity(self.package.classes[type.name])

    def record(self, type: RecordType) -> PyRecord:
        """The record that ``type`` is, of this module or of the entities."""
        for record in self.records:
            if record.type == type:
                return record
        for record in self.package.records:
            if record.type == type:
                self.scope.entity(record.name)
                return record
        raise LookupError(type.name)


def name_records(
    owner: Entity | Tool,
    enforced: JsonObject,
    scope: Scope,
    defined: tuple[PyRecord, ...] = (),
) -> Iterator[PyRecord]:
    """The records below what an owner has, inner ones first, each named uniquely in ``scope``.

    ``enforced`` is the schema of the owner, which says what further properties are. Records that
    are ``defined`` already (those of an entity whose fields a tool takes over) have their class
    there.
    """
    seen: list[RecordType] = [record.type for record in defined]
    parts = [
        (object_field.type, object_field.schema)
        for object_field in object_fields(owner.fields)
    ]
    if owner.extra is not None:
        parts.append((owner.extra, values_of(followed(enforced, enforced))))
    for part in parts:
        for type, schema in _records(*part):
            if type not in seen:
                seen.append(type)
                yield PyRecord(type, scope.unique(class_name(type.name)), schema)


def _records(type: Type, schema: JsonObject) -> Iterator[tuple[RecordType, JsonObject]]:
    match type:
        case ListType():
            yield from _records(type.item, items_of(schema))
        case MapType():
            yield from _records(type.value, values_of(schema))
        case NullableType():
            yield from _records(type.inner, without_null(schema))
        case RecordType():
            for field in type.fields:
                yield from _records(field.type, field.schema)
            if type.extra is not None:
                yield from _records(type.extra, values_of(schema))
            yield type, schema
        case _:
            return


def _open_enums(catalog: Catalog) -> frozenset[str]:
    """The enums in answers that are read leniently, which keep values that are new to them."""
    waiting = [
        name
        for tool in catalog.tools
        if isinstance(tool.body, HttpBody) and not tool.body.response.is_strict
        for name in (() if tool.returns is None else named(tool.returns.type))
    ]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            entity = catalog.entities.get(name)
            fields = () if entity is None else entity.fields
            waiting += [inner for field in fields for inner in named(field.type)]
    return frozenset(reached & catalog.enums.keys())
