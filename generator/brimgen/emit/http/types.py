"""Write annotations, encoders and decoders for types of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from brimgen.emit.annotations import Records, annotation
from brimgen.emit.code import Code, py
from brimgen.emit.codecs.python import MODULES, PYTHON
from brimgen.emit.http.module_imports import NAMES, Imports
from brimgen.emit.names import class_name, module_name
from brimgen.emit.python_text.pieces import (
    Piece,
    attribute,
    either,
    keyword,
    mapping,
    spread,
    subscript,
)
from brimgen.frozen import dataclass
from brimgen.model.fields import Field, Zone
from brimgen.model.leaves import Leaf, Shipped
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
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

_TO_JSON = Code("to_json_value")
_LONGEST_ANNOTATION = 60
TAKEN = NAMES | {"InputError", "Value"}
"""What a module calls something else: no entity and no record is called so in it."""


class Partial(Piece):
    """``partial(function, given)``: a function whose first argument is given."""

    __slots__ = ("function", "given")
    function: Code
    given: Code


class Chained(Piece):
    """``chained(outer, inner)``: the function that calls both."""

    __slots__ = ("inner", "outer")
    outer: Code
    inner: Code


@dataclass(frozen=True, slots=True)
class Types:
    """The ``leaves`` of the catalog, and what the module imports.

    ``records`` are the classes of objects without a name; where there are none, these are ``Any``.
    ``is_read`` says that objects which are open have been decoded already.
    """

    leaves: Mapping[str, Leaf]
    imports: Imports
    records: Records | None = None
    is_read: bool = False

    def standard(self, name: str) -> Code:
        """Return a name of the standard library; dates are qualified by their module."""
        if MODULES.get(name) == "datetime":
            return attribute(self.imports.datetime(), name)
        return self.imports.name(name)

    def entity(self, name: str) -> Code:
        """Return the class of an entity, qualified by its module if the name is taken."""
        made = class_name(name)
        if made in TAKEN:
            return attribute(self.imports.of("..", "entities"), made)
        return self.imports.of("..entities", made)

    def own_leaf(self, name: str) -> Code:
        """Return the project's class for a leaf."""
        return attribute(self.imports.of("..", "_leaves"), class_name(name))

    def literal(self, choices: Sequence[Code], plain: str) -> Code:
        """A ``Literal`` of ``choices``; many are ``Any``: ``plain`` would be too wide for what
        takes no others.
        """
        shown = subscript(Code("Literal"), *choices)
        if len(shown) > _LONGEST_ANNOTATION:
            return self.standard("Any")
        self.standard("Literal")
        return shown

    def parameter(self, field: Field) -> Code:
        """Return the annotation of a value from the host program."""
        found = annotation(field.type, self)
        if len(found) > _LONGEST_ANNOTATION:
            return self.imports.name("Any")
        is_optional = not field.required and not may_be_none(field.type)
        is_open = found == Code("Any")
        return either([found, Code("None")]) if is_optional and not is_open else found

    def json(self, type: Type, value: Code, *, optional: bool) -> Code:
        """Return the expression of a decoded value as JSON; ``optional`` says that it may be
        None.
        """
        function = self._encoder(type)
        if function is None:
            return value
        if function == _TO_JSON:
            return spread(self.imports.runtime("to_json_value"), value)
        if optional and not isinstance(type, NullableType):
            return spread(self.imports.name("maybe"), function, value)
        if isinstance(function, Partial):
            return spread(function.function, function.given, value)
        return spread(function, value)

    def text(self, type: Type, value: Code, *, optional: bool) -> Code:
        """Return the expression of a decoded value as text; decimals keep their digits."""
        if _is_decimal(type):
            return value
        return self.json(type, value, optional=optional)

    def _encoder(self, type: Type) -> Code | None:
        """Return the function that encodes a value; None where it is JSON already."""
        match type:
            case ScalarType():
                return None if PYTHON[type.scalar].is_plain else _TO_JSON
            case LeafType():
                return self._leaf_encoder(self.leaves[type.name])
            case ListType():
                return self._each("listed", self._encoder(type.item))
            case MapType():
                return self._each("mapped", self._encoder(type.value))
            case NullableType():
                return self._each("maybe", self._encoder(type.inner))
            case UnionType():
                return None
            case EntityType() | EnumType() | RecordType() | JsonType():
                return _TO_JSON
            case _:
                assert_never(type)

    def _each(self, function: str, inner: Code | None) -> Code | None:
        if inner is None or inner == _TO_JSON:
            return inner
        if isinstance(inner, Chained):
            self.imports.name("chained")
        return self._partial(self.imports.name(function), inner)

    def _partial(self, function: Code, given: Code) -> Partial:
        made = Partial.of(spread(self.imports.name("partial"), function, given).parts)
        made.function, made.given = function, given
        return made

    def _leaf_encoder(self, leaf: Leaf) -> Code | None:
        if leaf.python is not None:
            home = self.imports.of("..", "_leaves")
            return attribute(home, f"dump_{module_name(leaf.name)}")
        match leaf.shipped:
            case Shipped.UUID:
                return Code("str")
            case Shipped.TIMESTAMP:
                return _TO_JSON
            case Shipped.URL | None:
                is_plain = PYTHON[leaf.scalar].is_plain
                return None if is_plain else _TO_JSON

    def decoder(self, type: Type, zone: Zone = Zone.REQUIRED) -> Code | None:
        """Return the function that decodes JSON which the schema has accepted; None for JSON
        itself.
        """
        match type:
            case ScalarType():
                name = PYTHON[type.scalar].decoder
                has_zone = SCALARS[type.scalar].has_zone
                if name is not None and has_zone and zone is Zone.ASSUME_UTC:
                    given = keyword("assume_utc", Code("True"))
                    return self._partial(self.imports.runtime(name), given)
                return None if name is None else self.imports.runtime(name)
            case EnumType():
                return self.entity(type.name)
            case EntityType():
                return attribute(self.entity(type.name), "from_dict")
            case LeafType():
                return self._leaf_decoder(self.leaves[type.name])
            case ListType():
                return self._each("listed", self.decoder(type.item, zone))
            case MapType():
                return self._each("mapped", self.decoder(type.value, zone))
            case NullableType():
                return self._each("maybe", self.decoder(type.inner, zone))
            case RecordType() if type.extra is None:
                return self._record_decoder(type)
            case RecordType() if self.is_read:
                return None
            case RecordType() | UnionType() | JsonType():
                return self.imports.runtime("to_plain")
            case _:
                assert_never(type)

    def _record_decoder(self, type: RecordType) -> Code | None:
        """Return what decodes the members of an object; None where all are JSON already."""
        read = [(each.name, self.decoder(each.type, each.zone)) for each in type.fields]
        functions = [(py(name), made) for name, made in read if made is not None]
        if not functions:
            return None
        if any(isinstance(made, Chained) for _, made in functions):
            self.imports.name("chained")
        return self._partial(self.imports.name("record"), mapping(functions))

    def _leaf_decoder(self, leaf: Leaf) -> Code | None:
        if leaf.python is not None:
            home = self.imports.of("..", "_leaves")
            function = attribute(home, f"parse_{module_name(leaf.name)}")
            inner = self.decoder(ScalarType(leaf.scalar))
            if inner is None:
                return function
            made = Chained.of(spread(Code("chained"), function, inner).parts)
            made.outer, made.inner = function, inner
            return made
        match leaf.shipped:
            case Shipped.UUID:
                return self.imports.runtime("to_uuid")
            case Shipped.TIMESTAMP:
                return self.imports.runtime("to_datetime")
            case Shipped.URL | None:
                return self.decoder(ScalarType(leaf.scalar))


def may_be_none(type: Type) -> bool:
    """Whether the annotation of a type includes None."""
    match type:
        case NullableType() | JsonType():
            return True
        case ScalarType(scalar):
            codec = PYTHON[scalar]
            return codec.is_open and not codec.container
        case _:
            return False


def _is_decimal(type: Type) -> bool:
    match type:
        case ScalarType(scalar):
            return SCALARS[scalar].keeps_digits
        case ListType(inner) | NullableType(inner):
            return _is_decimal(inner)
        case _:
            return False
