"""Find the names in a piece, and negate a test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from brimgen.emit.code import Code
from brimgen.emit.python_text.marks import Mark
from brimgen.emit.python_text.pieces import (
    Comparison,
    Piece,
    compared,
    grouped,
    negated,
)


def mentions(whole: Code, part: Code) -> int:
    """Count how many times a name or a piece is part of a piece."""
    count = 0
    pending: list[str] = [whole]
    while pending:
        piece = pending.pop()
        if piece == part:
            count += 1
        elif isinstance(piece, Piece):
            pending += piece.parts
    return count


def names_in(whole: Code) -> Iterator[str]:
    """Return the names of an annotation: of its parts, and those between their dots."""
    pending: list[str] = [whole]
    while pending:
        piece = pending.pop()
        if isinstance(piece, Piece):
            pending += piece.parts
        elif not isinstance(piece, Mark):
            yield piece


_OPPOSITES: Final = {"in": "not in", "is": "is not", "==": "!="}


def opposite(test: Code) -> Piece:
    """Return the test that holds where ``test`` does not."""
    if not isinstance(test, Comparison):
        return negated(test)
    first, mark, *rest = test.parts
    if len(rest) == 1 and isinstance(mark, Mark) and mark.sign in _OPPOSITES:
        return compared(cast("Code", first), _OPPOSITES[mark.sign], rest[0])
    return negated(grouped(test))
