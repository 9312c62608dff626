"""Write statements as string literals of Python."""

from __future__ import annotations

import re

from brimgen.emit.code import Code
from brimgen.emit.python_text import constant_literal

_MARKS = re.compile(r'"{3,}|"+\Z')
"""What would end a literal in triple quotes."""


def text_literal(text: str) -> Code:
    """Return a string for the end of an assignment; several lines of it are kept between triple
    quotes.
    """
    if _is_plain(text):
        shown = text.replace("\\", "\\\\")
        if '"' in shown:
            shown = _MARKS.sub(_escaped, shown)
        return Code(f'"""\\\n{shown}"""')
    return constant_literal(text)


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
