"""Test which regular expressions constrained decoding supports."""

from __future__ import annotations

import re

_LOOK_AROUND = re.compile(r"(?<!\\)(?:\\\\)*\(\?<?[=!]")
_BACK_REFERENCE = re.compile(r"(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)")
_WORD_BOUNDARY = re.compile(r"(?<!\\)(?:\\\\)*\\[bB]")


def has_look_around(pattern: str) -> bool:
    """Whether ``pattern`` looks ahead or behind, which strict modes refuse (descriptors.md)."""
    return bool(_LOOK_AROUND.search(pattern))


def is_simple(pattern: str) -> bool:
    """Whether a plain automaton can follow ``pattern``: no look-around, no reference back to a
    group, no word boundary (descriptors.md).
    """
    hard = (_LOOK_AROUND, _BACK_REFERENCE, _WORD_BOUNDARY)
    return not any(construct.search(pattern) for construct in hard)
