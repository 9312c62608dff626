"""Laws of the runtime over made-up schemas, values and texts, with two validators as oracles."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from datetime import time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from brimgen.model.scalars import SCALARS
from brimgen.model.types import Scalar
from brimgen_runtime.records.encode import to_json_value
from brimgen_runtime.records.spans import to_bytes, to_duration, to_time
from brimgen_runtime.schema.choices import key
from brimgen_runtime.schema.errors import InputError
from brimgen_runtime.schema.formats import is_datetime
from brimgen_runtime.schema.json_text import parse_json
from brimgen_runtime.schema.json_values import exact
from brimgen_runtime.schema.numbers import multiple_of
from brimgen_runtime.schema.patterns import PatternError, translate
from brimgen_runtime.schema.texts import HOMES, format_test
from brimgen_runtime.schema.times import to_datetime
from brimgen_runtime.schema.validator import Validator
from brimgen_runtime.sql import _spans
from runtime.strategies import INSTANCES, schemas

_FORMATS = jsonschema.Draft202012Validator.FORMAT_CHECKER


def _reference(schema: Any, value: Any) -> bool:
    checker = jsonschema.Draft202012Validator(schema, format_checker=_FORMATS)
    return bool(checker.is_valid(value))


@given(schemas(), INSTANCES)
def test_the_verdict_is_that_of_the_others(schema: dict[str, Any], value: Any) -> None:
    validator = Validator(schema)
    expected = jsonschema_rs.Draft202012Validator(
        schema, validate_formats=True
    ).is_valid(value)
    # Where the two disagree (Python's `$` before a line end, `\\d` of other scripts), ECMA-262
    # decides, which is what the Rust one follows.
    if _reference(schema, value) != expected:
        assume("pattern" in json.dumps(schema))
    assert expected == validator.is_valid(value)
    assert expected == (validator.violations(value) == [])


@given(schemas(), INSTANCES)
def test_nothing_changes_the_input(schema: dict[str, Any], value: Any) -> None:
    before = copy.deepcopy((schema, value))
    validator = Validator(schema)
    validator.violations(value)
    validator.drop_nulls(value)
    assert before == (schema, value)


@given(schemas(), INSTANCES)
def test_every_violation_points_into_the_value(
    schema: dict[str, Any], value: Any
) -> None:
    first = Validator(schema).violations(value)
    again = Validator(copy.deepcopy(schema)).violations(copy.deepcopy(value))
    assert [str(each) for each in first] == [str(each) for each in again]
    for each in first:
        parent = each.pointer.rpartition("/")[0]
        _at(value, parent)
        assert each.message
        assert each.rule


def _at(value: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


@given(schemas(), INSTANCES)
def test_the_null_rule_leaves_alone_what_is_accepted_and_never_hurts(
    schema: dict[str, Any], value: Any
) -> None:
    validator = Validator(schema)
    after = validator.drop_nulls(value)
    if validator.is_valid(value):
        assert value is after
    else:
        assert validator.drop_nulls(after) == after or validator.is_valid(after)


UNIQUE = Validator({"type": "array", "uniqueItems": True})


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([1.0, -0.0, 0.5, 1e16, 1e300, 2.5e-300, Decimal("1.50")])
    | st.decimals(allow_nan=False, allow_infinity=False, places=3)
    | st.sampled_from([Decimal("1e3"), Decimal("1000.0"), Decimal("0e7"), 1000])
    | st.sampled_from(["", "1", "true", "null", "[1]", '{"a": 1}', "a,b", "a"])
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "a,b", ""]), inner, max_size=2)
    ),
    max_leaves=5,
)


@given(st.lists(JSON_VALUES, max_size=6))
def test_items_are_alike_exactly_if_they_are_equal_in_json(values: list[Any]) -> None:
    keys = [key(each) for each in values]
    alike = any(
        keys[i] == keys[j] for i in range(len(keys)) for j in range(i + 1, len(keys))
    )
    assert UNIQUE.is_valid(values) is not alike


_NUMBERS = st.one_of(
    st.integers(-1000, 1000),
    st.floats(-1e6, 1e6, allow_nan=False),
    st.decimals(-1000, 1000, places=3),
)


@given(_NUMBERS, _NUMBERS.filter(lambda each: each != 0))
def test_multiples_are_those_of_fractions(value: Any, divisor: Any) -> None:
    quotient = Fraction(exact(value)) / Fraction(exact(divisor))
    assert (quotient.denominator == 1) is multiple_of(divisor)(value)


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


_KEYS = st.sampled_from(["a", "b", ":", '":', "\\", "a:b", "é"])


_TEXTS = st.sampled_from(
    ["", ":", '"', '":"', "\\u003a", "x", "{", "2026-01-01T00:00:00Z"]
)


class _Pairs(list[Any]):
    """The members of an object as they are written, keys that occur twice among them."""


_VALUES = st.recursive(
    st.one_of(_TEXTS, st.integers(), st.booleans(), st.none(), st.just(0.5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(st.tuples(_KEYS, inner), max_size=3).map(_Pairs),
    ),
    max_leaves=8,
)


def _written(value: Any, space: str) -> str:
    if isinstance(value, _Pairs):
        members = (f"{json.dumps(k)}{space}: {_written(v, space)}" for k, v in value)
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_written(each, space) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def _repeats(value: Any) -> bool:
    if isinstance(value, _Pairs):
        keys = [key for key, _ in value]
        return len(set(keys)) < len(keys) or any(_repeats(each) for _, each in value)
    return isinstance(value, list) and any(map(_repeats, value))


@given(
    pairs=st.lists(st.tuples(_KEYS, _VALUES), max_size=4).map(_Pairs),
    space=st.sampled_from(["", " "]),
)
def test_a_repeated_key_is_found_however_the_text_is_written(
    pairs: Any, space: str
) -> None:
    """Most texts are read without a look at each object: no key may be dropped by that."""
    text = _written(pairs, space)
    for sent in (text, text.encode()):
        if _repeats(pairs):
            with pytest.raises(InputError, match="occurs twice"):
                parse_json(sent)
        else:
            assert json.loads(text) == parse_json(sent)


_NEAR = st.text(alphabet="0123456789TtZz:+-. ٣", max_size=30) | st.builds(
    lambda text, at, char: text[:at] + char + text[at + 1 :],
    st.sampled_from(["2026-01-18T05:00:00Z", "2016-12-31T23:59:60.5+00:00"]),
    st.integers(0, 26),
    st.sampled_from("0123456789TtZz:+-.,W ٣"),
)


@given(_NEAR)
def test_what_is_accepted_decodes_and_survives_the_way_back(text: str) -> None:
    if is_datetime(text):
        read = to_datetime(text)
        again = to_json_value(read)
        assert is_datetime(again)
        assert read == to_datetime(again)
    else:
        with pytest.raises(ValueError):
            to_datetime(text)


@given(st.text(max_size=40))
def test_no_format_ever_raises(text: str) -> None:
    for check in filter(None, map(format_test, HOMES)):
        assert check(text) in (True, False)


@given(st.text(alphabet="ab01()[]{}|*+?^$.\\-dwsbpPuxk<>=!:,L ", max_size=12))
def test_a_pattern_is_translated_or_refused_and_nothing_else(pattern: str) -> None:
    try:
        text = translate(pattern)
    except PatternError:
        return
    re.compile(text)


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
