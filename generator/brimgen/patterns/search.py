"""Search a text for a pattern in bounded time.

A pattern of a spec never runs in a backtracking engine. It becomes the states of an automaton, and
a text moves through all of them at once: a character costs no more steps than there are states.
Each look-around is an automaton of its own, which is run once for each place in the text.
References back are not decided. Nor is a search that takes too many steps: the limit grows with the
pattern and the text up to a maximum, because aliases can give one long text to many fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias, assert_never

from brimgen.frozen import dataclass
from brimgen.patterns.syntax import (
    Atom,
    Choice,
    Edge,
    Look,
    Parser,
    Part,
    Repeat,
    Sequence,
    Undecided,
)

_STEPS = 1000
_STEPS_A_CHARACTER = 16
_MOST_STEPS = 20_000


Judge: TypeAlias = Callable[[str, str], bool]
"""Whether an atom, as it is written, matches a character."""


def is_found(pattern: str, text: str) -> bool | None:
    """Return whether an ECMA-262 pattern is found in a text; None if that is not decided."""
    return search_with(atom_matches, pattern, text)


@lru_cache(maxsize=256)
def search_with(judge: Judge, pattern: str, text: str) -> bool | None:
    """Do what `is_found` does; ``judge`` says whether an atom matches a character."""
    steps = _STEPS + _STEPS_A_CHARACTER * (len(pattern) + len(text))
    try:
        parser = Parser(pattern)
        pattern_parts = parser.parse_pattern()
        steps = _MOST_STEPS if parser.looks else min(steps, _MOST_STEPS)
        return _Automaton(pattern_parts, steps, judge, text).is_found()
    except Undecided:
        return None


@dataclass(frozen=True, slots=True)
class _State:
    """A state, and the states that follow it.

    It is left with a character that ``atom`` matches, at an ``edge`` of the text, or where ``look``
    holds, whose states begin at ``look_begin``. A state with none of these is left freely.
    """

    following: tuple[int, ...]
    atom: str | None = None
    edge: bool | None = None
    look: Look | None = None
    look_begin: int = 0


_END = 0


class _Automaton:
    """The states of a pattern, and a text. Work is counted in steps; too many are `Undecided`."""

    def __init__(self, pattern: Part, steps: int, judge: Judge, text: str) -> None:
        self._steps, self._judge, self._text = steps, judge, text
        self._states = [_State(())]
        self._look_results: dict[tuple[int, int], bool] = {}
        self._begin = self._build(pattern, _END)

    def is_found(self) -> bool:
        """Whether the pattern is found anywhere in the text. Raises `Undecided`."""
        return self._run(self._begin, 0, moves=True)

    def _run(
        self, begin: int, start: int, *, moves: bool = False, end: int | None = None
    ) -> bool:
        """Whether a match begins at ``start``, or also later if it ``moves``, and ends at ``end``,
        or anywhere.
        """
        text, last = self._text, len(self._text) if end is None else end
        reached: set[int] = set()
        for place in range(start, last + 1):
            if moves or place == start:
                reached.add(begin)
            reached = self._closure(reached, place)
            if _END in reached and (end is None or place == end):
                return True
            if not reached and not moves:
                return False
            states = [self._states[index] for index in reached] if place < last else []
            reached = {
                state.following[0]
                for state in states
                if state.atom is not None and self._judge(state.atom, text[place])
            }
        return False

    def _closure(self, starts: set[int], place: int) -> set[int]:
        """All states that are reached at a place without a character."""
        edges = (place == len(self._text), place == 0)
        reached, pending = set(starts), list(starts)
        while pending:
            self._step()
            at = pending.pop()
            state = self._states[at]
            if state.atom is not None or (
                state.edge is not None and not edges[state.edge]
            ):
                continue
            if state.look is not None and not self._holds(state.look, at, place):
                continue
            new = [index for index in state.following if index not in reached]
            reached.update(new)
            pending.extend(new)
        return reached

    def _holds(self, look: Look, at: int, place: int) -> bool:
        """Whether the look-around of the state ``at`` holds at a place in the text."""
        holds = self._look_results.get((at, place))
        if holds is None:
            begin = self._states[at].look_begin
            if look.is_behind:
                starts = range(place, -1, -1)
                is_match = any(self._run(begin, start, end=place) for start in starts)
            else:
                is_match = self._run(begin, place)
            holds = self._look_results[at, place] = is_match is not look.negated
        return holds

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
                for child in reversed(parts):
                    then = self._build(child, then)
                return then
            case Choice(options):
                starts = tuple(self._build(option, then) for option in options)
                return starts[0] if len(starts) == 1 else self._add(_State(starts))
            case Repeat():
                return self._repeat(part, then)
            case Look(inner):
                begin = self._build(inner, _END)
                return self._add(_State((then,), look=part, look_begin=begin))
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
def atom_matches(atom: str, character: str) -> bool:
    """Whether an atom matches one character. A single character leaves nothing to backtrack over.

    Raises `Undecided` for an atom that no engine knows.
    """
    from brimgen_runtime._runtime.patterns import PatternError, translate

    try:
        return re.fullmatch(translate(atom), character) is not None
    except PatternError:
        raise Undecided from None
