"""Parts of texts keep their places."""

from __future__ import annotations

import pytest

from brimgen.diagnostics import Span, TextBlock

TEXT = "alpha\n  beta\n\ngamma"
STARTS = ((3, 7), (4, 3), (5, 1), (6, 3))


@pytest.mark.parametrize("start", range(len(TEXT) + 1))
@pytest.mark.parametrize("length", [0, 1, 5, 9])
def test_places_in_a_part_are_places_in_the_whole(start: int, length: int) -> None:
    end = min(len(TEXT), start + length)
    whole = TextBlock(TEXT, Span("f", 3, 7, 6, 8), STARTS)
    cut = whole.part(start, end)
    assert TEXT[start:end] == cut.text
    assert whole.span_at(start, end) == cut.span
    for offset in range(end - start + 1):
        expected = whole.span_at(start + offset, start + offset)
        assert expected == cut.span_at(offset, offset)


def test_a_part_of_an_inexact_text_is_inexact() -> None:
    span = Span("f", 3, 7, 6, 8)
    cut = TextBlock(TEXT, span, exact=False).part(2, 9)
    assert (TEXT[2:9], span, False) == (cut.text, cut.span_at(1, 2), cut.exact)
