"""Types: a type of the model as an annotation, and as the code that decodes and encodes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.python import PYTHON, PythonCodec
from brimgen.emit.names import attribute_name
from brimgen.emit.python.leaves import leaf_annotation, leaf_decoded, leaf_encoded
from brimgen.emit.python.package import Module
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import (
    attribute,
    call,
    compared,
    conditional,
    either,
    keyword,
    list_of,
    mapping_of,
    spread_subscript,
    subscript,
    tuple_of,
)
from brimgen.emit.python_text.statements import assigned
from brimgen.model.fields import Field, Zone
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

_LONGEST_LITERAL = 32
_LIST, _DICT, _STR, _NONE, _TRUE = map(Code, ("list", "dict", "str", "None", "True"))
_EACH, _KEY = Code("each"), Code("key")
_ITEMS = {"each": Code("item"), "item": Code("part"), "part": Code("piece")}


def annotation(type: Type, module: Module, hint: Callable[[], str]) -> Code:
    """The annotation of a value of ``type``; ``hint`` names the alias of a long ``Literal``."""
    match type:
        case ScalarType():
            return _scalar(type, module, hint)
        case EntityType() | EnumType():
            return module.entity_class(type)
        case LeafType():
            return leaf_annotation(type, module)
        case RecordType():
            return module.record(type).name
        case ListType():
            return subscript(_LIST, annotation(type.item, module, hint))
        case MapType():
            return subscript(_DICT, _STR, annotation(type.value, module, hint))
        case NullableType():
            return optional(annotation(type.inner, module, hint))
        case UnionType():
            options = [annotation(x, module, hint) for x in _options(type)]
            return either([*dict.fromkeys(options)])
        case JsonType():
            return module.scope.standard("Any")
        case _:
            assert_never(type)


def optional(inner: Code) -> Code:
    """``inner`` or None."""
    return inner if inner == "Any" else either([inner, _NONE])


def _scalar(type: ScalarType, module: Module, hint: Callable[[], str]) -> Code:
    if is_literal(type):
        return _literal(type, module, hint)
    codec = PYTHON[type.scalar]
    plain = class_of(codec, module)
    if codec.container == "dict":
        return subscript(_DICT, _STR, plain)
    return subscript(_LIST, plain) if codec.container else plain


def class_of(codec: PythonCodec, module: Module) -> Code:
    """The class of a scalar's values, imported; those of dates are called by their module."""
    if codec.module == "datetime":
        return Code(f"{module.scope.standard('dt')}.{codec.name}")
    return module.scope.standard(codec.name) if codec.module else Code(codec.name)


def is_literal(type: ScalarType) -> bool:
    """Whether the choices of a scalar can stand in a ``Literal``, and say more than its type."""
    return (
        bool(type.choices)
        and not PYTHON[type.scalar].is_parsed
        and not any(isinstance(each, float) for each in type.choices)
    )


def _options(type: UnionType) -> Sequence[ScalarType]:
    """The options of a union, those with choices as one: ``Literal["a", 1]``."""
    listed = [each for each in type.options if is_literal(each)]
    if len(listed) < 2:
        return type.options
    choices = tuple(choice for each in listed for choice in each.choices)
    others = [each for each in type.options if each not in listed]
    return [ScalarType(listed[0].scalar, choices), *others]


def _literal(type: ScalarType, module: Module, hint: Callable[[], str]) -> Code:
    choices = [py(each) for each in type.choices]
    shown = spread_subscript(module.scope.standard("Literal"), *choices)
    if len(shown) <= _LONGEST_LITERAL:
        return shown
    alias = module.scope.standard("TypeAlias")
    return module.scope.define_before(
        hint(), shown, lambda name: laid_out(assigned(name, shown, alias))
    )


def decoded(type: Type, value: Code, module: Module, field: Field) -> Code:
    """The expression that decodes ``value``, which its schema has accepted."""
    match type:
        case ScalarType():
            return _decoded_scalar(type, value, module, field)
        case EntityType():
            return call(attribute(module.entity_class(type), "from_accepted"), value)
        case EnumType():
            return call(module.entity_class(type), value)
        case LeafType():
            return leaf_decoded(type, value, module)
        case RecordType():
            return call(attribute(module.record(type).name, "from_accepted"), value)
        case ListType():
            each = item_of(value)
            return _listed(decoded(type.item, each, module, field), each, value)
        case MapType():
            each = item_of(value)
            return _mapped(decoded(type.value, each, module, field), each, value)
        case NullableType():
            return _unless_null(decoded(type.inner, value, module, field), value)
        case UnionType():
            return _decoded_union(type, value, module)
        case JsonType():
            return call(module.scope.runtime("to_plain"), value)
        case _:
            assert_never(type)


def item_of(value: Code) -> Code:
    """What an item of ``value`` is called in a comprehension."""
    return _ITEMS.get(value, _EACH)


def _listed(item: Code, each: Code, value: Code) -> Code:
    if item == each:
        return call(_LIST, value)
    return list_of(item, each, value)


def _mapped(item: Code, each: Code, value: Code) -> Code:
    if item == each:
        return call(_DICT, value)
    items = call(attribute(value, "items"))
    return mapping_of(_KEY, item, f"key, {each}", items)


def _unless_null(inner: Code, value: Code) -> Code:
    if inner == value:
        return value
    return conditional(_NONE, compared(value, "is", _NONE), inner)


def _decoded_scalar(
    type: ScalarType, value: Code, module: Module, field: Field
) -> Code:
    scope, codec = module.scope, PYTHON[type.scalar]
    if type.choices and not codec.is_parsed:
        kinds = {each.__class__ for each in type.choices}
        if kinds <= {str, bool}:
            return value
        choices = _choices(type, module, field)
        return call(scope.runtime("to_choice"), value, choices)
    if codec.decoder is None:
        return value
    function = scope.runtime(codec.decoder)
    if SCALARS[type.scalar].has_zone and field.zone is Zone.ASSUME_UTC:
        return call(function, value, keyword("assume_utc", _TRUE))
    return call(function, value)


def _choices(type: ScalarType, module: Module, field: Field) -> Code:
    shown = tuple_of([py(each) for each in type.choices])
    if len(shown) <= _LONGEST_LITERAL:
        return shown
    return module.scope.define_before(
        f"_{module.prefix}{attribute_name(field.name).strip('_').upper()}_CHOICES",
        f"tuple {shown}",
        lambda name: laid_out(assigned(name, shown)),
    )


def _decoded_union(type: UnionType, value: Code, module: Module) -> Code:
    kinds = {SCALARS[option.scalar].json_type for option in type.options}
    if "integer" in kinds and "number" not in kinds:
        return call(module.scope.runtime("to_whole"), value)
    if "number" in kinds:
        return call(module.scope.runtime("to_plain"), value)
    return value


def encoded(type: Type, value: Code, module: Module, field: Field) -> Code:
    """The expression that encodes the attribute ``value`` as JSON."""
    match type:
        case ScalarType():
            return _encoded_scalar(type, value, module, field)
        case EntityType() | RecordType():
            return call(attribute(value, "to_dict"))
        case EnumType():
            return attribute(value, "value")
        case LeafType():
            return leaf_encoded(type, value, module)
        case ListType():
            each = item_of(value)
            return _listed(encoded(type.item, each, module, field), each, value)
        case MapType():
            each = item_of(value)
            return _mapped(encoded(type.value, each, module, field), each, value)
        case NullableType():
            return _unless_null(encoded(type.inner, value, module, field), value)
        case UnionType():
            return value
        case JsonType():
            return call(module.scope.runtime("to_json_value"), value)
        case _:
            assert_never(type)


def _encoded_scalar(
    type: ScalarType, value: Code, module: Module, field: Field
) -> Code:
    codec = PYTHON[type.scalar]
    if codec.is_plain:
        return value
    if codec.encoder:
        return call(attribute(value, codec.encoder))
    if SCALARS[type.scalar].keeps_digits and field.wire_string:
        return call(Code("format"), value, py("f"))
    return call(module.scope.runtime("to_json_value"), value)
