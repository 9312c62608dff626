"""Once: remembering what references say changes no answer, and keeps the cost in bounds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from brimgen_runtime.schema.validator import Validator

SELF = {"$ref": "#/$defs/N"}
OTHER = {"$ref": "#/$defs/M"}


def _calls(ask: Callable[[], object]) -> int:
    """How many functions are called, which says the same on every machine."""
    count = 0

    def tell(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(tell)
    try:
        ask()
    finally:
        sys.setprofile(None)
    return count


def _chain(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {"n": "x"}
    for _ in range(depth):
        value = {"a": value, "n": "x"}
    return value


ALTERNATIVES = [
    {
        "anyOf": [
            {"properties": {"a": SELF}, "required": ["x"]},
            {"properties": {"a": SELF}, "required": ["y"]},
        ]
    },
    {"allOf": [{"properties": {"a": SELF, "n": {"type": "integer"}}}] * 3},
    {
        "oneOf": [{"properties": {"a": OTHER}}, {"properties": {"a": SELF}}],
        "properties": {"n": {"type": "integer"}},
    },
    {
        "if": {"properties": {"a": SELF}},
        "then": {"required": ["x"]},
        "else": {"properties": {"a": SELF, "n": {"type": "integer"}}},
    },
    {
        "anyOf": [{"properties": {"a": SELF}}, {"properties": {"a": OTHER}}],
        "unevaluatedProperties": False,
    },
    {"not": {"not": {"properties": {"a": SELF}}}, "properties": {"a": SELF}},
    {
        "patternProperties": {"a": SELF, "^a": SELF, "a$": OTHER},
        "properties": {"n": {"type": "integer"}},
    },
]


@pytest.mark.parametrize("schema", ALTERNATIVES)
def test_alternatives_at_every_level_do_not_multiply(schema: Any) -> None:
    """2 ** 32 ways down; twice as deep is no more than the work for the longer paths."""
    validator = Validator({"$defs": {"N": schema, "M": schema}, **SELF})
    validator.compile()
    shallow, deep = _chain(16), _chain(32)
    less = _calls(lambda: validator.violations(shallow))
    assert _calls(lambda: validator.violations(deep)) <= 4 * less


def test_all_that_is_wrong_at_all_levels_is_told_once() -> None:
    schema = {"allOf": [{"properties": {"a": SELF, "n": {"type": "integer"}}}] * 2}
    validator = Validator({"$defs": {"N": schema}, **SELF})
    told = [each.pointer for each in validator.violations(_chain(50))]
    assert sorted("/a" * depth + "/n" for depth in range(51)) == sorted(told)
