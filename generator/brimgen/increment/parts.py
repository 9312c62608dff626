"""Lists of tools in generated files: where each tool stands in one, and one put in its place.

What is other than what stands there is put into the stage.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO, TypeAlias

from brimgen.digest import sha256
from brimgen.emit.artifact import Apart
from brimgen.frozen import dataclass
from brimgen.output.manifest import Entry
from brimgen.output.plan import File, Output, State
from brimgen.output.stage import Stage
from brimgen.output.write import mode_of
from brimgen.regex import regex

Parts: TypeAlias = dict[str, tuple[int, int]]
"""Where the part of each tool begins and ends, in bytes, by the name of the tool, in this order."""

LEDGER = Apart(lines={"losses.json": '  {"tool": "@",'})
"""The file of what all targets lose, which is no target's own."""

_AT_A_TIME = 1 << 16
_NAME = regex(rb'"(?:[a-z]+_)?name": "([^"\\]*)"')
_WORD = rb"([^\s\"`\\]+)"


def may_list(path: str, apart: Apart) -> bool:
    """Whether a file of a target is one that it describes as a list of tools."""
    name = path.rpartition("/")[2]
    return name in apart.lists or name in apart.lines


def parts_of(path: str, data: bytes, apart: Apart) -> Parts | None:
    """The parts of a file as its target describes them; none where it is no list.

    None where the file is not as it was described: two parts of one tool, or one of nobody's.
    """
    name = path.rpartition("/")[2]
    if (depth := apart.lists.get(name)) is not None:
        return _unique(_objects(data, depth))
    if (begin := apart.lines.get(name)) is not None:
        return _unique(_lines(data, begin))
    return {}


def _objects(data: bytes, depth: int) -> Iterable[tuple[bytes, int, int]]:
    # Found, not matched: an expression for the begin of a line is tried at every byte.
    begin, close = b"\n%b{\n" % (b"  " * depth), b"\n%b}" % (b"  " * depth)
    at = data.find(begin)
    while at >= 0:
        start, last = at + 1, data.find(close, at)
        if last < 0:
            yield b"", start, -1
            return
        end = last + len(close)
        name = _NAME.search(data, start, end)
        yield name[1] if name else b"", start, end
        at = data.find(begin, last)


def _lines(data: bytes, begin: str) -> Iterable[tuple[bytes, int, int]]:
    before, after = (re.escape(each.encode()) for each in begin.split("@"))
    last: tuple[bytes, int, int] | None = None
    # What begins with a line end is looked for by its first bytes: no list begins with a part.
    for line in re.finditer(rb"\n%b%b%b.*" % (before, _WORD, after), data):
        name, start = line[1], line.start() + 1
        if last is not None and last[0] == name:
            start = last[1]
        elif last is not None:
            yield last
        last = name, start, line.end() - line[0].endswith(b",")
    if last is not None:
        yield last


def _unique(found: Iterable[tuple[bytes, int, int]]) -> Parts | None:
    listed = list(found)
    parts = {name.decode(): (start, end) for name, start, end in listed}
    return parts if len(parts) == len(listed) and "" not in parts else None


def part_in(file: BinaryIO, part: tuple[int, int]) -> bytes:
    """What stands in a file between two places."""
    start, end = part
    file.seek(start)
    return file.read(end - start)


def spliced(file: BinaryIO, parts: Parts, new: Mapping[str, bytes]) -> Iterator[bytes]:
    """The bytes of a file with what ``new`` holds in the place of the parts of these tools.

    They come a little at a time: memory that was never touched costs more than what is done here.
    """
    done = file.seek(0)
    for (start, end), name in sorted((parts[name], name) for name in new):
        yield from _read(file, start - done)
        yield new[name]
        done = file.seek(end)
    yield from _read(file, sys.maxsize)


def _read(file: BinaryIO, length: int) -> Iterator[bytes]:
    while length and (data := file.read(min(length, _AT_A_TIME))):
        yield data
        length -= len(data)


def shifted(parts: Parts, new: Mapping[str, bytes]) -> Parts:
    """Where the parts, in their order, stand once those of ``new`` have another length."""
    found: Parts = {}
    by = 0
    for name, (start, end) in parts.items():
        start += by
        if name in new:
            by += len(new[name]) - (end + by - start)
        found[name] = start, end + by
    return found


@dataclass(frozen=True, slots=True)
class Splice:
    """A list whose parts stand at ``parts``: ``new`` are those that are other than they were."""

    parts: Parts
    new: Mapping[str, bytes]


def staged(made: Output, old: Entry, stage: Stage) -> File:
    """A whole file, which had the entry ``old``. Raises `OSError`."""
    path, data, rest = made.path, made.data, (made.target, made.sources)
    digest = sha256(data)
    if digest == old.sha256:
        return File(path, *rest, len(data), digest, State.SAME)
    known = stage.put(path, data, mode_of(stage.root / path))
    return File(path, *rest, len(data), digest, State.CHANGED, known=known)


def staged_list(made: Output, splice: Splice, stage: Stage) -> File:
    """A list, of which ``made`` is the part that was built. Raises `OSError`.

    It goes from the old file to the new one, and is held by nobody as a whole.
    """
    place = stage.root / made.path
    with open(place, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        passing = sha256.passing(spliced(file, splice.parts, splice.new), size)
        known = stage.put_pieces(made.path, passing, mode_of(place))
    said = made.path, made.target, made.sources, known[1], passing.digest
    return File(*said, State.CHANGED, known=known)
