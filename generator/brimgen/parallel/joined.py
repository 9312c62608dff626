"""What several processes have made and found in; what one process would have out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pickle import PickleBuffer
from typing import Any, TypeAlias

from brimgen.diagnostics import Diagnostic, Diagnostics, Span
from brimgen.diagnostics.rules.lint import ARGUMENT_NAMES_ALIKE, WAIVER_UNUSED
from brimgen.frozen import dataclass
from brimgen.increment.lists import Listed, joined_list
from brimgen.increment.parts import Parts
from brimgen.output.plan import Output
from brimgen.parallel import Doubt
from brimgen.parallel.shares import Shares

_OF_NEIGHBOURS = ARGUMENT_NAMES_ALIKE.code
"""Found in what all processes read only where all have found it: it is about several arguments,
which are compared in the order in which tools reach them."""
_OF_NOBODY = WAIVER_UNUSED.code
"""True of all processes only where it is true of each."""


Held: TypeAlias = tuple[Output, Parts | None]
"""A file that is no process's own, and where tools stand in it; None: not as was described."""


_LARGE = 1 << 14
"""Bytes; fewer go with the rest of what is handed over."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a process found in what it has read, and the faces of its tools
    (`brimgen.increment.baseline.face_of`).
    """

    found: tuple[Diagnostic, ...]
    faces: Mapping[str, str]


def handed_over(held: Sequence[Held]) -> list[tuple[Any, ...]]:
    """What another process is told of the files that are no process's own."""
    return [
        (each.path, _apart(each.data), each.target, each.sources, parts)
        for each, parts in held
    ]


def _apart(data: bytes) -> bytes | PickleBuffer:
    return PickleBuffer(data) if len(data) > _LARGE else data


def taken_over(rows: Sequence[tuple[Any, ...]]) -> list[Held]:
    """The files that were `handed_over`."""
    return [(Output(*row[:4]), row[4]) for row in rows]


def dealt(held: Sequence[Sequence[Held]]) -> list[list[Held]]:
    """What each process has to join of the files that each of several processes ``held``.

    Large ones are dealt out among their makers, of which each lacks no more than what the others
    have made of it. All the rest is for the first process, which is handed over everything.
    """
    makers: dict[str, dict[int, Held]] = {}
    for number, files in enumerate(held):
        for each in files:
            makers.setdefault(each[0].path, {})[number] = each
    work: list[list[Held]] = [[] for _ in held]
    costs = [0] * len(held)
    for made in sorted(makers.values(), key=_size, reverse=True):
        number, size = 0, _size(made)
        if size > _LARGE and len(made) > 1:
            number = min(made, key=costs.__getitem__)
            costs[number] += size
        is_first = number == 0
        work[number] += [each for by, each in made.items() if is_first or by != number]
    return work


def _size(made: Mapping[int, Held]) -> int:
    return sum(len(output.data) for output, _ in made.values())


def join_into(sink: Callable[[Output], None], held: Iterable[Held]) -> dict[str, Parts]:
    """Hand the files on that several processes have made, for themselves or for all; return where
    the parts of those stand that are lists. Raises `Doubt`.
    """
    files: dict[str, list[Held]] = {}
    for each in held:
        files.setdefault(each[0].path, []).append(each)
    lists: dict[str, Parts] = {}
    for path, found in sorted(files.items()):
        output, parts = _joined(path, found)
        sink(output)
        if parts is not None:
            lists[path] = parts
    return lists


def _joined(path: str, found: Sequence[Held]) -> Held:
    first = found[0]
    if all(each == first for each in found):
        return first
    lists = [
        Listed(output.data, parts)
        for output, parts in found
        if parts is not None and not output.sources
    ]
    if len(lists) < len(found):
        raise Doubt
    listed = joined_list(path, lists)
    if listed is None:
        raise Doubt
    return Output(path, listed.data, first[0].target), listed.parts


def joined_found(judged: Sequence[Judged], shares: Shares) -> Diagnostics:
    """What all processes have found, of which each is heard about what it has read.

    Raises `Doubt`.
    """
    found = Diagnostics()
    known: dict[tuple[Span, str, str], Diagnostic] = {}
    told: dict[tuple[Span, str, str], int] = {}
    for number, process in enumerate(judged):
        others = shares.others_than(number)
        for each in process.found:
            if each.span.file in others:
                continue
            key = each.sort_key
            if known.setdefault(key, each) != each:
                raise Doubt
            told[key] = told.get(key, 0) + 1
    own = frozenset[str]().union(*shares.own)
    for key, each in known.items():
        is_told_by_all = each.span.file in own or told[key] == len(judged)
        if each.rule.code == _OF_NEIGHBOURS and not is_told_by_all:
            raise Doubt
        if each.rule.code != _OF_NOBODY or is_told_by_all:
            found.extend((each,))
    return found
