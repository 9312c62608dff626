"""Map types of the model to what a database can hold, and to their names in each dialect."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple, assert_never

from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.model.fields import Zone
from brimgen.model.leaves import Leaf, Shipped
from brimgen.model.types import (
    EntityType,
    EnumType,
    Field,
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
from brimgen.sql.kinds import KINDS, SQL, SqlKind


@dataclass(frozen=True, slots=True)
class LeafForm:
    """How a leaf differs in a database from what it is in a program.

    ``own`` is the name of a leaf with a class of the project, empty for a UUID and for leaves
    without a class. ``from_json`` is the function that makes of JSON what the database is given,
    where that is something else.
    """

    own: str = ""
    is_uuid: bool = False
    from_json: str = ""


class SqlType(NamedTuple):
    """The type of a parameter.

    ``enum`` marks members of a named enum, ``zoned`` a ``timestamptz`` and ``naive`` a
    ``timestamp`` (`x-sql-type`), ``exact`` a decimal stored as text (`x-sql-type: text`),
    ``lenient`` a datetime that is UTC where it has no offset, ``leaf`` what is written as JSON
    first. `SqlKind.ENTITY` cannot be bound at all.
    """

    kind: SqlKind
    is_list: bool = False
    nullable: bool = False
    enum: bool = False
    zoned: bool = False
    naive: bool = False
    exact: bool = False
    lenient: bool = False
    digits: tuple[int, int] | None = None
    leaf: LeafForm | None = None

    @property
    def word(self) -> str:
        """The type as the spec language writes it."""
        return _WORDS[self.kind, self.is_list]


_WORDS: Mapping[tuple[SqlKind, bool], str] = MappingProxyType(
    {
        (kind, is_list): f"{kind.value}[]" if is_list else kind.value
        for kind in SqlKind
        for is_list in (False, True)
    }
)

_REQUIRED = Zone.REQUIRED
"""The usual zone. It is a constant because the look-up of an enum member costs each time."""
_PLAIN: Mapping[tuple[Scalar, bool], SqlType] = MappingProxyType(
    {
        (scalar, nullable): SqlType(kind=codec.kind, nullable=nullable)
        for scalar, codec in SQL.items()
        for nullable in (False, True)
    }
)
"""Most types, each made once."""


def sql_type(field: Field, catalog: Catalog) -> SqlType:
    """Return the SQL type of a field."""
    inner, nullable = field.type, not field.required and _has_no_value(field)
    if isinstance(inner, NullableType):
        inner, nullable = inner.inner, True
    special = field.bind_json or field.precision or field.zone is not _REQUIRED
    if isinstance(inner, ScalarType) and not (special or "x-sql-type" in field.schema):
        return _PLAIN[inner.scalar, nullable]
    is_list = isinstance(inner, ListType) and not field.bind_json
    item = inner.item if isinstance(inner, ListType) and is_list else inner
    item = item.inner if isinstance(item, NullableType) else item
    kind = SqlKind.JSON if field.bind_json else _kind(item, catalog, nested=is_list)
    option = field.schema.get("x-sql-type")
    digits = _digits(field, is_list=is_list) if kind is SqlKind.DECIMAL else None
    return SqlType(
        kind=kind,
        is_list=is_list and kind is not SqlKind.JSON,
        nullable=nullable,
        enum=isinstance(item, EnumType) and not field.bind_json,
        zoned=kind is SqlKind.DATETIME and option == "timestamptz",
        naive=kind is SqlKind.DATETIME and option == "timestamp",
        exact=kind is SqlKind.DECIMAL and option == "text",
        lenient=field.zone is Zone.ASSUME_UTC,
        digits=digits,
        leaf=leaf_form(item, catalog.leaves) if not field.bind_json else None,
    )


def _digits(field: Field, *, is_list: bool) -> tuple[int, int] | None:
    """Return the precision and scale of a decimal, or of the items of a list."""
    schema = field.schema.get("items") if is_list else field.schema
    digits = schema.get("x-decimal") if isinstance(schema, dict) else None
    precision = digits.get("precision") if isinstance(digits, dict) else None
    scale = digits.get("scale", 0) if isinstance(digits, dict) else None
    if not isinstance(precision, int) or not isinstance(scale, int):
        return None
    return precision, scale


def leaf_form(type: Type, leaves: Mapping[str, Leaf]) -> LeafForm | None:
    """Return the form of a leaf; None where a database holds what a program does."""
    if not isinstance(type, LeafType):
        return None
    leaf = leaves[type.name]
    if leaf.shipped is Shipped.UUID:
        return LeafForm(is_uuid=True)
    if leaf.shipped is not None:
        return None
    decoder = SQL[leaf.sql].from_json if leaf.sql is not leaf.scalar else ""
    own = leaf.name if leaf.python is not None else ""
    return LeafForm(own, from_json=decoder) if own or decoder else None


def _has_no_value(field: Field) -> bool:
    return field.default is None or field.default.value is None


def _kind(type: Type, catalog: Catalog, *, nested: bool) -> SqlKind:
    match type:
        case ScalarType():
            return SQL[type.scalar].kind
        case EnumType():
            return _enum_kind(type, catalog)
        case LeafType():
            return SQL[catalog.leaves[type.name].sql].kind
        case EntityType() | RecordType():
            return SqlKind.ENTITY
        case UnionType():
            return SqlKind.PRIMITIVE
        case ListType() | MapType() | JsonType():
            return SqlKind.ENTITY if nested else SqlKind.JSON
        case NullableType():
            return SqlKind.ENTITY
        case _:
            assert_never(type)


def _enum_kind(type: EnumType, catalog: Catalog) -> SqlKind:
    entity = catalog.enums.get(type.name)
    kinds = {value.__class__ for value in entity.values} if entity else {str}
    if kinds == {str}:
        return SqlKind.TEXT
    if kinds == {int}:
        return SqlKind.INT
    return SqlKind.FLOAT if kinds <= {int, float} else SqlKind.PRIMITIVE


_ZONED: Mapping[str, str] = MappingProxyType(
    {"postgres": "timestamptz", "duckdb": "TIMESTAMPTZ", "bigquery": "TIMESTAMP"}
)


@cache
def type_name(type: SqlType, dialect: str) -> str:
    """Return the name of ``type`` in ``dialect`` without brackets; empty where it has none."""
    name = KINDS[type.kind].names.get(dialect, "")
    if type.zoned and dialect in _ZONED:
        return _ZONED[dialect]
    if type.exact:
        return KINDS[SqlKind.TEXT].names[dialect]
    if (
        type.digits
        and dialect not in ("sqlite", "bigquery")
        and type.kind is SqlKind.DECIMAL
    ):
        precision, scale = type.digits
        return f"{name.partition('(')[0]}({precision},{scale})"
    return name


@cache
def full_type_name(type: SqlType, dialect: str) -> str:
    """Return the name with ``[]`` for a list, where the dialect has arrays."""
    name = type_name(type, dialect)
    if not type.is_list or not name:
        return name
    match dialect:
        case "postgres" | "duckdb":
            return f"{name}[]"
        case "bigquery":
            return f"ARRAY<{name}>"
        case "clickhouse":
            return f"Array({name})"
        case _:
            return name
