"""Names that a generated package shares: its classes, and the module that defines each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple
from zlib import crc32

from brimgen.emit.code import SPREAD, Block, Code, py
from brimgen.emit.codecs.annotations import named
from brimgen.emit.codecs.schemas import (
    is_entity,
    items_of,
    resolved,
    values_of,
    without_annotations,
    without_null,
)
from brimgen.emit.entity_schemas import EntitySchemas
from brimgen.emit.names import class_name, constant_name, member_names
from brimgen.emit.python.attributes import AttributeCache
from brimgen.emit.python.expects import ArgumentTexts
from brimgen.emit.python.nesting import (
    Counted,
    Heights,
    counted_classes,
    entities_in_lists,
    has_object_fields,
    judged_entities,
    object_fields,
)
from brimgen.emit.python.scope import Scope
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Entity, EnumEntity, Tool
from brimgen.model.http import HttpBody
from brimgen.model.json import Json, JsonObject
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

TOOL_NAMES = ("INPUT_SCHEMA", "BOUND_SCHEMA", "OUTPUT_SCHEMA", "TOOL", "_INPUT")
"""What is defined in the module of each tool."""

_LONGEST_CONSTANT = 60


@dataclass(frozen=True, slots=True)
class Readers:
    """The functions that read one object of an entity, and a list of them, on the fast path."""

    one: Code
    many: Code


@dataclass(frozen=True, slots=True)
class PyRecord:
    """A record and the class that stands for it; ``schema`` is bare.

    Its ``reader`` is printed where it ``is_called``.
    """

    type: RecordType
    name: Code
    reader: Code
    schema: Json
    full_schema: JsonObject
    fast: bool = True
    is_called: bool = True


class EntityFacts(NamedTuple):
    """What a module of a tool may depend on of an entity, an enum or a leaf that the tool reads."""

    entity: Entity | None
    enum: EnumEntity | None
    leaf: Leaf | None
    readers: Readers | None
    is_fast: bool
    is_judged: bool


class Package:
    """The entities, enums and their records, with the names of their classes and tables.

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
        self.tables = {name: _table(self.classes[name]) for name in catalog.enums}
        self.members = {
            name: member_names(enum) for name, enum in catalog.enums.items()
        }
        self.open_enums = _open_enums(catalog)
        self.fast: frozenset[str] = frozenset(catalog.entities)
        nested = [tool for tool in catalog.tools if has_object_fields(tool)]
        self.nested = frozenset(tool.name for tool in nested)
        self._entity_facts: dict[str, EntityFacts] = {}
        self.counted: Counted = counted_classes(nested, catalog.entities)
        self.judged = judged_entities(
            entities_in_lists(nested, catalog.entities), catalog.entities
        )
        self.schema_names: Mapping[str, Code] = {
            name: schema_name(self.classes[name]) for name in catalog.entities
        }
        self.schemas = EntitySchemas(catalog.entities)
        self.attributes = AttributeCache()
        self.own_attributes = AttributeCache()
        self.literals: dict[tuple[str, int], str] = {}
        self.outputs: dict[int, Code] = {}
        self.argument_texts: ArgumentTexts = {}
        self.scope = Scope("", [*self.classes.values(), *self.tables.values()])
        self.readers = {
            name: readers_of(self.classes[name], self.scope)
            for name in catalog.entities
        }
        self.records = tuple(
            record
            for entity in catalog.entities.values()
            for record in name_records(entity, entity.enforced_schema, self.scope)
        )
        readers = self.readers.values()
        names = [name for reader in readers for name in (reader.one, reader.many)]
        names += [record.reader for record in self.records]
        self.imported = frozenset((*self.classes.values(), *names, *TOOL_NAMES))
        """Whatever a tool may import of the entities, and what each has of its own."""

    def schema_constant(self, entity: str, own: JsonObject) -> Json:
        """Name the schema of an entity inside ``schemas.py``, with ``own`` words added to it."""
        return _with_words(Block(self.schema_names[entity]), own)

    def imported_constant(self, entity: str, own: JsonObject) -> Json:
        """Name the schema of an entity in any other module."""
        return _with_words(Block(f"schemas.{self.schema_names[entity]}"), own)

    def facts_of(self, tool: Tool) -> tuple[object, ...]:
        """What the module of a tool depends on besides the tool."""
        entities = [self._facts_of_entity(name) for name in tool.entities_read]
        records = self.records if tool.name in self.nested else ()
        return (self._names, records, *entities)

    @cached_property
    def _names(self) -> tuple[object, ...]:
        return sorted(self.imported), sorted(self.own_leaves)

    def _facts_of_entity(self, name: str) -> EntityFacts:
        facts = self._entity_facts.get(name)
        if facts is None:
            facts = self._entity_facts[name] = EntityFacts(
                self.entities.get(name),
                self.enums.get(name),
                self.leaves.get(name),
                self.readers.get(name),
                name in self.fast,
                name in self.judged,
            )
        return facts

    @cached_property
    def heights(self) -> Heights:
        """The heights of types, which are asked for where there are objects in objects."""
        return Heights(self.entities)

    def properties(self, object_schema: JsonObject) -> list[str]:
        """What a module's schema says of each property; kept by identity.

        Fields that say the same have one schema, and so have the schemas of one tool.
        """
        lines: list[str] = []
        for name, schema in object_schema.items():
            place = name, id(schema)
            text = self.literals.get(place)
            if text is None:
                text = self.literals[place] = f"{py(name)}: {py(schema)}"
            lines.append(text)
        return lines


def _with_words(constant: Block, own: JsonObject) -> Json:
    return {SPREAD: constant, **own} if own else constant


class Module:
    """One module of a package while it is lowered: its scope, and what its types are called.

    ``shared`` are the attributes that modules of its kind have made before. ``counted`` are
    the records of the module that keep in mind what was absent.
    """

    def __init__(
        self,
        package: Package,
        scope: Scope,
        records: tuple[PyRecord, ...],
        shared: AttributeCache | None = None,
        *,
        counted: Sequence[RecordType] = (),
    ) -> None:
        self.package = package
        self.scope = scope
        self.records = records
        self.prefix = ""
        self.attributes = AttributeCache() if shared is None else shared
        self.called: set[Code] = set()
        self.counted = counted

    def entity_class(self, type: EntityType | EnumType) -> Code:
        """The class of an entity or enum, imported where needed."""
        return self.scope.entity(self.package.classes[type.name])

    def record(self, type: RecordType) -> PyRecord:
        """The record that ``type`` is, of this module or of the entities."""
        self.scope.set_apart()
        for record in self.records:
            if record.type == type:
                return record
        for record in self.package.records:
            if record.type == type:
                self.scope.entity(record.name)
                return record
        raise LookupError(type.name)

    def reader(self, type: Type, schema: JsonObject) -> Code | None:
        """The function that reads an object; None where there is none for this ``schema``."""
        match type:
            case EntityType(name) if self._is_fast_entity(name, schema):
                return self.scope.entity(self.package.readers[name].one)
            case RecordType():
                record = self.record(type)
                if not record.fast or without_annotations(schema) != record.schema:
                    return None
                if record in self.records:
                    self.called.add(record.reader)
                    return record.reader
                return self.scope.entity(record.reader)
            case _:
                return None

    def list_reader(self, item: Type, schema: JsonObject) -> Code | None:
        """The function that reads and judges the items of a list, if their entity has one."""
        if not isinstance(item, EntityType) or item.name not in self.package.judged:
            return None
        if not self._is_fast_entity(item.name, schema):
            return None
        return self.scope.entity(self.package.readers[item.name].many)

    def _is_fast_entity(self, name: str, schema: JsonObject) -> bool:
        package = self.package
        return name in package.fast and is_entity(
            schema, name, package.entities[name].enforced_schema
        )


def reader_name(name: Code) -> str:
    """The function that reads objects of the class ``name``: ``read_order_line``."""
    return f"read_{constant_name(name).lower()}"


def readers_of(name: Code, scope: Scope) -> Readers:
    """The functions of an entity: ``read_order_line`` and ``read_order_line_list``."""
    base = reader_name(name)
    return Readers(scope.unique(base), scope.unique(f"{base}_list"))


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
        parts.append((owner.extra, values_of(resolved(enforced))))
    for part in parts:
        for type, schema in _records(*part):
            if type not in seen:
                seen.append(type)
                name = scope.unique(class_name(type.name))
                reader = scope.unique(reader_name(name))
                yield PyRecord(type, name, reader, without_annotations(schema), schema)


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


def _table(name: Code) -> Code:
    return Code(f"{constant_name(name)}_BY_VALUE")


def schema_name(name: Code) -> Code:
    """The constant of the schema of a class; two classes never have the same one.

    One that is too long for a line with its type ends in a checksum.
    """
    constant = constant_name(name)
    if len(constant) > _LONGEST_CONSTANT:
        beginning = constant[: _LONGEST_CONSTANT - 9].rstrip("_")
        return Code(f"{beginning}_{crc32(name.encode()):08X}")
    if "".join(word.capitalize() for word in constant.split("_")) == name:
        return Code(constant)
    return name if name != constant else Code(f"{name}_")


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
