"""Patterns as automata: the verdict of a regular expression, in time that is bounded."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.patterns.search import is_found
from brimgen_runtime._runtime.patterns import translate
from support.linked import tool
from support.work import calls, grows_like_its_input


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("^a", "ab", True),
        ("^a", "ba", False),
        ("b$", "ab", True),
        ("b$", "b\n", False),
        ("", "", True),
        ("^$", "x", False),
        ("^[A-Z]{2}-[0-9]{4}$", "AB-1234", True),
        ("^[A-Z]{2}-[0-9]{4}$", "AB-123", False),
        (r"^\d+(?:\.\d+)?$", "12.5", True),
        (r"^\d+(?:\.\d+)?$", "12.", False),
        ("^(?<kind>a|bc)+$", "abca", True),
        ("^(?<kind>a|bc)+$", "abcb", False),
        ("^x{2,}?$", "xxx", True),
        ("^x{2,3}$", "xxxx", False),
        ("^(a*)*$", "aaab", False),
        (r"^\u{1F600}$", "😀", True),
        (r"^\p{Lu}", "Éa", True),
        (r"^\p{Lu}", "éa", False),
        (r"^[^\]a]$", "a", False),
        ("^.$", "\n", False),
        ("^(?!x)", "x", False),
        ("^(?!x)", "ax", True),
        ("(?<=a)b", "ab", True),
        ("(?<=a)b", "cb", False),
        ("(?<!a)b$", "ab", False),
        (r"^(?=.*\d)(?=.*[a-z]).{4,}$", "abc1", True),
        (r"^(?=.*\d)(?=.*[a-z]).{4,}$", "abcd", False),
        (r"\bword\b", "a word!", True),
        (r"\bword\b", "swords", False),
        (r"o\B", "word", True),
        ("^(?:(?!ab).)*$", "acb", True),
        ("^(?:(?!ab).)*$", "cab", False),
    ],
)
def test_a_pattern_matches_as_re_does(pattern: str, text: str, found: bool) -> None:
    assert found is is_found(pattern, text)
    assert found is (re.search(translate(pattern), text) is not None)


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"(a)\1", "(a{999}){999}", "(?:){999999999}", "a{\u0663}"),
    ],
)
def test_a_pattern_that_is_too_large_is_left_undecided(pattern: str) -> None:
    assert is_found(pattern, "b") is None


def test_nested_groups_are_no_recursion_without_end() -> None:
    assert is_found("(" * 30 + "a" + ")" * 30, "a")
    assert is_found("(" * 900 + "a" + ")" * 900, "a") is None


_CHARACTERS = ["a", "b", ".", "[ab]", "[^a]", r"\w", "^", "$", r"\b", r"\B"]
_LOOKS = ["(?=b)", "(?!a)", "(?<=a)", "(?<!b)", "(?!.*b)"]
_LETTERS = st.sampled_from([*_CHARACTERS, *_LOOKS])
_PATTERNS = st.recursive(
    _LETTERS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("|".join),
        st.builds(
            "({}){}".format, inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", ""])
        ),
    ),
    max_leaves=6,
)


@given(pattern=_PATTERNS, text=st.text("abc\n", max_size=6))
def test_the_verdict_is_that_of_an_engine(pattern: str, text: str) -> None:
    found = is_found(pattern, text)
    assert found in (None, re.search(translate(pattern), text) is not None)


@pytest.mark.parametrize(
    "pattern", ["^(a|a)*$", "^(a+)+$", "^(a?){60}a{60}$", "a*a*a*b"]
)
def test_the_work_of_a_search_grows_like_the_text(pattern: str) -> None:
    assert is_found(pattern, "a" * 400 + "c") in (None, False)
    assert grows_like_its_input(lambda size: is_found(pattern, "a" * size + "c"), 200)


def test_one_long_text_costs_little_however_many_patterns_meet_it() -> None:
    def meet(length: int) -> None:
        text = "a" * length + "~"
        assert {None} == {is_found(f"^(?:[a-c]|b{n}*)*$", text) for n in range(5)}

    meet(10_000)
    assert calls(lambda: meet(40_000)) <= 1.1 * calls(lambda: meet(20_000))


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
    linked = tool(r"v: {type: string, pattern: '^(a|b)\1$', default: aa}")
    assert [("default-not-decided", "aa")] == linked.told
    [made] = linked.catalog.tools
    assert "default" not in made.input_schema["properties"]["v"]
    assert made.fields[0].default is None and not made.fields[0].required
