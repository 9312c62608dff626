"""Build the position automaton of a pattern (Glushkov), with the number of ways to each step.

Its letters stand for characters that the pattern does not tell apart. Look-around is read from
wherever it stands, without what it demands, and word boundaries demand nothing. The number of ways
can be too high for these, never too low.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, assert_never

from brimgen.frozen import dataclass, field
from brimgen.patterns.alphabet import Alphabet
from brimgen.patterns.syntax import (
    Atom,
    Choice,
    Edge,
    Look,
    Part,
    Repeat,
)
from brimgen.patterns.syntax import Sequence as Concatenation

_MOST_POSITIONS = 2000
_MOST_EDGES = 30_000
_AT_START, _AT_END = 1, 2
Ways: TypeAlias = dict[tuple[int, int], int]
"""(position, edges crossed on the way to it or from it) → in how many ways."""
State: TypeAlias = Mapping[int, int]
"""Position → the number of ways in which a text can be read up to it."""


class TooMuchWork(Exception):
    """The automaton is too large to be analysed."""


class Budget:
    """Counts steps of the analysis, so that no pattern takes long to judge."""

    def __init__(self, steps: int) -> None:
        self._steps = steps

    def spend(self, steps: int = 1) -> None:
        """Raises `TooMuchWork` when nothing is left."""
        self._steps -= steps
        if self._steps < 0:
            raise TooMuchWork


@dataclass(slots=True)
class Automaton:
    """Positions (character classes of the pattern) and the ways from each to the next."""

    atoms: list[int] = field(default_factory=list[int])
    """For each position, which atom of the pattern it is a copy of (an identity)."""
    classes: list[int] = field(default_factory=list[int])
    """For each position, a bit mask of the letters that it reads."""
    following: list[dict[int, int]] = field(default_factory=list[dict[int, int]])
    begin: dict[int, int] = field(default_factory=dict[int, int])
    """Positions that can read the first character of a text → ways."""
    anywhere: dict[int, int] = field(default_factory=dict[int, int])
    """Positions that can begin a match at a later character → ways."""
    accepting: set[int] = field(default_factory=set[int])
    """Positions after which the pattern has matched, whatever follows."""
    accepting_at_end: set[int] = field(default_factory=set[int])

    def step(self, state: State, letter: int, *, restarts: bool) -> dict[int, int]:
        """Return where the pattern can be after one more letter, not the first of the text.

        ``restarts``: a match can begin with this letter, too.
        """
        bit, reached = 1 << letter, dict[int, int]()
        for position, ways in state.items():
            for following, number in self.following[position].items():
                if self.classes[following] & bit:
                    reached[following] = reached.get(following, 0) + ways * number
        for position, number in self.anywhere.items() if restarts else ():
            if self.classes[position] & bit:
                reached[position] = reached.get(position, 0) + number
        return reached

    def start(self, letter: int) -> dict[int, int]:
        """Return where the pattern can be after the first letter of a text."""
        bit = 1 << letter
        return {
            position: ways
            for position, ways in self.begin.items()
            if self.classes[position] & bit
        }


def build(
    pattern: Part, alphabet: Alphabet, most: int | None, *, counts: bool
) -> Automaton:
    """Return the automaton of a pattern.

    Without ``counts``, counted repetitions are loops; with them, those of more than ``most``.
    Raises `TooMuchWork`.
    """
    return _Builder(alphabet, most, counts=counts).build(pattern)


@dataclass(slots=True)
class _Fragment:
    """What a part of a pattern contributes to the automaton (Glushkov), with numbers of ways."""

    empty: dict[int, int]
    """Edges that are crossed when the part reads no character → ways."""
    first: Ways
    last: Ways


class _Builder:
    """Makes the automaton of a pattern."""

    def __init__(self, alphabet: Alphabet, most: int | None, *, counts: bool) -> None:
        self._alphabet = alphabet
        self._most = most
        self._counts = counts
        self._edges = Budget(_MOST_EDGES)
        self._automaton = Automaton()

    def build(self, pattern: Part) -> Automaton:
        """Return the automaton. Raises `TooMuchWork`."""
        automaton, whole = self._automaton, self._fragment(pattern)
        for (position, edges), ways in whole.first.items():
            if not edges & _AT_END:
                automaton.begin[position] = automaton.begin.get(position, 0) + ways
                if not edges:
                    automaton.anywhere[position] = (
                        automaton.anywhere.get(position, 0) + ways
                    )
        for position, edges in whole.last:
            if not edges:
                automaton.accepting.add(position)
                automaton.following[position] = {}
            elif edges == _AT_END:
                automaton.accepting_at_end.add(position)
        return automaton

    def _fragment(self, part: Part) -> _Fragment:
        match part:
            case Atom(text):
                return self._atom(part, text)
            case Edge(is_start):
                return _Fragment({_AT_START if is_start else _AT_END: 1}, {}, {})
            case Concatenation(parts):
                return self._concatenation(self._fragment(child) for child in parts)
            case Choice(options):
                if all(
                    map(_reads_nothing, options)
                ):  # one of them holds, as in ``\\b``
                    return _Fragment({0: 1}, {}, {})
                return _union(self._fragment(option) for option in options)
            case Look(body, is_behind):
                return _Fragment({0: 1}, {}, {}) if is_behind else self._look(body)
            case Repeat():
                return self._repeat(part)
            case _ as never:
                assert_never(never)

    def _atom(self, atom: Atom, text: str) -> _Fragment:
        automaton = self._automaton
        if len(automaton.classes) >= _MOST_POSITIONS:
            raise TooMuchWork
        automaton.atoms.append(id(atom))
        automaton.classes.append(self._alphabet.mask(text))
        automaton.following.append({})
        position = len(automaton.classes) - 1
        return _Fragment({}, {(position, 0): 1}, {(position, 0): 1})

    def _look(self, body: Part) -> _Fragment:
        """The parts of a look-ahead are read from here; what comes next does not follow them."""
        looked = self._fragment(body)
        for position, edges in looked.last:
            if not edges:
                self._automaton.following[position] = {}
        return _Fragment({0: 1}, looked.first, {})

    def _concatenation(self, parts: Iterable[_Fragment]) -> _Fragment:
        fragment = _Fragment({0: 1}, {}, {})
        for part in parts:
            self._connect(fragment.last, part.first)
            first, last = dict(fragment.first), dict(part.last)
            _add(first, part.first, fragment.empty)
            _add(last, fragment.last, part.empty)
            empty: dict[int, int] = {}
            for left, ways in fragment.empty.items():
                for right, number in part.empty.items():
                    empty[left | right] = empty.get(left | right, 0) + ways * number
            fragment = _Fragment(empty, first, last)
        return fragment

    def _connect(self, last: Ways, first: Ways) -> None:
        """Let ``first`` follow ``last``: no edge of the text lies between two characters."""
        following = self._automaton.following
        targets = [
            (position, ways) for (position, edges), ways in first.items() if not edges
        ]
        for (position, edges), ways in last.items():
            if edges:
                continue
            row = following[position]
            self._edges.spend(len(targets))
            for target, number in targets:
                row[target] = row.get(target, 0) + ways * number

    def _repeat(self, repeat: Repeat) -> _Fragment:
        low, high = repeat.low, repeat.high
        if high is not None and high <= 1:
            inner = [self._fragment(repeat.part)] * high
            nothing = [_Fragment({0: 1}, {}, {})] * (1 - low if low < 1 else 0)
            return _union([*inner, *nothing])
        if not self._counts:
            return self._loop(repeat.part, low, twice=low > 1)
        if self._most is not None and high is not None and high > self._most:
            high = None
        if self._most is not None:
            low = min(low, self._most)
        if high is None:
            copies = [self._fragment(repeat.part) for _ in range(low - 1)]
            return self._concatenation([*copies, self._loop(repeat.part, min(low, 1))])
        return self._counted_repeat(repeat.part, low, high)

    def _counted_repeat(self, part: Part, low: int, high: int) -> _Fragment:
        """As ``part`` written ``high`` times, each after the first ``low`` only behind another."""
        whole = _Fragment({0: 1}, {}, {})
        for index in reversed(range(high)):
            inner = self._fragment(part)
            if index >= low:  # an engine does not go on after a turn that read nothing
                inner = _Fragment({}, inner.first, inner.last)
            whole = self._concatenation([inner, whole])
            if index >= low:
                whole = _union([whole, _Fragment({0: 1}, {}, {})])
        return whole

    def _loop(self, part: Part, low: int, *, twice: bool = False) -> _Fragment:
        """``twice``: of several turns that must be taken, any may read nothing."""
        inner = self._fragment(part)
        again = inner.first
        if twice and inner.empty:
            again = {key: 2 * ways for key, ways in again.items()}
        self._connect(inner.last, again)
        empty = dict(inner.empty)
        if low == 0:
            empty = {0: 1}
        return _Fragment(empty, inner.first, inner.last)


def _reads_nothing(part: Part) -> bool:
    """Whether a part looks around only."""
    if isinstance(part, Concatenation):
        return bool(part.parts) and all(map(_reads_nothing, part.parts))
    return isinstance(part, Look)


def _add(into: Ways, more: Ways, empty: Mapping[int, int]) -> None:
    """Add the ways that lead through a neighbour which reads nothing."""
    for (position, edges), ways in more.items():
        for crossed, number in empty.items():
            key = (position, edges | crossed)
            into[key] = into.get(key, 0) + ways * number


def _union(parts: Iterable[_Fragment]) -> _Fragment:
    fragment = _Fragment({}, {}, {})
    for part in parts:
        for edges, ways in part.empty.items():
            fragment.empty[edges] = fragment.empty.get(edges, 0) + ways
        for into, more in ((fragment.first, part.first), (fragment.last, part.last)):
            for key, ways in more.items():
                into[key] = into.get(key, 0) + ways
    return fragment
