"""Defaults and examples are held against their patterns, and no pattern makes a build wait."""

from __future__ import annotations

import pytest

from brimgen.patterns.slowness import is_found
from support.linked import tool


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("b$", "b\n", False),
        (r"^\d+(?:\.\d+)?$", "12.5", True),
        (r"^\p{Lu}", "éa", False),
        (r"^(?=.*\d)(?=.*[a-z]).{4,}$", "abcd", False),
        (r"\bword\b", "swords", False),
        (r"^(a|b)\1$", "aa", True),
        ("^(a|a)*$", "aa", True),
        ("^(a+)+$", "a" * 9, None),
        ("(a{999}){999}", "b", False),
        ("(?:){999999999}", "b", None),
        ("(" * 900 + "a" + ")" * 900, "a", None),
        ("^.*/.*/.*$", "a/b/c", True),
        ("^.*/.*/.*$", "/" * 400, None),
    ],
)
def test_a_pattern_that_may_be_slow_is_not_searched(
    pattern: str, text: str, found: bool | None
) -> None:
    assert is_found(pattern, text) is found


@pytest.mark.parametrize(
    "said",
    [
        "default: ab-1",
        "examples: [AB-1, ab-1]",
        "enum: [AB-1, ab-1]",
    ],
)
def test_what_breaks_its_own_pattern_is_told(said: str) -> None:
    text = f"v: {{type: string, pattern: '^[A-Z]+-[0-9]$', {said}}}"
    assert [("out-of-bounds", "ab-1")] == tool(text).told


@pytest.mark.parametrize("pattern", ["^(?!x)", "^(?=y)", "^x(?!$)"])
def test_a_default_that_look_around_refuses_is_told(pattern: str) -> None:
    text = f"v: {{type: string, pattern: '{pattern}', default: x}}"
    assert [("out-of-bounds", "x")] == tool(text).told


def test_a_default_that_look_around_admits_is_applied() -> None:
    linked = tool("v: {type: string, pattern: '^(?!x)(?=.*[0-9])', default: a1}")
    assert "a1" == linked.properties["v"]["default"]


def test_an_undecided_default_is_neither_applied_nor_published() -> None:
    linked = tool(
        "v: {type: string, pattern: '^.*/.*/.*$', default: " + "/" * 400 + "}"
    )
    assert ["default-not-decided", "slow-pattern"] == sorted(linked.slugs)
    [made] = linked.catalog.tools
    assert "default" not in made.input_schema["properties"]["v"]
    assert made.fields[0].default is None and not made.fields[0].required
