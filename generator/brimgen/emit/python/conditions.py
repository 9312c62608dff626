"""Conditions: a type and its canonical schema in, exact tests of a value as it is out.

An answer of None means: not to be said this way. Each test accepts the commonest spelling only
(a float where the schema says number); the rarer ones go the slow way.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence

from brimgen.emit.code import Code, bracketed, py
from brimgen.emit.python.package import Module
from brimgen.emit.python.schemas import bare, items_of, keywords, values_of
from brimgen.model.json import Json, JsonObject
from brimgen.model.leaves import LEAF
from brimgen.model.types import (
    LeafType,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    Type,
    UnionType,
)

Conditions = tuple[str, ...]

_LONGEST_SET = 40
_JSON_TYPES = {str: "string", int: "integer", bool: "boolean"}
_LOWER = {"minimum": "<=", "exclusiveMinimum": "<"}
_DECODED = frozenset({Scalar.DATE, Scalar.DATETIME, Scalar.DECIMAL})
_UPPER = {"maximum": "<=", "exclusiveMaximum": "<"}


def conditions(
    type: Type, schema: JsonObject, value: str, module: Module
) -> Conditions | None:
    """The tests that ``value`` must pass to be accepted as it is; None where it needs more."""
    match type:
        case ScalarType(choices=()):
            return _scalar(type.scalar, schema, value, module)
        case ScalarType():
            return _choice(type, schema, value, module)
        case LeafType() if LEAF not in schema:
            return _scalar(type.scalar, schema, value, module)
        case UnionType():
            return _union(type, schema, value)
        case ListType():
            return _list(type, schema, value, module)
        case MapType():
            return _map(type, schema, value, module)
    return None


def is_testable(type: Type, schema: JsonObject) -> bool:
    """Whether items of a list can be tested all at once: scalars that need no decoding."""
    if schema.get("format") is not None:
        return False
    if isinstance(type, ScalarType):
        kinds = {each.__class__ for each in type.choices}
        return type.scalar not in _DECODED and kinds <= {str}
    if isinstance(type, LeafType):
        return LEAF not in schema
    return isinstance(type, UnionType)


def list_shape(schema: JsonObject, value: str) -> Conditions | None:
    """The tests of a list that say nothing of its items; None for further keywords."""
    if schema.get("type") != "array" or not keywords(schema) <= {
        "type",
        "items",
        "minItems",
        "maxItems",
    }:
        return None
    bounds = _length(schema, value, ("minItems", "maxItems"))
    return None if bounds is None else (f"type({value}) is list", *bounds)


def _scalar(
    scalar: Scalar, schema: JsonObject, value: str, module: Module
) -> Conditions | None:
    kind, known = schema.get("type"), keywords(schema) - {"type"}
    match scalar:
        case Scalar.INT if kind == "integer" and known <= {*_LOWER, *_UPPER, "format"}:
            return _bounded("int", schema, value, ("", ""))
        case Scalar.FLOAT if kind == "number" and known <= {*_LOWER, *_UPPER, "format"}:
            tests = _bounded("float", schema, value, ("-inf < ", " < inf"))
            if tests is not None and "inf" in tests[-1]:
                module.scope.standard("inf")
            return tests
        case Scalar.BOOL if kind == "boolean" and not known:
            return (f"type({value}) is bool",)
        case Scalar.STRING | Scalar.SPLAT if kind == "string":
            if not known <= {"minLength", "maxLength"}:
                return None
            bounds = _length(schema, value, ("minLength", "maxLength"))
            return None if bounds is None else (f"type({value}) is str", *bounds)
        case Scalar.PRIMITIVE if bare(schema) == {
            "type": ["string", "number", "boolean"]
        }:
            return (f"type({value}) in (str, int, bool)",)
    return None


def _bounded(
    kind: str, schema: JsonObject, value: str, open_ends: tuple[str, str]
) -> Conditions | None:
    lower = _bound(schema, _LOWER)
    upper = _bound(schema, _UPPER)
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


def _bound(schema: JsonObject, signs: Mapping[str, str]) -> tuple[str, str] | None:
    given = [key for key in signs if key in schema]
    if not given:
        return "", ""
    number = schema[given[0]]
    if len(given) > 1 or not _is_number(number):
        return None
    return py(number), signs[given[0]]


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _length(schema: JsonObject, value: str, keys: tuple[str, str]) -> Conditions | None:
    least, most = (schema.get(key) for key in keys)
    if not all(each is None or _is_number(each) for each in (least, most)):
        return None
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
    return module.scope.define_before(
        f"_{module.prefix}{value.strip('_').upper()}_CHOICES",
        f"set {flat}",
        lambda name: bracketed(choices, before=f"{name} = {{", after="}"),
    )


def _union(type: UnionType, schema: JsonObject, value: str) -> Conditions | None:
    kinds = schema.get("type")
    if keywords(schema) != {"type"} or not isinstance(kinds, Sequence):
        return None
    names = {"string": "str", "integer": "int", "boolean": "bool", "number": "int"}
    if isinstance(kinds, str) or not {*kinds} <= names.keys():
        return None
    if any(option.choices for option in type.options):
        return None
    exact = dict.fromkeys(names[str(each)] for each in kinds)
    return (f"type({value}) in ({', '.join(exact)})",)


def _list(
    type: ListType, schema: JsonObject, value: str, module: Module
) -> Conditions | None:
    shape = list_shape(schema, value)
    if shape is None:
        return None
    each = _each(type.item, items_of(schema), value, module)
    return None if each is None else (*shape, each)


def _map(
    type: MapType, schema: JsonObject, value: str, module: Module
) -> Conditions | None:
    if schema.get("type") != "object" or keywords(schema) != {
        "type",
        "additionalProperties",
    }:
        return None
    each = _each(type.value, values_of(schema), f"{value}.values()", module)
    if each is None:
        return None
    return f"type({value}) is dict", f"set(map(type, {value})) <= {{str}}", each


def _each(type: Type, schema: JsonObject, values: str, module: Module) -> str | None:
    """One test of all ``values``: of their types at once where that is all there is to test."""
    if not isinstance(type, ScalarType | LeafType | UnionType):
        return None
    tests = conditions(type, schema, "each", module)
    if tests is None:
        return None
    if len(tests) == 1 and tests[0].startswith("type(each) is "):
        kind = tests[0].removeprefix("type(each) is ")
        return f"set(map(type, {values})) <= {{{kind}}}"
    if len(tests) == 1 and tests[0].startswith("each in "):
        return f"set({values}) <= {tests[0].removeprefix('each in ')}"
    return f"all({' and '.join(tests)} for each in {values})"
