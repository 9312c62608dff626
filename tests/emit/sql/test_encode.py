"""What the SQL runtime says about values that it refuses."""

from __future__ import annotations

import pytest

from brimgen.sqlruntime import _cells, _encode


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (2**63, "9223372036854775808"),
        (99999999999999999999, "99999999999999999999"),
        (-(10**70), f"-1{'0' * 70}"),
        (2**9999, "an int of 10000 bits"),
    ],
    ids=["least", "twenty-digits", "negative", "huge"],
)
def test_a_number_that_does_not_fit_is_shown_as_it_is(value: int, shown: str) -> None:
    with pytest.raises(ValueError, match="parameter 'a'") as caught:
        _encode.int64(value, "a")
    assert f"parameter 'a': {shown} does not fit into 64 bits" == str(caught.value)


def test_a_number_of_thousands_of_digits_is_no_text() -> None:
    with pytest.raises(ValueError, match="expected str, got int of 16610 bits"):
        _encode.text(10**5000, "a")  # type: ignore[arg-type]


def test_a_row_without_names_is_a_wrong_value() -> None:
    for row, columns in (((1,), ()), ((1,), ("a", "b")), ((1, 2), ("a", "a"))):
        with pytest.raises(ValueError, match=r"column|argument"):
            _cells.cells(row, columns)
