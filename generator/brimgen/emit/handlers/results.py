"""Results: the type that a handler returns, as an annotation and as the encoder of its values."""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from typing import assert_never

from brimgen.emit.code import Code, bracketed, py
from brimgen.emit.names import class_name, module_name
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
PLAIN_ENCODER = Code("to_json_value")


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
        self.encoders: set[str] = set()
        self.records: dict[str, Code] = {}
        self._known: list[tuple[RecordType, Code]] = []
        self._leaves = leaves
        self._own = frozenset(own)
        self._taken = {*self._own, *classes}

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
        for known, name in self._known:
            if known == type:
                return name
        wanted = class_name(type.name)
        name, number = wanted, 2
        while name in self._taken:
            name, number = Code(f"{wanted}{number}"), number + 1
        self._taken.add(name)
        self._known.append((type, name))
        self.records[name] = self._typed_dict(type, name)
        return name

    def _typed_dict(self, type: RecordType, name: Code) -> Code:
        self.words.add("TypedDict")
        entries = [(each.name, self._member(each)) for each in type.fields]
        if entries and all(_is_attribute(each) for each, _ in entries):
            body = "".join(f"\n    {each}: {member}" for each, member in entries)
            about = '    """A result, or a part of one, by the names of its spec."""'
            return Code(f"class {name}(TypedDict):\n{about}\n{body}")
        items = [f"{py(each)}: {py(str(member))}" for each, member in entries]
        inner = bracketed(items, before="{", after="},", indent=4) if items else "{},"
        return Code(f"{name} = TypedDict(\n    {py(str(name))},\n    {inner}\n)")

    def _member(self, field: Field) -> Code:
        shown = self.annotation(field.type)
        if field.required:
            return shown
        self.words.add("NotRequired")
        return Code(f"NotRequired[{shown}]")

    def encoder(self, type: Type, field: Field | None = None) -> Code:
        """The function that encodes a value of ``type`` as JSON."""
        match type:
            case LeafType() if self._leaves[type.name].python is not None:
                self.words.add("_leaves")
                return Code(f"_leaves.dump_{module_name(type.name)}")
            case LeafType() if self._leaves[type.name].shipped is Shipped.UUID:
                return self._made("uuid_text", None)
            case ScalarType(scalar=Scalar.DECIMAL) if field and field.wire_string:
                return self._made("digits", None)
            case ListType(item=inner):
                return self._around("listed", self.encoder(inner, field))
            case MapType(value=inner):
                return self._around("mapped", self.encoder(inner, field))
            case NullableType(inner=inner):
                return self._around("maybe", self.encoder(inner, field))
            case RecordType():
                return self._record_encoder(type)
            case _:
                return PLAIN_ENCODER

    def _record_encoder(self, type: RecordType) -> Code:
        found = [(each.name, self.encoder(each.type, each)) for each in type.fields]
        special = [
            f"{py(name)}: {made}" for name, made in found if made != PLAIN_ENCODER
        ]
        return (
            self._made("record", "{" + ", ".join(special) + "}")
            if special
            else (PLAIN_ENCODER)
        )

    def _around(self, function: str, inner: Code) -> Code:
        return inner if inner == PLAIN_ENCODER else self._made(function, inner)

    def _made(self, function: str, argument: str | None) -> Code:
        self.encoders.add(function)
        return Code(function if argument is None else f"{function}({argument})")


def _is_attribute(name: str) -> bool:
    return (
        name.isidentifier()
        and name.isascii()
        and not keyword.iskeyword(name)
        and not name.startswith("__")
    )
