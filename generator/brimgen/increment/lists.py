"""Lists of tools, of which several builds have made a part each, in; the whole list out."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from brimgen.frozen import dataclass
from brimgen.increment.parts import Parts


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


def joined_list(path: str, lists: Sequence[Listed]) -> Listed | None:
    """The list at ``path`` with the tools of all ``lists``, by their names; None where it cannot
    be told how.
    """
    tools: dict[str, memoryview] = {}
    for each in lists:
        for name, part in each:
            known = tools.setdefault(name, part)
            if known is not part and known != part:
                return None
    return _joined(path, lists, tools)


def changed_list(
    path: str, old: Listed, new: Listed, left: Container[str]
) -> Listed | None:
    """The list at ``path`` with those tools of the ``old`` one that were ``left`` out of the new
    one, and all of the ``new`` one; None where it cannot be told how.
    """
    if any(name in left for name in new.parts):
        return None
    tools = {name: part for name, part in old if name in left}
    return _joined(path, (old, new), tools | dict(new))


def _joined(
    path: str, lists: Sequence[Listed], tools: dict[str, memoryview]
) -> Listed | None:
    found = [each for each in lists if each.parts]
    frames = {each.frame for each in found}
    between = set[bytes]().union(*(each.between for each in found))
    if not between and path.endswith(".json"):
        between = {b",\n"}
    if len(frames) != 1 or len(between) != 1:
        return None
    if any([*each.parts] != sorted(each.parts) for each in found):
        return None
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
