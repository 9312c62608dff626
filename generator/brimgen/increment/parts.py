"""Lists of tools in generated files: where each tool stands in one, and one put in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from brimgen.emit.artifact import Apart
from brimgen.regex import regex

Parts: TypeAlias = dict[str, tuple[int, int]]
"""Where the part of each tool begins and ends, in bytes, by the name of the tool."""

LEDGER = Apart(lines={"losses.json": '  {"tool": "@",'})
"""The file of what all targets lose, which is no target's own."""

_NAME = regex(rb'"(?:[a-z]+_)?name": "([^"\\]*)"')
_WORD = rb"([^\s\"`\\]+)"


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


def spliced(data: bytes, parts: Parts, new: Mapping[str, bytes]) -> bytes:
    """``data`` with what ``new`` holds in the place of the parts of these tools."""
    pieces: list[bytes] = []
    done = 0
    for (start, end), name in sorted((parts[name], name) for name in new):
        pieces += (data[done:start], new[name])
        done = end
    return b"".join((*pieces, data[done:]))
