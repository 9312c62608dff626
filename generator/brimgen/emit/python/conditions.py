"""Conditions: a type and its canonical schema in, exact tests of a value as it is out.

An answer of None means: not to be said this way. Each test accepts the commonest spelling only
(a float where the schema says number); the rarer ones go the slow way.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from decimal import Decimal

from brimgen.emit.code import Code, bracketed, py
from brimgen.emit.python.package import Module
from brimgen.emit.python.schemas import bare, keywords
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import Scalar, ScalarType, Type, UnionType

Conditions = tuple[str, ...]

_LONGEST_SET = 40
_EXACT_INTS = 2**53
_NUMBERS = (int, float)
_JSON_TYPES = {str: "string", int: "integer", bool: "boolean"}
_LOWER = {"minimum": "<=", "exclusiveMinimum": "<"}
_DECODED = frozenset({Scalar.DATE, Scalar.DATETIME, Scalar.DECIMAL})
_UPPER = {"maximum": "<=", "exclusiveMaximum": "<"}
_BOUNDS = frozenset({*_LOWER, *_UPPER})
_OF_NUMBERS = _BOUNDS | {"type", "format"}
_OF_TEXTS = frozenset({"type", "minLength", "maxLength"})


def conditions(
    type: Type, schema: JsonObject, value: str, module: Module
) -> Conditions | None:
    """The tests that ``value`` must pass to be accepted as it is; None where it needs more."""
    if isinstance(type, ScalarType):
        if type.choices:
            return _choice(type, schema, value, module)
        return _scalar(type.scalar, schema, value, module)
    return _union(type, schema, value) if isinstance(type, UnionType) else None


def list_shape(schema: JsonObject, value: str, module: Module) -> Conditions | None:
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
    return f"type({value}) is {module.scope.runtime('LIST')}", *bounds


def map_shape(schema: JsonObject, value: str, module: Module) -> Conditions | None:
    """The tests of an object with free keys that say nothing of its values; None for more."""
    known = frozenset({"type", "additionalProperties"})
    if schema.get("type") != "object" or keywords(schema) != known:
        return None
    kind = module.scope.runtime("DICT")
    return f"type({value}) is {kind}", f"set(map(type, {value})) <= {{str}}"


def of_all(tests: Conditions, each: str, values: str) -> Conditions:
    """``tests`` of ``each`` as one of all ``values``: of their types at once where it is that."""
    found: list[str] = []
    rest = list(tests)
    if rest and rest[0].startswith(f"type({each}) is "):
        kind = rest.pop(0).removeprefix(f"type({each}) is ")
        found.append(f"set(map(type, {values})) <= {{{kind}}}")
    if len(rest) == 1 and rest[0] == f"isfinite({each})":
        found.append(f"all(map(isfinite, {values}))")
    elif len(rest) == 1 and rest[0].startswith(f"{each} in "):
        found.append(f"set({values}) <= {rest[0].removeprefix(f'{each} in ')}")
    elif rest:
        found.append(f"all({' and '.join(rest)} for {each} in {values})")
    return tuple(found)


def _scalar(
    scalar: Scalar, schema: JsonObject, value: str, module: Module
) -> Conditions | None:
    kind, known = schema.get("type"), keywords(schema)
    match scalar:
        case Scalar.INT if kind == "integer" and known <= _OF_NUMBERS:
            return _bounded("int", schema, value, ("", ""))
        case Scalar.FLOAT if kind == "number" and known <= _OF_NUMBERS:
            return _float(schema, value, module)
        case Scalar.BOOL if kind == "boolean" and len(known) == 1:
            return (f"type({value}) is bool",)
        case Scalar.STRING | Scalar.SPLAT if kind == "string":
            if not known <= _OF_TEXTS:
                return None
            bounds = _length(schema, value, ("minLength", "maxLength"))
            return None if bounds is None else (f"type({value}) is str", *bounds)
        case Scalar.PRIMITIVE if bare(schema) == {
            "type": ["string", "number", "boolean"]
        }:
            return (f"type({value}) in (str, int, bool)",)
        case _:
            pass
    return None


def _float(schema: JsonObject, value: str, module: Module) -> Conditions | None:
    if _BOUNDS.isdisjoint(schema):
        return (
            f"type({value}) is float",
            f"{module.scope.standard('isfinite')}({value})",
        )
    tests = _bounded("float", schema, value, ("-inf < ", " < inf"))
    if tests is not None and "inf" in tests[-1]:
        module.scope.standard("inf")
    return tests


def _bounded(
    kind: str, schema: JsonObject, value: str, open_ends: tuple[str, str]
) -> Conditions | None:
    lower = _bound(schema, _LOWER, kind)
    upper = _bound(schema, _UPPER, kind)
    if lower is None or upper is None:
        return None
    left = f"{lower[0]} {lower[1]} " if lower[0] else open_ends[0]
    right = f" {upper[1]} {upper[0]}" if upper[0] else open_ends[1]
    first = f"type({value}) is {kind}"
    if not left and not right:
        return (first,)
    if left and not right:
        sign = {"<=": ">=", "<": ">"}[lower[1]]
        return first, f"{value} {sign} {lower[0]}"
    return first, f"{left}{value}{right}"


def _bound(
    schema: JsonObject, signs: Mapping[str, str], kind: str
) -> tuple[str, str] | None:
    given = [key for key in signs if key in schema]
    if not given:
        return "", ""
    number = schema[given[0]]
    if len(given) > 1 or not _is_number(number):
        return None
    if isinstance(number, int):
        if kind == "float":
            if abs(number) > _EXACT_INTS:
                return None
            number = float(number)  # the interpreter is quick about numbers of one type
    elif kind == "int" and isinstance(number, float) and abs(number) > _EXACT_INTS:
        number = int(Decimal(repr(number)))  # as the runtime reads it
    return py(number), signs[given[0]]


def _is_number(value: Json) -> bool:
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


def _length(schema: JsonObject, value: str, keys: tuple[str, str]) -> Conditions | None:
    least, most = (schema.get(key) for key in keys)
    if not all(each is None or _is_number(each) for each in (least, most)):
        return None
    if least is not None and least == most:
        return (f"len({value}) == {py(least)}",)
    if least is not None and most is not None:
        return (f"{py(least)} <= len({value}) <= {py(most)}",)
    if least is not None:
        return (f"len({value}) >= {py(least)}",)
    return () if most is None else (f"len({value}) <= {py(most)}",)


def _choice(
    type: ScalarType, schema: JsonObject, value: str, module: Module
) -> Conditions | None:
    # Membership alone is exact for texts, and unlike a type test it leaves the Literal alone.
    if not is_listed(type, schema, str):
        return None
    return (f"{value} in {_set(type, module, value)}",)


def is_listed(type: ScalarType, schema: JsonObject, kind: builtins.type) -> bool:
    """Whether ``schema`` admits exactly the choices of ``type``, which are all of one kind."""
    listed = schema.get("enum", [schema["const"]] if "const" in schema else None)
    return (
        {each.__class__ for each in type.choices} == {kind}
        and type.scalar not in _DECODED
        and keywords(schema) <= {"type", "enum", "const"}
        and not {"enum", "const"} <= keywords(schema)
        and schema.get("type", _JSON_TYPES[kind]) == _JSON_TYPES[kind]
        and isinstance(listed, Sequence)
        and list(listed) == list(type.choices)
    )


def _set(type: ScalarType, module: Module, value: str) -> Code:
    choices = [py(each) for each in type.choices]
    flat = Code("{" + ", ".join(choices) + "}")
    if len(flat) <= _LONGEST_SET:
        return flat
    alias = module.scope.defined_before(f"Literal[{', '.join(choices)}]")
    if alias is not None:
        choices = [Code(f"{module.scope.standard('get_args')}({alias})")]
    opened, closed = "{}" if alias is None else ("frozenset(", ")")
    return module.scope.define_before(
        f"_{module.prefix}{value.strip('_').upper()}_CHOICES",
        f"set {flat}",
        lambda name: bracketed(choices, before=f"{name} = {opened}", after=closed),
    )


def _union(type: UnionType, schema: JsonObject, value: str) -> Conditions | None:
    kinds = schema.get("type")
    if keywords(schema) != frozenset({"type"}) or not isinstance(kinds, Sequence):
        return None
    names = {"string": "str", "integer": "int", "boolean": "bool", "number": "int"}
    if isinstance(kinds, str) or not all(each in names for each in kinds):
        return None
    if any(option.choices for option in type.options):
        return None
    exact = dict.fromkeys(names[str(each)] for each in kinds)
    return (f"type({value}) in ({', '.join(exact)})",)
