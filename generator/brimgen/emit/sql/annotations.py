"""Annotations: the type of a decoded row, or of a part of one, as the checkers are told it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from brimgen.emit.code import Code, py
from brimgen.emit.names import class_name
from brimgen.emit.records import Records
from brimgen.emit.sql.view import SqlFunction
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

_PLAIN = {
    Scalar.INT: "int",
    Scalar.FLOAT: "float",
    Scalar.DECIMAL: "Decimal",
    Scalar.BOOL: "bool",
    Scalar.STRING: "str",
    Scalar.DATE: "date",
    Scalar.DATETIME: "datetime",
    Scalar.PRIMITIVE: "Any",
    Scalar.OBJECT: "dict[str, Any]",
    Scalar.ARRAY: "list[Any]",
    Scalar.SPLAT: "str",
}
_HOMES = {
    "Any": "typing",
    "Decimal": "decimal",
    "Literal": "typing",
    "NotRequired": "typing",
    "TypedDict": "typing",
    "UUID": "uuid",
    "date": "datetime",
    "datetime": "datetime",
}
TAKEN = frozenset({"Final", "Sequence", "TYPE_CHECKING", *_HOMES})
"""What a module calls something of the standard library: no entity and no record is called so."""

_LONGEST_LITERAL = 40


class Names:
    """The names of one module: what is imported (pairs of a source and a name), its records, and
    the functions that read parts of rows.

    ``leaves`` are those of the catalog, ``own`` the classes that the module imports for other
    reasons.
    """

    def __init__(self, leaves: Mapping[str, Leaf], own: Iterable[str] = ()) -> None:
        self.leaves = leaves
        self.imports: set[tuple[str, str]] = set()
        self.records = Records([*TAKEN, *own])
        self.functions: dict[Code, SqlFunction] = {}

    def entity(self, name: str) -> Code:
        """The class of an entity or enum, by its module where the name means something else."""
        made = class_name(name)
        if made in TAKEN:
            self.imports.add(("..", "entities"))
            return Code(f"entities.{made}")
        self.imports.add(("..entities", made))
        return made

    def word(self, code: str) -> Code:
        """A type of the standard library, which is imported."""
        self.imports.update(
            (_HOMES[each], each) for each in _HOMES if each in _words(code)
        )
        return Code(code)


def _words(code: str) -> list[str]:
    return code.replace("[", " ").replace("]", " ").replace(",", " ").split()


def annotation(type: Type, names: Names) -> Code:
    """The annotation of a value that is read from a cell, or from JSON in one."""
    match type:
        case ScalarType():
            return _scalar(type, names)
        case EntityType() | EnumType():
            return names.entity(type.name)
        case LeafType():
            return _leaf(names.leaves[type.name], names)
        case RecordType() if type.extra is None:
            return names.records.name(type, lambda part: annotation(part, names))
        case RecordType():
            return names.word("dict[str, Any]")
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
        case JsonType():
            return names.word("Any")
        case _:
            assert_never(type)


def _scalar(type: ScalarType, names: Names) -> Code:
    literal = f"Literal[{', '.join(map(py, type.choices))}]"
    exact = type.scalar in (Scalar.INT, Scalar.STRING, Scalar.BOOL)
    whole = not any(isinstance(each, float) for each in type.choices)
    if type.choices and exact and whole and len(literal) <= _LONGEST_LITERAL:
        names.imports.add(("typing", "Literal"))
        return Code(literal)
    return names.word(_PLAIN[type.scalar])


def _leaf(leaf: Leaf, names: Names) -> Code:
    if leaf.python is not None:
        names.imports.add(("..", "_leaves"))
        return Code(f"_leaves.{class_name(leaf.name)}")
    match leaf.shipped:
        case Shipped.UUID:
            return names.word("UUID")
        case Shipped.TIMESTAMP:
            return names.word("datetime")
        case Shipped.URL | None:
            return names.word(_PLAIN[leaf.scalar])
