"""Lower fields to the attributes of a class, with their annotations, defaults and metadata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import partial

from brimgen.emit.code import STEP, Code, py, skipped_unless_fits
from brimgen.emit.codecs.annotations import is_literal, optional
from brimgen.emit.codecs.python import PYTHON
from brimgen.emit.names import class_name, field_attribute
from brimgen.emit.python.package import Module
from brimgen.emit.python.types import annotation, class_of
from brimgen.emit.python.view import PyField
from brimgen.emit.python_text import (
    attribute,
    call,
    docstring,
    is_docstring,
    joined,
    keyword,
    mapping,
    tuple_of,
)
from brimgen.model.fields import Caller, Context, Zone
from brimgen.model.leaves import Shipped
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EnumType,
    Field,
    JsonType,
    LeafType,
    ListType,
    MapType,
    NullableType,
    ScalarType,
    Type,
    UnionType,
)

_ATOMS = (str, int, float)
_EXACT_INTS = 2**53
_TRUE, _NONE = Code("True"), Code("None")


def fields_of(
    fields: Iterable[Field], module: Module, hint: str
) -> tuple[PyField, ...]:
    """The attributes of a class whose aliases begin with ``hint``."""
    return tuple([_field(field, module, hint) for field in fields])


def _field(field: Field, module: Module, hint: str) -> PyField:
    name = field_attribute(field)
    shown = annotation(field.type, module, partial(_alias, hint, field))
    default = _default(field, module)
    if default == ("default", _NONE) and not field.may_be_null:
        shown = optional(shown)
    options: list[Code] = []
    if default is not None:
        options = [keyword(*default), keyword("kw_only", _TRUE)]
    is_hidden = not isinstance(field.origin, Caller)
    if is_hidden:
        options.append(keyword("repr", Code("False")))
    metadata = [(py(key), value) for key, value in _metadata(field, name).items()]
    if metadata:
        options.append(keyword("metadata", mapping(metadata)))
    if options:
        module.scope.standard("field")
    is_union = isinstance(field.type, NullableType | UnionType)
    end = "" if not options else " = field("
    head = "(" if is_union or default == ("default", _NONE) else f"{shown}{end}"
    return PyField(
        name=name,
        annotation=shown,
        options=joined(options) if options else None,
        documentation=_documentation(field.description),
        is_hidden=is_hidden,
        note=skipped_unless_fits(f"{name}: {head}", STEP),
    )


def _alias(hint: str, field: Field) -> str:
    """What a long ``Literal`` is called."""
    return f"{hint}{class_name(field.name)}"


def _documentation(text: str | None) -> Code | None:
    """What documents an attribute, four columns in."""
    if not text:
        return None
    return docstring(text, indent=STEP) if is_docstring(text) else py(text)


def _metadata(field: Field, name: str) -> dict[str, Code]:
    """What the runtime cannot read from the annotation, by the keys of its `records`."""
    said: dict[str, Code] = {}
    if field.name != name:
        said["name"] = py(field.name)
    if isinstance(field.origin, Context):
        said["context"] = py(".".join(field.origin.path))
    elif not isinstance(field.origin, Caller):
        said["host"] = _TRUE
    if field.zone is Zone.ASSUME_UTC:
        said["assume_utc"] = _TRUE
    scalar = _scalar_in(field.type)
    if scalar is None:
        return said
    if field.wire_string and SCALARS[scalar.scalar].keeps_digits:
        said["digits"] = _TRUE
    is_parsed = PYTHON[scalar.scalar].is_parsed
    if scalar.choices and not is_parsed and not is_literal(scalar):
        said["choices"] = tuple_of([py(choice) for choice in scalar.choices])
    return said


def _scalar_in(type: Type) -> ScalarType | None:
    """The scalar that a value or its parts are."""
    while isinstance(type, ListType | MapType | NullableType):
        if isinstance(type, ListType):
            type = type.item
        else:
            type = type.inner if isinstance(type, NullableType) else type.value
    return type if isinstance(type, ScalarType) else None


def default_of(field: Field, module: Module) -> Code | None:
    """The default of a field as an expression that needs no function; None for any other."""
    default = _default(field, module)
    return default[1] if default is not None and default[0] == "default" else None


def _default(field: Field, module: Module) -> tuple[str, Code] | None:
    """The argument of ``field`` that says the default; None where the field is required."""
    if field.default is None:
        return None if field.required else ("default", _NONE)
    value = field.default.value
    if value is None:
        return "default", _NONE
    inner = field.type.inner if isinstance(field.type, NullableType) else field.type
    if isinstance(value, _ATOMS) and not _is_made(inner, module):
        return "default", _scalar(inner, field, module)
    if not value and isinstance(field.type, ListType | MapType | JsonType | ScalarType):
        # Of a plain `list` strict pyright asks what is in it.
        module.scope.standard("Any")
        kind = "dict[str, Any]" if isinstance(value, Mapping) else "list[Any]"
        return "default_factory", Code(kind)
    made = call(module.scope.runtime("json_default"), py(value))
    return "default_factory", made


def _is_made(type: Type, module: Module) -> bool:
    """Whether the runtime makes the value of a scalar from its JSON."""
    match type:
        case ScalarType(scalar):
            return PYTHON[scalar].is_parsed and PYTHON[scalar].literal is None
        case LeafType(name):
            leaf = module.package.leaves[name]
            return leaf.python is not None or leaf.shipped in (
                Shipped.UUID,
                Shipped.TIMESTAMP,
            )
        case _:
            return False


def _scalar(type: Type, field: Field, module: Module) -> Code:
    assert field.default is not None
    value = field.default.value
    match type:
        case EnumType():
            members = module.package.members[type.name]
            index = module.package.enums[type.name].values.index(value)
            return attribute(module.entity_class(type), members[index])
        case ScalarType(scalar) if (write := PYTHON[scalar].literal) is not None:
            text = str(value)
            if SCALARS[scalar].keeps_digits:
                text = field.default.text or text
            return write(text, class_of(PYTHON[scalar], module))
        case ScalarType(scalar, ()) | LeafType(scalar=scalar) if isinstance(value, int):
            row = SCALARS[scalar]
            is_float = row.is_number and not (row.is_integer or row.keeps_digits)
            if is_float and not isinstance(value, bool) and abs(value) <= _EXACT_INTS:
                return py(float(value))
        case ScalarType(scalar) if SCALARS[scalar].is_integer:
            if isinstance(value, float):
                return py(int(Decimal(repr(value))))
        case _:
            pass
    return py(value)
