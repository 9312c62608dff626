"""What is left out of an answer that says more than its tool knows, and what is not (S2.55)."""

from __future__ import annotations

from typing import Any

import pytest

from brimgen.runtime._runtime.errors import InputError
from brimgen.runtime._runtime.validator import Validator
from brimgen.runtime.http._answers import tolerated

CAT: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "lives": {"type": "integer"}},
    "required": ["name"],
    "additionalProperties": False,
}
DOG: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "tricks": {"type": "array"}},
    "required": ["name"],
    "additionalProperties": False,
}
WHOLE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "cats": {"type": "array", "items": {"anyOf": [CAT, {"type": "null"}]}},
        "pet": {"oneOf": [CAT, DOG, {"type": "string"}]},
        "open": {"type": "object"},
        "pair": {
            "type": "array",
            "prefixItems": [{"type": "integer"}],
            "unevaluatedItems": False,
        },
        "named": {
            "type": "object",
            "patternProperties": {"^x-": {"type": "integer"}},
            "additionalProperties": False,
        },
    },
    "unevaluatedProperties": False,
}


def _left(raw: Any, schema: dict[str, Any]) -> Any:
    """What an answer comes to, or the rules by which it is refused all the same."""
    validator = Validator(schema)
    while not validator.is_valid(raw):
        refused = validator.refusal(raw)
        left = tolerated(raw, refused)
        if left is None:
            return [each.rule for each in refused.violations]
        raw = left
    return raw


LEFT_OUT: list[tuple[Any, Any]] = [
    ({"cats": [], "new": 1}, {"cats": []}),
    (
        {"cats": [{"name": "a", "z": {}}, None, {"name": "b", "lives": None}]},
        {"cats": [{"name": "a"}, None, {"name": "b"}]},
    ),
    ({"pet": {"name": "a", "tricks": [], "z": 1}}, None),
    ({"pet": {"name": "a", "lives": 9, "z": 1, "y": 2}}, None),
    ({"pet": {"name": "a", "lives": 9}}, None),
    ({"open": {"a": {"b": None}}}, {"open": {"a": {"b": None}}}),
    ({"named": {"x-a": 1, "b": 2}}, {"named": {"x-a": 1}}),
    ({"cats": None, "new": None, "open": {}}, {"open": {}}),
]


@pytest.mark.parametrize(("raw", "expected"), LEFT_OUT)
def test_what_is_unknown_or_absent_is_left_out(raw: Any, expected: Any) -> None:
    if expected is None:
        known = ("name", "tricks", "lives")
        expected = {"pet": {k: v for k, v in raw["pet"].items() if k in known}}
    assert expected == _left(raw, WHOLE)


WRONG: list[tuple[Any, list[str]]] = [
    ({"cats": [{"nome": "a"}]}, ["required"]),
    ({"cats": [{"name": 1, "new": 1}]}, ["type"]),
    ({"cats": [{"name": None}]}, ["required"]),
    ({"pair": [1, 2]}, ["unknown"]),
    ({"pet": {"name": "a", "z": 1}}, ["oneOf"]),
    ([], ["type"]),
    (None, ["type"]),
]


@pytest.mark.parametrize(("raw", "rules"), WRONG)
def test_what_is_wrong_stays_wrong(raw: Any, rules: list[str]) -> None:
    assert rules == _left(raw, WHOLE)


def test_an_error_about_another_value_says_nothing_of_the_answer() -> None:
    raw = {"name": "a", "new": 1}
    inner = Validator(CAT).refusal(dict(raw))
    listed = InputError("tool", list(inner.findings), None)
    assert [None, None] == [tolerated(raw, inner), tolerated(raw, listed)]
    assert {"name": "a", "new": 1} == raw


def test_more_unknown_properties_than_an_error_tells_are_left_out_too() -> None:
    raw = {"cats": [{"name": "a", **{f"x{each}": 1 for each in range(5000)}}]}
    refused = Validator(WHOLE).refusal(raw)
    assert {"cats": [{"name": "a"}]} == tolerated(raw, refused)
    assert 5000 == len(refused.violations) + refused.omitted
