"""What the SQL runtime says about values that it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from enum import IntEnum, StrEnum
from typing import Any

import pytest

from brimgen_runtime.records.encode import to_json_value
from brimgen_runtime.sql import _cells, _encode


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


def test_a_row_without_names_is_a_wrong_value() -> None:
    for row, columns in (((1,), ()), ((1,), ("a", "b")), ((1, 2), ("a", "a"))):
        with pytest.raises(ValueError, match=r"column|argument"):
            _cells.cells(row, columns)


class Colour(StrEnum):
    RED = "red"


class Level(IntEnum):
    HIGH = 3


class Loud(str):
    def __str__(self) -> str:
        return "something else"


class Half(float):
    def __float__(self) -> float:
        return 0.0


@pytest.mark.parametrize(
    ("encode", "value", "plain"),
    [
        (_encode.text, Colour.RED, "red"),
        (_encode.text, Loud("as it is"), "as it is"),
        (_encode.int64, Level.HIGH, 3),
        (_encode.double, Half(0.5), 0.5),
        (_encode.double, Level.HIGH, 3.0),
        (_encode.primitive, Loud("x"), "x"),
        (_encode.primitive, Level.HIGH, 3),
        (_encode.choice, Colour.RED, "red"),
    ],
)
def test_a_value_of_a_subclass_is_bound_as_what_it_is(
    encode: Callable[[Any, str], object], value: object, plain: object
) -> None:
    """No driver is given a class of which it may know nothing."""
    found = encode(value, "a")
    assert plain == found
    assert type(plain) is type(found)


@pytest.mark.parametrize("value", [2**53 + 1, -(2**53) - 1, 10**22 + 1, 2**1000 + 1])
def test_an_int_that_a_float_would_round_is_refused_at_bind(value: int) -> None:
    with pytest.raises(ValueError, match="more digits than a float keeps") as caught:
        _encode.double(value, "price")
    assert str(caught.value).startswith(f"parameter 'price': {value} ")


@pytest.mark.parametrize("name", ["int64", "double", "text", "json", "primitive"])
@pytest.mark.parametrize("value", [10**400, -(10**5000)], ids=["e400", "e5000"])
def test_a_number_beyond_everything_is_a_value_error(name: str, value: int) -> None:
    if name == "json" and value == 10**400:
        assert f"{value}" == _encode.json(value, "a")
        return
    with pytest.raises(ValueError, match="parameter 'a': ") as caught:
        getattr(_encode, name)(value, "a")
    assert "set_int_max_str_digits" not in str(caught.value)


def test_a_datetime_without_an_offset_is_told_what_to_do() -> None:
    with pytest.raises(
        ValueError, match=r"^parameter 'at': 2026-01-02T03:04:05 "
    ) as caught:
        _encode.timestamp(datetime(2026, 1, 2, 3, 4, 5), "at")
    for remedy in (".replace(tzinfo=UTC)", ".astimezone()", "tz: assume-utc"):
        assert remedy in str(caught.value)


def test_json_has_moments_as_generated_classes_write_them() -> None:
    odd = timezone(timedelta(hours=1, seconds=30))
    moments = [
        datetime(2026, 1, 1, tzinfo=UTC),
        datetime(2026, 1, 1, 5, 30, tzinfo=timezone(timedelta(hours=5, minutes=30))),
        datetime(2026, 1, 1, 1, 0, 30, tzinfo=odd),
    ]
    written = ["2026-01-01T00:00:00Z", "2026-01-01T05:30:00+05:30"]
    assert [*written, written[0]] == json.loads(_encode.json(moments, "a"))
    assert [*written, written[0]] == to_json_value(moments)
