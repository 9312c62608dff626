"""Results: the type that a handler returns, as an annotation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from brimgen.emit.code import Code, py
from brimgen.emit.names import class_name
from brimgen.emit.records import Records
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
    Scalar.BOOL: "bool",
    Scalar.STRING: "str",
    Scalar.SPLAT: "str",
    Scalar.DATE: "dt.date",
    Scalar.DATETIME: "dt.datetime",
    Scalar.DECIMAL: "Decimal",
    Scalar.PRIMITIVE: "Any",
    Scalar.OBJECT: "dict[str, Any]",
    Scalar.ARRAY: "list[Any]",
}
_LONGEST_LITERAL = 40


class Results:
    """The types of results of one module: what they need imported, and the records among them.

    ``own`` are names that the module has already, ``classes`` those of entities.
    """

    def __init__(
        self, leaves: dict[str, Leaf], own: Iterable[str], classes: Iterable[str]
    ) -> None:
        self.entities: set[str] = set()
        self.uses_entities_module = False
        self.words: set[str] = set()
        self._leaves = leaves
        self._own = frozenset(own)
        self.records = Records([*self._own, *classes])

    def annotation(self, type: Type) -> Code:
        """The annotation of a value of ``type``."""
        match type:
            case ScalarType():
                return self._scalar(type)
            case EntityType() | EnumType():
                return self._entity(class_name(type.name))
            case LeafType():
                return self._leaf(type)
            case RecordType():
                return self._record(type)
            case ListType():
                return Code(f"list[{self.annotation(type.item)}]")
            case MapType():
                return Code(f"dict[str, {self.annotation(type.value)}]")
            case NullableType():
                return Code(f"{self.annotation(type.inner)} | None")
            case UnionType():
                options = (self.annotation(each) for each in type.options)
                return Code(" | ".join(dict.fromkeys(options)))
            case JsonType():
                return self._word("Any")
            case _:
                assert_never(type)

    def _entity(self, name: Code) -> Code:
        """The class of an entity, by its module where the name means something else here."""
        if name in self._own:
            self.uses_entities_module = True
            return Code(f"entities.{name}")
        self.entities.add(name)
        return name

    def _word(self, code: str) -> Code:
        """A type of the standard library, whose names are noted down."""
        names = ("dt", "Any", "Decimal", "UUID", "Literal")
        self.words.update(each for each in names if each in code)
        return Code(code)

    def _scalar(self, type: ScalarType) -> Code:
        choices = ", ".join(map(py, type.choices))
        literal = f"Literal[{choices}]"
        exact = type.scalar in (Scalar.INT, Scalar.STRING, Scalar.BOOL)
        whole = not any(isinstance(each, float) for each in type.choices)
        if choices and exact and whole and len(literal) <= _LONGEST_LITERAL:
            self.words.add("Literal")
            return Code(literal)
        return self._word(_PLAIN[type.scalar])

    def _leaf(self, type: LeafType) -> Code:
        leaf = self._leaves[type.name]
        if leaf.python is not None:
            self.words.add("_leaves")
            return Code(f"_leaves.{class_name(leaf.name)}")
        if leaf.shipped is Shipped.UUID:
            return self._word("UUID")
        return self._word(
            "dt.datetime" if leaf.shipped is Shipped.TIMESTAMP else _PLAIN[leaf.scalar]
        )

    def _record(self, type: RecordType) -> Code:
        """The ``TypedDict`` of a record; a record with free names is a plain dictionary."""
        if type.extra is not None:
            return self._word("dict[str, Any]")
        return self.records.name(type, self.annotation)
