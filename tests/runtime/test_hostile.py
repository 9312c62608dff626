"""Input that wants to crash or hang us: it is refused like any other."""

from __future__ import annotations

import time
from typing import Any

import pytest

from brimgen.runtime._runtime import InputError, Validator

LIST = {"type": "array", "items": {"$ref": "#"}}
TREE = {
    "type": "object",
    "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}},
    "additionalProperties": False,
}


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("schema", [LIST, {}, {"type": "array"}, {"uniqueItems": True}])
def test_deep_input_is_a_violation(schema: Any) -> None:
    validator = Validator(schema)
    for value in (_nested(100_000), [_nested(100_000), _nested(100_000)]):
        assert not validator.is_valid(value)
        assert ["depth"] == [each.rule for each in validator.violations(value)]
        with pytest.raises(InputError):
            validator.check(value)
        assert value is validator.drop_nulls(value)


def test_moderate_depth_is_no_problem() -> None:
    assert Validator(LIST).is_valid(_nested(100))
    assert [] == Validator(LIST).violations(_nested(100))


def test_cyclic_input_is_a_violation() -> None:
    cyclic: dict[str, Any] = {}
    cyclic["left"] = cyclic["right"] = cyclic
    ring: list[Any] = []
    ring += [ring, ring]
    for schema, value in ((TREE, cyclic), (LIST, ring), ({}, cyclic), ({}, ring)):
        assert ["depth"] == [each.rule for each in Validator(schema).violations(value)]


def test_a_schema_that_only_refers_to_itself_ends() -> None:
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}
    assert ["depth"] == [each.rule for each in Validator(schema).violations(1)]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"multipleOf": 1e-300}, 10**4000),
        ({"uniqueItems": True}, list(range(50_000))),
        ({"type": "array", "items": {"type": "integer"}}, ["x"] * 20_000),
        (
            {"type": "object", "additionalProperties": False},
            {str(i): 1 for i in range(20_000)},
        ),
        ({"enum": list(range(10_000))}, 10_001),
    ],
)
def test_much_input_takes_little_time(schema: Any, value: Any) -> None:
    begin = time.process_time()
    found = Validator(schema).violations(value)
    assert time.process_time() - begin < 2
    assert all(len(each.message) < 2_000 for each in found)
