"""Lay out a line that a template writes, with its values.

Where the line is too wide once the values stand in it, the layout needs its parts, and so the text
of the template is read (`read_line`). The values are not: a hole is filled with a piece or a
literal as it was made.

A comma before a closing bracket says that the bracket holds one item a line where the whole does
not fit on one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from brimgen.emit.code import Code
from brimgen.emit.python_text.layout import laid_out, laid_out_item
from brimgen.emit.python_text.marks import (
    ANNOTATED,
    CALL_CLOSE,
    CALL_OPEN,
    HIDDEN_CLOSE,
    HIDDEN_OPEN,
    LIST_CLOSE,
    LIST_OPEN,
)
from brimgen.emit.python_text.pieces import Piece, Union
from brimgen.emit.python_text.read_line import HOLE, Unreadable, read_line
from brimgen.emit.python_text.statements import wrapped

_OPENING: Final = (CALL_OPEN, LIST_OPEN)
_CLOSING: Final = (CALL_CLOSE, LIST_CLOSE)
_LAST_COMMA: Final = re.compile(r",[)\]}]")


@lru_cache(maxsize=2048)
def laid_out_line(line: str, values: tuple[Code, ...]) -> Code | None:
    """Lay out a line of a template; None where it is no line of Python by itself.

    ``line`` begins with its indentation and has a `HOLE` for each of ``values``. Lines are kept,
    because tools repeat them: two thirds of those of 1,000 made tools, a tenth of a cold build.
    """
    text = line.lstrip(" ")
    indent = len(line) - len(text)
    try:
        parts, is_item = read_line(text)
    except Unreadable:
        return None
    filled = tuple(_filled(parts, iter(values)))
    whole = Piece.of(filled)
    shown = laid_out_item(whole, indent) if is_item else laid_out(whole, indent)
    return Code(f"{' ' * indent}{shown}")


def without_last_commas(line: str) -> str:
    """The text of a line of a template as it is printed where it is not too wide."""
    if not _LAST_COMMA.search(line):
        return line
    text = line.lstrip(" ")
    try:
        parts, is_item = read_line(text)
    except Unreadable:
        return line
    comma = "," if is_item else ""
    return f"{line[: len(line) - len(text)]}{''.join(parts)}{comma}"


def _filled(parts: Sequence[str], values: Iterator[Code]) -> Iterator[str]:
    """Put values into the holes of a line."""
    at = 0
    while at < len(parts):
        part = parts[at]
        if part is HIDDEN_OPEN and parts[at + 1 : at + 3] == (HOLE, HIDDEN_CLOSE):
            yield from wrapped(next(values))
            at += 2
        elif part == HOLE:
            value = next(values)
            is_wrapped = at and parts[at - 1] is ANNOTATED and isinstance(value, Union)
            yield from wrapped(value) if is_wrapped else (value,)
        elif HOLE in part:
            first, *rest = part.split(HOLE)
            yield first + "".join([f"{next(values)}{text}" for text in rest])
        else:
            yield part
        at += 1
