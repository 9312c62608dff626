"""Spec files in; shares of them for several processes, and what each of them reads, out."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from brimgen.frozen import dataclass
from brimgen.source.document import SourceFile
from brimgen.syntax.decls import ToolKind
from brimgen.syntax.tools import TOOL_TYPES

_TOGETHER = frozenset({ToolKind.RESOURCE, ToolKind.TEMPLATE})
"""Kinds of tools of which a target makes one file: every process knows them all."""

_APART = frozenset(word for word, kind in TOOL_TYPES.items() if kind not in _TOGETHER)
_EACH = 1500
"""What a file costs besides its characters, in characters."""
_RUNTIME = 40_000
"""What the files cost that the first process copies for all, in characters."""


@dataclass(frozen=True, slots=True)
class Shares:
    """The names of the files that each process has for itself; all others are read by each."""

    own: tuple[frozenset[str], ...]

    def read_by(
        self, number: int, files: Sequence[SourceFile]
    ) -> tuple[SourceFile, ...]:
        """Those of ``files`` that a process reads, in their order."""
        left_out = self.others_than(number)
        return tuple(each for each in files if each.name not in left_out)

    def others_than(self, number: int) -> frozenset[str]:
        """The files that a process does not read."""
        return frozenset[str]().union(
            *(each for place, each in enumerate(self.own) if place != number)
        )


def shares_of(files: Sequence[SourceFile], *, most: int, least: int) -> Shares:
    """Up to ``most`` shares, of about the same cost and ``least`` files each, of the files that
    seem to declare tools and nothing else.

    No more than a look is taken: what it misses, each process finds when it has read its share.
    """
    types = {each.name: _types_in(each.text) for each in files}
    if any("bundle" in each for each in types.values()):
        return Shares((frozenset(),))
    apart = [each for each in files if _seems_apart(each, types[each.name])]
    processes = max(1, min(most, len(apart) // least))
    own: list[set[str]] = [set() for _ in range(processes)]
    costs = [0] * processes
    # All read what is not apart, and the first one makes the files of it: a third of the work.
    cost = sum(map(_cost, apart))
    common = sum(map(_cost, files)) - cost
    costs[0] = min(_RUNTIME + common // 3, cost // (2 * processes))
    for file in apart:
        cheapest = min(range(processes), key=costs.__getitem__)
        own[cheapest].add(file.name)
        costs[cheapest] += _cost(file)
    return Shares(tuple(map(frozenset, own)))


def _cost(file: SourceFile) -> int:
    return len(file.text) + _EACH


def _types_in(text: str) -> list[str]:
    """The words that follow ``type:`` where it begins a line."""
    behind = f"\n{text}".split("\ntype:")[1:]
    return [each.split("\n", 1)[0].split("#")[0].strip(" \t\"'") for each in behind]


def _seems_apart(file: SourceFile, types: Collection[str]) -> bool:
    """Whether a file of these types seems to declare nothing but tools that one process can build.

    Statements without metadata, and what names such a file, are for all.
    """
    name, text = file.name.casefold(), file.text
    if name.endswith(".md") or ".sql" in text:
        return False
    is_sql = name.endswith(".sql")
    if is_sql and "---" not in text:
        return False
    return (is_sql or bool(types)) and _APART.issuperset(types)
