"""The writer of JSON: every value as it is, and what fits on a line on one."""

from __future__ import annotations

import json
from enum import IntEnum, StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.emit.indented import WIDTH, indented

_SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
)


def _has_keys_of_its_own(value: dict[Any, Any]) -> bool:
    """Return whether no two keys are one key in JSON, as `True` and `"true"` are."""
    return len(value) == len(json.loads(json.dumps(value)))


_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4)
    | st.tuples(inner, inner)
    | st.dictionaries(_SCALARS, inner, max_size=4).filter(_has_keys_of_its_own),
    max_leaves=20,
)


class _Word(StrEnum):
    ONE = 'one "word"'


class _Number(IntEnum):
    TWO = 2


@given(_VALUES)
def test_the_text_is_the_value_whatever_its_layout(value: Any) -> None:
    written = json.loads(indented(value))
    assert json.dumps(value) == json.dumps(written)


@given(st.lists(st.integers(0, 999), max_size=60))
def test_a_line_is_no_wider_than_the_width(value: list[int]) -> None:
    text = indented({"numbers": value})
    assert all(len(line) <= WIDTH for line in text.split("\n"))
    if len(json.dumps({"numbers": value})) <= WIDTH:
        assert "\n" not in text


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        [[], {}, ()],
        {"a": {}, "b": []},
        {_Word.ONE: _Word.ONE, _Number.TWO: [_Number.TWO]},
        [1e16, 1e-7, -0.0, float("inf"), float("-inf"), 10**30],
        '\x00\x1f\x7f\u2028\ud800é😀"\\/',
    ],
)
def test_rare_values_are_no_exception(value: Any) -> None:
    assert json.dumps(value, ensure_ascii=False) == indented(value)


@pytest.mark.parametrize("value", [object(), {1, 2}, {(1,): 2}])
def test_what_json_does_not_have_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        indented(value)
