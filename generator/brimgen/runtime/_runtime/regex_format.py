"""The format ``regex``: check that a text is an ECMA-262 pattern."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from .patterns import PatternError, Translator, check_compiles

LONGEST_PATTERN = 10_000
"""Longer texts are no patterns for the format ``regex``: callers choose them."""


def is_pattern(text: str) -> bool:
    """Return whether a text is an ECMA-262 pattern (the format ``regex``).

    Nothing is kept of it, and its sets, which are costly to compile, are only read.
    """
    if len(text) > LONGEST_PATTERN:
        return False
    try:
        check_compiles(text, _Outline(text).text())
    except PatternError:
        return False
    return True


class _Outline(Translator):
    """Translates a pattern with one character in the place of every set."""

    def _set(self) -> str:
        super()._set()
        return "a"

    def _class_escape(self) -> tuple[str | None, bool]:
        members, negated = super()._class_escape()
        return members and "a", negated


TESTS: Final[Mapping[str, Callable[[str], bool]]] = {"regex": is_pattern}
"""The format that this module tests."""
