"""Decide how a request can write a value, by its type."""

from __future__ import annotations

from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    JsonType,
    ListType,
    MapType,
    RecordType,
    ScalarType,
    Type,
    UnionType,
)
from brimgen.resolve.fields.type_lookup import known_type
from brimgen_runtime.store.variables import Kind


def kind_of(type: Type) -> Kind:
    """Return the kind of the values of a type."""
    match inner_type(type):
        case ListType(item):
            return "list of plain" if _is_plain(item) else "list"
        case ScalarType(scalar) if SCALARS[scalar].is_array:
            return "any list"
        case ScalarType(scalar) if SCALARS[scalar].is_structured:
            return "object"
        case EntityType() | RecordType() | MapType():
            return "object"
        case JsonType() | UnionType():
            return "any"
        case _:
            return "plain"


def _is_plain(item: Type) -> bool:
    return kind_of(item) in ("plain", "any")


def inner_type(kind: Type) -> Type:
    """Return the type of a value that is not null."""
    return known_type(kind) or kind
