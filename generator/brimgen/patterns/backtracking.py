"""Estimate how long a backtracking engine takes for a pattern on a text that does not match.

Generated code runs patterns with `re`, which backtracks; so do most other validators. Such an
engine tries every way in which a pattern can read a text before it says no, and the number of ways
can grow with every character. The estimate has two steps:

1. *Candidates.* In the automaton of the pattern, a part that can read the same word in two ways and
   come back to the same place (exponential), or a loop that can hand over to a later loop while
   both read the same word (polynomial), gives a word to repeat (Weber and Seidl, "On the degree of
   ambiguity of finite automata", 1991). Counted repetitions are taken as loops, too. Without a
   loop, as in ``a?a?…aa…``, the candidate is the text that can be read in the most ways.
2. *Proof.* The candidate is repeated, and the ways in which the pattern reads each beginning of
   the text are counted. Only a text that does not match and that costs more than `MOST_STEPS` is
   reported.

A reference back to a group counts as empty.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice

from brimgen.frozen import dataclass
from brimgen.patterns.alphabet import Alphabet, first_letter
from brimgen.patterns.ambiguity import Candidates, shortest_word
from brimgen.patterns.glushkov import (
    Automaton,
    Budget,
    State,
    TooMuchWork,
    build,
)
from brimgen.patterns.syntax import Choice, Look, Part, Repeat, parse_pattern
from brimgen.patterns.syntax import Sequence as Concatenation

MOST_STEPS = 20_000_000
"""What an engine can be asked to try: about a second."""

_MOST_WORK = 150_000
LONGEST_TRIAL = 512
"""Texts of up to so many characters are tried; what longer ones cost is worked out."""
LONGEST_TRIAL_WITHOUT_LOOPS = 64
_STEPS_A_DOUBLING = 16
"""A text is not followed further if its ways do not double in so many characters."""
_MOST_CLASSES = 64
_TRIALS_A_PATTERN = 16
_MOST_LOOKS = 8
_COUNT_LIMITS = (None, 64, 16, 4, 1)


@dataclass(frozen=True, slots=True)
class SlowText:
    """A text on which a pattern takes more than `MOST_STEPS`, and still does not match.

    It is ``prefix``, then ``repeated`` until there are ``length`` characters, then ``suffix``.
    """

    prefix: str
    repeated: str
    suffix: str
    length: int


@lru_cache(maxsize=1024)
def slow_text(pattern: str) -> SlowText | None:
    """Return the shortest slow text that is found for an ECMA-262 pattern; None if none is found.

    A pattern that is too large to be analysed gives None, too.
    """
    if _is_plain(pattern):
        return None
    parsed = parse_pattern(pattern, references_are_empty=True)
    if parsed is None:
        return None
    alphabet = Alphabet(parsed, pattern)
    texts: list[SlowText] = []
    for part in (parsed, *islice(_lookahead_parts(parsed, ()), _MOST_LOOKS)):
        with suppress(TooMuchWork):
            slow = _slow_text(part, alphabet)
            texts += [] if slow is None else [slow]
    return min(texts, key=lambda text: text.length, default=None)


def _lookahead_parts(part: Part, before: tuple[Part, ...]) -> Iterator[Part]:
    """Yield what each look-ahead reads, behind what stands ``before`` it.

    An engine tries all of that before it knows whether the look-ahead holds.
    """
    match part:
        case Look(body, False):
            yield Concatenation((*before, body))
            yield from _lookahead_parts(body, before)
        case Concatenation(parts):
            for index, child in enumerate(parts):
                yield from _lookahead_parts(child, (*before, *parts[:index]))
        case Choice(options):
            for option in options:
                yield from _lookahead_parts(option, before)
        case Repeat(inner):
            yield from _lookahead_parts(inner, (*before, part))
        case _:
            pass


_QUANTIFIED = re.compile(r"[*+?{]")


def _is_plain(pattern: str) -> bool:
    """Return whether nothing is repeated, or one character class only, from a fixed place on."""
    counts = len(_QUANTIFIED.findall(pattern))
    if counts == 0:
        return "|" not in pattern
    is_fixed = pattern.startswith("^") and "|" not in pattern
    return counts == 1 and is_fixed and "(" not in pattern


def _slow_text(pattern: Part, alphabet: Alphabet) -> SlowText | None:
    """Try the candidates of the automaton with counts, then those of the one without."""
    exact = _exact_automaton(pattern, alphabet)
    proof, best = _Proof(exact, alphabet), None
    loose = build(pattern, alphabet, None, counts=False)
    automata = [exact] if loose.following == exact.following else [loose, exact]
    for automaton in automata:
        tried: set[tuple[int, ...]] = set()
        try:
            for position, word in Candidates(automaton).words():
                if tuple(word) in tried or len(tried) >= _TRIALS_A_PATTERN:
                    continue
                tried.add(tuple(word))
                slow = proof.slow_text(automaton.atoms[position], word)
                if slow is not None and (best is None or slow.length < best.length):
                    best = slow
        except TooMuchWork:
            continue
    return best or proof.slow_text_without_loops()


def _exact_automaton(pattern: Part, alphabet: Alphabet) -> Automaton:
    """Return the automaton with all counts, or with as large ones as there is room for."""
    for most in _COUNT_LIMITS:
        try:
            return build(pattern, alphabet, most, counts=True)
        except TooMuchWork:
            continue
    raise TooMuchWork


class _Proof:
    """Counts the ways in which a pattern, with its counts, reads the beginnings of a text."""

    def __init__(self, automaton: Automaton, alphabet: Alphabet) -> None:
        self._automaton = automaton
        self._characters = alphabet.characters
        self._spend = Budget(_MOST_WORK).spend
        self._least = self._shortest_match()

    def slow_text(self, atom: int, word: Sequence[int]) -> SlowText | None:
        """Return a slow text that leads to ``atom`` and repeats ``word``; None if there is none."""
        for prefix in self._prefixes(atom):
            for restarts in (False, True) if self._automaton.anywhere else (False,):
                slow = self._try_repeated(prefix, word, restarts=restarts)
                if slow is not None:
                    return slow
        return None

    def slow_text_without_loops(self) -> SlowText | None:
        """Return the text that is read in the most ways, if it is slow; None if it is not."""
        word, state = list[int](), dict[int, int]()
        while len(word) < LONGEST_TRIAL_WITHOUT_LOOPS:
            ways = [
                (sum(reached.values()), -letter, reached)
                for letter in self._letters_after(state)
                for reached in (self._after(state, letter),)
                if self._automaton.accepting.isdisjoint(reached)
            ]
            nothing = (0, 0, dict[int, int]())
            number, letter, state = max(ways, key=lambda way: way[:2], default=nothing)
            if number < 2 ** (len(word) // _STEPS_A_DOUBLING):
                break
            word.append(-letter)
        return self._try_repeated([], word, restarts=False) if word else None

    def _after(self, state: State, letter: int) -> dict[int, int]:
        if not state:
            return self._automaton.start(letter)
        return self._automaton.step(state, letter, restarts=False)

    def _letters_after(self, state: State) -> Iterator[int]:
        """Letters that can be read next, among them those that most positions can read."""
        automaton = self._automaton
        following = {target for one in state for target in automaton.following[one]}
        classes = {
            automaton.classes[position] for position in following or automaton.begin
        }
        common = [one & other for one in classes for other in classes]
        yield from {
            first_letter(letters) for letters in common[:_MOST_CLASSES] if letters
        }

    def _try_repeated(
        self, prefix: Sequence[int], word: Sequence[int], *, restarts: bool
    ) -> SlowText | None:
        """``restarts``: count what is begun at every character, not at the first one alone."""
        state, costs = self._count_costs(prefix, word, restarts=restarts)
        suffix = None if state is None else self._suffix(state)
        if suffix is None:
            return None
        length = len(costs) if costs[-1] > MOST_STEPS else _extrapolate(costs)
        if not length:
            return None
        return SlowText(
            self._text(prefix), self._text(word), self._text(suffix), length
        )

    def _text(self, letters: Iterable[int]) -> str:
        return "".join(self._characters[letter] for letter in letters)

    def _prefixes(self, atom: int) -> Iterator[list[int]]:
        """Words that lead from the start of a text, or a later place, to a copy of ``atom``."""
        for at_start in (True, False):
            starts = self._automaton.begin if at_start else self._automaton.anywhere
            word = self._shortest_word(starts, atom)
            if word is not None and at_start:
                yield word
            elif word is not None:
                for letter in reversed(range(len(self._characters))):
                    if not self._automaton.start(letter):
                        yield [letter, *word]
                        break

    def _count_costs(
        self, prefix: Sequence[int], word: Sequence[int], *, restarts: bool
    ) -> tuple[State | None, list[int]]:
        """Return where the pattern is at the end of a word, and what each beginning costs.

        The end is where `MOST_STEPS` are passed. No state where the text cannot be read so far,
        or where it matches.
        """
        automaton, costs, total = self._automaton, list[int](), 0
        state: State | None = None
        # An engine sees at once that a text is shorter than all that match.
        least = self._least
        while (total <= MOST_STEPS or len(costs) < least) and len(
            costs
        ) < LONGEST_TRIAL:
            for letter in word if costs else [*prefix, *word]:
                if state is None:
                    state = automaton.start(letter)
                else:
                    state = automaton.step(state, letter, restarts=restarts)
                self._spend(1 + len(state) // 4)
                if not automaton.accepting.isdisjoint(state):
                    return None, costs
                total += sum(state.values())
                costs.append(total)
            if not state:
                return None, costs
        return state, costs

    def _shortest_word(self, starts: Iterable[int], atom: int) -> list[int] | None:
        """The shortest word that leads from one of the positions ``starts`` to ``atom``."""
        automaton = self._automaton
        before_start, goal = -1, -2

        def steps(node: int) -> Iterator[tuple[int, int]]:
            for position in (
                starts if node == before_start else automaton.following[node]
            ):
                self._spend()
                yield position, automaton.classes[position]
                if automaton.atoms[position] == atom:
                    yield goal, automaton.classes[position]

        return shortest_word(before_start, steps, goal)

    def _shortest_match(self) -> int:
        """The length of the shortest text that matches."""
        automaton = self._automaton
        ends = automaton.accepting | automaton.accepting_at_end
        reached, length = set(automaton.begin), 1
        seen = set(reached)
        while reached and reached.isdisjoint(ends):
            reached = {
                target for one in reached for target in automaton.following[one]
            } - seen
            seen |= reached
            length += 1
        return length

    def _suffix(self, state: State) -> list[int] | None:
        """The shortest end of the text with which the pattern does not match; None without one."""
        automaton = self._automaton
        letters = range(len(self._characters))
        start = frozenset(state)
        if start.isdisjoint(automaton.accepting_at_end):
            return []
        failed: frozenset[int] = frozenset([-1])

        def steps(node: frozenset[int]) -> Iterator[tuple[frozenset[int], int]]:
            for letter in reversed(letters):
                self._spend(len(node) + 1)
                reached = frozenset(
                    automaton.step(dict.fromkeys(node, 1), letter, restarts=False)
                )
                if automaton.accepting.isdisjoint(reached):
                    yield reached, 1 << letter
                    if reached.isdisjoint(automaton.accepting_at_end):
                        yield failed, 1 << letter

        return shortest_word(start, steps, failed)


def _extrapolate(costs: Sequence[int]) -> int:
    """Return at which length `MOST_STEPS` is passed if costs go on as they grew; 0 for never."""
    half, whole = costs[len(costs) // 2 - 1], costs[-1]
    if half == 0:
        return 0
    degree = math.log2(whole / half)
    if degree < 1.5:
        return 0
    return math.ceil(len(costs) * math.pow(MOST_STEPS / whole, 1 / degree))
