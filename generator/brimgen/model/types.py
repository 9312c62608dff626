"""Fields (an argument of a tool, a field of an entity) and the types that they can have.

The kinds of types are closed: every target must know each of them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass
from brimgen.model.fields import Caller, Default, Origin, Zone
from brimgen.model.json import JsonObject


class Scalar(StrEnum):
    """The words of the type table (S0.22-29, S0.42; spec-language.md)."""

    INT = "int"
    UINT64 = "uint64"
    FLOAT = "float"
    DECIMAL = "decimal"
    BOOL = "bool"
    STRING = "string"
    DATE = "date"
    DATETIME = "datetime"
    TIME = "time"
    DURATION = "duration"
    BYTES = "bytes"
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
    """Any JSON value, where no narrower type is right."""


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


@dataclass(frozen=True, slots=True)
class Field:
    """One field.

    ``schema`` is its canonical JSON Schema, with description and default; ``type`` is what its
    value is decoded to. ``required`` is about the caller: a field that is neither required nor
    has a default may be absent. ``declared`` is False for a field that came through
    ``entity_ref`` and was not named by the tool itself. ``attribute`` is its name in Python where
    that is not the usual one of ``name``, which a sibling or a class has. ``embed``: it is an
    entity of a row, whose columns begin with ``name`` and ``_``.
    """

    name: str
    type: Type
    schema: JsonObject
    span: Span
    required: bool = True
    default: Default | None = None
    description: str | None = None
    deprecated: bool = False
    origin: Origin = Caller()
    declared: bool = True
    precision: int | None = None
    scale: int | None = None
    zone: Zone = Zone.REQUIRED
    wire_string: bool = False
    bind_json: bool = False
    attribute: str = ""
    embed: bool = False

    @property
    def may_be_null(self) -> bool:
        """Whether null is one of its values."""
        return isinstance(self.type, NullableType | JsonType)

    @property
    def keeps_null(self) -> bool:
        """Whether its class tells null from absence: both are sent, and both are None there."""
        has_value = self.default is not None and self.default.value is not None
        is_sent = isinstance(self.origin, Caller)
        return is_sent and self.may_be_null and not (self.required or has_value)
