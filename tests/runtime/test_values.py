"""Values: reading JSON exactly, decoding, encoding, and back again."""

from __future__ import annotations

import math
from collections import OrderedDict
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brimgen_runtime.records.encode import to_json_value
from brimgen_runtime.schema.decode import to_float, to_plain
from brimgen_runtime.schema.errors import InputError
from brimgen_runtime.schema.json_text import parse_json
from brimgen_runtime.schema.json_values import to_int
from brimgen_runtime.schema.validator import Validator


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1 column 2"),
        ('{\n  "a": tomorrow\n}', "line 2 column 8"),
        ("NaN", "NaN is no JSON number"),
        ('{"a": -Infinity}', "-Infinity is no JSON number"),
        ('{"a": 1, "a": 2}', '"a" occurs twice'),
        ('{"a": 1e999999999999999999999}', "out of range"),
        ('{"a": 1e5000}', "out of range"),
        ("9" * 5000, "out of range"),
        ("[" * 100_000, "nested too deeply"),
        (b"\xff\xfe\xff", "no UTF-8"),
        (" ", "line 1 column 2"),
        ("{} {}", "line 1 column 4"),
        ('{"a":}', "line 1 column 6"),
        ('\ufeff{"a": 1}', "byte order mark"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(text: str | bytes, words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_json(text)
    (only,) = caught.value.violations
    assert ("", "json") == (only.pointer, only.rule)
    assert words in only.message
    with pytest.raises(InputError, match="geo_search: input: not valid JSON") as again:
        Validator({}, tool="geo_search", expects=lambda: [["no arguments"]]).read_call(
            text
        )
    assert "geo_search expects: no arguments" in again.value.retry_message()


@pytest.mark.parametrize("text", ["", b""])
def test_empty_text_calls_a_tool_that_requires_nothing(text: str | bytes) -> None:
    assert {} == Validator({"type": "object"}).read_call(text)
    with pytest.raises(InputError, match="not valid JSON"):
        Validator({"type": "object", "required": ["a"]}).read_call(text)


_DIGITS = st.text("0123456789", min_size=1, max_size=18)


@given(
    st.sampled_from(["", "-"]),
    st.integers(0, 10**18).map(str),
    _DIGITS,
    st.sampled_from(["", "e2", "E-3", "e0"]),
)
@example("", "0", "00001", "")
@example("", "0", "0001", "")
@example("-", "123456789012", "345", "")
def test_a_number_is_a_float_exactly_where_it_is_written_like_one(
    sign: str, whole: str, fraction: str, exponent: str
) -> None:
    text = f"{sign}{whole}.{fraction}{exponent}"
    expected = float(text) if repr(float(text)) == text else Decimal(text)
    read = parse_json(f'{{"a": {text}}}')["a"]
    assert (type(expected), str(expected)) == (type(read), str(read))


def test_numbers_decode_to_their_types() -> None:
    assert [3, 3, 3] == [to_int(each) for each in (3, 3.0, Decimal("3.0"))]
    assert {int} == {type(to_int(each)) for each in (3, 3.0, Decimal("3.0"))}
    assert [0.5, 3.0] == [to_float(Decimal("0.5")), to_float(3)]
    assert {float} == {type(to_float(each)) for each in (3, Decimal(3), 3.0)}
    assert 10**400 == to_float(10**400)
    assert 10**400 == to_float(Decimal("1e400"))
    for bad in (2.5, Decimal("2.5"), math.inf, math.nan):
        with pytest.raises((ValueError, OverflowError)):
            to_int(bad)


def test_plain_data_has_no_decimals_left() -> None:
    value = OrderedDict(a=[Decimal("1.5"), {"b": Decimal("2.0")}], c=Decimal("1e2"))
    plain = to_plain(value)
    assert {"a": [1.5, {"b": 2.0}], "c": 100.0} == plain
    assert (dict, float) == (type(plain), type(plain["a"][0]))
    for foreign in ({1, 2}, {"a": math.nan}, {1: 2}, (1,), object()):
        with pytest.raises(ValueError):
            to_plain(foreign)


class Colour(Enum):
    RED = "red"


class Money:
    def __init__(self, amount: Decimal) -> None:
        self.amount = amount

    def to_dict(self) -> dict[str, Any]:
        return {"amount": to_json_value(self.amount)}


def test_objects_encode_to_json() -> None:
    value = {
        "day": date(2026, 1, 18),
        "at": datetime(2026, 1, 18, 5, tzinfo=UTC),
        "colour": Colour.RED,
        "price": [Money(Decimal("1.10"))],
        "view": MappingProxyType({"a": None}),
    }
    assert {
        "day": "2026-01-18",
        "at": "2026-01-18T05:00:00Z",
        "colour": "red",
        "price": [{"amount": 1.1}],
        "view": {"a": None},
    } == to_json_value(value)
    for foreign in (math.nan, Decimal("NaN"), datetime(2026, 1, 18), {1}, object()):
        with pytest.raises(ValueError):
            to_json_value(foreign)
