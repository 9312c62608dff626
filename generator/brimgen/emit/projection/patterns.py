"""Patterns: what constrained decoding can make of a regular expression."""

from __future__ import annotations

import re

_LOOK_AROUND = re.compile(r"(?<!\\)(?:\\\\)*\(\?<?[=!]")
_BACK_REFERENCE = re.compile(r"(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)")


def has_look_around(pattern: str) -> bool:
    """Whether ``pattern`` looks ahead or behind, which strict modes refuse (descriptors.md 1.2)."""
    return bool(_LOOK_AROUND.search(pattern))


def has_back_reference(pattern: str) -> bool:
    """Whether ``pattern`` refers back to a group, which no finite automaton can do."""
    return bool(_BACK_REFERENCE.search(pattern))
