"""Types: a type of the model as what annotates, encodes and decodes its values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from brimgen.emit.annotations import Records, annotation
from brimgen.emit.code import Code, py
from brimgen.emit.expressions import Call, Expression, called
from brimgen.emit.http.imports import NAMES, Imports
from brimgen.emit.names import class_name, module_name
from brimgen.frozen import dataclass
from brimgen.model.fields import Field, Zone
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

_LONGEST_ANNOTATION = 60
TAKEN = NAMES | {"InputError", "Value"}
"""What a module calls something else: no entity and no record is called so in it."""
_PLAIN = {
    Scalar.INT: "int",
    Scalar.FLOAT: "float",
    Scalar.BOOL: "bool",
    Scalar.STRING: "str",
    Scalar.SPLAT: "str",
}
_DECODERS = {
    Scalar.INT: "to_int",
    Scalar.FLOAT: "to_float",
    Scalar.DECIMAL: "to_decimal",
    Scalar.DATE: "to_date",
    Scalar.DATETIME: "to_datetime",
    Scalar.PRIMITIVE: "to_plain",
    Scalar.OBJECT: "to_plain",
    Scalar.ARRAY: "to_plain",
}


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
        """A name of the standard library; dates are called by their module."""
        if name in ("date", "datetime"):
            return Code(f"{self.imports.datetime()}.{name}")
        return Code(self.imports.name(name))

    def entity(self, name: str) -> Code:
        """The class of an entity, by its module where the name means something else here."""
        made = class_name(name)
        if made in TAKEN:
            return Code(f"{self.imports.of('..', 'entities')}.{made}")
        return Code(self.imports.of("..entities", made))

    def own_leaf(self, name: str) -> Code:
        """The class that the project has for a leaf."""
        return Code(f"{self.imports.of('..', '_leaves')}.{class_name(name)}")

    def literal(self, choices: Code, plain: str) -> Code:
        """A ``Literal`` of ``choices``; many are ``Any``: ``plain`` would be too wide for what
        takes no others.
        """
        if len(f"Literal[{choices}]") > _LONGEST_ANNOTATION:
            return self.standard("Any")
        return Code(f"{self.standard('Literal')}[{choices}]")

    def parameter(self, field: Field) -> str:
        """The annotation of a value that the host program gives."""
        found = annotation(field.type, self)
        if len(found) > _LONGEST_ANNOTATION:
            return self.imports.name("Any")
        is_optional = not field.required and not found.endswith("None")
        return f"{found} | None" if is_optional and found != "Any" else found

    def json(self, type: Type, value: str, *, optional: bool) -> Expression:
        """The expression of a decoded value as JSON; ``optional`` says that it may be None."""
        function = self._encoder(type)
        if function is None:
            return Code(value)
        if function == "to_json_value":
            return called(self.imports.runtime("to_json_value"), Code(value))
        if optional and not isinstance(type, NullableType):
            return called(self.imports.name("maybe"), function, Code(value))
        match type, function:
            case (ListType() | MapType() | NullableType(), Call(_, (name, inner))):
                return called(str(name), inner, Code(value))
            case _:
                return called(str(function), Code(value))

    def text(self, type: Type, value: str, *, optional: bool) -> Expression:
        """The expression of a decoded value as what is written as text: decimals keep digits."""
        if _is_decimal(type):
            return Code(value)
        return self.json(type, value, optional=optional)

    def _encoder(self, type: Type) -> Expression | None:
        """The function that encodes a value; None where it is JSON already."""
        match type:
            case ScalarType():
                return None if type.scalar in _PLAIN else Code("to_json_value")
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
                return Code("to_json_value")
            case _:
                assert_never(type)

    def _each(self, function: str, inner: Expression | None) -> Expression | None:
        if inner is None or inner == "to_json_value":
            return inner
        if isinstance(inner, Call) and inner.head == "chained(":
            self.imports.name("chained")
        return called(
            self.imports.name("partial"), Code(self.imports.name(function)), inner
        )

    def _leaf_encoder(self, leaf: Leaf) -> Expression | None:
        if leaf.python is not None:
            home = self.imports.of("..", "_leaves")
            return Code(f"{home}.dump_{module_name(leaf.name)}")
        match leaf.shipped:
            case Shipped.UUID:
                return Code("str")
            case Shipped.TIMESTAMP:
                return Code("to_json_value")
            case Shipped.URL | None:
                is_plain = leaf.scalar in _PLAIN
                return None if is_plain else Code("to_json_value")

    def decoder(self, type: Type, zone: Zone = Zone.REQUIRED) -> Expression | None:
        """The function that decodes JSON which the schema has accepted; None for JSON itself."""
        match type:
            case ScalarType():
                name = _DECODERS.get(type.scalar)
                if name == "to_datetime" and zone is Zone.ASSUME_UTC:
                    function = Code(self.imports.runtime(name))
                    made = self.imports.name("partial")
                    return called(made, function, Code("assume_utc=True"))
                return None if name is None else Code(self.imports.runtime(name))
            case EnumType():
                return self.entity(type.name)
            case EntityType():
                return Code(f"{self.entity(type.name)}.from_dict")
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
                return Code(self.imports.runtime("to_plain"))
            case _:
                assert_never(type)

    def _record_decoder(self, type: RecordType) -> Expression | None:
        """What decodes the members of an object; None where all are JSON already."""
        read = [(each.name, self.decoder(each.type, each.zone)) for each in type.fields]
        functions = [entry(name, made) for name, made in read if made is not None]
        if not functions:
            return None
        if any(isinstance(x, Call) and x.head == "chained(" for _, x in read):
            self.imports.name("chained")
        function = Code(self.imports.name("record"))
        listed = Call("{", tuple(functions), "}")
        return called(self.imports.name("partial"), function, listed)

    def _leaf_decoder(self, leaf: Leaf) -> Expression | None:
        if leaf.python is not None:
            home = self.imports.of("..", "_leaves")
            function = f"{home}.parse_{module_name(leaf.name)}"
            inner = self.decoder(ScalarType(leaf.scalar))
            if inner is None:
                return Code(function)
            return called("chained", Code(function), inner)
        match leaf.shipped:
            case Shipped.UUID:
                return Code(self.imports.runtime("to_uuid"))
            case Shipped.TIMESTAMP:
                return Code(self.imports.runtime("to_datetime"))
            case Shipped.URL | None:
                return self.decoder(ScalarType(leaf.scalar))


def entry(key: str, value: Expression) -> Expression:
    """A pair of a dict."""
    before = f"{py(key)}: "
    if isinstance(value, Code):
        return Code(f"{before}{value}")
    return Call(f"{before}{value.head}", value.arguments, value.close)


def _is_decimal(type: Type) -> bool:
    match type:
        case ScalarType(scalar=Scalar.DECIMAL):
            return True
        case ListType(inner) | NullableType(inner):
            return _is_decimal(inner)
        case _:
            return False
