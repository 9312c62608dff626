"""Patterns: ECMA-262, and never so slow that one text stops a server."""

from __future__ import annotations

from contextlib import suppress

import pytest

from brimgen.patterns.slowness import slowness
from brimgen.patterns.syntax import Undecided
from brimgen_runtime.schema.validator import Validator
from support.linked import Linked, tool
from support.work import calls


def linked(pattern: str, more: str = "") -> Linked:
    return tool(f"v: {{type: string, pattern: '{pattern}'{more}}}")


@pytest.mark.parametrize(
    "pattern",
    [
        "^(a|a)*$",
        "^(a+)+$",
        "^(a*)*$",
        "^(?:a|b+)*$",
        "^((a+)b?)+$",
        "^(a{2,})+$",
        "^(?<word>[a-z]+)*$",
        "^(a{1,30}){1,30}$",
        "^.*.*.*.*=$",
        "^(.*a){12}$",
        r"^(\w+ ?)+$",
        r"^([\w.-]+)+@x$",
        r"^(a?){30}a{30}$",
        r"^[A-Z]{2}(\d+)+$",
        "^((a+)+b)?$",
        "^((a|a){9}){9}$",
        f"^{'a?' * 30}{'a' * 30}$",
        f"^{'(ab|ab)' * 30}$",
        f"^(a|a)*$|{'x' * 1300}",
        "(?=(a+)+b)c",
        "^(?=(a+)+$)a",
        "^(?=(?=(a|a)*$))a",
        "^(?!(a+)+$)a",
        r"^(https?:\/\/)?([\da-z\.-]+)\.([a-z\.]{2,6})([\/\w \.-]*)*\/?$",
    ],
)
def test_a_pattern_that_one_short_text_can_hang_stops_the_build(pattern: str) -> None:
    assert ["catastrophic-pattern"] == linked(pattern).slugs


@pytest.mark.parametrize(
    "pattern",
    [
        "^[^@]+@[^@]+[.][^@]+$",
        "^.*/.*/.*$",
        "^(a+){2}$",
        "[a-z]+$",
        ".*foo",
        r"^\s+|\s+$",
        r"^\d+.?\d+$",
        "^x|a*b",
    ],
)
def test_a_pattern_that_long_texts_slow_down_wants_a_longest_text(pattern: str) -> None:
    slow = slowness(pattern)
    assert slow is not None
    assert ["slow-pattern"] == linked(pattern).slugs
    assert ["slow-pattern"] == linked(pattern, f", maxLength: {slow.length}").slugs
    assert [] == linked(pattern, f", maxLength: {slow.length - 1}").slugs


@pytest.mark.parametrize(
    "pattern",
    [
        "^[a-z]+(-[a-z]+)*$",
        "^[a-z0-9]+(?:[._-][a-z0-9]+)*$",
        "^(/[^/]+)+/?$",
        r"^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,}$",
        r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$",
        r"^\d+(,\d+)*$",
        "^[^,]+(,[^,]+)*$",
        "^((?!foo).)*$",
        r"^(?!.*--)[a-z-]+$",
        r"^(?=.*[A-Z])(?=.*\d).{8,}$",
        "^(ab)+$",
        "^(x(?:y+)?)+$",
        "(a+)+",
        r"^([*+])+$",
        r"^[A-Z]{2}-[0-9]{4}$",
        "",
        r"^(['\"])[^'\"]*\1$".replace("'", "''"),
        f"^{'(a|b)' * 30}$",
        "^(a{\u0663,})+$",  # no digit of ECMA-262, so no repetition
    ],
)
def test_usual_patterns_are_not_shouted_at(pattern: str) -> None:
    assert [] == linked(pattern).slugs


def test_a_small_longest_text_makes_any_pattern_harmless() -> None:
    assert [] == linked("^(a+)+$", ", maxLength: 20").slugs
    assert ["catastrophic-pattern"] == linked("^(a+)+$", ", maxLength: 40").slugs


def test_the_message_names_the_part_that_is_slow() -> None:
    [found] = linked("^x(a+)+$").diagnostics
    assert found.message == (
        "`(a+)+` can read a text in so many ways that one of 25 characters may take more than "
        "a second to refuse"
    )
    [found] = linked("^a+b?a*c$").diagnostics
    assert found.message == (
        "`a*` and what stands before it can read the same characters, so that a text of 6325 "
        "characters may take a second to refuse"
    )


def test_patterns_of_pasted_schemas_are_judged_at_their_place() -> None:
    found = tool(
        "type: object\n"
        "properties:\n"
        "  a: {type: string, pattern: '^(a|a)*$'}\n"
        "  b: {type: string, pattern: '^(a|a)*$', maxLength: 9}\n"
        "  c: {type: object, patternProperties: {'^(x+)+$': {type: integer}}}\n"
    )
    assert found.told == [
        ("catastrophic-pattern", "'^(a|a)*$'"),
        ("catastrophic-pattern", "'^(x+)+$'"),
    ]


@pytest.mark.parametrize(
    ("pattern", "place"),
    [("[A-Z", "["), ("(?P<x>a)", "("), ("a**", "*"), ("(?i)a", "("), (r"\Aa\Z", "\\")],
)
def test_what_is_not_ecma_262_is_told_at_its_character(
    pattern: str, place: str
) -> None:
    assert [("bad-pattern", place)] == linked(pattern).told


def test_look_behind_is_told() -> None:
    assert ["dialect-pattern"] == linked("(?<=a)b").slugs


def test_no_pattern_is_run_by_an_engine_that_backtracks() -> None:
    text = "a" * 60 + "!"
    found = tool(
        f"v: {{type: string, pattern: '^(a+)+$', default: '{text}'}}\n"
        f"w: {{fields: {{x: {{type: string, pattern: '^(a+)+$'}}}}, default: {{x: '{text}'}}}}"
    )
    assert [
        "catastrophic-pattern",
        "default-not-decided",
        "catastrophic-pattern",
        "default-not-decided",
    ] == found.slugs


def test_the_work_of_judging_a_pattern_is_limited_whatever_it_is() -> None:
    patterns = [
        "^" + "(a|b)*" * 200 + "$",
        "(" * 39 + "a" + ")+" * 39,
        "^(" + "|".join(f"w{each}" for each in range(300)) + ")*$",
        "^" + "(?:a{1,100}b{1,100}){1,100}" * 5 + "$",
        "^" + r"\w{1,500}" * 60 + "$",
    ]
    for pattern in patterns:
        with suppress(Undecided):
            assert calls(lambda pattern=pattern: slowness(pattern)) < 3_000_000


def test_a_text_that_is_too_long_is_refused_without_its_pattern() -> None:
    schema = {"type": "string", "maxLength": 20, "pattern": "^(a+)+$"}
    violations = Validator(schema).violations("a" * 60 + "!")
    assert ["maxLength"] == [each.rule for each in violations]
