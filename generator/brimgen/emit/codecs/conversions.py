"""Convert values by their type: one walk over the type serves every target.

A conversion is independent of how it is written: `combined` writes it by functions that make
functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeAlias, assert_never

from brimgen.emit.code import Code, py
from brimgen.emit.python_text import (
    call,
    mapping,
)
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
    ScalarType,
    Type,
    UnionType,
)


class Call(NamedTuple):
    """``function(value)``."""

    function: Code


class Items(NamedTuple):
    """Each item of a list."""

    item: Conversion


class Values(NamedTuple):
    """Each value of a dictionary."""

    value: Conversion


class OrNone(NamedTuple):
    """A value that may be None, which stays."""

    inner: Conversion


class Members(NamedTuple):
    """Members of a dictionary by their names; all others stay."""

    members: tuple[tuple[str, Conversion], ...]


Conversion: TypeAlias = Call | Items | Values | OrNone | Members


class Converter(Protocol):
    """Says what becomes of values that are no lists, no dictionaries and not None.

    ``field`` is the field that a type is of, or a part of.
    """

    def scalar(self, type: ScalarType, field: Field | None) -> Conversion:
        """What becomes of a scalar."""
        ...

    def enum(self, type: EnumType) -> Conversion:
        """What becomes of a member of an enum."""
        ...

    def entity(self, type: EntityType) -> Conversion:
        """What becomes of an entity."""
        ...

    def leaf(self, type: LeafType) -> Conversion:
        """What becomes of a leaf."""
        ...

    def record(self, type: RecordType) -> Conversion:
        """What becomes of an object without a name."""
        ...

    def union(self, type: UnionType) -> Conversion:
        """What becomes of one of several scalars."""
        ...

    def json(self) -> Conversion:
        """What becomes of any JSON."""
        ...

    @property
    def of_parts(self) -> Converter:
        """The converter of items and values."""
        ...


def conversion(
    type: Type, converter: Converter, field: Field | None = None
) -> Conversion:
    """What becomes of a value of ``type``, by a converter of its parts."""
    match type:
        case ScalarType():
            return converter.scalar(type, field)
        case EntityType():
            return converter.entity(type)
        case EnumType():
            return converter.enum(type)
        case LeafType():
            return converter.leaf(type)
        case RecordType():
            return converter.record(type)
        case ListType(item):
            return Items(conversion(item, converter.of_parts, field))
        case MapType(value):
            return Values(conversion(value, converter.of_parts, field))
        case NullableType(inner):
            return OrNone(conversion(inner, converter, field))
        case UnionType():
            return converter.union(type)
        case JsonType():
            return converter.json()
        case _:
            assert_never(type)


class Combinators(NamedTuple):
    """Functions that make the function for a list, map or object from those for its parts.

    ``plain`` is the function that does what a value needs at any depth.
    """

    items: str
    values: str
    or_none: str
    members: str
    plain: Code | None = None


def combined(
    conversion: Conversion, by: Combinators, use: Callable[[str], Code]
) -> Code:
    """A conversion as a function that combinators make; ``use`` imports one of these."""

    def around(name: str, inner: Conversion) -> Code:
        shown = combined(inner, by, use)
        return shown if shown == by.plain else call(use(name), shown)

    match conversion:
        case Call(name):
            return name
        case Items(item):
            return around(by.items, item)
        case Values(inner):
            return around(by.values, inner)
        case OrNone(inner):
            return around(by.or_none, inner)
        case Members(members):
            shown = [(py(key), combined(member, by, use)) for key, member in members]
            special = [(key, member) for key, member in shown if member != by.plain]
            if not special and by.plain is not None:
                return by.plain
            return call(use(by.members), mapping(special))
        case _:
            assert_never(conversion)
