"""Parse an ECMA-262 pattern into the parts of an automaton.

A reference back, which no automaton can follow, raises `Undecided`.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from brimgen.frozen import dataclass

_DEEPEST = 40
_ATOM = re.compile(
    r"\[(?:\\.|[^\]\\])*\]"
    r"|\\(?:u\{[0-9a-fA-F]+\}|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}"
    r"|[pP]\{[^}]*\}|c[A-Za-z]|[^0-9bBkuxpPc])"
    r"|[^\\\[\](){}|^$*+?]",
    re.DOTALL,
)
_LOOK = re.compile(r"\(\?(?P<behind><)?(?P<sign>[=!])")
_GROUP = re.compile(r"\((?:\?:|\?<[A-Za-z_$][A-Za-z0-9_$]*>|(?!\?))")
_REFERENCE = re.compile(r"\\(?:[1-9][0-9]*|k<[^>]*>)")
_REPEAT = re.compile(
    r"(?:(?P<mark>[*+?])|\{(?P<low>[0-9]+)(?P<to>,(?P<high>[0-9]*))?\})\??"
)
_MARKS: dict[str, tuple[int, int | None]] = {
    "*": (0, None),
    "+": (1, None),
    "?": (0, 1),
}


class Undecided(Exception):
    """No automaton can follow the pattern, or following it takes too many steps."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One character: a letter, an escape or a set, as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Edge:
    """The start of the text (``^``), or its end."""

    is_start: bool


@dataclass(frozen=True, slots=True)
class Sequence:
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    options: tuple[Sequence, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """``part``, ``low`` times at least; without ``high`` as often as one likes."""

    part: Part
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Look:
    """A place where ``part`` begins, or ends if it ``is_behind``; or does not, if ``negated``."""

    part: Part
    is_behind: bool
    negated: bool


Part: TypeAlias = Atom | Edge | Sequence | Choice | Repeat | Look


def parse_pattern(pattern: str, *, references_are_empty: bool = False) -> Part | None:
    """Return an ECMA-262 pattern as its parts, None if no automaton can follow it.

    With ``references_are_empty`` a reference back to a group reads nothing.
    """
    try:
        return Parser(
            pattern, references_are_empty=references_are_empty
        ).parse_pattern()
    except Undecided:
        return None


class Parser:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str, *, references_are_empty: bool = False) -> None:
        self._pattern = pattern
        self._references_are_empty = references_are_empty
        self._at = 0
        self.looks = False

    def parse_pattern(self) -> Part:
        """Read the whole pattern. Raises `Undecided`."""
        pattern = self._choice(0)
        if self._at < len(self._pattern):
            raise Undecided
        return pattern

    def _choice(self, depth: int) -> Choice:
        if depth > _DEEPEST:
            raise Undecided
        options = [self._sequence(depth)]
        while self._pattern.startswith("|", self._at):
            self._at += 1
            options.append(self._sequence(depth))
        return Choice(tuple(options))

    def _sequence(self, depth: int) -> Sequence:
        parts: list[Part] = []
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            parts.append(self._quantified(self._part(depth)))
        return Sequence(tuple(parts))

    def _part(self, depth: int) -> Part:
        char = self._pattern[self._at]
        if char in "^$":
            self._at += 1
            return Edge(char == "^")
        look = _LOOK.match(self._pattern, self._at)
        if look is not None:
            self.looks = True
            inner = self._group(look.end(), depth)
            return Look(inner, look["behind"] is not None, look["sign"] == "!")
        if self._pattern.startswith(("\\b", "\\B"), self._at):
            self.looks = True
            self._at += 2
            return _word_edge(negated=self._pattern[self._at - 1] == "B")
        reference = _REFERENCE.match(self._pattern, self._at)
        if reference is not None and self._references_are_empty:
            self._at = reference.end()
            return Sequence(())
        group = _GROUP.match(self._pattern, self._at)
        if group is not None:
            return self._group(group.end(), depth)
        atom = _ATOM.match(self._pattern, self._at)
        if atom is None:
            raise Undecided
        self._at = atom.end()
        return Atom(atom[0])

    def _group(self, begin: int, depth: int) -> Choice:
        """What stands in a group up to its bracket."""
        self._at = begin
        inner = self._choice(depth + 1)
        if not self._pattern.startswith(")", self._at):
            raise Undecided
        self._at += 1
        return inner

    def _quantified(self, part: Part) -> Part:
        quantifier = _REPEAT.match(self._pattern, self._at)
        if quantifier is None:
            return part
        self._at = quantifier.end()
        if quantifier["mark"]:
            return Repeat(part, *_MARKS[quantifier["mark"]])
        low = int(quantifier["low"][:9])
        if quantifier["to"] is None:
            return Repeat(part, low, low)
        return Repeat(
            part, low, int(quantifier["high"][:9]) if quantifier["high"] else None
        )


def _word_edge(*, negated: bool) -> Part:
    """``\\b``: a place with a letter of a word on one side and none on the other; or ``\\B``."""
    word = Atom("\\w")
    sides = ((False, True), (True, False))
    if negated:
        sides = ((False, False), (True, True))
    return Choice(
        tuple(
            Sequence((Look(word, True, before), Look(word, False, after)))
            for before, after in sides
        )
    )
