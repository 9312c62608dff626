"""Write the tests that a value must pass to be accepted on the fast path.

A function returns None where its schema cannot be tested this way. Each test accepts the most
common spelling only (a float where the schema says number); the validator decides about others.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from decimal import Decimal

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.python import PYTHON
from brimgen.emit.python.package import Module
from brimgen.emit.codecs.schemas import bare, keywords
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import (
    Comparison,
    Piece,
    all_of,
    call,
    compared,
    generated,
    set_of,
    spread,
    subscript,
    tuple_of,
)
from brimgen.emit.python_text.statements import assigned
from brimgen.model.json import Json, JsonObject
from brimgen.model.scalars import SCALARS
from brimgen.model.types import Scalar, ScalarType, Type, UnionType

Conditions = tuple[Code, ...]

_LONGEST_SET = 40
_EXACT_INTS = 2**53
_NUMBERS = (int, float)
_JSON_TYPES = {str: "string", int: "integer", bool: "boolean"}
_LOWER = {"minimum": "<=", "exclusiveMinimum": "<"}
_TYPE, _LEN, _SET, _MAP, _ALL = map(Code, ("type", "len", "set", "map", "all"))
_STR, _INT, _BOOL, _INF = map(Code, ("str", "int", "bool", "inf"))
_UPPER = {"maximum": "<=", "exclusiveMaximum": "<"}
_BOUNDS = frozenset({*_LOWER, *_UPPER})
_OF_NUMBERS = _BOUNDS | {"type", "format"}
_OF_TEXTS = frozenset({"type", "minLength", "maxLength"})


class KindTest(Comparison):
    """``type(value) is kind``."""

    __slots__ = ("kind",)
    kind: Code


class FiniteTest(Piece):
    """``isfinite(value)``."""

    __slots__ = ("function",)
    function: Code


class MemberTest(Comparison):
    """``value in members``."""

    __slots__ = ("members",)
    members: Code


def is_kind(value: Code, kind: Code) -> KindTest:
    """The test of the exact type of a value."""
    test = KindTest.of(compared(call(_TYPE, value), "is", kind).parts)
    test.kind = kind
    return test


def conditions(
    type: Type, schema: JsonObject, value: Code, module: Module
) -> Conditions | None:
    """The tests that ``value`` must pass to be accepted as it is; None where it needs more."""
    if isinstance(type, ScalarType):
        if type.choices:
            return _choice(type, schema, value, module)
        return _scalar(type.scalar, schema, value, module)
    return _union(type, schema, value) if isinstance(type, UnionType) else None


def list_shape(schema: JsonObject, value: Code, module: Module) -> Conditions | None:
    """The tests of a list that say nothing of its items; None for further keywords."""
    if schema.get("type") != "array" or not keywords(schema) <= {
        "type",
        "items",
        "minItems",
        "maxItems",
    }:
        return None
    bounds = _length(schema, value, ("minItems", "maxItems"))
    if bounds is None:
        return None
    return is_kind(value, module.scope.runtime("LIST")), *bounds


def map_shape(schema: JsonObject, value: Code, module: Module) -> Conditions | None:
    """The tests of an object with free keys that say nothing of its values; None for more."""
    known = frozenset({"type", "additionalProperties"})
    if schema.get("type") != "object" or keywords(schema) != known:
        return None
    kind = module.scope.runtime("DICT")
    return is_kind(value, kind), _are_all(value, _STR)


def of_all(tests: Conditions, each: Code, values: Code) -> Conditions:
    """``tests`` of ``each`` as one of all ``values``: of their types at once where it is that."""
    shared_tests: list[Code] = []
    rest = list(tests)
    if rest and isinstance(rest[0], KindTest):
        shared_tests.append(_are_all(values, rest[0].kind))
        del rest[0]
    only = rest[0] if len(rest) == 1 else None
    if isinstance(only, FiniteTest):
        shared_tests.append(call(_ALL, call(_MAP, only.function, values)))
    elif isinstance(only, MemberTest):
        shared_tests.append(compared(call(_SET, values), "<=", only.members))
    elif rest:
        shared_tests.append(call(_ALL, generated(all_of(rest), each, values)))
    return tuple(shared_tests)


def _are_all(values: Code, kind: Code) -> Code:
    kinds = call(_SET, call(_MAP, _TYPE, values))
    return compared(kinds, "<=", set_of([kind]))


def _scalar(
    scalar: Scalar, schema: JsonObject, value: Code, module: Module
) -> Conditions | None:
    kind, known = schema.get("type"), keywords(schema)
    row = SCALARS[scalar]
    if row.is_mixed:
        is_all = bare(schema) == {"type": ["string", "number", "boolean"]}
        return (_is_of(value, [_STR, _INT, _BOOL]),) if is_all else None
    if not PYTHON[scalar].is_plain or kind != row.json_type:
        return None
    match kind:
        case "integer" if known <= _OF_NUMBERS:
            return _bounded(_INT, schema, value)
        case "number" if known <= _OF_NUMBERS:
            return _float(schema, value, module)
        case "boolean" if len(known) == 1:
            return (is_kind(value, _BOOL),)
        case "string" if known <= _OF_TEXTS:
            bounds = _length(schema, value, ("minLength", "maxLength"))
            return None if bounds is None else (is_kind(value, _STR), *bounds)
        case _:
            return None


def _is_of(value: Code, kinds: Sequence[Code]) -> Code:
    return compared(call(_TYPE, value), "in", tuple_of(kinds))


def _float(schema: JsonObject, value: Code, module: Module) -> Conditions | None:
    kind = Code("float")
    if not _BOUNDS.isdisjoint(schema):
        return _bounded(kind, schema, value, module)
    function = module.scope.standard("isfinite")
    finite = FiniteTest.of(call(function, value).parts)
    finite.function = function
    return is_kind(value, kind), finite


def _bounded(
    kind: Code, schema: JsonObject, value: Code, module: Module | None = None
) -> Conditions | None:
    """The tests of the bounds of a number; in a ``module``, those of one that must be finite."""
    lower, upper = _bound(schema, _LOWER, kind), _bound(schema, _UPPER, kind)
    if lower is None or upper is None:
        return None
    first = is_kind(value, kind)
    if module is not None and not (lower and upper):
        infinity = module.scope.standard("inf")
        lower = lower or (Code(f"-{infinity}"), "<")
        upper = upper or (infinity, "<")
    if lower and upper:
        return first, compared(lower[0], lower[1], value, upper[1], upper[0])
    if lower:
        sign = {"<=": ">=", "<": ">"}[lower[1]]
        return first, compared(value, sign, lower[0])
    return (first, compared(value, upper[1], upper[0])) if upper else (first,)


def _bound(
    schema: JsonObject, signs: Mapping[str, str], kind: Code
) -> tuple[Code, str] | tuple[()] | None:
    """A bound and its sign; nothing where there is none, None where it is not plain."""
    given = [key for key in signs if key in schema]
    if not given:
        return ()
    number = schema[given[0]]
    if len(given) > 1 or not _is_number(number):
        return None
    if isinstance(number, int):
        if kind != _INT:
            if abs(number) > _EXACT_INTS:
                return None
            number = float(number)  # the interpreter is quick about numbers of one type
    elif kind == _INT and isinstance(number, float) and abs(number) > _EXACT_INTS:
        number = int(Decimal(repr(number)))  # as the runtime reads it
    return py(number), signs[given[0]]


def _is_number(value: Json) -> bool:
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


def _length(
    schema: JsonObject, value: Code, keys: tuple[str, str]
) -> Conditions | None:
    least, most = (schema.get(key) for key in keys)
    if not all(each is None or _is_number(each) for each in (least, most)):
        return None
    length = call(_LEN, value)
    if least is not None and least == most:
        return (compared(length, "==", py(least)),)
    if least is not None and most is not None:
        return (compared(py(least), "<=", length, "<=", py(most)),)
    if least is not None:
        return (compared(length, ">=", py(least)),)
    return () if most is None else (compared(length, "<=", py(most)),)


def _choice(
    type: ScalarType, schema: JsonObject, value: Code, module: Module
) -> Conditions | None:
    # Membership alone is exact for texts, and unlike a type test it leaves the Literal alone.
    if not is_listed(type, schema, str):
        return None
    members = _set(type, module, value)
    test = MemberTest.of(compared(value, "in", members).parts)
    test.members = members
    return (test,)


def is_listed(type: ScalarType, schema: JsonObject, kind: builtins.type) -> bool:
    """Whether ``schema`` admits exactly the choices of ``type``, which are all of one kind."""
    listed = schema.get("enum", [schema["const"]] if "const" in schema else None)
    return (
        {choice.__class__ for choice in type.choices} == {kind}
        and not PYTHON[type.scalar].is_parsed
        and keywords(schema) <= {"type", "enum", "const"}
        and not {"enum", "const"} <= keywords(schema)
        and schema.get("type", _JSON_TYPES[kind]) == _JSON_TYPES[kind]
        and isinstance(listed, Sequence)
        and list(listed) == list(type.choices)
    )


def _set(type: ScalarType, module: Module, value: Code) -> Code:
    choices = [py(choice) for choice in type.choices]
    shown = set_of(choices)
    if len(shown) <= _LONGEST_SET:
        return shown
    alias = module.scope.defined_before(subscript(Code("Literal"), *choices))
    if alias is not None:
        function = module.scope.standard("get_args")
        shown = spread(Code("frozenset"), call(function, alias))
    return module.scope.define_before(
        f"_{module.prefix}{value.strip('_').upper()}_CHOICES",
        f"set {set_of(choices)}",
        lambda name: laid_out(assigned(name, shown)),
    )


def _union(type: UnionType, schema: JsonObject, value: Code) -> Conditions | None:
    kinds = schema.get("type")
    if keywords(schema) != frozenset({"type"}) or not isinstance(kinds, Sequence):
        return None
    names = {"string": "str", "integer": "int", "boolean": "bool", "number": "int"}
    if isinstance(kinds, str) or not all(kind in names for kind in kinds):
        return None
    if any(option.choices for option in type.options):
        return None
    exact = dict.fromkeys(names[str(kind)] for kind in kinds)
    return (_is_of(value, [*map(Code, exact)]),)
