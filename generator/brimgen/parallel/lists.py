"""Lists of tools of several processes in; the list that one process would have made out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from brimgen.frozen import dataclass
from brimgen.increment.parts import Parts
from brimgen.parallel import Doubt


@dataclass(frozen=True, slots=True)
class Listed:
    """A list: its bytes, and where the part of each tool stands."""

    data: bytes
    parts: Parts

    def __iter__(self) -> Iterator[tuple[str, memoryview]]:
        data = memoryview(self.data)
        for name, (start, end) in self.parts.items():
            yield name, data[start:end]

    @property
    def frame(self) -> tuple[bytes, bytes]:
        """What stands before the first part, and behind the last one."""
        places = [*self.parts.values()]
        return self.data[: places[0][0]], self.data[places[-1][1] :]

    @property
    def between(self) -> set[bytes]:
        """What stands between two parts."""
        return {
            self.data[one[1] : other[0]] for one, other in pairwise(self.parts.values())
        }


def joined_list(path: str, lists: Sequence[Listed]) -> Listed:
    """The list at ``path`` with the tools of all ``lists``, by their names. Raises `Doubt`."""
    found = [each for each in lists if each.parts]
    frames = {each.frame for each in found}
    between = set[bytes]().union(*(each.between for each in found))
    if not between and path.endswith(".json"):
        between = {b",\n"}
    if len(frames) != 1 or len(between) != 1:
        raise Doubt
    tools: dict[str, memoryview] = {}
    for each in found:
        if [*each.parts] != sorted(each.parts):
            raise Doubt
        for name, part in each:
            known = tools.setdefault(name, part)
            if known is not part and known != part:
                raise Doubt
    return _listed(tools, *frames.pop(), between.pop())


def _listed(
    tools: dict[str, memoryview], before: bytes, behind: bytes, between: bytes
) -> Listed:
    parts: Parts = {}
    pieces: list[bytes | memoryview] = []
    at = len(before)
    for name in sorted(tools):
        part = tools[name]
        pieces += (between, part)
        parts[name] = at, at + len(part)
        at += len(part) + len(between)
    return Listed(b"".join((before, *pieces[1:], behind)), parts)
