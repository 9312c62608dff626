"""Characters are judged as ECMA-262 has them; the runtime, another reader, says the same."""

from __future__ import annotations

import re
import unicodedata

import pytest

from brimgen.agreement.reference_validator import Oracle
from brimgen_runtime.schema.patterns import _NAMES, translate
from support.character_classes import Undecided, atom_matches

CHARACTERS = [
    *map(chr, range(0x180)),
    *"٣Ωяßǅʰ中あ€₤①Ⅷ½_‿–«»\u0301\u0903\u20dd\u2028\u2029\u3000\ufeff\u200b\x85😀",
    *map(chr, (0xE000, 0x10FFFF, 0x378, 0xD800, 0x1D7CE)),
]
ATOMS = [
    *(".", "a", "-", r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\t", r"\n", r"\0"),
    *(r"\cA", r"\x41", r"\u00e9", r"\u{1F600}", r"\.", r"\/", r"\-", r"\\"),
    *("[a-z]", "[^a-z]", "[a-]", "[-a]", r"[\w-]", r"[\d\-x]", r"[^\s]", r"[\W\d]"),
    *(r"[\b]", r"[\p{Lu}0-9]", r"[^\p{L}\p{N}]", r"[\u0041-\u{5A}]", "[]", "[^]"),
    *(r"\P{L}", r"\p{gc=Lu}", r"\p{General_Category=Nd}", r"\p{Any}", r"\p{ASCII}"),
    *(rf"\p{{{name}}}" for pair in _NAMES.items() for name in pair),
]


@pytest.mark.parametrize("atom", ATOMS)
def test_two_readers_say_the_same(atom: str) -> None:
    found = re.compile(translate(atom))
    assert [] == [
        each
        for each in CHARACTERS
        if atom_matches(atom, each) != bool(found.fullmatch(each))
    ]


def test_a_category_is_that_of_unicode() -> None:
    for each in CHARACTERS:
        assert atom_matches(rf"\p{{{unicodedata.category(each)}}}", each)


@pytest.mark.parametrize(
    "atom",
    [
        *(r"\p{Alphabetic}", r"\p{Script=Greek}", r"\P{Emoji}", r"[\p{Xx}]"),
        r"[\ud83d\ude00]",
    ],
)
def test_what_categories_do_not_tell_is_not_judged(atom: str) -> None:
    with pytest.raises(Undecided):
        atom_matches(atom, "a")


@pytest.mark.parametrize(
    ("pattern", "right", "wrong"),
    [
        (r"^\p{L}+$", "éя中", "é1"),
        (r"^\p{Lu}\P{Lu}*$", "Éa", "ÉA"),
        (r"^[\p{Nd}_]+$", "٣_", "Ⅷ"),
        (r"^[^\p{C}]{2,3}$", "a b", "a\x00"),
    ],
)
def test_the_oracle_judges_properties(pattern: str, right: str, wrong: str) -> None:
    oracle = Oracle({"pattern": pattern})
    assert (True, False) == (oracle.accepts(right), oracle.accepts(wrong))
