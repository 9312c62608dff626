"""Encode values as JSON: the conversion of each type, for every target."""

from __future__ import annotations

from typing import Self

from brimgen.emit.code import Code
from brimgen.emit.codecs.conversions import (
    Call,
    Combinators,
    Conversion,
    Members,
    combined,
    conversion,
)
from brimgen.emit.codecs.module_names import ModuleNames
from brimgen.emit.names import module_name
from brimgen.emit.python_text import attribute
from brimgen.model.leaves import Shipped
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
    Field,
    LeafType,
    RecordType,
    Scalar,
    ScalarType,
    Type,
    UnionType,
)


class ResultEncoder:
    """Encodes results of programs; `conversion` takes it along a type. A value of another type than
    the declared one stays as it is, so that the schema of the result refuses it.

    The module, whose ``names`` they are, imports what encodes them.
    """

    def __init__(self, names: ModuleNames) -> None:
        self._names = names

    @property
    def of_parts(self) -> Self:
        """The converter of items and values: itself."""
        return self

    def scalar(self, type: ScalarType, field: Field | None) -> Conversion:
        """Encode a scalar, a decimal by its digits where JSON has a string of it."""
        if type.scalar is Scalar.BYTES:
            return self._own("to_json_value")
        return self._own("digits") if is_digits(type, field) else self.json()

    def record(self, type: RecordType) -> Conversion:
        """Encode the members of an object, each by its type."""
        members = [
            (field.name, conversion(field.type, self, field)) for field in type.fields
        ]
        return Members(tuple(members))

    def enum(self, type: EnumType) -> Conversion:
        """Encode a member of an enum."""
        return self.json()

    def entity(self, type: EntityType) -> Conversion:
        """Encode an entity."""
        return self.json()

    def leaf(self, type: LeafType) -> Conversion:
        """Encode a leaf by the project's own function, if it has one."""
        leaf = self._names.leaves[type.name]
        if leaf.python is not None:
            name = f"dump_{module_name(leaf.name)}"
            return Call(attribute(self._names.leaf_module(), name))
        if leaf.shipped in (Shipped.UUID, Shipped.TIMESTAMP):
            return self.json()
        return self.scalar(ScalarType(leaf.scalar), None)

    def union(self, type: UnionType) -> Conversion:
        """Encode one of several scalars."""
        return self.json()

    def json(self) -> Conversion:
        """Encode what is JSON in one way only."""
        return Call(RESULT_ENCODER)

    def import_plain(self) -> None:
        """Import what encodes results that are JSON in one way only."""
        self._own(RESULT_ENCODER)

    def _own(self, function: str) -> Conversion:
        return Call(self._names.runtime(function))

    def function(self, type: Type, field: Field | None = None) -> Code:
        """The function that encodes a result of ``type``, or the value of a ``field``."""
        return combined(conversion(type, self, field), _OF_RESULTS, self._names.runtime)


RESULT_ENCODER = Code("result_value")
"""The encoder of results that are JSON in one way only."""

_OF_RESULTS = Combinators("listed", "mapped", "maybe", "record", RESULT_ENCODER)


def is_digits(type: ScalarType, field: Field | None) -> bool:
    """Whether a value is a string of its digits in JSON."""
    keeps_digits = SCALARS[type.scalar].keeps_digits
    return field is not None and field.wire_string and keeps_digits
