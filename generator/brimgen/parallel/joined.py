"""What several processes have made and found in; what one process would have out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from brimgen.diagnostics import Diagnostic, Diagnostics, Span
from brimgen.diagnostics.rules.lint import ARGUMENT_NAMES_ALIKE, WAIVER_UNUSED
from brimgen.emit.artifact import Apart, Emitter
from brimgen.frozen import dataclass
from brimgen.increment.parts import LEDGER
from brimgen.output.plan import Output
from brimgen.parallel import Doubt
from brimgen.parallel.lists import joined_list
from brimgen.parallel.shares import Shares

_OF_NEIGHBOURS = ARGUMENT_NAMES_ALIKE.code
"""Found in what all processes read only where all have found it: it is about several arguments,
which are compared in the order in which tools reach them."""
_OF_NOBODY = WAIVER_UNUSED.code
"""True of all processes only where it is true of each."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a process found in what it has read, and the faces of its tools
    (`brimgen.increment.baseline.face_of`).
    """

    found: tuple[Diagnostic, ...]
    faces: Mapping[str, str]


def joined_outputs(
    held: Sequence[Sequence[Output]], emitters: Iterable[Emitter]
) -> tuple[Output, ...]:
    """The files that several processes have made, for themselves or for all. Raises `Doubt`."""
    apart = {each.name: each.apart for each in emitters}
    files: dict[str, list[Output]] = {}
    for output in chain.from_iterable(held):
        files.setdefault(output.path, []).append(output)
    return tuple(
        _joined(found, apart.get(found[0].target, LEDGER))
        for _, found in sorted(files.items())
    )


def _joined(found: Sequence[Output], apart: Apart | None) -> Output:
    first, *others = found
    if all(each == first for each in others):
        return first
    if apart is None or any(each.sources for each in found):
        raise Doubt
    data = joined_list(first.path, [each.data for each in found], apart)
    return Output(first.path, data, first.target)


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
