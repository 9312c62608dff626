"""Write the tests by which the fast path accepts a JSON value, by its schema.

A function returns None where short tests cannot decide what the schema says. Each test accepts the
most common spelling only (a float where the schema says number); the validator decides about the
others. The rows of `codecs.python` name the function of each scalar.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Protocol

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.schemas import keywords, without_annotations
from brimgen.emit.python_text import (
    all_of,
    call,
    compared,
    set_of,
    tuple_of,
)
from brimgen.model.json import Json, JsonObject

Conditions = tuple[Code, ...]

_EXACT_INTS = 2**53
_NUMBERS = (int, float)
_LOWER = {"minimum": "<=", "exclusiveMinimum": "<"}
_TYPE, _LEN, _SET, _MAP, _ALL = map(Code, ("type", "len", "set", "map", "all"))
_STR, _INT, _BOOL, _FLOAT = map(Code, ("str", "int", "bool", "float"))
_UPPER = {"maximum": "<=", "exclusiveMaximum": "<"}
_BOUNDS = frozenset({*_LOWER, *_UPPER})
_OF_NUMBERS = _BOUNDS | {"type", "format"}
_OF_TEXTS = frozenset({"type", "minLength", "maxLength"})
_OF_LISTS = frozenset({"type", "items", "minItems", "maxItems"})
_OF_MAPS = frozenset({"type", "additionalProperties"})
_CLASSES = {"string": _STR, "integer": _INT, "boolean": _BOOL, "number": _INT}


class FastNames(Protocol):
    """What a module calls the names that tests use; each name that is asked for is imported."""

    def runtime(self, name: str) -> Code:
        """A name of the package's runtime."""
        ...

    def standard(self, name: str) -> Code:
        """A name of the standard library."""
        ...


class KindTest(Code):
    """``type(value) is kind``."""

    __slots__ = ("kind",)
    kind: Code


class FiniteTest(Code):
    """``isfinite(value)``."""

    __slots__ = ("function",)
    function: Code


class MemberTest(Code):
    """``value in members``."""

    __slots__ = ("members",)
    members: Code


def is_kind(value: Code, kind: Code) -> KindTest:
    """The test of the exact type of a value."""
    test = KindTest(f"type({value}) is {kind}")
    test.kind = kind
    return test


def integer_tests(
    schema: JsonObject, value: Code, names: FastNames
) -> Conditions | None:
    """The tests of a whole number."""
    if schema.get("type") != "integer" or not keywords(schema) <= _OF_NUMBERS:
        return None
    return _bounded(_INT, schema, value)


def float_tests(schema: JsonObject, value: Code, names: FastNames) -> Conditions | None:
    """The tests of a float, the first of which is that of its class."""
    if schema.get("type") != "number" or not keywords(schema) <= _OF_NUMBERS:
        return None
    if not _BOUNDS.isdisjoint(schema):
        return _bounded(_FLOAT, schema, value, names)
    function = names.standard("isfinite")
    finite = FiniteTest(f"{function}({value})")
    finite.function = function
    return is_kind(value, _FLOAT), finite


def boolean_tests(
    schema: JsonObject, value: Code, names: FastNames
) -> Conditions | None:
    """The test of true and false."""
    is_all = schema.get("type") == "boolean" and len(keywords(schema)) == 1
    return (is_kind(value, _BOOL),) if is_all else None


def text_tests(schema: JsonObject, value: Code, names: FastNames) -> Conditions | None:
    """The tests of a text without a pattern."""
    if schema.get("type") != "string" or not keywords(schema) <= _OF_TEXTS:
        return None
    bounds = _length(schema, value, ("minLength", "maxLength"))
    return None if bounds is None else (is_kind(value, _STR), *bounds)


def primitive_tests(
    schema: JsonObject, value: Code, names: FastNames
) -> Conditions | None:
    """The test of a text, a whole number, or true and false."""
    is_all = without_annotations(schema) == {"type": ["string", "number", "boolean"]}
    return (_is_of(value, [_STR, _INT, _BOOL]),) if is_all else None


def union_tests(schema: JsonObject, value: Code) -> Conditions | None:
    """The test of a value of one of several JSON types."""
    kinds = schema.get("type")
    if keywords(schema) != frozenset({"type"}) or not isinstance(kinds, Sequence):
        return None
    if isinstance(kinds, str) or not all(kind in _CLASSES for kind in kinds):
        return None
    return (_is_of(value, [*dict.fromkeys(_CLASSES[str(kind)] for kind in kinds)]),)


def choice_test(value: Code, members: Code) -> Conditions:
    """The test of a text that is one of ``members``.

    Membership alone is exact for texts, and unlike a type test it leaves the Literal alone.
    """
    test = MemberTest(f"{value} in {members}")
    test.members = members
    return (test,)


def list_tests(schema: JsonObject, value: Code, names: FastNames) -> Conditions | None:
    """The tests of a list, apart from those of its items."""
    if schema.get("type") != "array" or not keywords(schema) <= _OF_LISTS:
        return None
    bounds = _length(schema, value, ("minItems", "maxItems"))
    if bounds is None:
        return None
    return is_kind(value, names.runtime("LIST")), *bounds


def map_tests(schema: JsonObject, value: Code, names: FastNames) -> Conditions | None:
    """The tests of an object with free keys, apart from those of its values."""
    if schema.get("type") != "object" or keywords(schema) != _OF_MAPS:
        return None
    return is_kind(value, names.runtime("DICT")), _are_all(value, _STR)


def of_all(tests: Conditions, item: Code, values: Code) -> Conditions:
    """The ``tests`` of ``item``, written as tests of all ``values``."""
    shared_tests: list[Code] = []
    remaining = list(tests)
    if remaining and isinstance(remaining[0], KindTest):
        shared_tests.append(_are_all(values, remaining[0].kind))
        del remaining[0]
    only = remaining[0] if len(remaining) == 1 else None
    if isinstance(only, FiniteTest):
        shared_tests.append(call(_ALL, call(_MAP, only.function, values)))
    elif isinstance(only, MemberTest):
        shared_tests.append(compared(call(_SET, values), "<=", only.members))
    elif remaining:
        shared_tests.append(Code(f"all({all_of(remaining)} for {item} in {values})"))
    return tuple(shared_tests)


def _are_all(values: Code, kind: Code) -> Code:
    kinds = call(_SET, call(_MAP, _TYPE, values))
    return compared(kinds, "<=", set_of([kind]))


def _is_of(value: Code, kinds: Sequence[Code]) -> Code:
    return compared(call(_TYPE, value), "in", tuple_of(kinds))


def _bounded(
    kind: Code, schema: JsonObject, value: Code, names: FastNames | None = None
) -> Conditions | None:
    """The tests of the bounds of a number; with ``names``, those of one that must be finite."""
    lower, upper = _bound(schema, _LOWER, kind), _bound(schema, _UPPER, kind)
    if lower is None or upper is None:
        return None
    first = is_kind(value, kind)
    if names is not None and not (lower and upper):
        infinity = names.standard("inf")
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
    keys = [key for key in signs if key in schema]
    if not keys:
        return ()
    number = schema[keys[0]]
    if len(keys) > 1 or not _is_number(number):
        return None
    if isinstance(number, int):
        if kind != _INT:
            if abs(number) > _EXACT_INTS:
                return None
            number = float(number)  # the interpreter is quick about numbers of one type
    elif kind == _INT and isinstance(number, float) and abs(number) > _EXACT_INTS:
        number = int(Decimal(repr(number)))  # as the runtime reads it
    return py(number), signs[keys[0]]


def _is_number(value: Json) -> bool:
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


def _length(
    schema: JsonObject, value: Code, keys: tuple[str, str]
) -> Conditions | None:
    least, most = (schema.get(key) for key in keys)
    if not all(bound is None or _is_number(bound) for bound in (least, most)):
        return None
    length = call(_LEN, value)
    if least is not None and least == most:
        return (compared(length, "==", py(least)),)
    if least is not None and most is not None:
        return (compared(py(least), "<=", length, "<=", py(most)),)
    if least is not None:
        return (compared(length, ">=", py(least)),)
    return () if most is None else (compared(length, "<=", py(most)),)
