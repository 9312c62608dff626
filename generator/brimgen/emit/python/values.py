"""Values: the default of a field as a Python expression that stands anywhere in its module."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from brimgen.emit.code import Code, py, py_block
from brimgen.emit.names import attribute_name
from brimgen.emit.python.leaves import is_own
from brimgen.emit.python.package import Module
from brimgen.emit.python.types import annotation, decoded
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import (
    attribute,
    call,
    keyword,
    listed,
    literal,
)
from brimgen.emit.python_text.statements import function, returned
from brimgen.frozen import dataclass, replace
from brimgen.model.fields import Default, Field
from brimgen.model.json import Json
from brimgen.model.types import (
    EnumType,
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


@dataclass(frozen=True, slots=True)
class PyDefault:
    """A default: the expression that makes the value, and the ``field`` argument that says it.

    ``wire`` is the JSON that decodes to it, where that is a short literal; ``is_display`` says
    that it is a list or an object, ``is_constant`` that no function makes it.
    """

    expression: Code
    argument: Code
    wire: Code | None = None
    is_display: bool = False
    is_constant: bool = False


_LONGEST_WIRE = 30
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,99}")

_EXACT_INTS = 2**53

NONE = PyDefault(Code("None"), keyword("default", Code("None")), is_constant=True)


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
        keyword("default", expression),
        _wire(field.type, field),
        is_constant=not _is_parsed(inner),
    )


def _is_parsed(type: Type) -> bool:
    """Whether the value of a scalar is made by a function of the runtime."""
    match type:
        case ScalarType(scalar=Scalar.DATETIME) | LeafType():
            return True
        case _:
            return False


def _wire(type: Type, field: Field) -> Code | None:
    assert field.default is not None
    value = field.default.value
    match type:
        case NullableType(inner):
            return _wire(inner, field)
        case ScalarType(scalar=Scalar.DECIMAL):
            return None
        case ScalarType(scalar=Scalar.FLOAT, choices=()) if isinstance(value, int):
            value = _as_float(value)
        case ScalarType(scalar=Scalar.INT) if isinstance(value, float):
            value = int(Decimal(repr(value)))
        case ListType(item=ScalarType(scalar=Scalar.INT | Scalar.STRING) | EnumType()):
            pass
        case ScalarType() | EnumType() | UnionType():
            if isinstance(value, Mapping | list | tuple):
                return None
        case _:
            return None
    shown = literal(value)
    return shown if len(shown) <= _LONGEST_WIRE else None


def _fresh(
    field: Field, value: Json, module: Module, hint: Callable[[], str]
) -> PyDefault:
    """A default that can be changed is made anew each time."""
    if not value and isinstance(field.type, ListType | MapType | JsonType | ScalarType):
        # Of a plain `list` strict pyright asks what is in it.
        kind = "dict[str, Any]" if isinstance(value, Mapping) else "list[Any]"
        module.scope.standard("Any")
        factory = keyword("default_factory", Code(kind))
        return PyDefault(py(value), factory, py(value), True)
    shown = annotation(field.type, module, hint)
    name = module.scope.define_function(
        f"_default_{module.prefix.lower()}{attribute_name(field.name)}",
        f"{shown} {py(value)}",
        lambda name: Code(
            f"{laid_out(function(name, [], shown))}\n{_body(field, value, module)}"
        ),
    )
    wire = _wire(field.type, field)
    is_display = not isinstance(value, _ATOMS)
    return PyDefault(call(name), keyword("default_factory", name), wire, is_display)


def _body(field: Field, value: Json, module: Module) -> str:
    items = field.type.item if isinstance(field.type, ListType) else None
    if isinstance(items, ScalarType | EnumType) and isinstance(value, Sequence):
        shown = [
            _scalar(items, replace(field, default=Default(each)), module)
            for each in value
        ]
        return f"    {laid_out(returned(listed(shown)), 4)}"
    expression = decoded(field.type, Code("value"), module, field)
    if expression in ("dict(value)", "to_plain(value)"):
        return f"    {py_block(value, before='return ', indent=4)}"
    before = f"value: {module.scope.standard('Any')} = "
    made = laid_out(returned(expression), 4)
    return f"    {py_block(value, before=before, indent=4)}\n    {made}"


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
        case ScalarType(scalar=Scalar.DATE):
            from datetime import date

            moment = date.fromisoformat(str(value))
            module.scope.standard("dt")
            parts = moment.year, moment.month, moment.day
            return call(Code("dt.date"), *map(py, parts))
        case ScalarType(scalar=Scalar.DATETIME) | LeafType(scalar=Scalar.STRING):
            return decoded(type, py(value), module, field)
        case ScalarType(scalar=Scalar.DECIMAL):
            module.scope.standard("Decimal")
            text = field.default.text or str(value)
            is_whole = _WHOLE.fullmatch(text) is not None
            return call(Code("Decimal"), Code(text) if is_whole else py(text))
        case ScalarType(scalar=Scalar.FLOAT, choices=()) | LeafType(
            scalar=Scalar.FLOAT
        ) if isinstance(value, int):
            return py(_as_float(value))
        case ScalarType(scalar=Scalar.INT) if isinstance(value, float):
            return py(int(Decimal(repr(value))))
        case _:
            pass
    return py(value)


def _as_float(value: int) -> int | float:
    """A float that says the same digits; an integer beyond 2**53 stays one."""
    return float(value) if abs(value) <= _EXACT_INTS else value
