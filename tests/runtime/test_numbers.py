"""Numbers and equality: exact, and quick whatever the exponents."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen_runtime.records.encode import to_json_value
from brimgen_runtime.schema.decode import to_plain
from brimgen_runtime.schema.json_text import parse_json, write_json
from brimgen_runtime.schema.json_values import exact, is_integer, is_number
from brimgen_runtime.schema.numbers import multiple_of
from brimgen_runtime.schema.validator import Validator


@pytest.mark.parametrize(
    ("value", "divisor", "expected"),
    [
        (0.07, 0.01, True),
        (Decimal("0.07"), 0.01, True),
        (1.1, 0.1, True),
        (4.35, 0.01, True),
        (0.075, 0.01, False),
        (0, 0.01, True),
        (-9, 3, True),
        (9.0, 3, True),
        (12391239123, 1e-8, True),
        (1e308, 0.123456789, False),
        (1e308, 0.5, True),
        (Decimal("1e4300"), 3, False),
        (Decimal("1e4300"), Decimal("1e-4300"), True),
        (Decimal("1e-4300"), Decimal("1e4300"), False),
        (1e-300, 1e300, False),
    ],
)
def test_multiples_are_exact_and_never_hang(
    value: Any, divisor: Any, expected: bool
) -> None:
    assert expected is multiple_of(divisor)(value)


_NUMBERS = st.one_of(
    st.integers(-1000, 1000),
    st.floats(-1e6, 1e6, allow_nan=False),
    st.decimals(-1000, 1000, places=3),
)


@given(_NUMBERS, _NUMBERS.filter(lambda each: each != 0))
def test_multiples_are_those_of_fractions(value: Any, divisor: Any) -> None:
    quotient = Fraction(exact(value)) / Fraction(exact(divisor))
    assert (quotient.denominator == 1) is multiple_of(divisor)(value)


@pytest.mark.parametrize(
    ("value", "number", "integer"),
    [
        (1, True, True),
        (1.0, True, True),
        (1.5, True, False),
        (Decimal("2.00"), True, True),
        (Decimal("2.01"), True, False),
        (Decimal("1e4299"), True, True),
        (Decimal("1e4300"), False, False),
        (Decimal("1e999999"), False, False),
        (Decimal("NaN"), False, False),
        (Decimal("sNaN"), False, False),
        (Decimal("Infinity"), False, False),
        (float("nan"), False, False),
        (float("inf"), False, False),
        (True, False, False),
        ("1", False, False),
        (None, False, False),
        (1j, False, False),
    ],
)
def test_what_is_a_number(value: Any, number: bool, integer: bool) -> None:
    assert (number, integer) == (is_number(value), is_integer(value))
    assert number is Validator({"type": "number"}).is_valid(value)
    assert integer is Validator({"type": "integer"}).is_valid(value)


def test_bounds_and_choices_mean_the_decimal_that_was_written() -> None:
    assert Validator({"minimum": 0.1}).is_valid(Decimal("0.1"))
    assert Validator({"maximum": 0.3}).is_valid(Decimal("0.3"))
    assert not Validator({"exclusiveMaximum": 0.3}).is_valid(Decimal("0.3"))
    assert Validator({"enum": [0.1]}).is_valid(Decimal("0.1"))
    assert Validator({"const": {"a": [0.1]}}).is_valid({"a": [Decimal("0.10")]})
    assert not Validator({"uniqueItems": True}).is_valid([0.1, Decimal("0.1")])


@pytest.mark.parametrize(
    ("said", "value", "expected"),
    [
        ({"precision": 5, "scale": 2}, 123.45, True),
        ({"precision": 5, "scale": 2}, 19.99, True),
        ({"precision": 5, "scale": 2}, Decimal("999.99"), True),
        ({"precision": 5, "scale": 2}, Decimal("1.230"), True),
        ({"precision": 5, "scale": 2}, 1000, False),
        ({"precision": 5, "scale": 2}, -1000, False),
        ({"precision": 5, "scale": 2}, Decimal("0.001"), False),
        ({"scale": 0}, 1.5, False),
        ({"scale": 2}, Decimal("12345678901234567890123456789012345.678"), False),
        ({"scale": 3}, Decimal("12345678901234567890123456789012345.678"), True),
        ({"precision": 3}, 999, True),
        ({"precision": 3}, 1000, False),
    ],
)
def test_digits_are_counted_as_sql_counts_them(
    said: Any, value: Any, expected: bool
) -> None:
    schema = {"type": "number", "x-decimal": said}
    assert expected is Validator(schema).is_valid(value)
    assert expected is (Validator(schema).violations(value) == [])


@pytest.mark.parametrize(
    "text", ["1e4299", "-1e4299", "9.5e4298", "9" * 4300, "1e-4299", "1.50"]
)
def test_what_is_read_can_be_written(text: str) -> None:
    for read in (to_plain, to_json_value):
        found = read(parse_json(text))
        assert found == parse_json(write_json(found))
        assert repr(found)
