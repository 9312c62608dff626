"""Lower how columns and the parts of their JSON are decoded."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.annotations import annotation
from brimgen.emit.codecs.conversions import (
    Call,
    Combinators,
    Conversion,
    combined,
    conversion,
)
from brimgen.emit.codecs.python import PYTHON
from brimgen.emit.codecs.sql import SQL
from brimgen.emit.names import field_attribute
from brimgen.emit.python_text import call, joined, listed, mapping
from brimgen.emit.runtime_names import SQL_RUNTIME
from brimgen.emit.sql.module.module_names import Names
from brimgen.emit.sql.module.view import (
    Cell,
    RecordBody,
    SqlFunction,
)
from brimgen.emit.sql.types import leaf_form, needed_by
from brimgen.model.leaves import Shipped
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
    Field,
    LeafType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
    UnionType,
)

_ANYTHING = Code("_decode.anything")
_JSON = Code("_decode.json")


def holds_record(type: Type) -> bool:
    """Whether ``type`` contains an object without a name, whose class the program does not
    define.
    """
    match type:
        case RecordType():
            return True
        case ListType():
            return holds_record(type.item)
        case MapType():
            return holds_record(type.value)
        case NullableType():
            return holds_record(type.inner)
        case _:
            return False


def plain_reader(type: Type, names: Names) -> Code:
    """Return the function that decodes a cell to what ``from_dict`` of the entity around it
    reads.
    """
    match type:
        case ListType() | MapType():
            return _JSON
        case NullableType(inner):
            return Code(f"_decode.nullable({plain_reader(inner, names)})")
        case _:
            return _function(type, _PlainCellReader(names))


def reader(type: Type, names: Names, *, in_json: bool = False) -> Code:
    """Return the function that decodes a cell, or (``in_json``) a value in the JSON of one.

    Adds what it needs to the imports in ``names``.
    """
    return _function(type, _CellReader(names, in_json=in_json))


def _function(type: Type, converter: _CellReader) -> Code:
    return combined(conversion(type, converter), _COMBINATORS, set())


_COMBINATORS = Combinators(
    items="_decode.array",
    values="_decode.mapping",
    or_none="_decode.nullable",
    members="",
)


class _CellReader:
    """Decodes cells, each by a function of the cell and the name of its column."""

    def __init__(self, names: Names, *, in_json: bool = False) -> None:
        self.names = names
        self.in_json = in_json

    @property
    def of_parts(self) -> _CellReader:
        return _CellReader(self.names, in_json=True)

    def scalar(self, type: ScalarType, field: Field | None) -> Conversion:
        return Call(_scalar_reader(type))

    def enum(self, type: EnumType) -> Conversion:
        return Call(Code(f"_decode.member({self.names.entity(type.name)})"))

    def leaf(self, type: LeafType) -> Conversion:
        return Call(_leaf_reader(type, self.names, parses=True))

    def entity(self, type: EntityType) -> Conversion:
        from_dict = Code(f"{self.names.entity(type.name)}.from_dict")
        self.names.imports.add((SQL_RUNTIME, "_entities"))
        return Call(Code(f"_entities.entity({from_dict})"))

    def record(self, type: RecordType) -> Conversion:
        is_map = type.extra is not None and not type.fields
        return Call((_map_reader if is_map else _part_reader)(type, self.names))

    def union(self, type: UnionType) -> Conversion:
        kinds = [annotation(option, self.names) for option in type.options]
        return Call(call(Code("_decode.either"), *dict.fromkeys(kinds)))

    def json(self) -> Conversion:
        return Call(_ANYTHING if self.in_json else _JSON)


class _PlainCellReader(_CellReader):
    """Decodes cells to the JSON that an entity is decoded from."""

    def enum(self, type: EnumType) -> Conversion:
        return Call(Code("_decode.primitive"))

    def leaf(self, type: LeafType) -> Conversion:
        return Call(_leaf_reader(type, self.names, parses=False))

    def entity(self, type: EntityType) -> Conversion:
        return Call(_JSON)

    def record(self, type: RecordType) -> Conversion:
        return Call(_JSON)


def _leaf_reader(type: LeafType, names: Names, *, parses: bool) -> Code:
    leaf = names.leaves[type.name]
    form = leaf_form(type, names.leaves)
    function: Code = Code(f"_decode.{SQL[leaf.scalar].reader}")
    if leaf.shipped is Shipped.TIMESTAMP:
        return Code("_decode.timestamp")
    if SCALARS[leaf.scalar].is_text and leaf.sql is not leaf.scalar:
        names.imports.add((SQL_RUNTIME, "_leaf"))
        function = Code(f"_leaf.written(_decode.{SQL[leaf.sql].reader})")
    if not parses or form is None or not form.parse:
        return function
    names.imports.update(needed_by(["_leaf.parsed", form.parse]))
    word = "UUID" if leaf.shipped is Shipped.UUID else leaf.name
    return Code(f"_leaf.parsed({function}, {form.parse}, {py(word)})")


def _scalar_reader(type: ScalarType) -> Code:
    name = Code(f"_decode.{SQL[type.scalar].reader}")
    if SCALARS[type.scalar].is_structured:
        return Code(f"{name}(_decode.anything)")
    if type.choices and PYTHON[type.scalar].is_plain:
        choices = listed([*map(py, type.choices)])
        return Code(f"_decode.one_of({name}, {choices})")
    return name


def cell(field: Field, names: Names, *, in_json: bool = False) -> Cell:
    """Return how the column of ``field`` is read from ``cells``."""
    inner = _not_null(field.type)
    if field.embed:
        verb = "embedded" if inner is field.type else "embedded_or_none"
        return _cell(field, verb, embedded_reader(field))
    verb = "required"
    if inner is not field.type:
        verb = "nullable_cell" if field.required else "optional"
    elif not field.required:
        verb = "optional"
    return _cell(field, verb, reader(inner, names, in_json=in_json))


def given_cell(field: Field, names: Names, *, in_json: bool = False) -> Cell:
    """Return how the column of ``field`` is read where it is known to be there."""
    function = reader(_not_null(field.type), names, in_json=in_json)
    return _cell(field, "nullable_cell" if field.may_be_null else "required", function)


def embedded_entity(field: Field) -> str:
    """Return the name of the entity that is read from columns."""
    inner = _not_null(field.type)
    assert isinstance(inner, EntityType)
    return inner.name


def embedded_reader(field: Field) -> Code:
    """Return the name of the function that reads an entity from cells of a row."""
    return Code(f"_read_{_snake(embedded_entity(field))}_columns")


def _snake(name: str) -> str:
    return re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _cell(field: Field, verb: str, function: Code) -> Cell:
    return Cell(
        key=py(field.name),
        attribute=field_attribute(field),
        verb=Code(verb),
        reader=function,
        may_be_null=field.may_be_null,
    )


def nullable_names(fields: Iterable[Field]) -> Code | None:
    """Return the names of the fields that may be absent or null; None if there are none."""
    names = [
        py(field.name) for field in fields if not field.required and field.may_be_null
    ]
    return joined(names) if names else None


def _not_null(type: Type) -> Type:
    return type.inner if isinstance(type, NullableType) else type


def record_body(type: RecordType, names: Names, *, in_json: bool) -> RecordBody:
    """Return how a record is made of ``cells``.

    The record omits optional columns that are missing, or NULL where their type has no null. Its
    names are put into order where optional columns stand between others.
    """
    is_required = [field.required or field.embed for field in type.fields]
    is_in_order = is_required == sorted(is_required, reverse=True)
    keys = [py(field.name) for field in type.fields]
    return RecordBody(
        type=annotation(type, names),
        required=[
            cell(field, names, in_json=in_json)
            for field in type.fields
            if field.required or field.embed
        ],
        optional=[
            given_cell(field, names, in_json=in_json)
            for field in type.fields
            if not (field.required or field.embed)
        ],
        order=None if is_in_order else joined(keys),
    )


def _part_reader(type: RecordType, names: Names) -> Code:
    """Return the function that reads a record within a cell; it is written once."""
    record = annotation(type, names)
    called = record if type.extra is None else type.name
    name = Code(f"_read_{_snake(called)}")
    if name not in names.functions:
        is_open = type.extra is not None
        names.functions[name] = SqlFunction(
            name=name,
            result=record,
            record=None if is_open else record_body(type, names, in_json=True),
            document=_further(type, names) if is_open else None,
        )
    return name


def _map_reader(type: RecordType, names: Names) -> Code:
    """Return the function that reads an object without named members."""
    extra = _ANYTHING if type.extra is None else reader(type.extra, names, in_json=True)
    return Code(f"_decode.mapping({extra})")


def _further(type: RecordType, names: Names) -> Code:
    """Return the call that makes an object, which may have further members, of ``cells``."""
    members = [
        (py(field.name), reader(field.type, names, in_json=True))
        for field in type.fields
    ]
    extra = _ANYTHING if type.extra is None else reader(type.extra, names, in_json=True)
    nullable = nullable_names(type.fields)
    return call(
        "_decode.further",
        Code("cells"),
        mapping(members),
        listed([py(field.name) for field in type.fields if field.required]),
        extra,
        *([] if nullable is None else [Code(f"[{nullable}]")]),
    )
