"""Values: the expressions that encode a parameter for a dialect and decode a column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from brimgen.emit.code import Code, py
from brimgen.emit.names import class_name
from brimgen.emit.sql.drivers import Lists, lists_of
from brimgen.emit.sql.literals import Call, Expression, called
from brimgen.emit.sql.types import SqlKind, SqlType
from brimgen.model.fields import Field
from brimgen.model.types import (
    EntityType,
    EnumType,
    JsonType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
    Type,
    UnionType,
)
from brimgen.sqltext import Dialect

_BASE = {
    SqlKind.INT: "int64",
    SqlKind.FLOAT: "double",
    SqlKind.DECIMAL: "numeric",
    SqlKind.BOOL: "boolean",
    SqlKind.TEXT: "text",
    SqlKind.DATE: "day",
    SqlKind.DATETIME: "timestamp",
    SqlKind.PRIMITIVE: "primitive",
    SqlKind.JSON: "json",
    SqlKind.ENTITY: "json",
}
_OWN: Mapping[str, Mapping[SqlKind, str]] = {
    "sqlite": {
        SqlKind.DECIMAL: "real_decimal",
        SqlKind.BOOL: "bit",
        SqlKind.DATE: "day_text",
        SqlKind.DATETIME: "timestamp_text",
    },
    "duckdb": {SqlKind.DECIMAL: "decimal38"},
    "mysql": {SqlKind.DECIMAL: "decimal65"},
    "oracle": {
        SqlKind.DECIMAL: "decimal38",
        SqlKind.BOOL: "bit",
        SqlKind.TEXT: "filled_text",
    },
    "tsql": {SqlKind.DECIMAL: "decimal38"},
}
_READERS = {
    Scalar.INT: "integer",
    Scalar.FLOAT: "double",
    Scalar.DECIMAL: "decimal",
    Scalar.BOOL: "boolean",
    Scalar.STRING: "text",
    Scalar.DATE: "day",
    Scalar.DATETIME: "timestamp",
    Scalar.PRIMITIVE: "primitive",
    Scalar.OBJECT: "json",
    Scalar.ARRAY: "json",
    Scalar.SPLAT: "text",
}
_ANNOTATIONS = {
    Scalar.INT: "int",
    Scalar.FLOAT: "float",
    Scalar.DECIMAL: "Decimal",
    Scalar.BOOL: "bool",
    Scalar.STRING: "str",
    Scalar.DATE: "date",
    Scalar.DATETIME: "datetime",
    Scalar.SPLAT: "str",
}


def encoder(type: SqlType, dialect: Dialect) -> Expression:
    """The function that encodes a value of ``type`` that is not None."""
    name = _OWN.get(dialect.name, {}).get(type.kind, _BASE[type.kind])
    as_json = type.is_list and lists_of(dialect) is Lists.JSON
    if type.exact:
        name = "decimal_text"
    elif type.enum:
        name = "choice"
    elif type.kind is SqlKind.DATETIME:
        if type.zoned and dialect.name in ("postgres", "duckdb"):
            name = "utc"
        elif as_json:
            name = "timestamp_text"
        name = f"lenient_{name}" if type.lenient else name
    elif type.kind is SqlKind.DATE and as_json:
        name = "day_text"
    function = Code(f"_encode.{name}")
    if type.is_list:
        return called(f"_encode.{'json_array' if as_json else 'array'}", function)
    return function


def holds_record(type: Type) -> bool:
    """Whether a nested object without a name is part of ``type``: its class is not ours to know."""
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


def reader(type: Type, classes: set[str], *, as_json: bool = False) -> Expression:
    """The function that decodes a cell; the classes that it names are added to ``classes``.

    With ``as_json`` the outcome is what ``from_dict`` of the entity around it reads.
    """
    match type:
        case ScalarType():
            return _scalar_reader(type)
        case EnumType() if as_json:
            return Code("_decode.primitive")
        case EnumType():
            classes.add(class_name(type.name))
            return called("_decode.member", class_name(type.name))
        case EntityType() | RecordType() | ListType() | MapType() if as_json:
            return Code("_decode.json")
        case EntityType():
            classes.add(class_name(type.name))
            from_dict = Code(f"{class_name(type.name)}.from_dict")
            return called("_decode.entity", from_dict)
        case RecordType() | JsonType():
            return Code("_decode.json")
        case ListType():
            return called("_decode.array", reader(type.item, classes))
        case MapType():
            return called("_decode.mapping", reader(type.value, classes))
        case NullableType():
            inner = reader(type.inner, classes, as_json=as_json)
            return called("_decode.nullable", inner)
        case UnionType():
            return Code("_decode.primitive")
        case _:
            assert_never(type)


def _scalar_reader(type: ScalarType) -> Expression:
    name = Code(f"_decode.{_READERS[type.scalar]}")
    plain = type.scalar in (Scalar.STRING, Scalar.INT, Scalar.FLOAT, Scalar.BOOL)
    if type.choices and plain:
        choices = Call("[", tuple(map(py, type.choices)), "]")
        return called("_decode.one_of", name, choices)
    return name


def read(field: Field, classes: set[str]) -> Expression:
    """The expression that reads the column of ``field`` from ``cells``."""
    inner = field.type.inner if isinstance(field.type, NullableType) else field.type
    function = reader(inner, classes)
    name = "required"
    if inner is not field.type:
        name = "nullable_cell" if field.required else "optional"
    elif not field.required:
        name = "optional"
    return called(f"_decode.{name}", Code("cells"), py(field.name), function)


def annotation(type: Type, imports: set[tuple[str, str]], classes: set[str]) -> Code:
    """The annotation of a scalar, an enum or any other value that a single cell holds."""
    match type:
        case ScalarType() if type.scalar in _ANNOTATIONS:
            name = _ANNOTATIONS[type.scalar]
            if name in ("date", "datetime"):
                imports.add(("datetime", name))
            if name == "Decimal":
                imports.add(("decimal", name))
            return Code(name)
        case EnumType():
            classes.add(class_name(type.name))
            return class_name(type.name)
        case NullableType():
            inner = annotation(type.inner, imports, classes)
            return Code(inner if inner == "Any" else f"{inner} | None")
        case _:
            imports.add(("typing", "Any"))
            return Code("Any")
