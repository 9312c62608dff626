"""Annotations: a type in, the annotation of its decoded values and the records it needs out."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol, assert_never

from brimgen.emit.code import Code, bracketed, fits, py
from brimgen.emit.names import class_name
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

_NAMES = re.compile(r"[^\W\d]\w*")
_BUILTINS = {
    Scalar.INT: "int",
    Scalar.FLOAT: "float",
    Scalar.BOOL: "bool",
    Scalar.STRING: "str",
    Scalar.SPLAT: "str",
}
_STANDARD = {
    Scalar.DATE: "date",
    Scalar.DATETIME: "datetime",
    Scalar.DECIMAL: "Decimal",
    Scalar.PRIMITIVE: "Any",
}
_LITERALS = (Scalar.INT, Scalar.STRING, Scalar.BOOL)
"""What ``Literal`` can hold."""

Annotate = Callable[[Type], str]
"""What writes the annotation of a value, and notes down what it needs imported."""


class Records:
    """The records of one module, each under a name that nothing else in it has.

    ``taken`` are the names that the module has already. ``classes`` are the definitions by name,
    parts before what holds them; ``words`` what they need of ``typing``.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self.classes: dict[Code, Code] = {}
        self.words: set[str] = set()
        self._known: list[tuple[RecordType, Code]] = []
        self._taken = set(taken)

    def name(self, type: RecordType, annotate: Annotate) -> Code:
        """The class of a record, whose names are all known (``extra`` is None); equal ones share
        it. ``annotate`` is asked for the types of its members.
        """
        for known, name in self._known:
            if known == type:
                return name
        wanted = class_name(type.name)
        name, number = wanted, 2
        while name in self._taken:
            name, number = Code(f"{wanted}{number}"), number + 1
        self._taken.add(name)
        self._known.append((type, name))
        members = {each.name: annotate(each.type) for each in type.fields}
        for field in type.fields:
            if not field.required:
                self.words.add("NotRequired")
                members[field.name] = f"NotRequired[{members[field.name]}]"
        self.words.add("TypedDict")
        self.classes[name] = _typed_dict(name, members)
        return name


class Names(Protocol):
    """What one module calls that of which annotations are made; what it is asked for, it imports.

    ``leaves`` are those of the catalog. Where there are no ``records``, a record is ``Any``.
    """

    @property
    def leaves(self) -> Mapping[str, Leaf]:
        """The leaves of the catalog."""
        ...

    @property
    def records(self) -> Records | None:
        """The records of the module."""
        ...

    def standard(self, name: str) -> Code:
        """``Any``, ``Decimal``, ``Literal``, ``UUID``, ``date`` or ``datetime``."""
        ...

    def entity(self, name: str) -> Code:
        """The class of an entity or enum."""
        ...

    def own_leaf(self, name: str) -> Code:
        """The class that the project has for a leaf."""
        ...

    def literal(self, choices: Code, plain: str) -> Code:
        """A ``Literal`` of ``choices``, or what stands for one that is too long; ``plain`` is the
        type of all of them.
        """
        ...


def annotation(type: Type, names: Names) -> Code:
    """The annotation of a decoded value."""
    match type:
        case ScalarType():
            return _scalar(type, names)
        case EntityType() | EnumType():
            return names.entity(type.name)
        case LeafType():
            return _leaf(names.leaves[type.name], names)
        case ListType():
            return Code(f"list[{annotation(type.item, names)}]")
        case MapType():
            return Code(f"dict[str, {annotation(type.value, names)}]")
        case NullableType():
            inner = annotation(type.inner, names)
            return Code(inner if inner == "Any" else f"{inner} | None")
        case UnionType():
            options = (annotation(each, names) for each in type.options)
            return Code(" | ".join(dict.fromkeys(options)))
        case RecordType():
            return _record(type, names)
        case JsonType():
            return names.standard("Any")
        case _:
            assert_never(type)


def _scalar(type: ScalarType, names: Names) -> Code:
    scalar, choices = type.scalar, type.choices
    if (
        choices
        and scalar in _LITERALS
        and not any(isinstance(x, float) for x in choices)
    ):
        return names.literal(Code(", ".join(map(py, choices))), _BUILTINS[scalar])
    if scalar is Scalar.OBJECT:
        return Code(f"dict[str, {names.standard('Any')}]")
    if scalar is Scalar.ARRAY:
        return Code(f"list[{names.standard('Any')}]")
    builtin = _BUILTINS.get(scalar)
    return names.standard(_STANDARD[scalar]) if builtin is None else Code(builtin)


def _leaf(leaf: Leaf, names: Names) -> Code:
    if leaf.python is not None:
        return names.own_leaf(leaf.name)
    match leaf.shipped:
        case Shipped.UUID:
            return names.standard("UUID")
        case Shipped.TIMESTAMP:
            return names.standard("datetime")
        case Shipped.URL | None:
            return _scalar(ScalarType(leaf.scalar), names)


def _record(type: RecordType, names: Names) -> Code:
    """The ``TypedDict`` of a record; a record with free names is a plain dictionary."""
    if names.records is None:
        return names.standard("Any")
    if type.extra is not None:
        return Code(f"dict[str, {names.standard('Any')}]")
    return names.records.name(type, lambda part: annotation(part, names))


def named(type: Type) -> Iterator[str]:
    """The entities and enums that are part of a type: no record may be called as they are."""
    match type:
        case EntityType() | EnumType():
            yield type.name
        case ListType(inner) | MapType(inner) | NullableType(inner):
            yield from named(inner)
        case UnionType():
            for each in type.options:
                yield from named(each)
        case RecordType():
            for field in type.fields:
                yield from named(field.type)
        case _:
            pass


def _typed_dict(name: Code, members: dict[str, str]) -> Code:
    """The class; as a call where a name is none of Python's, or means a type beside it."""
    used = {each for member in members.values() for each in _NAMES.findall(member)}
    if members and used.isdisjoint(members) and all(map(_is_attribute, members)):
        lines = [f"    {each}: {member}" for each, member in members.items()]
        body = "\n".join(
            each if fits(each) else f"{each}  # fmt: skip" for each in lines
        )
        about = '    """A result, or a part of one, by the names of its spec."""'
        return Code(f"class {name}(TypedDict):\n{about}\n\n{body}")
    items = [f"{py(each)}: {py(str(member))}" for each, member in members.items()]
    inner = bracketed(items, before="{", after="},", indent=4) if items else "{},"
    return Code(f"{name} = TypedDict(\n    {py(str(name))},\n    {inner}\n)")


def _is_attribute(name: str) -> bool:
    return (
        name.isidentifier()
        and name.isascii()
        and not keyword.iskeyword(name)
        and not name.startswith("__")
    )
