"""What is handed to `bind` and to bindings: the right class, or an error that says what to do."""

from __future__ import annotations

import pytest

from brimgen_runtime.records.bound_class import check_bound
from brimgen_runtime.records.json_object import check_call


class FindInput:
    """An input class."""


class FindBound:
    """What its handler receives."""


@pytest.mark.parametrize(
    ("value", "got"), [(None, "None"), ({"x": 1}, "dict"), (FindBound(), "FindBound")]
)
def test_a_handler_that_is_given_no_call_says_how_to_make_one(
    value: object, got: str
) -> None:
    with pytest.raises(TypeError) as caught:
        check_call(value, FindInput)
    made = "FindInput.from_call makes one of what was sent"
    assert f"expected FindInput, got {got}: {made}" == str(caught.value)


def test_a_dict_where_nothing_is_hidden() -> None:
    with pytest.raises(TypeError) as caught:
        check_bound({}, "FindInput")
    made = "FindInput.from_call makes one of what was sent"
    assert f"expected FindInput, got dict: {made}" == str(caught.value)
