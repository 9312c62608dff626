"""Once: remembering what references say changes no answer, and keeps the cost in bounds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen_runtime.schema import verdicts
from brimgen_runtime.schema.validator import Validator

SELF = {"$ref": "#/$defs/N"}
OTHER = {"$ref": "#/$defs/M"}
LEAVES = st.sampled_from(
    [
        SELF,
        OTHER,
        {"type": "integer"},
        {"required": ["a"]},
        {"required": ["b", "c"]},
        {"maxProperties": 1},
        {"const": 1},
    ]
)
OPEN = st.dictionaries(st.sampled_from("abc"), LEAVES, max_size=3)


def _combined(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, min_size=1, max_size=3)
    return (
        st.builds(lambda each: {"properties": each}, OPEN)
        | st.builds(lambda each: {"anyOf": each}, some)
        | st.builds(lambda each: {"oneOf": each}, some)
        | st.builds(lambda each: {"allOf": each}, some)
        | st.builds(lambda each: {"not": each}, inner)
        | st.builds(lambda each: {"items": each}, inner)
    )


OBJECTS = st.builds(lambda each: {"properties": each}, OPEN)
SCHEMAS = st.recursive(OBJECTS, _combined, max_leaves=4)
VALUES = st.recursive(
    st.sampled_from([1, 2, "x", None]),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    | st.lists(inner, max_size=2),
    max_leaves=12,
)


def _told(schema: Any, value: Any) -> tuple[bool, set[tuple[str, str, str]]]:
    validator = Validator(schema)
    told = validator.violations(value)
    return (
        validator.is_valid(value),
        {(each.pointer, each.rule, each.expected) for each in told},
    )


@given(SCHEMAS, SCHEMAS, VALUES)
def test_what_is_remembered_is_what_would_be_found(
    one: Any, other: Any, value: Any
) -> None:
    schema = {"$defs": {"N": one, "M": other}, "allOf": [SELF, OTHER]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts, "branches", lambda document: False)
        expected = _told(schema, value)
    assert expected == _told(schema, value)


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
