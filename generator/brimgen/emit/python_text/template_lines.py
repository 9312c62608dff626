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

from brimgen.emit.code import STEP, Code, fits
from brimgen.emit.python_text.layout import laid_out, laid_out_item
from brimgen.emit.python_text.marks import (
    ANNOTATED,
    CALL_CLOSE,
    CALL_OPEN,
    COMMA,
    HIDDEN_CLOSE,
    HIDDEN_OPEN,
    LIST_CLOSE,
    LIST_OPEN,
    MAGIC,
    Mark,
)
from brimgen.emit.python_text.pieces import Items, Piece, Union
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
    if not is_item:
        shown = _one_item_a_line(filled, indent)
        if shown is not None:
            return shown
    whole = Piece.of(filled)
    shown = laid_out_item(whole, indent) if is_item else laid_out(whole, indent)
    return Code(f"{' ' * indent}{shown}")


def _one_item_a_line(parts: Sequence[str], indent: int) -> Code | None:
    """Lay out a line that ends with a call, a list or the head of a function, one item a line.

    This is what the layout makes of it, at a tenth of the cost; None where an item or the start
    of the line is too wide, so that there is more to break.
    """
    end = next((at for at, each in enumerate(parts) if each is MAGIC), 0)
    if not end:
        return None
    if not any(parts[end + 1] is each for each in _CLOSING) or _has_bracket(
        parts[end + 2 :]
    ):
        return None
    start = _opening_of(parts, end)
    if start is None or _has_bracket(parts[:start]):
        return None
    items = [""]
    depth = 0
    for each in parts[start + 1 : end]:
        if isinstance(each, Items):
            names = [part for part in each.parts if part is not COMMA]
            items[-1] += names[0] if names else ""
            items += names[1:]
            continue
        if isinstance(each, Mark):
            depth += bool(each.opens) - bool(each.closes)
            if each is COMMA and depth == 0:
                items.append("")
                continue
        items[-1] += each
    head = "".join(parts[: start + 1])
    inner = indent + STEP
    if not (fits(head, indent) and all(items)):
        return None
    if not all(fits(each, inner + 1) for each in items):
        return None
    pad, end_pad = " " * inner, " " * indent
    rows = "".join([f"{pad}{each},\n" for each in items])
    tail = "".join(parts[end + 1 :])
    if not fits(tail, indent):
        return None
    return Code(f"{end_pad}{head}\n{rows}{end_pad}{tail}")


def _opening_of(parts: Sequence[str], end: int) -> int | None:
    """Where the call opens whose last item ends at ``end``."""
    depth = 1
    for at in range(end - 1, -1, -1):
        each = parts[at]
        if isinstance(each, Mark):
            depth += bool(each.closes) - bool(each.opens)
            if depth == 0:
                return at if any(each is one for one in _OPENING) else None
    return None


def _has_bracket(parts: Sequence[str]) -> bool:
    """Whether a bracket of a template stands among parts, other than one that is not written."""
    return any(
        isinstance(part, Mark) and part.sign in "()[]{}" and part.sign for part in parts
    )


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
            yield first + "".join([f"{next(values)}{each}" for each in rest])
        else:
            yield part
        at += 1
