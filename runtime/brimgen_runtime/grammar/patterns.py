"""Check regular expressions: the syntax of ECMA-262, as far as the runtime can enforce it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .rule_messages import Mistake

_LONGEST: Final = 2000
_PLACE = re.compile(r" at (?:character|position) [0-9]{1,6}")
_QUOTED_PATTERN = re.compile(r"^pattern '.*?': ", re.DOTALL)
_PLAIN = (
    ("a group that ECMA-262 does not have", "ECMA-262 has no such group"),
    ("a set without its end", "`[` is never closed"),
    ("an escape that ECMA-262 does not have: (.*)", r"ECMA-262 has no escape `\1`"),
    ("invalid group reference ([0-9]+)", r"there is no group \1"),
    ("look-behind requires fixed-width pattern", "a look-behind must have one length"),
    (
        "min repeat greater than max repeat",
        "the first number in `{}` is the larger one",
    ),
    ("missing \\), unterminated subpattern", "`(` is never closed"),
    ("nothing to repeat|multiple repeat", "there is nothing to repeat"),
    ("unbalanced parenthesis", "`)` closes nothing"),
)
"""Messages of the translator and of Python, and what an author reads instead."""


class PatternFault(NamedTuple):
    """A mistake in a pattern; ``detail`` is the message of the translator, with the place."""

    mistake: Mistake
    detail: str = ""


def pattern_fault(pattern: str) -> PatternFault | None:
    """Return the mistake in a regular expression; None if it can be enforced."""
    from ..schema.patterns import PatternError, translate

    if len(pattern) > _LONGEST:
        reason = f"it is longer than {_LONGEST} characters"
        return PatternFault(Mistake("bad-pattern", {"reason": reason}))
    try:
        translate(pattern)
    except PatternError as fault:
        detail = _QUOTED_PATTERN.sub("", str(fault))
        return PatternFault(Mistake("bad-pattern", {"reason": _plain(detail)}), detail)
    return None


def _plain(detail: str) -> str:
    """Return the message for an author, without the place."""
    reason = _PLACE.sub("", detail)
    for expression, words in _PLAIN:
        if match := re.fullmatch(expression, reason):
            return match.expand(words)
    return reason
