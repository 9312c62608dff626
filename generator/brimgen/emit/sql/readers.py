"""Write the expressions that decode columns, and the functions that decode parts of JSON."""

from __future__ import annotations

import re
from typing import assert_never

from brimgen.emit.annotations import annotation
from brimgen.emit.code import Code, py
from brimgen.emit.codecs.python import PYTHON
from brimgen.emit.codecs.sql import SQL
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import (
    attribute,
    compared,
    exploded,
    listed,
    mapping,
    spread,
    subscript,
    tuple_of,
)
from brimgen.emit.python_text.statements import (
    assigned,
    function,
    parameter,
    returned,
    when,
)
from brimgen.emit.sql.module_names import Names
from brimgen.emit.sql.types import leaf_form, needed_by
from brimgen.emit.sql.view import SqlFunction
from brimgen.model.fields import Field
from brimgen.model.leaves import Shipped
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
    JsonType,
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
        case EnumType():
            return Code("_decode.primitive")
        case EntityType() | RecordType() | ListType() | MapType():
            return Code("_decode.json")
        case LeafType():
            return _leaf_reader(type, names, parses=False)
        case NullableType():
            return spread(Code("_decode.nullable"), plain_reader(type.inner, names))
        case _:
            return reader(type, names)


def reader(type: Type, names: Names, *, inside: bool = False) -> Code:
    """Return the function that decodes a cell, or (``inside``) a value in the JSON of one.

    Adds what it needs to the imports in ``names``.
    """
    match type:
        case ScalarType():
            return _scalar_reader(type)
        case EnumType():
            return spread(Code("_decode.member"), names.entity(type.name))
        case LeafType():
            return _leaf_reader(type, names, parses=True)
        case EntityType():
            from_dict = attribute(names.entity(type.name), "from_dict")
            names.imports.add((".", "_entities"))
            return spread(Code("_entities.entity"), from_dict)
        case RecordType():
            is_map = type.extra is not None and not type.fields
            return (_map_reader if is_map else _part_reader)(type, names)
        case JsonType():
            return _ANYTHING if inside else Code("_decode.json")
        case ListType():
            return spread(Code("_decode.array"), reader(type.item, names, inside=True))
        case MapType():
            return spread(
                Code("_decode.mapping"), reader(type.value, names, inside=True)
            )
        case NullableType():
            return spread(
                Code("_decode.nullable"), reader(type.inner, names, inside=inside)
            )
        case UnionType():
            kinds = [annotation(each, names) for each in type.options]
            return spread(Code("_decode.either"), *dict.fromkeys(kinds))
        case _:
            assert_never(type)


def _leaf_reader(type: LeafType, names: Names, *, parses: bool) -> Code:
    leaf = names.leaves[type.name]
    form = leaf_form(type, names.leaves)
    function: Code = Code(f"_decode.{SQL[leaf.scalar].reader}")
    if leaf.shipped is Shipped.TIMESTAMP:
        return Code("_decode.timestamp")
    if SCALARS[leaf.scalar].is_text and leaf.sql is not leaf.scalar:
        names.imports.add((".", "_leaf"))
        function = spread(
            Code("_leaf.written"), Code(f"_decode.{SQL[leaf.sql].reader}")
        )
    if not parses or form is None or not form.parse:
        return function
    names.imports.update(needed_by(["_leaf.parsed", form.parse]))
    word = "UUID" if leaf.shipped is Shipped.UUID else leaf.name
    return spread(Code("_leaf.parsed"), function, Code(form.parse), py(word))


def _scalar_reader(type: ScalarType) -> Code:
    name = Code(f"_decode.{SQL[type.scalar].reader}")
    if SCALARS[type.scalar].is_structured:
        return spread(name, _ANYTHING)
    if type.choices and PYTHON[type.scalar].is_plain:
        choices = listed([*map(py, type.choices)])
        return spread(Code("_decode.one_of"), name, choices)
    return name


def read(field: Field, names: Names, *, inside: bool = False) -> Code:
    """Return the expression that reads the column of ``field`` from ``cells``."""
    inner = field.type.inner if isinstance(field.type, NullableType) else field.type
    function = reader(inner, names, inside=inside)
    name = "required"
    if inner is not field.type:
        name = "nullable_cell" if field.required else "optional"
    elif not field.required:
        name = "optional"
    return spread(Code(f"_decode.{name}"), Code("cells"), py(field.name), function)


def record_lines(type: RecordType, names: Names, *, inside: bool) -> list[Code]:
    """Return the body of a function that makes a record of ``cells`` and returns it, without
    indent.

    Columns that may be missing, or NULL, are left out there.
    """
    record = annotation(type, names)
    optional = [each for each in type.fields if not each.required]
    entries = [
        (py(field.name), read(field, names, inside=inside))
        for field in type.fields
        if field.required
    ]
    shown = mapping(entries, is_broken=bool(entries))
    made = assigned("found", shown, record) if optional else returned(shown)
    lines = [laid_out(made, 4, has_always=bool(entries))]
    for field in optional:
        inner = field.type.inner if isinstance(field.type, NullableType) else field.type
        key = py(field.name)
        value = spread(
            Code("_decode.required"),
            Code("cells"),
            key,
            reader(inner, names, inside=inside),
        )
        given = compared(spread(Code("cells.get"), key), "is not", Code("None"))
        lines.append(laid_out(when(given), 4))
        target = subscript(Code("found"), key)
        lines.append(Code(f"    {laid_out(assigned(target, value), 8)}"))
    return [*lines, *([_returned(type)] if optional else [])]


def _returned(type: RecordType) -> Code:
    """Return the return statement; members are reordered where optional ones stand between
    others.
    """
    required = [each.required for each in type.fields]
    if required == sorted(required, reverse=True):
        return Code("return found")
    names = tuple_of([py(each.name) for each in type.fields])
    ordered = spread(Code("_decode.ordered"), Code("found"), names)
    return laid_out(returned(ordered), 4)


def _part_reader(type: RecordType, names: Names) -> Code:
    """Return the function that reads a record within a cell; it is written once."""
    record = annotation(type, names)
    called = record if type.extra is None else type.name
    name = Code(f"_read_{re.sub('(?<=[a-z0-9])(?=[A-Z])', '_', called).lower()}")
    if name not in names.functions:
        cells = Code("cells = _decode.members(value, name)")
        is_open = type.extra is not None
        lines = (
            open_lines(type, names)
            if is_open
            else record_lines(type, names, inside=True)
        )
        parameters = [
            parameter("value", Code("object")),
            parameter("name", Code("str")),
        ]
        head = laid_out(function(name, parameters, record))
        names.functions[name] = SqlFunction(head, (cells, *lines))
    return name


def _map_reader(type: RecordType, names: Names) -> Code:
    """Return the function that reads an object without named members."""
    rest = _ANYTHING if type.extra is None else reader(type.extra, names, inside=True)
    return spread(Code("_decode.mapping"), rest)


def open_lines(type: RecordType, names: Names) -> list[Code]:
    """Return lines that read an object of ``cells`` that may have further members."""
    entries: list[tuple[Code, Code]] = []
    for field in type.fields:
        inner = field.type.inner if isinstance(field.type, NullableType) else field.type
        read = reader(field.type if field.required else inner, names, inside=True)
        entries.append((py(field.name), read))
    required = [py(each.name) for each in type.fields if each.required]
    rest = _ANYTHING if type.extra is None else reader(type.extra, names, inside=True)
    made = exploded(
        Code("_decode.further"),
        Code("cells"),
        mapping(entries, is_broken=bool(entries)),
        listed(required),
        rest,
    )
    return [laid_out(returned(made), 4, has_always=True)]
