r"""Find patterns that an engine which backtracks refuses some texts for only after a long time.

Generated code runs patterns with `re`, which backtracks; so do most other validators. Such an
engine tries every way in which a pattern can read a text before it says no. Two rules find the
patterns of which the number of ways grows with the text:

1. *Nested quantifiers.* What a repetition repeats is written out for its first rounds. If one of
   these words can be read in two ways, as ``aa`` by ``(a+)+``, every further word doubles the ways.
2. *Overlapping quantifiers.* Two repetitions that can read the same characters, and what stands
   between them, too, share a text in as many ways as it has characters: ``\d+.?\d+``. A pattern
   that may begin anywhere begins with such a repetition.

Only a repetition is slow that something follows which can fail. The rules look at characters and
short words, so they name a few patterns that are fast, and miss some with very long words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations, islice, product
from typing import NamedTuple, TypeAlias

from brimgen.patterns.syntax import (
    Atom,
    Choice,
    Edge,
    Look,
    Part,
    Repeat,
    Sequence,
    Undecided,
    can_fail,
    inner_parts,
    parse_pattern,
)

LONGEST_SHORT_TEXT = 200
"""A pattern that is slow for a text of so many characters lets one request stop a server."""

_MOST_STEPS = 20_000_000  # about a second
_DOUBLING = 25  # the length at which ways that double with every character are too many
_LONGEST = 10_000  # characters of a text; a pattern that is fast up to here is not slow
_ROUNDS, _FEW_ROUNDS = 32, 16
_MOST_WORDS, _LONGEST_WORD = 400, 64
_MOST_WORK = 20_000

_Word: TypeAlias = tuple[int, ...]
"""The characters that are read one after the other, each as a set: a bit for a character."""


class Slowness(NamedTuple):
    """Texts of ``length`` characters take a second or more, because of ``part`` of a pattern."""

    length: int
    part: str


class _Loop(NamedTuple):
    """A repetition that has been read, and that the next one may share a text with.

    ``between`` are the characters that stand behind it. There are ``ways`` times the choices of
    ``degree`` places in a text.
    """

    part: Part
    characters: int
    degree: int
    ways: int
    between: frozenset[int] = frozenset()


@lru_cache(maxsize=1024)
def slowness(pattern: str) -> Slowness | None:
    """Return what makes an ECMA-262 pattern slow; None if nothing is found.

    Raises `Undecided` for a pattern that is too large, or none.
    """
    return _Reading(pattern).slowest(parse_pattern(pattern))


@lru_cache(maxsize=4096)
def is_found(pattern: str, text: str) -> bool | None:
    """Return whether an ECMA-262 pattern is found in a text; None if finding out may take long."""
    from brimgen_runtime.schema.patterns import PatternError, translate

    try:
        slow = slowness(pattern)
        if len(text) > (_LONGEST if slow is None else slow.length // 5):
            return None
        return re.search(translate(pattern), text) is not None
    except (Undecided, PatternError):
        return None


class _Reading:
    """Reads a pattern from left to right and notes what makes it slow."""

    def __init__(self, pattern: str) -> None:
        self._alphabet = _alphabet(pattern)
        self._work_left = _MOST_WORK
        self._found: list[Slowness] = []

    def slowest(self, pattern: Part) -> Slowness | None:
        try:
            self._read(pattern, {_Loop(Sequence(()), -1, 1, 1)}, fails=False)
        except Undecided:
            if not self._found:
                raise
        return min(self._found, default=None)

    def _read(self, part: Part, before: set[_Loop], *, fails: bool) -> set[_Loop]:
        """Return the loops that may share a text with what follows ``part``.

        ``before`` are those in front of it; ``fails``: what follows may not be found.
        """
        self._work_left -= 1 + len(before)
        if self._work_left < 0:
            raise Undecided
        match part:
            case Edge():
                return set()
            case Look(body):
                self._read(body, before, fails=False)
                return before
            case Atom():
                own = self._characters(part)
                return {
                    loop._replace(between=loop.between | {own})
                    for loop in before
                    if loop.characters & own
                }
            case Sequence(parts):
                for at, child in enumerate(parts, 1):
                    may_fail = fails or any(map(can_fail, parts[at:]))
                    before = self._read(child, before, fails=may_fail)
                return before
            case Choice(options):
                reached = [self._read(each, before, fails=fails) for each in options]
                after = set[_Loop]().union(*reached)
                if _overlap(*map(self._words, options)):
                    after.add(self._looped(part, before, len(options), fails=fails))
                return after
            case Repeat():
                return self._read_repeat(part, before, fails=fails)

    def _read_repeat(
        self, repeat: Repeat, before: set[_Loop], *, fails: bool
    ) -> set[_Loop]:
        part, low, high = repeat.part, repeat.low, repeat.high
        if not can_fail(part):
            self._work_left -= low  # an engine repeats nothing so often, too
        if fails and (high is None or high > _FEW_ROUNDS):
            once = [word for word in self._words(part) if word]
            if _overlap(*([word] for word in [*once, *_joined(once, once)])):
                self._found.append(Slowness(_DOUBLING, repeat.text))
        inner = before
        for _ in range(1 if high is None else min(high, _ROUNDS)):
            inner = self._read(part, inner, fails=fails)
        after = before | inner if low == 0 else inner
        if high == low:
            return after
        rounds = None if high is None else high - low + 1
        return after | {self._looped(repeat, before, rounds, fails=fails)}

    def _looped(
        self,
        part: Repeat | Choice,
        before: set[_Loop],
        rounds: int | None,
        *,
        fails: bool,
    ) -> _Loop:
        """Return ``part`` as a loop. It is noted if it shares too long texts with others."""
        own = self._characters(part)
        shared = [
            (loop.degree, loop.ways)
            for loop in before
            if all(each & own for each in loop.between)
            and self._can_read(loop.part, own)
            and self._can_read(part, loop.characters)
        ]
        degree, ways = max(shared, default=(0, 1))
        if rounds is None:
            degree += 1
        else:
            ways = min(ways * rounds, 10**30)
        length = _longest_fast_text(degree, ways)
        if shared and fails and length < _LONGEST:
            self._found.append(Slowness(length, part.text))
        return _Loop(part, own, degree, ways)

    def _characters(self, part: Part) -> int:
        """All characters that ``part`` may read."""
        if isinstance(part, Atom):
            return members(part.text, self._alphabet)
        return _union(map(self._characters, inner_parts(part)))

    def _can_read(self, part: Part, characters: int) -> bool:
        """Whether ``part`` can be found in a text of such characters alone."""
        if isinstance(part, Atom):
            return bool(self._characters(part) & characters)
        parts = (self._can_read(each, characters) for each in inner_parts(part))
        return any(parts) if isinstance(part, Choice) else all(parts)

    def _words(self, part: Part) -> list[_Word]:
        """Short words that ``part`` reads, each as often as there are ways to read it."""
        match part:
            case Atom():
                return [(self._characters(part),)]
            case Choice(options):
                return [word for each in options for word in self._words(each)]
            case Repeat(inner, low, high):
                once = [word for word in self._words(inner) if word]
                most = max(low + 1, 2) if high is None else min(low + 2, high)
                rounds: list[_Word] = [()]
                words = rounds[low:]
                for count in range(1, min(most, _LONGEST_WORD) + 1):
                    rounds = _joined(rounds, once)
                    words += rounds if count >= low else []
                return words
            case _:
                words = [()]
                for each in inner_parts(part):
                    words = _joined(words, self._words(each))
                return words


def _joined(first: list[_Word], second: list[_Word]) -> list[_Word]:
    words = (a + b for a, b in product(first, second))
    return [w for w in islice(words, _MOST_WORDS) if len(w) <= _LONGEST_WORD]


def _overlap(*sources: list[_Word]) -> bool:
    """Whether words of two sources read the same text."""
    return any(
        len(one) == len(other) and all(a & b for a, b in zip(one, other, strict=True))
        for first, second in islice(combinations(sources, 2), _MOST_WORDS**2)
        for one, other in product(first, second)
    )


def _longest_fast_text(degree: int, ways: int) -> int:
    """The length at which ``ways`` times the choices of ``degree`` places are too many steps."""
    if degree == 0:
        return _DOUBLING if ways > _MOST_STEPS else _LONGEST
    degree = min(degree, _FEW_ROUNDS)
    choices = _MOST_STEPS / ways * math.factorial(degree)
    return max(math.ceil(math.pow(choices, 1 / degree)), _DOUBLING)


_NAMED = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|[ux]([0-9a-fA-F]{2,4}))")
_SAMPLES = "\xa0\xe9\u0130\u03b1\u0416\u05d0\u0660\u2028\u20ac\u4e2d\ufeff\U0001f600"


def _alphabet(pattern: str) -> str:
    """Characters that a pattern can tell apart: ASCII, samples, those that it names."""
    codes = [int(code[1] or code[2], 16) for code in _NAMED.finditer(pattern)]
    named = [chr(code) for code in codes if code < 0x110000]
    characters = [*map(chr, range(128)), *_SAMPLES, *pattern, *named]
    return "".join(dict.fromkeys(characters))


@lru_cache(maxsize=4096)
def members(atom: str, alphabet: str) -> int:
    """The characters of ``alphabet`` that an atom reads. Raises `Undecided`."""
    from brimgen_runtime.schema.patterns import PatternError, translate

    try:
        members = set(re.findall(translate(atom), alphabet))
    except PatternError:
        raise Undecided from None
    return sum(1 << at for at, each in enumerate(alphabet) if each in members)


def _union(sets: Iterable[int]) -> int:
    union = 0
    for each in sets:
        union |= each
    return union
