"""Patterns: ECMA-262, and those that take too long."""

from __future__ import annotations

import time

import pytest

from brimgen.resolve.patterns import is_slow
from support.linked import tool


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+",
        "^(a*)*$",
        "(?:a|b+)*",
        "((a+)b)+",
        "(x(?:y+)?)+",
        "(a{2,})+",
        "(?<word>[a-z]+)*",
    ],
)
def test_slow(pattern: str) -> None:
    assert is_slow(pattern)
    assert ["slow-pattern"] == tool(f"v: {{type: string, pattern: '{pattern}'}}").slugs


@pytest.mark.parametrize(
    "pattern",
    [
        "a+b+",
        "(ab)+",
        "(a{2}){3}",
        r"(\(+)",
        "([*+])+",
        r"(\+)+",
        "^[A-Z]{2}-[0-9]{4}$",
        r"^\d+(\.\d+)?$",
        "(a+)?",
        "(a+){2}",
        "",
        "(a{\u0663,})+",  # no digit of ECMA-262, so no repetition
    ],
)
def test_not_slow(pattern: str) -> None:
    assert not is_slow(pattern)


@pytest.mark.parametrize("pattern", ["[A-Z", "(?P<x>a)", "a**", "(?i)a", r"\Aa\Z"])
def test_what_is_not_ecma_262(pattern: str) -> None:
    assert [("bad-pattern", f"'{pattern}'")] == tool(
        f"v: {{type: string, pattern: '{pattern}'}}"
    ).told


def test_look_behind_is_told() -> None:
    assert ["dialect-pattern"] == tool("v: {type: string, pattern: '(?<=a)b'}").slugs


def test_no_pattern_is_run_by_an_engine_that_backtracks() -> None:
    text = "a" * 60 + "!"
    started = time.perf_counter()
    linked = tool(
        f"v: {{type: string, pattern: '^(a+)+$', default: '{text}'}}\n"
        f"w: {{fields: {{x: {{type: string, pattern: '^(a+)+$'}}}}, default: {{x: '{text}'}}}}"
    )
    told = ["slow-pattern", "out-of-bounds", "slow-pattern", "rejected-value"]
    assert told == linked.slugs
    assert time.perf_counter() - started < 2
