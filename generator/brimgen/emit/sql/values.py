"""Values: the expressions that encode a parameter for a dialect and decode a column."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import assert_never

from brimgen.emit.code import Code, py
from brimgen.emit.expressions import Call, Expression, called
from brimgen.emit.names import class_name
from brimgen.emit.sql.drivers import Lists, lists_of
from brimgen.emit.sql.types import SqlKind, SqlType, leaf_form, needed_by
from brimgen.frozen import dataclass, field
from brimgen.model.fields import Field
from brimgen.model.leaves import Leaf, Shipped
from brimgen.model.types import (
    EntityType,
    EnumType,
    JsonType,
    LeafType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
    Type,
    UnionType,
)

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
    "snowflake": {SqlKind.DECIMAL: "decimal38"},
    "databricks": {SqlKind.DECIMAL: "decimal38"},
    "bigquery": {SqlKind.DECIMAL: "decimal9"},
    "clickhouse": {
        SqlKind.DECIMAL: "decimal9",
        SqlKind.DATE: "day_text",
        SqlKind.DATETIME: "timestamp_text",
    },
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


@dataclass(frozen=True, slots=True)
class Names:
    """The ``leaves`` of the catalog, and what a module imports: classes of entities, and pairs of
    a source and a name.
    """

    leaves: Mapping[str, Leaf]
    classes: set[str] = field(default_factory=set[str])
    imports: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])


@cache
def encoder(type: SqlType, dialect: str) -> Expression:
    """The function that encodes a value of ``type`` that is not None."""
    name = _OWN.get(dialect, {}).get(type.kind, _BASE[type.kind])
    as_json = type.is_list and lists_of(dialect) is Lists.JSON
    if type.exact:
        name = "decimal_text"
    elif type.enum:
        name = "choice"
    elif type.kind is SqlKind.DATETIME:
        if type.zoned and dialect in ("postgres", "duckdb", "bigquery"):
            name = "utc"
        elif as_json or dialect == "clickhouse":
            name = "timestamp_text"
        name = f"lenient_{name}" if type.lenient else name
    elif type.kind is SqlKind.DATE and as_json:
        name = "day_text"
    function: Expression = Code(f"_encode.{name}")
    if type.leaf is not None and type.leaf.meant:
        function = called("_leaf.meant", Code(type.leaf.meant), function)
    if type.leaf is not None and type.leaf.dump:
        function = called("_leaf.dumped", Code(type.leaf.dump), function)
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


def reader(type: Type, names: Names, *, as_json: bool = False) -> Expression:
    """The function that decodes a cell; what it needs imported is added to ``names``.

    With ``as_json`` the outcome is what ``from_dict`` of the entity around it reads.
    """
    match type:
        case ScalarType():
            return _scalar_reader(type)
        case EnumType() if as_json:
            return Code("_decode.primitive")
        case EnumType():
            names.classes.add(class_name(type.name))
            return called("_decode.member", class_name(type.name))
        case LeafType():
            return _leaf_reader(type, names, as_json=as_json)
        case EntityType() | RecordType() | ListType() | MapType() if as_json:
            return Code("_decode.json")
        case EntityType():
            names.classes.add(class_name(type.name))
            from_dict = Code(f"{class_name(type.name)}.from_dict")
            return called("_decode.entity", from_dict)
        case RecordType() | JsonType():
            return Code("_decode.json")
        case ListType():
            return called("_decode.array", reader(type.item, names))
        case MapType():
            return called("_decode.mapping", reader(type.value, names))
        case NullableType():
            inner = reader(type.inner, names, as_json=as_json)
            return called("_decode.nullable", inner)
        case UnionType():
            return Code("_decode.primitive")
        case _:
            assert_never(type)


def _leaf_reader(type: LeafType, names: Names, *, as_json: bool) -> Expression:
    leaf = names.leaves[type.name]
    form = leaf_form(type, names.leaves)
    function: Expression = Code(f"_decode.{_READERS[leaf.scalar]}")
    if leaf.shipped is Shipped.TIMESTAMP:
        return Code("_decode.timestamp")
    if leaf.scalar is Scalar.STRING and leaf.sql is not Scalar.STRING:
        names.imports.add((".", "_leaf"))
        function = called("_leaf.written", Code(f"_decode.{_READERS[leaf.sql]}"))
    if as_json or form is None or not form.parse:
        return function
    names.imports.update(needed_by(["_leaf.parsed", form.parse]))
    return called("_leaf.parsed", function, Code(form.parse))


def _scalar_reader(type: ScalarType) -> Expression:
    name = Code(f"_decode.{_READERS[type.scalar]}")
    plain = type.scalar in (Scalar.STRING, Scalar.INT, Scalar.FLOAT, Scalar.BOOL)
    if type.choices and plain:
        choices = Call("[", tuple(map(py, type.choices)), "]")
        return called("_decode.one_of", name, choices)
    return name


def read(field: Field, names: Names) -> Expression:
    """The expression that reads the column of ``field`` from ``cells``."""
    inner = field.type.inner if isinstance(field.type, NullableType) else field.type
    function = reader(inner, names)
    name = "required"
    if inner is not field.type:
        name = "nullable_cell" if field.required else "optional"
    elif not field.required:
        name = "optional"
    return called(f"_decode.{name}", Code("cells"), py(field.name), function)


def annotation(type: Type, names: Names) -> Code:
    """The annotation of a scalar, an enum or any other value that a single cell holds."""
    match type:
        case ScalarType() if type.scalar in _ANNOTATIONS:
            name = _ANNOTATIONS[type.scalar]
            if name in ("date", "datetime"):
                names.imports.add(("datetime", name))
            if name == "Decimal":
                names.imports.add(("decimal", name))
            return Code(name)
        case EnumType():
            names.classes.add(class_name(type.name))
            return class_name(type.name)
        case LeafType():
            return _leaf_annotation(type, names)
        case NullableType():
            inner = annotation(type.inner, names)
            return Code(inner if inner == "Any" else f"{inner} | None")
        case _:
            names.imports.add(("typing", "Any"))
            return Code("Any")


def _leaf_annotation(type: LeafType, names: Names) -> Code:
    leaf = names.leaves[type.name]
    if leaf.python is not None:
        names.imports.add(("..", "_leaves"))
        return Code(f"_leaves.{class_name(leaf.name)}")
    match leaf.shipped:
        case Shipped.UUID:
            names.imports.add(("uuid", "UUID"))
            return Code("UUID")
        case Shipped.TIMESTAMP:
            return annotation(ScalarType(Scalar.DATETIME), names)
        case Shipped.URL | None:
            return Code(_ANNOTATIONS[leaf.scalar])
