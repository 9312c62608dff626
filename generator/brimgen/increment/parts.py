"""Lists of tools in generated files: where each tool stands in one, and one put in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import TypeAlias

from brimgen.emit.artifact import Apart

Parts: TypeAlias = dict[str, tuple[int, int]]
"""Where the part of each tool begins and ends, by the name of the tool."""

LEDGER = Apart(lines={"losses.json": '  {"tool": "@",'})
"""The file of what all targets lose, which is no target's own."""

_NAME = re.compile(r'"name": "([^"\\]*)"')
_WORD = r"([^\s\"`\\]+)"


def parts_of(path: PurePosixPath, text: str, apart: Apart) -> Parts | None:
    """The parts of a file as its target describes them; none where it is no list.

    None where the text is not as it was described: two parts of one tool, or one of nobody's.
    """
    if (depth := apart.lists.get(path.name)) is not None:
        return _unique(_objects(text, depth))
    if (begin := apart.lines.get(path.name)) is not None:
        return _unique(_lines(text, begin))
    return {}


def _objects(text: str, depth: int) -> Iterable[tuple[str, int, int]]:
    indent = " " * (2 * depth)
    ends = re.finditer(rf"(?m)^{indent}}}", text)
    for start in re.finditer(rf"(?m)^{indent}\{{$", text):
        end = next((each.end() for each in ends if each.start() > start.start()), -1)
        name = _NAME.search(text, start.end(), end) if end >= 0 else None
        yield name[1] if name else "", start.start(), end


def _lines(text: str, begin: str) -> Iterable[tuple[str, int, int]]:
    before, after = map(re.escape, begin.split("@"))
    last: tuple[str, int, int] | None = None
    for line in re.finditer(rf"(?m)^{before}{_WORD}{after}.*$", text):
        name, start = line[1], line.start()
        if last is not None and last[0] == name:
            start = last[1]
        elif last is not None:
            yield last
        last = name, start, line.end() - line[0].endswith(",")
    if last is not None:
        yield last


def _unique(found: Iterable[tuple[str, int, int]]) -> Parts | None:
    listed = list(found)
    parts = {name: (start, end) for name, start, end in listed}
    return parts if len(parts) == len(listed) and "" not in parts else None


def spliced(text: str, parts: Parts, new: Mapping[str, str]) -> str:
    """``text`` with the texts of ``new`` in the place of the parts of these tools."""
    pieces: list[str] = []
    done = 0
    for name, (start, end) in sorted(parts.items(), key=lambda each: each[1]):
        if name in new:
            pieces += (text[done:start], new[name])
            done = end
    return "".join((*pieces, text[done:]))
