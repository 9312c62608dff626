"""Divide characters into letters: those of one letter are the same to a pattern."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from brimgen.patterns.syntax import (
    Atom,
    Choice,
    Edge,
    Look,
    Part,
    Repeat,
    Sequence,
)


class Alphabet:
    """The letters of a pattern. All characters of one letter are in the same classes of it."""

    def __init__(self, pattern: Part, text: str) -> None:
        from brimgen_runtime._runtime.patterns import translate

        atoms = sorted(set(_atoms(pattern)))
        characters = _characters(text)
        members = [set(re.findall(translate(atom), characters)) for atom in atoms]
        letters: dict[tuple[bool, ...], str] = {}
        for character in characters:
            letters.setdefault(
                tuple(character in member for member in members), character
            )
        self.characters = [*letters.values()]
        self._masks = {
            atom: sum(
                1 << index
                for index, membership in enumerate(letters)
                if membership[place]
            )
            for place, atom in enumerate(atoms)
        }

    def mask(self, atom: str) -> int:
        """Return the letters that an atom reads, a bit for each."""
        return self._masks[atom]


def _atoms(part: Part) -> Iterator[str]:
    match part:
        case Atom(text):
            yield text
        case Edge():
            pass
        case Sequence(parts) | Choice(parts):
            for child in parts:
                yield from _atoms(child)
        case Repeat(inner) | Look(inner):
            yield from _atoms(inner)
        case _ as never:
            assert_never(never)


_READABLE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_ESCAPED = re.compile(
    r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))"
)
_SAMPLES = (
    "\x80\xa0\xe9\xdf\u0130\u03b1\u0416\u05d0\u0627\u0660\u0905\u0e01\u2028\u20ac\u4e2d\uac00\ufeff"
    "\U0001f600\U0010fffd"
)


def _characters(pattern: str) -> str:
    """Return the characters that a pattern can tell apart: ASCII, samples, those that it names."""
    ascii_rest = [chr(code) for code in range(33, 127)] + [" ", "\n", "\t", "\r"]
    rare = [chr(code) for code in range(128)]
    named = [ord(character) for character in pattern if not character.isascii()]
    for escape in _ESCAPED.finditer(pattern):
        named.append(int(escape[1] or escape[2] or escape[3], 16))
    near = [
        chr(code + offset)
        for code in named
        for offset in (-1, 0, 1)
        if 0 < code + offset < 0x110000 and not 0xD800 <= code + offset < 0xE000
    ]
    return "".join(dict.fromkeys([*_READABLE, *ascii_rest, *rare, *_SAMPLES, *near]))


def first_letter(mask: int) -> int:
    """The first letter of a class: the most readable one."""
    return (mask & -mask).bit_length() - 1
