"""Times of day, durations, bytes and uint64: decoded exactly where a foreign validator accepts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, time, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from brimgen.model.scalars import SCALARS
from brimgen.model.types import Scalar
from brimgen_runtime.records.encode import to_json_value
from brimgen_runtime.records.spans import to_bytes, to_duration, to_time
from brimgen_runtime.sql import _spans

DECODERS: dict[Scalar, Callable[[str], Any]] = {
    Scalar.TIME: to_time,
    Scalar.DURATION: to_duration,
    Scalar.BYTES: to_bytes,
}
ALPHABET = {
    Scalar.TIME: "0123456789:.Z+T",
    Scalar.DURATION: "-P0123456789.WDTHMSY,+",
    Scalar.BYTES: "AZaz09+/=-_ \n",
}
DURATIONS = st.timedeltas(timedelta(days=-99_999_998), timedelta(days=99_999_998))


def _decodes(scalar: Scalar, text: str) -> bool:
    try:
        DECODERS[scalar](text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("scalar", DECODERS)
@given(data=st.data())
def test_a_text_is_decoded_where_a_foreign_validator_accepts_it(
    scalar: Scalar, data: st.DataObject
) -> None:
    schema = SCALARS[scalar].schema
    right = st.from_regex(str(schema["pattern"]), fullmatch=True)
    near = right.flatmap(
        lambda text: st.tuples(
            st.just(text),
            st.integers(0, len(text)),
            st.integers(0, 2),
            st.text(ALPHABET[scalar], max_size=2),
        ).map(lambda it: it[0][: it[1]] + it[3] + it[0][it[1] + it[2] :])
    )
    text = data.draw(right | near | st.text(ALPHABET[scalar], max_size=12))
    if text.endswith("\n"):
        return  # Python's `$`, which the library uses, matches before it
    accepts = Draft202012Validator(dict(schema)).is_valid(text)
    assert accepts == _decodes(scalar, text)


@pytest.mark.parametrize("text", ["AAAA=", "AAAA==", "AAAA====", "====", "AP8"])
def test_base64_with_padding_that_nothing_needs_is_refused(text: str) -> None:
    assert not _decodes(Scalar.BYTES, text)


@given(value=st.times() | DURATIONS | st.binary())
def test_what_is_encoded_is_accepted_and_decodes_to_itself(value: Any) -> None:
    kinds = {time: Scalar.TIME, timedelta: Scalar.DURATION, bytes: Scalar.BYTES}
    scalar = kinds[type(value)]
    text = to_json_value(value)
    assert Draft202012Validator(dict(SCALARS[scalar].schema)).is_valid(text)
    assert value == DECODERS[scalar](text)
    assert text == _spans.written(value)


@given(value=DURATIONS)
def test_a_duration_of_a_database_is_read_in_every_form(value: timedelta) -> None:
    assert value == _spans.read(_spans.iso(value))
    assert value == _spans.read(_spans.on_clock(value))
    assert value == _spans.of_seconds(_spans.seconds(value))


def test_the_texts_of_postgresql_are_read_and_months_refused() -> None:
    assert timedelta(days=1, hours=2) == _spans.read("1 day 02:00:00")
    assert timedelta(days=-3, minutes=5) == _spans.read("-3 days +00:05:00")
    for text in ("1 mon", "1 year 2 days", "P1M", "P1Y", "", "1:2:3"):
        with pytest.raises(ValueError, match="no duration"):
            _spans.read(text)


def test_what_json_cannot_say_is_refused() -> None:
    with pytest.raises(ValueError, match="with an offset"):
        to_json_value(time(9, 30, tzinfo=UTC))
    with pytest.raises(ValueError, match="too long"):
        to_json_value(timedelta(days=100_000_000))
