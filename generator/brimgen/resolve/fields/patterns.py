"""Check regular expressions and the names of formats.

Their syntax is read by the runtime's translator, so that what is accepted here is what generated
code can enforce.
"""

from __future__ import annotations

import re
from contextlib import suppress

from brimgen.diagnostics import Diagnostics, Span, rules
from brimgen.patterns.slowness import LONGEST_SHORT_TEXT, slowness
from brimgen.patterns.syntax import Undecided
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.reader import shortened
from brimgen_runtime.grammar.patterns import PatternFault, pattern_fault

_PLACE = re.compile(r" at (character|position) ([0-9]{1,6})")
_TRANSLATED = frozenset("\\$^.")
"""Characters that Python does not read as ECMA-262 does."""


def check_pattern(node: ScalarNode, diagnostics: Diagnostics) -> bool:
    """Return whether a pattern can be enforced; report what is wrong or doubtful about it."""
    fault = pattern_fault(node.text)
    if fault is not None:
        report_pattern(node, fault, diagnostics)
        return False
    report_look_behind(node, diagnostics)
    return True


def report_pattern(
    node: ScalarNode, fault: PatternFault, diagnostics: Diagnostics
) -> None:
    """Report what is wrong with a pattern, at the character if it is known."""
    span = _place(node, fault.detail)
    diagnostics.add(rules.BAD_PATTERN, span, **fault.mistake.values)


def report_look_behind(node: ScalarNode, diagnostics: Diagnostics) -> None:
    """Report look-behind, which other engines may not have."""
    if "(?<=" in node.text or "(?<!" in node.text:
        diagnostics.add(rules.DIALECT_PATTERN, node.span, reason="look-behind")


def _place(node: ScalarNode, reason: str) -> Span:
    """Return the place of the wrong character; of the whole pattern where that is not certain."""
    text, located = node.text, _PLACE.search(reason)
    if located is None or not text:
        return node.span
    at = int(located[2])
    if located[1] == "character":
        at -= 1  # these are counted from one
    elif not _TRANSLATED.isdisjoint(text):
        return node.span  # the place is one of the pattern that Python reads
    if reason.startswith("a set without its end"):
        at = text.rfind("[")
    at = min(at, len(text) - 1)
    return node.block.span_at(at, at + 1)


def check_speed(node: ScalarNode, longest: object, diagnostics: Diagnostics) -> None:
    """Report a pattern that can keep a validator busy for a second or more.

    ``longest`` is the ``maxLength`` beside the pattern, if there is one: generated code tries no
    pattern on a longer text.
    """
    with suppress(Undecided):
        slow = slowness(node.text)
        if slow is None or (isinstance(longest, int) and longest < slow.length):
            return
        hopeless = slow.length <= LONGEST_SHORT_TEXT
        diagnostics.add(
            rules.CATASTROPHIC_PATTERN if hopeless else rules.SLOW_PATTERN,
            node.span,
            length=slow.length,
            part=shortened(slow.part),
        )


FORMATS = frozenset(
    [
        "date-time",
        "date",
        "time",
        "duration",
        "email",
        "idn-email",
        "hostname",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "uri",
        "uri-reference",
        "iri",
        "iri-reference",
        "uuid",
        "uri-template",
        "json-pointer",
        "relative-json-pointer",
        "regex",
    ]
)
