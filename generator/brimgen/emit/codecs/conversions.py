"""Convert values by their type: one walk over the type serves every target.

A conversion is independent of how it is written: `expression` writes it as an expression of a
value, `function` as a function, and `combined` by functions that make functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol, TypeAlias, assert_never

from brimgen.emit.code import Code, py
from brimgen.emit.python_text import (
    attribute,
    call,
    compared,
    conditional,
    list_of,
    mapping,
)
from brimgen.model.leaves import Leaf
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


class Keep(NamedTuple):
    """The value stays as it is."""


class Call(NamedTuple):
    """``function(value, *arguments)``."""

    function: Code
    arguments: tuple[Code, ...] = ()


class Items(NamedTuple):
    """Each item of a list."""

    item: Conversion


class Values(NamedTuple):
    """Each value of a dictionary."""

    value: Conversion


class OrNone(NamedTuple):
    """A value that may be None, which stays."""

    inner: Conversion


class Chain(NamedTuple):
    """One conversion, and another of its result."""

    first: Conversion
    then: Conversion


class Members(NamedTuple):
    """Members of a dictionary by their names; all others stay. ``function`` is `record`."""

    members: tuple[tuple[str, Conversion], ...]
    function: Code


Conversion: TypeAlias = Keep | Call | Items | Values | OrNone | Chain | Members

KEEP = Keep()


class ModuleNames(Protocol):
    """The names in conversions of one module; each name that is asked for is imported."""

    @property
    def leaves(self) -> Mapping[str, Leaf]:
        """The leaves of the catalog."""
        ...

    def runtime(self, name: str) -> Code:
        """A function of the package's runtime."""
        ...

    def entity(self, name: str) -> Code:
        """The class of an entity or enum."""
        ...

    def leaf_function(self, name: str) -> Code:
        """A function of the module of the project's leaves."""
        ...


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


def expression(conversion: Conversion, value: Code) -> Code:
    """A conversion as an expression; lists and dictionaries are copied."""
    match conversion:
        case Keep():
            return value
        case Call(name, arguments):
            return call(name, value, *arguments)
        case Items(item):
            variable = item_of(value)
            shown = expression(item, variable)
            return (
                call(_LIST, value)
                if shown == variable
                else list_of(shown, variable, value)
            )
        case Values(inner):
            variable = item_of(value)
            shown = expression(inner, variable)
            if shown == variable:
                return call(_DICT, value)
            items = call(attribute(value, "items"))
            return Code(f"{{key: {shown} for key, {variable} in {items}}}")
        case OrNone(inner):
            shown = expression(inner, value)
            if shown == value:
                return value
            return conditional(_NONE, compared(value, "is", _NONE), shown)
        case Chain(first, then):
            return expression(then, expression(first, value))
        case Members(members, name):
            functions = [(py(key), function(member)) for key, member in members]
            return call(name, value, mapping(functions))
        case _:
            assert_never(conversion)


_LIST, _DICT, _NONE, _VALUE = map(Code, ("list", "dict", "None", "value"))
_EACH = Code("each")
_INNER = {"each": Code("item"), "item": Code("part"), "part": Code("piece")}


def item_of(value: Code) -> Code:
    """What an item of ``value`` is called in a comprehension."""
    return _INNER.get(value, _EACH)


def function(conversion: Conversion) -> Code:
    """A conversion as a function of one argument."""
    if isinstance(conversion, Call) and not conversion.arguments:
        return conversion.function
    return Code(f"lambda value: {expression(conversion, _VALUE)}")


class Combinators(NamedTuple):
    """Functions that make the function for a list, map or object from those for its parts.

    ``plain`` is the function that keeps a value, or does what it needs at any depth.
    """

    items: str
    values: str
    or_none: str
    members: str
    plain: Code | None = None


def combined(conversion: Conversion, by: Combinators, used: set[str]) -> Code:
    """A conversion as a function that combinators make; adds those that are ``used``."""

    def around(name: str, inner: Conversion) -> Code:
        shown = combined(inner, by, used)
        if shown == by.plain:
            return shown
        used.add(name)
        return call(Code(name), shown)

    match conversion:
        case Call(name, ()):
            return name
        case Items(item):
            return around(by.items, item)
        case Values(inner):
            return around(by.values, inner)
        case OrNone(inner):
            return around(by.or_none, inner)
        case Members(members, _):
            shown = [(py(key), combined(member, by, used)) for key, member in members]
            special = [(key, member) for key, member in shown if member != by.plain]
            if not special and by.plain is not None:
                return by.plain
            used.add(by.members)
            return call(Code(by.members), mapping(special))
        case _:
            assert isinstance(conversion, Keep) and by.plain is not None
            return by.plain


def keeps(conversion: Conversion) -> bool:
    """Whether a conversion leaves the value as it is, at every depth."""
    match conversion:
        case Keep():
            return True
        case Items(inner) | Values(inner) | OrNone(inner):
            return keeps(inner)
        case Members(members, _):
            return all(keeps(member) for _, member in members)
        case Call() | Chain():
            return False
        case _:
            assert_never(conversion)
