"""Decode JSON that a schema has accepted: the conversion of each type, for every target."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.conversions import (
    KEEP,
    Call,
    Chain,
    Conversion,
    ModuleNames,
    conversion,
)
from brimgen.emit.codecs.python import PYTHON
from brimgen.emit.names import module_name
from brimgen.emit.python_text import attribute, keyword, tuple_of
from brimgen.model.fields import Zone
from brimgen.model.leaves import Shipped
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
    Field,
    LeafType,
    RecordType,
    ScalarType,
    UnionType,
)

_ASSUME_UTC = keyword("assume_utc", Code("True"))


class JsonDecoder(ABC):
    """Decodes the values of one module; `conversion` takes it along a type."""

    def __init__(self, names: ModuleNames) -> None:
        self.names = names

    @property
    def of_parts(self) -> Self:
        """The converter of items and values: itself."""
        return self

    @abstractmethod
    def record(self, type: RecordType) -> Conversion:
        """Decode an object without a name."""

    def choices(self, type: ScalarType, field: Field | None) -> Code:
        """The tuple of the choices of a scalar."""
        return tuple_of([py(choice) for choice in type.choices])

    def scalar(self, type: ScalarType, field: Field | None) -> Conversion:
        """Decode a scalar; of values with choices, a number gets the type that is listed."""
        codec = PYTHON[type.scalar]
        if type.choices and not codec.is_parsed:
            if {choice.__class__ for choice in type.choices} <= {str, bool}:
                return KEEP
            function = self.names.runtime("to_choice")
            return Call(function, (self.choices(type, field),))
        if codec.decoder is None:
            return KEEP
        zone = Zone.REQUIRED if field is None else field.zone
        is_assumed = SCALARS[type.scalar].has_zone and zone is Zone.ASSUME_UTC
        function = self.names.runtime(codec.decoder)
        return Call(function, (_ASSUME_UTC,) if is_assumed else ())

    def enum(self, type: EnumType) -> Conversion:
        """Find the member of an enum."""
        return Call(self.names.entity(type.name))

    def entity(self, type: EntityType) -> Conversion:
        """Decode an entity by its own class."""
        return Call(attribute(self.names.entity(type.name), "from_accepted"))

    def leaf(self, type: LeafType) -> Conversion:
        """Decode a leaf by what it is in JSON, and then by the project's own function."""
        leaf = self.names.leaves[type.name]
        plain = conversion(ScalarType(leaf.scalar), self)
        if leaf.python is not None:
            name = f"parse_{module_name(leaf.name)}"
            parse = Call(self.names.leaf_function(name))
            return parse if plain == KEEP else Chain(plain, parse)
        match leaf.shipped:
            case Shipped.UUID:
                return Call(self.names.runtime("to_uuid"))
            case Shipped.TIMESTAMP:
                return Call(self.names.runtime("to_datetime"))
            case Shipped.URL | None:
                return plain

    def union(self, type: UnionType) -> Conversion:
        """Decode one of several scalars: numbers are made what they say."""
        kinds = {SCALARS[option.scalar].json_type for option in type.options}
        if "number" in kinds:
            return self.json()
        return Call(self.names.runtime("to_whole")) if "integer" in kinds else KEEP

    def json(self) -> Conversion:
        """Decode any JSON."""
        return Call(self.names.runtime("to_plain"))
