"""Hostile input is refused, and what is said of it is short: a caller must not stop a server.

Nothing here is timed. The inputs are so large that a quadratic check of them would run into the
limit that pytest sets to a test.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from brimgen_runtime.schema.errors import MOST_VIOLATIONS, InputError
from brimgen_runtime.schema.json_text import parse_json
from brimgen_runtime.schema.texts import HOMES
from brimgen_runtime.schema.validator import Validator
from brimgen_runtime.service.outcome import Outcome

UNIQUE = Validator({"type": "array", "uniqueItems": True})
CLOSED = Validator(
    {
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "required": ["a"],
        "additionalProperties": False,
    },
    expects=lambda: [["an a"]],
)
LONGEST_MESSAGE = 20_000
"""Python's hash of an int is its rest by this."""


class _Unhashed:
    def __hash__(self) -> int:
        raise AssertionError("a caller can choose numbers that all have this hash")


class _Int(_Unhashed, int):
    __eq__ = int.__eq__


class _Float(_Unhashed, float):
    __eq__ = float.__eq__


class _Decimal(_Unhashed, Decimal):
    __eq__ = Decimal.__eq__


@pytest.mark.parametrize("number", [_Int, _Float, _Decimal])
@pytest.mark.parametrize(
    "item",
    [lambda n: n, lambda n: [n], lambda n: {"a": n}, lambda n: n if n % 2 else [n]],
    ids=["number", "list", "object", "mixed"],
)
def test_whether_items_differ_is_found_without_the_hash_of_a_number(
    number: Callable[[float], Any], item: Callable[[Any], Any]
) -> None:
    values = [item(number(each)) for each in range(9)]
    assert UNIQUE.is_valid(values)
    assert not UNIQUE.is_valid([*values, values[-1]])
    assert not UNIQUE.is_valid([*values, values[0]])


def many_unknown(count: int) -> dict[str, Any]:
    return {f"key-{each}": "x" * 100 for each in range(count)}


def texts_of(error: InputError) -> dict[str, str]:
    """Everything that is said of a refusal, by where it is said."""
    outcome = Outcome("probe", error=error, text=error.retry_message())
    return {
        "retry": error.retry_message(),
        "str": str(error),
        "repr": repr(error),
        "violations": "".join(f"{x.message}{x.pointer}" for x in error.violations),
        "result": json.dumps(outcome.to_dict()),
    }


def test_unknown_keys_do_not_make_an_endless_message() -> None:
    error = CLOSED.refusal(many_unknown(300_000))
    texts = texts_of(error)
    for name, text in texts.items():
        assert len(text) < 10 * LONGEST_MESSAGE, name
    assert len(texts["retry"]) < LONGEST_MESSAGE
    assert MOST_VIOLATIONS == len(error.violations)
    assert 300_001 - MOST_VIOLATIONS == error.omitted
    assert "a: missing, expected integer" in texts["retry"]
    told = texts["retry"].count("unknown argument")
    assert f"- and {300_000 - told:,} more" in texts["retry"]
    assert texts["retry"].endswith("expects: an a")


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "array", "items": {"type": "integer"}}, ["x"] * 200_000),
        ({"anyOf": [{"type": "array", "items": {"type": "integer"}}]}, ["x"] * 100_000),
        ({"propertyNames": {"maxLength": 1}}, many_unknown(100_000)),
        ({"patternProperties": {"^k": {"type": "null"}}}, many_unknown(100_000)),
        ({"unevaluatedProperties": False, "type": "object"}, many_unknown(100_000)),
        (
            {"type": "array", "items": {"type": "null", "writeOnly": True}},
            [1] * 100_000,
        ),
        (
            {"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"items": False}}},
            [1] * 9999,
        ),
        ({"additionalProperties": {"type": "integer"}}, {"x" * 1_000_000: {"a": 1}}),
        (
            {"additionalProperties": {"items": {"type": "integer"}}},
            {"x" * 1_000_000: ["y" * 1_000_000] * 1000},
        ),
        ({"type": "object"}, ["\ud800" * 1_000_000]),
        ({"enum": ["a"]}, {"a": ["\0" * 1_000_000] * 3}),
        ({}, {f"k{each}": {each} for each in range(50_000)}),
    ],
    ids=range(12),
)
def test_every_kind_of_finding_is_bounded(schema: Any, value: Any) -> None:
    error = Validator(schema).refusal(value)
    texts = texts_of(error)
    assert 1 <= len(error.violations) <= MOST_VIOLATIONS
    assert len(texts["retry"]) < LONGEST_MESSAGE
    assert all(len(each) < 30 * LONGEST_MESSAGE for each in texts.values())
    for each in texts.values():
        json.dumps(each)


HOSTILE_JSON: list[Callable[[], str]] = [
    lambda: "0." + "1" * 5000,
    lambda: "0." + "1" * 1_000_000,
    lambda: "1" * 5000,
    lambda: "1" * 1_000_000,
    lambda: "1." + "0" * 5000,
    lambda: "-" + "9" * 4301 + ".5",
    lambda: "1e999999999",
    lambda: "1e-999999999",
    lambda: "1e" + "9" * 5000,
    lambda: "1E+4300",
    lambda: "[" * 1_000_000,
    lambda: '{"a":' * 1_000_000,
    lambda: "[" * 100_000 + "]" * 100_000,
    lambda: "{" + ",".join(f'"k{x}":1' for x in range(300_000)) + ',"k299999":1}',
    lambda: "{" + '"a":1,' * 300_000 + '"a":1}',
    lambda: '{"' + "a" * 5_000_000 + '":1,"' + "a" * 5_000_000 + '":1}',
    lambda: '"' + "a" * 10_000_000,
    lambda: "NaN",
    lambda: "[Infinity, -Infinity]",
    lambda: '"\\ud800',
    lambda: "",
    lambda: "nul" * 1_000_000,
]


@pytest.mark.parametrize("make", HOSTILE_JSON, ids=range(len(HOSTILE_JSON)))
def test_json_that_wants_to_hurt_is_refused_soon(make: Callable[[], str]) -> None:
    text = make()
    for each in (text, text.encode("utf-8", "surrogatepass")):
        with pytest.raises(InputError) as told:
            parse_json(each)
        (violation,) = told.value.violations
        assert violation.rule == "json"
        assert len(told.value.retry_message()) < 1000


NUMBERS: list[Any] = [
    Decimal("0." + "1" * 5000),
    Decimal("1" * 5000),
    Decimal("1" * 4300 + "." + "1" * 100),
    Decimal("9" * 4299 + ".5"),
    Decimal("1e4299"),
    Decimal("1e-4299"),
    Decimal("1e999999"),
    Decimal("NaN"),
    Decimal("Infinity"),
    10**5000,
    -(10**100_000),
    1e308,
    5e-324,
    float("nan"),
]
NUMBER_SCHEMAS: list[dict[str, Any]] = [
    {"type": "number", "multipleOf": 0.01},
    {"type": "number", "multipleOf": 3},
    {"type": "integer", "multipleOf": 7},
    {"type": "number", "multipleOf": Decimal("1e-300")},
    {"type": "number", "multipleOf": 1e300},
    {"type": "number", "minimum": 5, "exclusiveMaximum": 0.5},
    {"type": "number", "x-decimal": {"precision": 10, "scale": 2}},
    {"type": "array", "uniqueItems": True},
    {"enum": [1, 2.5]},
    {"type": "integer"},
    {"type": "string"},
]


@pytest.mark.parametrize("schema", NUMBER_SCHEMAS, ids=str)
@pytest.mark.parametrize("number", NUMBERS, ids=lambda each: f"{type(each)}"[:30])
def test_numbers_out_of_bounds_raise_nothing_else(schema: Any, number: Any) -> None:
    value = [number, number] if schema.get("type") == "array" else number
    validator = Validator(schema)
    try:
        validator.check(value)
    except InputError as error:
        assert error.violations
        assert len(error.retry_message()) < LONGEST_MESSAGE


LONG = 1_000_000
HOSTILE_TEXTS: list[Callable[[], str]] = [
    lambda: "a" * LONG,
    lambda: "1" * LONG,
    lambda: ":" * LONG,
    lambda: "." * LONG,
    lambda: "/" * LONG,
    lambda: "a." * (LONG // 2),
    lambda: "1:" * (LONG // 2),
    lambda: "%41" * (LONG // 3),
    lambda: "{a}" * (LONG // 3),
    lambda: "{" * LONG,
    lambda: "~0" * (LONG // 2),
    lambda: "/a" * (LONG // 2) + "~",
    lambda: "a@" * (LONG // 2),
    lambda: '"' + "\\a" * (LONG // 2),
    lambda: "(" * LONG,
    lambda: "[a" * (LONG // 2),
    lambda: "\\p{L}" * (LONG // 5),
    lambda: "a{1}" * (LONG // 4),
    lambda: "x://" + "a" * LONG + "\0",
    lambda: "x://a" + ":1" * (LONG // 2) + " ",
    lambda: "x:?" + "a?" * (LONG // 2) + "\0",
    lambda: "http://[" + "1:" * (LONG // 2) + "]",
    lambda: "P" + "1" * LONG,
    lambda: "PT" + "1H" * (LONG // 2),
    lambda: "2000-01-01T00:00:00." + "1" * LONG,
    lambda: "00:00:00." + "1" * LONG + "Z",
    lambda: "\u00e9" * LONG,
    lambda: "\u0301" * LONG,
    lambda: "\u3002" * LONG,
    lambda: "xn--" + "a" * LONG,
    lambda: "\ud800" * LONG,
    lambda: "-" * LONG,
    lambda: "1" * LONG + "#",
]


@pytest.mark.parametrize("make", HOSTILE_TEXTS, ids=range(len(HOSTILE_TEXTS)))
def test_no_format_takes_long_about_long_text(make: Callable[[], str]) -> None:
    text = make()
    for name in sorted(HOMES):
        validator = Validator({"type": "string", "format": name})
        validator.is_valid("warm")
        try:
            validator.check(text)
        except InputError as error:
            assert len(error.retry_message()) < 1000, name


@pytest.mark.parametrize(
    "pattern",
    [
        "a{" + "9" * 5000 + "}",
        "(?:a{1,65535}){1,65535}" * 100,
        "\\p{L}" * 1500,
        "[\\u4e00b]" * 900,
        "(" * 4000 + ")" * 4000,
        "\\k<a>" * 1000,
        "(?<a>b)" * 1000,
        "\\u{" + "f" * 5000 + "}",
        "a|" * 4000,
    ],
    ids=lambda each: each[:20],
)
def test_a_text_that_should_be_a_pattern_is_judged_soon(pattern: str) -> None:
    validator = Validator({"type": "string", "format": "regex"})
    validator.is_valid(pattern)
