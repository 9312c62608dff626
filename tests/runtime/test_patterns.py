"""Patterns: ECMA-262 in, Python out, with the same verdict."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen_runtime.schema.patterns import PatternError, translate


def _finds(pattern: str, text: str) -> bool:
    return re.search(translate(pattern), text) is not None


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("^a$", ["a"], ["a\n", "b\na", "a\nb"]),
        (r"^\d$", ["5"], ["٣"]),
        (r"^\D$", ["٣", "a"], ["5"]),
        (r"^\w$", ["a", "_"], ["é"]),
        (r"^\W$", ["é"], ["a"]),
        (r"^\s$", [" ", "\ufeff", "\u2029", "\xa0"], ["\x1c", "\x85"]),
        (r"^\S$", ["\x85"], ["\u3000"]),
        (r"^[\d\-x]+$", ["1-x"], ["y"]),
        (r"^[^\s]$", ["\x85"], [" "]),
        (r"^[^\W]$", ["a"], ["é"]),
        (r"^[\W]$", ["é"], ["a"]),
        (r"^[\w\W]$", ["é", "a", "\n"], [""]),
        ("^.$", ["a", "\x85", "😀"], ["\n", "\u2028"]),
        (r"\bfoo\b", ["a foo b"], ["éfoo_", "foob"]),
        (r"\Boo", ["foo"], ["oo"]),
        (r"^\u{1F600}$", ["😀"], ["a"]),
        (r"^\uD83D\uDE00$", ["😀"], ["a"]),
        (r"^\x41\u0042\cA\0$", ["AB\x01\0"], ["AB"]),
        (r"^(?<year>\d{4})-\k<year>$", ["2026-2026"], ["2026-2027"]),
        (r"^(a)(b)?\1$", ["aa"], ["ab"]),
        (r"^(?:a|b){2,3}?$", ["ab"], ["a"]),
        (r"^(?=a)(?!ab)a", ["ac"], ["ab"]),
        (r"(?<=a)b(?<!cb)", ["ab"], ["cb"]),
        (r"^[[a&&b]$", ["[", "&"], ["c"]),
        (r"^[]$", [], ["", "a"]),
        (r"^[^]$", ["a", "\n"], [""]),
        (r"^\p{L}+$", ["éa"], ["1"]),
        (r"^\p{Lu}\P{Lu}$", ["Éa"], ["aa"]),
        (r"^[\p{Nd}_]+$", ["٣_"], ["a"]),
        (r"^[^\p{L}]$", ["1"], ["é"]),
        (r"^\p{gc=Lu}\p{General_Category=Lowercase_Letter}$", ["Aa"], ["aa"]),
        (r"^a{,2}$", ["a{,2}"], ["aa"]),
        (r"^\/\-\_\:$", ["/-_:"], ["a"]),
        (r"^a\$\^\.$", ["a$^."], ["a"]),
        ("^ #x$", [" #x"], ["x"]),
        (r"^[a\b]$", ["\x08"], ["b"]),
    ],
)
def test_the_verdict_is_that_of_ecma_262(
    pattern: str, yes: list[str], no: list[str]
) -> None:
    assert [] == [each for each in yes if not _finds(pattern, each)]
    assert [] == [each for each in no if _finds(pattern, each)]


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "a)",
        "[a",
        "*a",
        "a**",
        "a*+",
        "a{2}{3}",
        r"\a",
        r"\Z",
        r"\A",
        r"\z",
        "(?i)a",
        "(?P<n>a)",
        "(?>a)",
        r"\k<n>",
        r"(?<n>a)(?<n>b)",
        "[z-a]",
        r"\u{110000}",
        r"\u12",
        r"\xg0",
        r"\p{Script=Greek}",
        r"\p",
        r"(?<=a+)b",
        "a{3,2}",
        "\\",
        r"\c1",
        r"\5",
    ],
)
def test_what_is_not_ecma_262_or_cannot_be_run_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        translate(pattern)


@given(st.text(alphabet="ab01()[]{}|*+?^$.\\-dwsbpPuxk<>=!:,L ", max_size=12))
def test_a_pattern_is_translated_or_refused_and_nothing_else(pattern: str) -> None:
    try:
        text = translate(pattern)
    except PatternError:
        return
    re.compile(text)
