"""Encoders: a type in, what makes JSON of its values out, by functions of ``_engine.encoders``."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.emit.code import Code, py
from brimgen.emit.names import module_name
from brimgen.emit.python_text.pieces import (
    attribute,
    call,
    mapping,
)
from brimgen.model.fields import Field
from brimgen.model.leaves import Leaf, Shipped
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    LeafType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)

PLAIN_ENCODER = Code("to_json_value")
"""The encoder of values that are JSON in one way only."""


class Encoders:
    """The encoders that one module needs.

    ``functions`` are those of the runtime that it imports; ``uses_leaves`` says that it needs
    ``_leaves``.
    """

    def __init__(self, leaves: Mapping[str, Leaf]) -> None:
        self.functions: set[str] = set()
        self.uses_leaves = False
        self._leaves = leaves

    def of(self, type: Type, field: Field | None = None) -> Code:
        """The function that encodes a value of ``type``, that of ``field``, as JSON."""
        match type:
            case LeafType() if self._leaves[type.name].python is not None:
                self.uses_leaves = True
                return attribute(Code("_leaves"), f"dump_{module_name(type.name)}")
            case LeafType() if self._leaves[type.name].shipped is Shipped.UUID:
                return self._made("uuid_text", None)
            case ScalarType() if field and _is_digits(type, field):
                return self._made("digits", None)
            case ListType(item=inner):
                return self._around("listed", self.of(inner, field))
            case MapType(value=inner):
                return self._around("mapped", self.of(inner, field))
            case NullableType(inner=inner):
                return self._around("maybe", self.of(inner, field))
            case RecordType():
                return self._record(type)
            case _:
                return PLAIN_ENCODER

    def _record(self, type: RecordType) -> Code:
        found = [(each.name, self.of(each.type, each)) for each in type.fields]
        special = [(py(name), made) for name, made in found if made != PLAIN_ENCODER]
        if not special:
            return PLAIN_ENCODER
        return self._made("record", mapping(special))

    def _around(self, function: str, inner: Code) -> Code:
        return inner if inner == PLAIN_ENCODER else self._made(function, inner)

    def _made(self, function: str, argument: Code | None) -> Code:
        self.functions.add(function)
        return Code(function) if argument is None else call(Code(function), argument)


def _is_digits(type: ScalarType, field: Field) -> bool:
    """Whether a value is a string of its digits in JSON."""
    return field.wire_string and SCALARS[type.scalar].keeps_digits
