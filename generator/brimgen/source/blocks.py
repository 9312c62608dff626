"""The lines under a ``|`` or ``>`` in, the text that they are out: for `ordinary`."""

from __future__ import annotations

from itertools import takewhile

from brimgen.regex import regex
from brimgen.source.flow import Unusual
from brimgen.source.nodes import ScalarNode, scalar_of
from brimgen.source.places import Places

_HEADER = regex(r"([|>])(-?)(?: +#.*| *)\Z")


def read_block(
    places: Places, header: str, *, begin: tuple[int, int], outer: int, end: int
) -> tuple[ScalarNode, int]:
    """The scalar whose ``header`` stands at ``begin``, and the number of the line behind it.

    ``outer`` is the indent of what it is part of, ``end`` the number of the line behind the
    document; lines are counted from 0, but for that of ``begin``. Raises `Unusual`.
    """
    match = _HEADER.match(header)
    if match is None:
        raise Unusual
    is_literal, is_stripped = match[1] == "|", match[2] == "-"
    lines, first = places.lines, begin[0]
    rows = _rows(lines[first:end], outer)
    behind = first + len(rows)
    text = "\n".join(rows) if is_literal else _folded(rows)
    if not is_stripped and behind < len(lines):
        text += "\n"
    span, starts = places.block(begin, behind - 1, text, is_literal=is_literal)
    return scalar_of((span, text, text, True, starts)), behind


def _rows(lines: list[str], outer: int) -> list[str]:
    """What stands behind the indent of the first line that is not blank; blank ones are empty."""
    shown = next((line for line in lines if line.strip(" ")), "")
    indent = len(shown) - len(shown.lstrip(" "))
    if indent <= outer:
        raise Unusual
    margin = " " * indent

    def is_inside(line: str) -> bool:
        return line.startswith(margin) or not line.strip(" ")

    rows = [line[indent:] for line in takewhile(is_inside, lines)]
    while not rows[-1]:
        rows.pop()
    if any(row and not row.strip(" ") for row in rows):
        raise Unusual  # blank, and wider than the indent
    return rows


def _folded(rows: list[str]) -> str:
    """The rows with a space for the end of each, but where blank or indented ones stand."""
    text, gap = "", ""
    for row in rows:
        if row[:1] == " ":
            raise Unusual
        if not row:
            gap = gap.rstrip(" ") + "\n"
        else:
            text, gap = f"{text}{gap}{row}", " "
    return text
