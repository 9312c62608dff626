"""Find words that a pattern can read in several ways: what makes an engine go back and forth."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias, TypeVar

from brimgen.patterns.alphabet import first_letter
from brimgen.patterns.glushkov import Automaton, Budget

_MOST_WORK = 150_000
_TRIALS_A_LOOP = 4
Candidate: TypeAlias = tuple[int, list[int]]
"""A position, and a word (letters) that leads from it back to it."""
Node = TypeVar("Node")


class Candidates:
    """Finds words that an automaton can read in several ways."""

    def __init__(self, automaton: Automaton) -> None:
        self._following = automaton.following
        self._classes = automaton.classes
        self._anywhere = automaton.anywhere
        self._spend = Budget(_MOST_WORK).spend

    def words(self) -> Iterator[Candidate]:
        """Yield candidates, exponential ones first."""
        loops = _strongly_connected(self._following)
        for loop in loops:
            yield from islice(self._words_read_twice(loop), _TRIALS_A_LOOP)
        if self._anywhere:
            for loop in loops:
                candidate = self._word_from_start(loop)
                if candidate is not None:
                    yield candidate
        for first in loops:
            reached = self._reachable(min(first))
            for second in loops:
                if first is not second and reached & second:
                    candidate = self._word_across_loops(first, second)
                    if candidate is not None:
                        yield candidate

    def _words_read_twice(self, loop: set[int]) -> Iterator[Candidate]:
        """Yield words that lead from a position of ``loop`` back to it in two ways."""
        for position in sorted(loop):
            for target, ways in self._following[position].items():
                if ways > 1 and target in loop:
                    way = self._shortest_word(target, position, loop)
                    yield position, [first_letter(self._classes[target]), *way]
                    break
            else:
                word = self._word_of_two_walks(position, loop)
                if word is not None:
                    yield position, word

    def _word_of_two_walks(self, position: int, loop: set[int]) -> list[int] | None:
        """Two walks from ``position`` that read the same word, part, and come back together."""
        start = (position, position, False)

        def steps(
            node: tuple[int, int, bool],
        ) -> Iterator[tuple[tuple[int, int, bool], int]]:
            one, other, parted = node
            for left in self._following[one]:
                for right in self._following[other] if left in loop else ():
                    self._spend()
                    common = self._classes[left] & self._classes[right]
                    if common and right in loop and (parted or left <= right):
                        yield (left, right, parted or left != right), common

        return shortest_word(start, steps, (position, position, True))

    def _word_across_loops(self, first: set[int], second: set[int]) -> Candidate | None:
        """A word that leads from a position of ``first`` back to it, on to a position of
        ``second``, and from there back to it.
        """
        for position in sorted(first):
            for target in sorted(second):
                goal = (position, target, target)
                word = shortest_word(
                    (position, position, target), self._steps_of_three, goal
                )
                if word is not None:
                    return position, word
        return None

    def _steps_of_three(
        self, node: tuple[int, int, int]
    ) -> Iterator[tuple[tuple[int, int, int], int]]:
        for one in self._following[node[0]]:
            for two in self._following[node[1]]:
                self._spend()
                pair = self._classes[one] & self._classes[two]
                for three in self._following[node[2]] if pair else ():
                    self._spend()
                    common = pair & self._classes[three]
                    if common:
                        yield (one, two, three), common

    def _word_from_start(self, loop: set[int]) -> Candidate | None:
        """A word that leads from a position of ``loop`` back to it, and to it from the start of a
        match: an engine starts anew at every character, so the start is a loop, too.
        """
        waiting = -1

        def steps(node: tuple[int, int]) -> Iterator[tuple[tuple[int, int], int]]:
            one, other = node
            for right in self._following[other]:
                self._spend()
                if one == waiting:
                    yield (waiting, right), self._classes[right]
                for left in self._anywhere if one == waiting else self._following[one]:
                    self._spend()
                    common = self._classes[left] & self._classes[right]
                    if common:
                        yield (left, right), common

        for position in sorted(loop):
            word = shortest_word((waiting, position), steps, (position, position))
            if word is not None:
                return position, word
        return None

    def _shortest_word(self, position: int, target: int, loop: set[int]) -> list[int]:
        """The shortest word from one position of a loop to another."""

        def steps(node: int) -> Iterator[tuple[int, int]]:
            for successor in self._following[node]:
                self._spend()
                if successor in loop:
                    yield successor, self._classes[successor]

        if position == target:
            return []
        return shortest_word(position, steps, target) or []

    def _reachable(self, position: int) -> set[int]:
        reached, pending = {position}, [position]
        while pending:
            for successor in self._following[pending.pop()]:
                self._spend()
                if successor not in reached:
                    reached.add(successor)
                    pending.append(successor)
        return reached


def shortest_word(
    start: Node, steps: Callable[[Node], Iterable[tuple[Node, int]]], goal: Node
) -> list[int] | None:
    """Return the shortest word, not empty, that leads from ``start`` to ``goal``.

    ``steps`` yields the nodes behind a node, each with the mask of the letters that lead there.
    """
    before: dict[Node, tuple[Node, int]] = {}
    pending = deque([start])
    while pending:
        current = pending.popleft()
        for node, letters in steps(current):
            if not letters or node in before:
                continue
            before[node] = (current, first_letter(letters))
            if node == goal:
                word: list[int] = []
                while True:
                    node, letter = before[node]
                    word.append(letter)
                    if node == start:
                        return word[::-1]
            pending.append(node)
    return None


def _strongly_connected(following: Sequence[Mapping[int, int]]) -> list[set[int]]:
    """Return the parts of a graph with a way from each position to each, itself included."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    parts: list[set[int]] = []
    for root in range(len(following)):
        if root in index:
            continue
        pending: list[tuple[int, Iterator[int]]] = [(root, iter(following[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while pending:
            position, successors = pending[-1]
            for successor in successors:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    stack.append(successor)
                    on_stack.add(successor)
                    pending.append((successor, iter(following[successor])))
                    break
                if successor in on_stack:
                    low[position] = min(low[position], index[successor])
            else:
                pending.pop()
                if pending:
                    above = pending[-1][0]
                    low[above] = min(low[above], low[position])
                if low[position] == index[position]:
                    part: set[int] = set()
                    while position not in part:
                        member = stack.pop()
                        on_stack.discard(member)
                        part.add(member)
                    if len(part) > 1 or position in following[position]:
                        parts.append(part)
    return parts
