"""Parse an ECMA-262 pattern into its parts. A reference back to a group reads nothing."""

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
_LOOK = re.compile(r"\(\?<?[=!]")
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
    """The pattern is nested too deeply, or is not ECMA-262."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One character: a letter, an escape or a set, as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Edge:
    """The start of the text (``^``), or its end."""


@dataclass(frozen=True, slots=True)
class Sequence:
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Options; ``text`` is all of it as it is written."""

    options: tuple[Sequence, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Repeat:
    """``part``, ``low`` times at least; without ``high`` as often as one likes."""

    part: Part
    low: int
    high: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Look:
    """A place that ``part`` must, or must not, follow or precede; ``\\b`` is one, too."""

    part: Part


Part: TypeAlias = Atom | Edge | Sequence | Choice | Repeat | Look


def inner_parts(part: Part) -> tuple[Part, ...]:
    """The parts that read what ``part`` reads."""
    match part:
        case Sequence(parts) | Choice(parts):
            return parts
        case Repeat(inner):
            return (inner,)
        case _:
            return ()


def can_fail(part: Part) -> bool:
    """Whether there is a text at the start of which ``part`` is not found."""
    match part:
        case Sequence(parts):
            return any(map(can_fail, parts))
        case Choice(options):
            return all(map(can_fail, options))
        case Repeat(inner, low):
            return low > 0 and can_fail(inner)
        case _:
            return True


def parse_pattern(pattern: str) -> Part:
    """Return an ECMA-262 pattern as its parts. Raises `Undecided`."""
    parser = _Parser(pattern)
    parsed = parser.choice(0)
    if parser.at < len(pattern):
        raise Undecided
    return parsed


class _Parser:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self.at = 0

    def choice(self, depth: int) -> Choice:
        """Read options up to a closing bracket or the end. Raises `Undecided`."""
        if depth > _DEEPEST:
            raise Undecided
        begin = self.at
        options = [self._sequence(depth)]
        while self._pattern.startswith("|", self.at):
            self.at += 1
            options.append(self._sequence(depth))
        return Choice(tuple(options), self._pattern[begin : self.at])

    def _sequence(self, depth: int) -> Sequence:
        parts: list[Part] = []
        while self.at < len(self._pattern) and self._pattern[self.at] not in "|)":
            begin = self.at
            parts.append(self._quantified(self._part(depth), begin))
        return Sequence(tuple(parts))

    def _part(self, depth: int) -> Part:
        if self._pattern[self.at] in "^$":
            self.at += 1
            return Edge()
        if self._pattern.startswith(("\\b", "\\B"), self.at):
            self.at += 2
            return Look(Sequence(()))
        for kind in (_LOOK, _GROUP, _REFERENCE, _ATOM):
            match = kind.match(self._pattern, self.at)
            if match is None:
                continue
            self.at = match.end()
            if kind is _ATOM:
                return Atom(match[0])
            if kind is _REFERENCE:
                return Sequence(())
            inner = self._group(depth)
            return Look(inner) if kind is _LOOK else inner
        raise Undecided

    def _group(self, depth: int) -> Choice:
        """What stands in a group up to its bracket."""
        inner = self.choice(depth + 1)
        if not self._pattern.startswith(")", self.at):
            raise Undecided
        self.at += 1
        return inner

    def _quantified(self, part: Part, begin: int) -> Part:
        quantifier = _REPEAT.match(self._pattern, self.at)
        if quantifier is None:
            return part
        self.at = quantifier.end()
        if quantifier["mark"]:
            low, high = _MARKS[quantifier["mark"]]
        else:
            low = int(quantifier["low"][:9])
            most = quantifier["high"] if quantifier["to"] else quantifier["low"]
            high = int(most[:9]) if most else None
        return Repeat(part, low, high, self._pattern[begin : self.at])
