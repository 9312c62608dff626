"""Lower how columns and the parts of their JSON are decoded, with the names that this needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.annotations import annotation
from brimgen.emit.codecs.conversions import (
    Call,
    Combinators,
    Conversion,
    combined,
    conversion,
)
from brimgen.emit.codecs.module_names import ModuleNames
from brimgen.emit.codecs.python import PYTHON
from brimgen.emit.python_text import attribute, call, keyword, listed, mapping
from brimgen.emit.runtime_names import SQL_RUNTIME
from brimgen.emit.sql.module.values import needed_by, parsing
from brimgen.model.leaves import Leaf, Shipped
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
from brimgen.sql.kinds import SQL
from brimgen.sql.parameter_types import leaf_form


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
            return names.decode("json")
        case NullableType(inner):
            return call(names.decode("nullable"), plain_reader(inner, names))
        case _:
            return _function(type, _PlainCellReader(names))


def reader(type: Type, names: Names, *, in_json: bool = False) -> Code:
    """Return the function that decodes a cell, or (``in_json``) a value in the JSON of one.

    Adds what it needs to the imports in ``names``.
    """
    return _function(type, _CellReader(names, in_json=in_json))


def _function(type: Type, converter: _CellReader) -> Code:
    return combined(conversion(type, converter), _COMBINATORS, converter.names.decode)


_COMBINATORS = Combinators("array", "mapping", "nullable", members="")


class _CellReader:
    """Decodes cells, each by a function of the cell and the name of its column."""

    def __init__(self, names: Names, *, in_json: bool = False) -> None:
        self.names = names
        self.in_json = in_json

    @property
    def of_parts(self) -> _CellReader:
        return _CellReader(self.names, in_json=True)

    def scalar(self, type: ScalarType, field: Field | None) -> Conversion:
        return Call(_scalar_reader(type, self.names))

    def enum(self, type: EnumType) -> Conversion:
        return Call(call(self.names.decode("member"), self.names.entity(type.name)))

    def leaf(self, type: LeafType) -> Conversion:
        return Call(_leaf_reader(type, self.names, parses=True))

    def entity(self, type: EntityType) -> Conversion:
        from_dict = Code(f"{self.names.entity(type.name)}.from_dict")
        self.names.take(SQL_RUNTIME, "_entities")
        return Call(Code(f"_entities.entity({from_dict})"))

    def record(self, type: RecordType) -> Conversion:
        is_map = type.extra is not None and not type.fields
        return Call((_map_reader if is_map else _part_reader)(type, self.names))

    def union(self, type: UnionType) -> Conversion:
        kinds = [annotation(option, self.names) for option in type.options]
        return Call(call(self.names.decode("either"), *dict.fromkeys(kinds)))

    def json(self) -> Conversion:
        return Call(self.names.decode("anything" if self.in_json else "json"))


class _PlainCellReader(_CellReader):
    """Decodes cells to the JSON that an entity is decoded from."""

    def enum(self, type: EnumType) -> Conversion:
        return Call(self.names.decode("primitive"))

    def leaf(self, type: LeafType) -> Conversion:
        return Call(_leaf_reader(type, self.names, parses=False))

    def entity(self, type: EntityType) -> Conversion:
        return self.json()

    def record(self, type: RecordType) -> Conversion:
        return self.json()


def _leaf_reader(type: LeafType, names: Names, *, parses: bool) -> Code:
    leaf = names.leaves[type.name]
    form = leaf_form(type, names.leaves)
    function = names.decode(SQL[leaf.scalar].reader)
    if leaf.shipped is Shipped.TIMESTAMP:
        return names.decode("timestamp")
    if SCALARS[leaf.scalar].is_text and leaf.sql is not leaf.scalar:
        names.take(SQL_RUNTIME, "_leaf")
        function = call("_leaf.written", names.decode(SQL[leaf.sql].reader))
    parse = parsing(form) if parses and form is not None else ""
    if not parse:
        return function
    names.taken.update(needed_by(["_leaf.parsed", parse]))
    word = "UUID" if leaf.shipped is Shipped.UUID else leaf.name
    return Code(f"_leaf.parsed({function}, {parse}, {py(word)})")


def _scalar_reader(type: ScalarType, names: Names) -> Code:
    name = names.decode(SQL[type.scalar].reader)
    if SCALARS[type.scalar].is_structured:
        return call(name, names.decode("anything"))
    if type.choices and PYTHON[type.scalar].is_plain:
        choices = listed([*map(py, type.choices)])
        return call(names.decode("one_of"), name, choices)
    return name


def cell_reader(field: Field, names: Names, *, in_json: bool = False) -> Code:
    """Return what reads the column or member of ``field``; None stays where it may be null."""
    type = field.type
    if field.embed:
        or_none = [py(True)] if isinstance(type, NullableType) else []
        return call("_rows.Embedded", embedded_reader(field), *or_none)
    if isinstance(type, NullableType) and not field.required:
        type = type.inner
    return reader(type, names, in_json=in_json)


def nullable_names(fields: Iterable[Field]) -> list[Code]:
    """Return the names of the fields that may be absent or null."""
    return [
        py(field.name) for field in fields if _is_optional(field) and field.may_be_null
    ]


def _is_optional(field: Field) -> bool:
    return not (field.required or field.embed)


def embedded_entity(field: Field) -> str:
    """Return the name of the entity that is read from columns."""
    type = field.type
    inner = type.inner if isinstance(type, NullableType) else type
    assert isinstance(inner, EntityType)
    return inner.name


def embedded_reader(field: Field) -> Code:
    """Return the name of what reads an entity from columns of a row."""
    return Code(f"_read_{_snake(embedded_entity(field))}_columns")


def _snake(name: str) -> str:
    return re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def record(fields: Iterable[Field], read: Callable[[Field], Code]) -> list[Code]:
    """Return how a dict is made: the readers of its members, and those that may be missing or null.

    It omits optional columns that are missing, or NULL where their type has no null.
    """
    fields = tuple(fields)
    optional = [py(field.name) for field in fields if _is_optional(field)]
    arguments = [mapping([(py(field.name), read(field)) for field in fields])]
    if optional:
        arguments.append(keyword("optional", listed(optional)))
    nullable = nullable_names(fields)
    if nullable:
        arguments.append(keyword("nullable", listed(nullable)))
    return arguments


def _part_reader(type: RecordType, names: Names) -> Code:
    """Return the function that reads a record within a cell; it is written once."""
    called = annotation(type, names) if type.extra is None else type.name
    name = Code(f"_read_{_snake(called)}")
    if name not in names.functions:
        read = partial(cell_reader, names=names, in_json=True)
        names.functions[name] = (
            _further(type, names)
            if type.extra is not None
            else call("_rows.part", Code(called), *record(type.fields, read))
        )
    return name


def _map_reader(type: RecordType, names: Names) -> Code:
    """Return the function that reads an object without named members."""
    return call(names.decode("mapping"), _extra_reader(type, names))


def _extra_reader(type: RecordType, names: Names) -> Code:
    if type.extra is None:
        return names.decode("anything")
    return reader(type.extra, names, in_json=True)


def _further(type: RecordType, names: Names) -> Code:
    """Return what makes an object, which may have further members."""
    members = [
        (py(field.name), reader(field.type, names, in_json=True))
        for field in type.fields
    ]
    nullable = nullable_names(type.fields)
    return call(
        "_rows.open_part",
        mapping(members),
        listed([py(field.name) for field in type.fields if field.required]),
        _extra_reader(type, names),
        *([listed(nullable)] if nullable else []),
    )


_TAKEN = frozenset(
    (
        *(
            "Any",
            "Decimal",
            "Final",
            "Literal",
            "NotRequired",
            "Sequence",
            "TYPE_CHECKING",
        ),
        *("TypedDict", "UUID", "date", "datetime", "time", "timedelta"),
    )
)
"""What a module may say itself: no entity and no record is called so."""


class Names(ModuleNames):
    """The names of one module, and the ``functions`` that read parts of rows.

    ``own`` are the classes that the module imports for other reasons.
    """

    def __init__(self, leaves: Mapping[str, Leaf], own: Iterable[str] = ()) -> None:
        super().__init__(leaves, _TAKEN, own)
        self.functions: dict[Code, Code] = {}

    def date(self, name: str) -> Code:
        """A class of dates, by its own name."""
        return self.standard(name)

    def decode(self, function: str) -> Code:
        """A function that reads cells, or makes one that does."""
        return attribute(self.take(SQL_RUNTIME, "_decode"), function)
