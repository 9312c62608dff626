"""Literals: statements as Python and SQL text, laid out as black lays them out."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import STEP, Code, assigned, bracketed, fits, py


def text_literal(before: str, text: str) -> Code:
    """``before`` and a string, a long one of several lines as one piece a line."""
    pieces = [py(each) for each in text.splitlines(keepends=True)] or [py("")]
    flat = " ".join(pieces)
    if len(pieces) == 1 or fits(before + flat):
        return assigned(before, flat)
    if fits(flat, STEP):
        return Code(f"{before}(\n{' ' * STEP}{flat}\n)")
    return Code(f"{before}(\n{_lines(pieces, STEP, '')}\n)")


def tuple_literal(before: str, texts: Sequence[str]) -> Code:
    """``before`` and a tuple of strings, one an item, long ones as one piece a line."""
    items = []
    for text in texts:
        pieces = [py(each) for each in text.splitlines(keepends=True)] or [py("")]
        flat = " ".join(pieces)
        if len(pieces) == 1 or fits(f"{flat},", STEP):
            items.append(f"{' ' * STEP}{flat},")
        else:
            pad = " " * STEP
            items.append(f"{pad}(\n{_lines(pieces, 2 * STEP, '')}\n{pad}),")
    return Code(f"{before}(\n" + "\n".join(items) + "\n)")


def _lines(pieces: Sequence[str], indent: int, end: str) -> str:
    return "\n".join(f"{' ' * indent}{each}{end}" for each in pieces)


def call(
    before: str,
    function: str,
    arguments: Sequence[str],
    *,
    indent: int,
    after: str = "",
) -> Code:
    """A call on one line, or with one argument a line where it is too long."""
    return bracketed(
        arguments, before=f"{before}{function}(", after=f"){after}", indent=indent
    )
