"""Diagnostics count their errors as they come: a build asks again and again."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics, Span, error, warning

WRONG = error("X001", "wrong", "`{name}` is wrong", "Make it right.")
DOUBTFUL = warning("X003", "doubtful", "`{name}` is doubtful", "Think again.")
HERE = Span.at_file("a.yaml")


def test_only_different_errors_are_counted() -> None:
    found = Diagnostics()
    found.add(DOUBTFUL, HERE, name="a")
    assert (0, False) == (found.errors, found.has_errors)
    for name in ("a", "b", "a"):
        found.add(WRONG, HERE, name=name)
    assert (2, True) == (found.errors, found.has_errors)
    more = Diagnostics()
    more.extend(found)
    more.extend(found)
    assert (2, True, 3) == (more.errors, more.has_errors, len(more))
