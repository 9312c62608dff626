"""Characters that no spec file may hold: text in, their places out (language.md 1)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules.source import REFUSED_CHARACTER
from brimgen.regex import regex

# Control characters but tab and line feed, all that steer the direction of text, separators
# that some readers take for line ends, marks of byte order, non-characters, tag characters.
_REFUSED = regex(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    "\ufeff\ufffe\uffff\U000e0000-\U000e007f]"
)
_CONTROLS = bytes({*range(32), 127} - {*b"\t\n"})
_MOST_TOLD = 10

REPLACEMENT = "\ufffd"


def is_clean(raw: bytes) -> bool:
    """Whether ASCII bytes hold nothing refused; False may also mean that ``raw`` is not ASCII."""
    return raw.isascii() and len(raw.translate(None, _CONTROLS)) == len(raw)


def replace_refused(name: str, text: str, found: Diagnostics) -> str | None:
    """``text`` with every refused character reported and replaced by U+FFFD.

    So what else is wrong with the file is told in the same run. None stands for a text with so
    many of them that it is none.
    """
    for count, (character, span) in enumerate(_places(name, text)):
        if count == _MOST_TOLD:
            return None
        found.add(
            REFUSED_CHARACTER,
            span,
            name=unicodedata.name(character, "control character"),
            code=f"U+{ord(character):04X}",
        )
    return _REFUSED.sub(REPLACEMENT, text)


def _places(name: str, text: str) -> Iterator[tuple[str, Span]]:
    """The refused characters and where they stand, in order."""
    line, seen = 1, 0
    for match in _REFUSED.finditer(text):
        offset = match.start()
        line += text.count("\n", seen, offset)
        seen = offset
        column = offset - text.rfind("\n", 0, offset)
        yield match.group(), Span(name, line, column, line, column + 1)
