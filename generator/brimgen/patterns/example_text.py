"""Write a text in which a pattern is found."""

from __future__ import annotations

from typing import assert_never

from brimgen.patterns.slowness import is_found, members
from brimgen.patterns.syntax import (
    Atom,
    Choice,
    Edge,
    Look,
    Part,
    Repeat,
    Sequence,
    Undecided,
    parse_pattern,
)

LONGEST = 5_000
"""Characters of a text; a longer one is not tried."""

_CHARACTERS = "a1A_- .:/@+,#" + "".join(map(chr, range(33, 127))) + "é中\n"


def example_text(pattern: str, times: int) -> str | None:
    """A text in which ``pattern`` is found, or None where none is known.

    What may repeat in it repeats ``times`` times, as far as the pattern allows.
    """
    try:
        text = _write(parse_pattern(pattern), times)
    except Undecided:
        return None
    return text if is_found(pattern, text) else None


def _write(part: Part, times: int) -> str:
    match part:
        case Atom(text):
            read = members(text, _CHARACTERS)
            if not read:
                raise Undecided
            return _CHARACTERS[(read & -read).bit_length() - 1]
        case Edge() | Look():
            return ""
        case Sequence(parts):
            return "".join(_write(child, times) for child in parts)
        case Choice(options):
            return _write(options[times % len(options)], times)
        case Repeat(inner, low, high):
            count = max(low, times if high is None else min(times, high))
            once = _write(inner, times)
            if len(once) * count > LONGEST:
                raise Undecided
            return once * count
        case _ as never:
            assert_never(never)
