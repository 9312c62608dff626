"""Lists of tools of several processes in; the list that one process would have made out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from brimgen.emit.artifact import Apart
from brimgen.frozen import dataclass
from brimgen.increment.parts import Parts, parts_of
from brimgen.parallel import Doubt


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of one process: its bytes, and where the part of each tool stands."""

    data: bytes
    parts: Parts

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        for name, (start, end) in self.parts.items():
            yield name, self.data[start:end]

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


def joined_list(path: str, lists: Sequence[bytes], apart: Apart) -> bytes:
    """The list at ``path`` with the tools of all ``lists``, by their names. Raises `Doubt`."""
    found = [_listed(path, data, apart) for data in lists]
    found = [each for each in found if each.parts]
    if not found:
        raise Doubt
    frames = {each.frame for each in found}
    between = set[bytes]().union(*(each.between for each in found))
    if not between and path.endswith(".json"):
        between = {b",\n"}
    if len(frames) != 1 or len(between) > 1:
        raise Doubt
    tools: dict[str, bytes] = {}
    for each in found:
        for name, part in each:
            if tools.setdefault(name, part) != part:
                raise Doubt
    if len(tools) > 1 and not between:
        raise Doubt
    before, behind = frames.pop()
    inner = b"".join(between).join([tools[name] for name in sorted(tools)])
    return b"".join((before, inner, behind))


def _listed(path: str, data: bytes, apart: Apart) -> Listed:
    parts = parts_of(path, data, apart)
    if parts is None or [*parts] != sorted(parts):
        raise Doubt
    return Listed(data, parts)
