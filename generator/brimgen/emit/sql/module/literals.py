"""Write statements as string literals of Python, laid out as black does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brimgen.emit.code import STEP, Code, fits, py

_MARKS = re.compile(r'"{3,}|"+\Z')
"""What would end a literal in triple quotes."""


def text_literal(before: str, text: str) -> Code:
    """Return ``before`` and a string; several lines of it are kept between triple quotes."""
    if _is_plain(text):
        shown = text.replace("\\", "\\\\")
        if '"' in shown:
            shown = _MARKS.sub(_escaped, shown)
        return Code(f'{before}"""\\\n{shown}"""')
    pieces = [py(line) for line in text.splitlines(keepends=True)] or [py("")]
    flat = " ".join(pieces)
    if fits(before + flat):
        return Code(before + flat)
    if len(pieces) == 1 or fits(flat, STEP):
        return Code(f"{before}(\n{' ' * STEP}{flat}\n)")
    return Code(f"{before}(\n{_lines(pieces, STEP, '')}\n)")


def _escaped(marks: re.Match[str]) -> str:
    return '\\"' * len(marks[0])


def _is_plain(text: str) -> bool:
    """Whether a reader sees the whole text: several lines of ASCII without spaces at their
    ends.
    """
    return (
        "\n" in text.rstrip("\n")
        and text.isascii()
        and text.replace("\n", "").isprintable()
        and " \n" not in f"{text}\n"
    )


def tuple_literal(before: str, texts: Sequence[str]) -> Code:
    """Return ``before`` and a tuple of strings, one per line; long ones are split into one
    piece per line.
    """
    items: list[str] = []
    for text in texts:
        pieces = [py(line) for line in text.splitlines(keepends=True)] or [py("")]
        flat = " ".join(pieces)
        shown = flat if len(pieces) == 1 else f"({flat})"
        if len(pieces) == 1 or fits(f"{shown},", STEP):
            items.append(f"{' ' * STEP}{shown},")
        else:
            pad = " " * STEP
            items.append(f"{pad}(\n{_lines(pieces, 2 * STEP, '')}\n{pad}),")
    return Code(f"{before}(\n" + "\n".join(items) + "\n)")


def _lines(pieces: Sequence[str], indent: int, end: str) -> str:
    return "\n".join(f"{' ' * indent}{piece}{end}" for piece in pieces)
