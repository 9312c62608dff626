"""Encode values as JSON: the conversion of each type, for every target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from brimgen.emit.code import Code
from brimgen.emit.codecs.conversions import (
    KEEP,
    Call,
    Combinators,
    Conversion,
    Items,
    Keep,
    Members,
    ModuleNames,
    OrNone,
    Values,
    combined,
    conversion,
    expression,
    keeps,
)
from brimgen.emit.codecs.python import PYTHON
from brimgen.emit.names import class_name, module_name
from brimgen.emit.python_text import attribute, call
from brimgen.model.leaves import Leaf, Shipped
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


class ValueEncoder:
    """Encodes values; `conversion` takes it along a type. What is JSON in one way only is left to
    ``to_json_value``: all but leaves of the project.
    """

    def __init__(self, names: ModuleNames) -> None:
        self.names = names

    @property
    def of_parts(self) -> Self:
        """The converter of items and values: itself."""
        return self

    def scalar(self, type: ScalarType, field: Field | None) -> Conversion:
        """Encode a scalar."""
        return KEEP if PYTHON[type.scalar].is_plain else self.json()

    def enum(self, type: EnumType) -> Conversion:
        """Encode a member of an enum."""
        return self.json()

    def entity(self, type: EntityType) -> Conversion:
        """Encode an entity."""
        return self.json()

    def record(self, type: RecordType) -> Conversion:
        """Encode an object without a name."""
        return self.json()

    def leaf(self, type: LeafType) -> Conversion:
        """Encode a leaf by the project's own function, if it has one."""
        leaf = self.names.leaves[type.name]
        if leaf.python is not None:
            return Call(self.names.leaf_function(f"dump_{module_name(leaf.name)}"))
        match leaf.shipped:
            case Shipped.UUID:
                return self.uuid()
            case Shipped.TIMESTAMP:
                return self.json()
            case Shipped.URL | None:
                return self.scalar(ScalarType(leaf.scalar), None)

    def uuid(self) -> Conversion:
        """Encode a UUID."""
        return Call(Code("str"))

    def union(self, type: UnionType) -> Conversion:
        """Encode one of several scalars, which are JSON."""
        return KEEP

    def json(self) -> Conversion:
        """Encode what is JSON in one way only."""
        return Call(self.names.runtime("to_json_value"))

    def encoded(self, type: Type, value: Code, *, may_be_none: bool) -> Code:
        """The expression of a value as JSON; ``may_be_none`` where its type does not say so."""
        encoding = conversion(type, self)
        if keeps(encoding):
            return value
        if _is_plain(encoding):
            return call(PLAIN_ENCODER, value)
        if may_be_none and not isinstance(encoding, OrNone):
            encoding = OrNone(encoding)
        return expression(encoding, value)


def _is_plain(encoding: Conversion) -> bool:
    """Whether ``to_json_value`` does the same, whatever a value holds."""
    match encoding:
        case Keep():
            return True
        case Call(function, ()):
            return function == PLAIN_ENCODER
        case Items(inner) | Values(inner) | OrNone(inner):
            return _is_plain(inner)
        case _:
            return False


class _ResultNames:
    def __init__(self, leaves: Mapping[str, Leaf]) -> None:
        self.leaves = leaves
        self.uses_leaves = False

    def runtime(self, name: str) -> Code:
        return Code(name)

    def entity(self, name: str) -> Code:
        return class_name(name)

    def leaf_function(self, name: str) -> Code:
        self.uses_leaves = True
        return attribute(Code("_leaves"), name)


class ResultEncoder(ValueEncoder):
    """Encodes results of programs: a value of another type than the declared one stays as it is,
    so that the schema of the result refuses it.

    ``functions`` are those of ``encode`` in the runtime that the module needs; ``uses_leaves`` says
    that it needs ``_leaves``.
    """

    def __init__(self, leaves: Mapping[str, Leaf]) -> None:
        self._names = _ResultNames(leaves)
        self.functions: set[str] = set()
        super().__init__(self._names)

    @property
    def uses_leaves(self) -> bool:
        """Whether the functions so far need ``_leaves``."""
        return self._names.uses_leaves

    def scalar(self, type: ScalarType, field: Field | None) -> Conversion:
        """Encode a scalar, a decimal by its digits where JSON has a string of it."""
        if type.scalar is Scalar.BYTES:
            return self._own(PLAIN_ENCODER)
        return self._own("digits") if is_digits(type, field) else self.json()

    def record(self, type: RecordType) -> Conversion:
        """Encode the members of an object, each by its type."""
        members = [
            (field.name, conversion(field.type, self, field)) for field in type.fields
        ]
        return Members(tuple(members), Code("record"))

    def uuid(self) -> Conversion:
        """Encode a UUID."""
        return self.json()

    def union(self, type: UnionType) -> Conversion:
        """Encode one of several scalars."""
        return self.json()

    def json(self) -> Conversion:
        """Encode what is JSON in one way only."""
        return Call(RESULT_ENCODER)

    def _own(self, function: str) -> Conversion:
        self.functions.add(function)
        return Call(Code(function))

    def function(self, type: Type, field: Field | None = None) -> Code:
        """The function that encodes a result of ``type``, or the value of a ``field``."""
        return combined(conversion(type, self, field), _OF_RESULTS, self.functions)


PLAIN_ENCODER = Code("to_json_value")
"""The encoder of values that are JSON in one way only."""

RESULT_ENCODER = Code("result_value")
"""The encoder of results that are JSON in one way only."""

_OF_RESULTS = Combinators("listed", "mapped", "maybe", "record", RESULT_ENCODER)


def is_digits(type: ScalarType, field: Field | None) -> bool:
    """Whether a value is a string of its digits in JSON."""
    keeps_digits = SCALARS[type.scalar].keeps_digits
    return field is not None and field.wire_string and keeps_digits
