"""Schemas that differ in words only are judged once; all others each by itself."""

from __future__ import annotations

from typing import Any

import pytest

from brimgen.agreement.reference_validator import Oracle, Oracles

TEXT: dict[str, Any] = {"type": "string"}


SCHEMAS: list[tuple[Any, Any, bool]] = [
    (
        TEXT,
        {**TEXT, "description": "Words.", "title": "W", "examples": ["a"]},
        True,
    ),
    ({"items": TEXT}, {"items": {**TEXT, "default": "a"}}, True),
    ({"anyOf": [TEXT]}, {"anyOf": [{**TEXT, "description": "Words."}]}, True),
    ({"properties": {"title": TEXT}}, {"properties": {}}, False),
    ({"enum": [{"title": "a"}]}, {"enum": [{}]}, False),
    ({"const": {"default": 1}}, {"const": {}}, False),
    (TEXT, {**TEXT, "minLength": 1}, False),
    ({"maximum": 1}, {"maximum": 1.5}, False),
]


@pytest.mark.parametrize(("left", "right", "same"), SCHEMAS, ids=str)
def test_which_share_an_oracle(left: Any, right: Any, same: bool) -> None:
    oracles = Oracles()
    assert same is (oracles.of(left) is oracles.of(right))


def test_a_verdict_is_kept_for_one_value_only() -> None:
    oracle = Oracle({"enum": [1, "1", {"a": True}]})
    asked = [1, True, "1", {"a": True}, {"a": 1}, 1, True, None]
    wanted = [True, False, True, True, False, True, False, False]
    assert wanted == [oracle.accepts(each) for each in asked]
