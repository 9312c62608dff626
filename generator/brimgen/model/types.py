"""The types a field can have: closed kinds, each of which every target must know."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from brimgen.frozen import dataclass

if TYPE_CHECKING:
    from brimgen.model.fields import Field


class Scalar(StrEnum):
    """The words of the type table (S0.22-29, S0.42; language.md 2)."""

    INT = "int"
    FLOAT = "float"
    DECIMAL = "decimal"
    BOOL = "bool"
    STRING = "string"
    DATE = "date"
    DATETIME = "datetime"
    PRIMITIVE = "primitive"
    OBJECT = "object"
    ARRAY = "array"
    SPLAT = "splat"


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A scalar; ``choices`` are the values of an enum written at the field (a Literal)."""

    scalar: Scalar
    choices: tuple[str | int | float | bool, ...] = ()


@dataclass(frozen=True, slots=True)
class EntityType:
    """An object entity of the catalog, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class EnumType:
    """An enum entity of the catalog, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class LeafType:
    """A leaf of the catalog, by name (S4.22): ``scalar`` is what it is in JSON, a string, an
    integer, a number or a boolean.
    """

    name: str
    scalar: Scalar


@dataclass(frozen=True, slots=True)
class RecordType:
    """An object without a name in the catalog: nested ``fields`` or ``properties``.

    ``name`` is what the author's nesting suggests for a class (``OrderShippingAddress``), unique
    within its tool or entity. ``extra`` is the type of properties beyond ``fields`` where the
    schema admits them, None where it is closed.
    """

    name: str
    fields: tuple[Field, ...]
    extra: Type | None = None


@dataclass(frozen=True, slots=True)
class ListType:
    """A list; nested lists come from Standard mode only."""

    item: Type


@dataclass(frozen=True, slots=True)
class MapType:
    """An object with free keys and values of one type."""

    value: Type


@dataclass(frozen=True, slots=True)
class NullableType:
    """``inner`` or null; ``inner`` is never itself nullable or `JsonType`."""

    inner: Type


@dataclass(frozen=True, slots=True)
class UnionType:
    """One of several scalars that need no decoding (``str | int``); two options at least."""

    options: tuple[ScalarType, ...]


@dataclass(frozen=True, slots=True)
class JsonType:
    """Any JSON value: what no narrower type says honestly."""


Type: TypeAlias = (
    ScalarType
    | EntityType
    | EnumType
    | LeafType
    | RecordType
    | ListType
    | MapType
    | NullableType
    | UnionType
    | JsonType
)
