"""Patterns: what constrained decoding can make of a regular expression."""

from __future__ import annotations

import re

_LOOK_AROUND = re.compile(r"(?<!\\)(?:\\\\)*\(\?<?[=!]")
_BACK_REFERENCE = re.compile(r"(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)")
_WORD_BOUNDARY = re.compile(r"(?<!\\)(?:\\\\)*\\[bB]")


def has_look_around(pattern: str) -> bool:
    """Whether ``pattern`` looks ahead or behind, which strict modes refuse (descriptors.md 1.2)."""
    return bool(_LOOK_AROUND.search(pattern))


def is_simple(pattern: str) -> bool:
    """Whether a plain automaton can follow ``pattern``: no look-around, no reference back to a
    group, no word boundary (descriptors.md 3.1).
    """
    hard = (_LOOK_AROUND, _BACK_REFERENCE, _WORD_BOUNDARY)
    return not any(each.search(pattern) for each in hard)


_TOKEN = re.compile(
    r"\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[:=!]|[*+?]\??|\{[0-9]+(?:,[0-9]*)?\}\??|.",
    re.DOTALL,
)
_QUANTIFIER = re.compile(r"[*+?]\??|\{[0-9]+(?:,[0-9]*)?\}\??")
_FIXED = re.compile(r"\{[0-9]{1,3}\}")
_LONGEST = 200
_MOST_CHOICES = 2
"""Parts of variable length: a backtracking engine tries at most the square of a text's length."""


def is_quick(pattern: str) -> bool:
    """Whether any engine is done with ``pattern`` at once, so that it may be run at build time:
    no group is repeated, and at most two parts have a variable length.
    """
    if not is_simple(pattern) or len(pattern) > _LONGEST:
        return False
    choices, before = 0, ""
    for token in _TOKEN.findall(pattern):
        if _QUANTIFIER.fullmatch(token) and before:
            if before == ")":
                return False
            choices += not _FIXED.fullmatch(token)
        before = token
    return choices <= _MOST_CHOICES
