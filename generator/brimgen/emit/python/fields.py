"""Lower fields to the attributes of a class, with their annotations and defaults."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import partial

from brimgen.emit.code import Code, py, skipped_unless_fits
from brimgen.emit.codecs.annotations import optional
from brimgen.emit.codecs.python import PYTHON
from brimgen.emit.codecs.schemas import decides
from brimgen.emit.locals import host_name, local_name, local_names
from brimgen.emit.names import class_name, field_attribute
from brimgen.emit.python.attributes import (
    NONE,
    Parts,
    PyAttribute,
    PyDefault,
    documentation_of,
    meaning_of,
)
from brimgen.emit.python.leaves import is_own
from brimgen.emit.python.package import Module
from brimgen.emit.python.types import annotation, class_of, decoded, encoded
from brimgen.emit.python_text import (
    attribute,
    call,
    listed,
)
from brimgen.frozen import replace
from brimgen.model.fields import Caller, Default, Host
from brimgen.model.json import Json
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EnumType,
    Field,
    JsonType,
    LeafType,
    ListType,
    MapType,
    NullableType,
    Scalar,
    ScalarType,
    Type,
    UnionType,
)

_ATOMS = (str, int, float)


_LONGEST_WIRE = 30

_EXACT_INTS = 2**53

_SELF = Code("self")


def attributes_of(
    fields: Iterable[Field], module: Module, hint: str
) -> tuple[PyAttribute, ...]:
    """The attributes of a class whose aliases begin with ``hint``."""
    return distinct([attribute_of(field, module, hint) for field in fields])


def distinct(attributes: Collection[PyAttribute]) -> tuple[PyAttribute, ...]:
    """The attributes of a class, each with a local name of its own."""
    if len({py_attribute.local for py_attribute in attributes}) == len(attributes):
        return tuple(attributes)
    names = local_names(py_attribute.field for py_attribute in attributes)
    return tuple(
        replace(py_attribute, local=name, parts={})
        for py_attribute, name in zip(attributes, names, strict=True)
    )


def attribute_of(field: Field, module: Module, hint: str) -> PyAttribute:
    """The attribute of a field, made once for all fields that say the same.

    A module that defines something for its attribute makes its own.
    """
    cached, taken = module.attributes.same(field) or (None, None)
    if cached is not None:
        if taken is None:
            py_attribute = _attribute(field, module, hint, cached.verdict, cached.parts)
            return _without_foreign_parts(py_attribute, cached)
        module.scope.take_all(taken)
        return cached
    verdict = repr({key: value for key, value in field.schema.items() if decides(key)})
    meaning = meaning_of(field, verdict)
    cached, taken = module.attributes.similar(field, meaning) or (None, None)
    if cached is not None and taken is not None:
        module.scope.take_all(taken)
        py_attribute = cached.for_field(field, verdict)
    else:
        parts: Parts = {} if cached is None else cached.parts
        arguments = field, module, hint, verdict, parts
        py_attribute, taken = module.scope.watch(_attribute, *arguments)
        py_attribute = (
            py_attribute
            if cached is None
            else _without_foreign_parts(py_attribute, cached)
        )
        module.attributes.add_similar(py_attribute, meaning, taken)
    module.attributes.add_same(py_attribute, taken)
    return py_attribute


def _without_foreign_parts(
    py_attribute: PyAttribute, cached: PyAttribute
) -> PyAttribute:
    """The attribute, with parts of its own where those of ``cached`` would be wrong for it.

    Another module made ``cached``. Where its default or its entry is another one, its parts name
    what that module defines. The alias of a long ``Literal`` is such a name, too, but no part
    writes the annotation.
    """
    is_alike = (
        py_attribute.default == cached.default and py_attribute.entry == cached.entry
    )
    return py_attribute if is_alike else replace(py_attribute, parts={})


def _attribute(
    field: Field, module: Module, hint: str, verdict: str, parts: Parts
) -> PyAttribute:
    name = field_attribute(field)
    alias = partial(_alias, hint, field)
    default = default_of(field, module, alias)
    shown = annotation(field.type, module, alias)
    is_hidden = not isinstance(field.origin, Caller)
    is_host = isinstance(field.origin, Host)
    if default is NONE and not field.may_be_null:
        shown = optional(shown)
    if is_hidden or default is not None:
        module.scope.standard("field")
    value = encoded(field.type, attribute(_SELF, name), module, field)
    return PyAttribute(
        field=field,
        wire=field.name,
        name=name,
        local=host_name(name) if is_host else local_name(name, set()),
        annotation=shown,
        default=default,
        documentation=documentation_of(field.description),
        entry=(py(field.name), value),
        is_required=default is None,
        keeps_null=field.keeps_null,
        keeps_absence=default is not None and default is not NONE and not is_hidden,
        is_hidden=is_hidden,
        verdict=verdict,
        parts=parts,
    )


def _alias(hint: str, field: Field) -> str:
    """What a long ``Literal`` is called; few fields have one."""
    return f"{hint}{class_name(field.name)}"


def default_of(
    field: Field, module: Module, hint: Callable[[], str]
) -> PyDefault | None:
    """The default of ``field``; None where it is required, `NONE` where it may be absent."""
    if field.default is None:
        return None if field.required else NONE
    value = field.default.value
    if value is None:
        return NONE
    if not isinstance(value, _ATOMS):
        return _fresh(field, value, module, hint)
    inner = field.type.inner if isinstance(field.type, NullableType) else field.type
    if is_own(inner, module):
        return _fresh(field, value, module, hint)
    expression = _scalar(field.type, field, module)
    return PyDefault(
        expression,
        wire=_wire(field.type, field),
        is_constant=not _is_parsed(inner),
    )


def _is_parsed(type: Type) -> bool:
    """Whether the value of a scalar is made by a function of the runtime."""
    match type:
        case ScalarType(scalar):
            return PYTHON[scalar].is_parsed and PYTHON[scalar].literal is None
        case _:
            return isinstance(type, LeafType)


def _wire(type: Type, field: Field) -> Code | None:
    assert field.default is not None
    value = field.default.value
    match type:
        case NullableType(inner):
            return _wire(inner, field)
        case ScalarType(scalar) if SCALARS[scalar].keeps_digits:
            return None
        case ScalarType(scalar, ()) if _is_float(scalar) and isinstance(value, int):
            value = _as_float(value)
        case ScalarType(scalar) if _is_int(scalar) and isinstance(value, float):
            value = int(Decimal(repr(value)))
        case ListType(ScalarType(scalar)) if _is_written_as_json(scalar):
            pass
        case ListType(EnumType()):
            pass
        case ScalarType() | EnumType() | UnionType():
            if isinstance(value, Mapping | list | tuple):
                return None
        case _:
            return None
    shown = py(value)
    return shown if len(shown) <= _LONGEST_WIRE else None


def _fresh(
    field: Field, value: Json, module: Module, hint: Callable[[], str]
) -> PyDefault:
    """A default that can be changed is made anew each time."""
    if not value and isinstance(field.type, ListType | MapType | JsonType | ScalarType):
        # Of a plain `list` strict pyright asks what is in it.
        kind = "dict[str, Any]" if isinstance(value, Mapping) else "list[Any]"
        module.scope.standard("Any")
        return PyDefault(py(value), Code(kind), py(value), is_display=True)
    shown = annotation(field.type, module, hint)
    name = module.scope.define_function(
        f"_default_{module.prefix.lower()}{field_attribute(field)}",
        f"{shown} {py(value)}",
        lambda name: Code(
            f"def {name}() -> {shown}:"
            f"{skipped_unless_fits(f'def {name}() -> {shown}:')}\n"
            f"{_body(field, value, module)}"
        ),
    )
    wire = _wire(field.type, field)
    is_display = not isinstance(value, _ATOMS)
    return PyDefault(call(name), name, wire, is_display)


def _body(field: Field, value: Json, module: Module) -> str:
    items = field.type.item if isinstance(field.type, ListType) else None
    if isinstance(items, ScalarType | EnumType) and isinstance(value, Sequence):
        shown = [
            _scalar(items, replace(field, default=Default(item)), module)
            for item in value
        ]
        return f"    return {listed(shown)}"
    expression = decoded(field.type, Code("value"), module, field)
    if expression in ("dict(value)", "to_plain(value)"):
        return f"    return {py(value)}"
    any_type = module.scope.standard("Any")
    return f"    value: {any_type} = {py(value)}\n    return {expression}"


def _scalar(type: Type, field: Field, module: Module) -> Code:
    assert field.default is not None
    value = field.default.value
    match type:
        case NullableType():
            return _scalar(type.inner, field, module)
        case EnumType():
            members = module.package.members[type.name]
            index = module.package.enums[type.name].values.index(value)
            return attribute(module.entity_class(type), members[index])
        case ScalarType(scalar) if PYTHON[scalar].literal is not None:
            return _literal(scalar, field.default, module)
        case ScalarType(scalar) if PYTHON[scalar].is_parsed:
            return decoded(type, py(value), module, field)
        case LeafType(scalar=scalar) if SCALARS[scalar].is_text:
            return decoded(type, py(value), module, field)
        case ScalarType(scalar, ()) | LeafType(scalar=scalar) if _is_float(
            scalar
        ) and isinstance(value, int):
            return py(_as_float(value))
        case ScalarType(scalar) if _is_int(scalar) and isinstance(value, float):
            return py(int(Decimal(repr(value))))
        case _:
            pass
    return py(value)


def _literal(scalar: Scalar, default: Default, module: Module) -> Code:
    codec = PYTHON[scalar]
    assert codec.literal is not None
    text = str(default.value)
    if SCALARS[scalar].keeps_digits:
        text = default.text or text
    return codec.literal(text, class_of(codec, module))


def _is_float(scalar: Scalar) -> bool:
    row = SCALARS[scalar]
    return row.is_number and not (row.is_integer or row.keeps_digits)


def _is_int(scalar: Scalar) -> bool:
    return SCALARS[scalar].is_integer


def _is_written_as_json(scalar: Scalar) -> bool:
    """Whether a list of values is a default as it stands, which no function has to read."""
    return PYTHON[scalar].is_plain and not _is_float(scalar)


def _as_float(value: int) -> int | float:
    """A float that says the same digits; an integer beyond 2**53 stays one."""
    return float(value) if abs(value) <= _EXACT_INTS else value
