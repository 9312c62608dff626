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
