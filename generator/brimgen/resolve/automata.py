"""Automata: a pattern and a text in, whether it is found there out, in time that is bounded.

No engine that backtracks runs what a spec says (promises.md 3). Here a pattern becomes states, and
a text moves through all of them at once, so that a character costs no more than there are states.
What no automaton can say (look-around, references back, word boundaries), and what would take more
steps than a few for each character of pattern and text, is not decided; nor is what takes many of
them, because aliases give one long text to any number of fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias, assert_never

from brimgen.frozen import dataclass
from brimgen.regex import regex

_DEEPEST = 40
_STEPS = 1000
_STEPS_A_CHARACTER = 16
_MOST_STEPS = 20_000
_ATOM = regex(
    r"\[(?:\\.|[^\]\\])*\]"
    r"|\\(?:u\{[0-9a-fA-F]+\}|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}"
    r"|[pP]\{[^}]*\}|c[A-Za-z]|[^0-9bBkuxpPc])"
    r"|[^\\\[\](){}|^$*+?]",
    re.DOTALL,
)
_GROUP = regex(r"\((?:\?:|\?<[A-Za-z_$][A-Za-z0-9_$]*>|(?!\?))")
_REPEAT = regex(r"(?:(?P<mark>[*+?])|\{(?P<low>[0-9]+)(?P<to>,(?P<high>[0-9]*))?\})\??")
_MARKS: dict[str, tuple[int, int | None]] = {
    "*": (0, None),
    "+": (1, None),
    "?": (0, 1),
}


Judge: TypeAlias = Callable[[str, str], bool]
"""Whether an atom, as it is written, is a character."""


class Undecided(Exception):
    """The pattern is none of an automaton, or too costly."""


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


Part: TypeAlias = Atom | Edge | Sequence | Choice | Repeat


def parsed(pattern: str) -> Part | None:
    """Return an ECMA-262 pattern as its parts, None if it is none of an automaton."""
    try:
        return _Parser(pattern).whole()
    except Undecided:
        return None


def is_found(pattern: str, text: str) -> bool | None:
    """Return whether an ECMA-262 pattern is found in a text; None if that is not decided."""
    return found_by(is_one, pattern, text)


@lru_cache(maxsize=256)
def found_by(judge: Judge, pattern: str, text: str) -> bool | None:
    """Do what `is_found` does; ``judge`` says whether an atom is a character, or `Undecided`."""
    steps = _STEPS + _STEPS_A_CHARACTER * (len(pattern) + len(text))
    try:
        read = _Parser(pattern).whole()
        automaton = _Automaton(read, min(steps, _MOST_STEPS), judge)
        return automaton.is_found(text)
    except Undecided:
        return None


class _Parser:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    def whole(self) -> Part:
        """The pattern."""
        read = self._choice(0)
        if self._at < len(self._pattern):
            raise Undecided
        return read

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
            parts.append(self._repeated(self._part(depth)))
        return Sequence(tuple(parts))

    def _part(self, depth: int) -> Part:
        char = self._pattern[self._at]
        if char in "^$":
            self._at += 1
            return Edge(char == "^")
        group = _GROUP.match(self._pattern, self._at)
        if group is not None:
            self._at = group.end()
            inner = self._choice(depth + 1)
            if not self._pattern.startswith(")", self._at):
                raise Undecided
            self._at += 1
            return inner
        atom = _ATOM.match(self._pattern, self._at)
        if atom is None:
            raise Undecided
        self._at = atom.end()
        return Atom(atom[0])

    def _repeated(self, part: Part) -> Part:
        found = _REPEAT.match(self._pattern, self._at)
        if found is None:
            return part
        self._at = found.end()
        if found["mark"]:
            return Repeat(part, *_MARKS[found["mark"]])
        low = int(found["low"][:9])
        if found["to"] is None:
            return Repeat(part, low, low)
        return Repeat(part, low, int(found["high"][:9]) if found["high"] else None)


@dataclass(frozen=True, slots=True)
class _State:
    """Where one goes on to: with a character that ``atom`` is, at an ``edge``, or freely."""

    following: tuple[int, ...]
    atom: str | None = None
    edge: bool | None = None


_END = 0


class _Automaton:
    """The states of a pattern; whatever is done with them is a step, and steps are counted."""

    def __init__(self, pattern: Part, steps: int, judge: Judge) -> None:
        self._steps, self._judge = steps, judge
        self._states = [_State(())]
        self._begin = self._build(pattern, _END)

    def is_found(self, text: str) -> bool:
        """Whether the pattern is found anywhere in ``text``. Raises `Undecided`."""
        reached: set[int] = set()
        for place in range(len(text) + 1):
            reached.add(self._begin)
            edges = (place == len(text), place == 0)
            reached = self._closure(reached, edges)
            if _END in reached:
                return True
            here = [self._states[each] for each in reached] if place < len(text) else []
            reached = {
                each.following[0]
                for each in here
                if each.atom is not None and self._judge(each.atom, text[place])
            }
        return False

    def _closure(self, begun: set[int], edges: tuple[bool, bool]) -> set[int]:
        """All states that are reached without a character; ``edges``: at the end, at the start."""
        reached, pending = set(begun), list(begun)
        while pending:
            self._step()
            state = self._states[pending.pop()]
            if state.atom is not None or (
                state.edge is not None and not edges[state.edge]
            ):
                continue
            new = [each for each in state.following if each not in reached]
            reached.update(new)
            pending.extend(new)
        return reached

    def _step(self) -> None:
        self._steps -= 1
        if self._steps < 0:
            raise Undecided

    def _add(self, state: _State) -> int:
        self._step()
        self._states.append(state)
        return len(self._states) - 1

    def _build(self, part: Part, then: int) -> int:
        """The state in which ``part`` begins that leads on to ``then``."""
        self._step()
        match part:
            case Atom(text):
                return self._add(_State((then,), atom=text))
            case Edge(is_start):
                return self._add(_State((then,), edge=is_start))
            case Sequence(parts):
                for each in reversed(parts):
                    then = self._build(each, then)
                return then
            case Choice(options):
                begun = tuple(self._build(each, then) for each in options)
                return begun[0] if len(begun) == 1 else self._add(_State(begun))
            case Repeat():
                return self._repeat(part, then)
            case _ as never:
                assert_never(never)

    def _repeat(self, repeat: Repeat, then: int) -> int:
        begin = then
        if repeat.high is None:
            begin = self._add(_State(()))
            again = self._build(repeat.part, begin)
            self._states[begin] = _State((again, then))
        else:
            for _ in range(repeat.high - repeat.low):
                begin = self._add(_State((self._build(repeat.part, begin), then)))
        for _ in range(repeat.low):
            begin = self._build(repeat.part, begin)
        return begin


@lru_cache(maxsize=4096)
def is_one(atom: str, character: str) -> bool:
    """Whether one character is what an atom says: of a single one no engine can go back.

    Raises `Undecided` for an atom that no engine knows.
    """
    from brimgen.runtime._engine.patterns import PatternError, translate

    try:
        return re.fullmatch(translate(atom), character) is not None
    except PatternError:
        raise Undecided from None
