"""Read the nodes of a spec as JSON values of a type, and report what does not fit."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping
from decimal import Decimal
from typing import TypeAlias

from brimgen.model.json import Json
from brimgen.model.lint import IMPORTED_FROM, LINT_IGNORE
from brimgen.model.scalars import SCALARS, ScalarRow
from brimgen.model.types import Scalar
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode

Number: TypeAlias = int | float | Decimal
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")


def to_json(node: Node) -> Json:
    """Return the JSON value of a node (the reader has refused numbers that JSON has not)."""
    if isinstance(node, MapNode):
        return {entry.key.text: to_json(entry.value) for entry in node.entries}
    if isinstance(node, ListNode):
        return [to_json(item) for item in node.items]
    return node.value


def published_extensions(extensions: Iterable[Entry]) -> dict[str, Json]:
    """Return the values of ``x-`` keys that callers may see: not those about the spec itself."""
    return {
        key.text: to_json(value)
        for key, value in extensions
        if key.text not in (LINT_IGNORE, IMPORTED_FROM)
    }


def show(node: Node) -> str:
    """Return how a message names a value: a short one as it is written, a long one by kind."""
    if isinstance(node, MapNode):
        return "an object"
    if isinstance(node, ListNode):
        return "a list"
    text = f'"{node.text}"' if isinstance(node.value, str) else node.text or "null"
    return text if len(text) <= 60 else f"{text[:57]}…"


def is_null(node: Node) -> bool:
    """Return whether the node is a plain null."""
    return isinstance(node, ScalarNode) and node.value is None


def is_number(value: object) -> bool:
    """Return whether a JSON value is a number: a boolean is not, NaN and infinity are not."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
    )


def exact_integer(value: object) -> int:
    """Return the integer that an integral number says in JSON: ``1e23`` is ``10**23``."""
    return value if isinstance(value, int) else int(Decimal(repr(value)))


def exact(node: ScalarNode) -> Decimal:
    """Return a number with all the digits of its source text.

    A number beyond a double was reported by the reader, and is the nearest double here.
    """
    assert not isinstance(node.value, str) and node.value is not None
    try:
        number = Decimal(node.text)
    except ArithmeticError:
        return Decimal(str(node.value))
    if isinstance(node.value, int):  # which the reader has made sure of
        return number
    in_range = abs(number.adjusted()) <= sys.float_info.max_10_exp
    return number if in_range else Decimal(str(node.value))


def is_replaced(node: ScalarNode) -> bool:
    """Return whether the reader replaced a number beyond JSON by the nearest, and reported it."""
    if node.quoted or not isinstance(node.value, float):
        return False
    try:
        return not math.isfinite(float(node.text))
    except ValueError:  # `.inf` and `.nan`, and numbers in hexadecimal
        return True


def fits(scalar: Scalar, value: Json, *, wire_string: bool = False) -> bool:
    """Return whether a JSON value is one of the scalar's (spec-language.md)."""
    if wire_string and SCALARS[scalar].keeps_digits:
        return isinstance(value, str) and _DECIMAL.fullmatch(value) is not None
    return _FITS[scalar](value)


_OF_JSON: Mapping[str, Callable[[Json], bool]] = {
    "integer": lambda value: is_number(value) and value == math.floor(value),  # type: ignore[arg-type]
    "number": is_number,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
}


def _test_of(row: ScalarRow) -> Callable[[Json], bool]:
    """Return the function that tells whether a JSON value is one of the scalar's."""
    accepts = row.accepts_text
    if accepts is not None:
        return lambda value: isinstance(value, str) and accepts(value)
    tests = [_OF_JSON[json_type] for json_type in row.json_types]
    if len(tests) > 1:
        return lambda value: any(test(value) for test in tests)
    test, (least, most) = tests[0], row.bounds
    if least == -math.inf and most == math.inf:
        return test
    return lambda value: test(value) and least <= value <= most  # type: ignore[operator]


_FITS = {scalar: _test_of(row) for scalar, row in SCALARS.items()}


def fits_format(name: str, text: str) -> bool:
    """Return whether a text has a format, as generated code asks it."""
    from brimgen_runtime._runtime.texts import format_test

    test = format_test(name)
    return test is None or test(text)


def identity(value: Json) -> Hashable:
    """Return a key that is equal for two JSON values where they are `same`."""
    if isinstance(value, bool):
        return ("flag", value)
    if value is None or isinstance(value, int | float | str):
        return value
    if isinstance(value, Mapping):
        return ("object", frozenset((key, identity(value[key])) for key in value))
    return ("list", tuple(map(identity, value)))


def same(one: Json, other: Json) -> bool:
    """Return whether two JSON values are equal: 1 is 1.0, but true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            same(one[key], other[key]) for key in one
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other
