"""Diagnostics count their errors as they come: a build asks again and again."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics, Severity, Span
from support.made_rules import made_rule

WRONG = made_rule("X001 wrong", "`{name}` is wrong", "Make it right.")
DOUBTFUL = made_rule(
    "X003 doubtful", "`{name}` is doubtful", "Think again.", Severity.WARNING
)
HERE = Span.at_file("a.yaml")


def test_only_different_errors_are_counted() -> None:
    diagnostics = Diagnostics()
    diagnostics.add(DOUBTFUL, HERE, name="a")
    assert (0, False) == (diagnostics.errors, diagnostics.has_errors)
    for name in ("a", "b", "a"):
        diagnostics.add(WRONG, HERE, name=name)
    assert (2, True) == (diagnostics.errors, diagnostics.has_errors)
    more = Diagnostics()
    more.extend(diagnostics)
    more.extend(diagnostics)
    assert (2, True, 3) == (more.errors, more.has_errors, len(more))
