"""Prepare one line of a spec for a terminal: tabs, wide characters, long lines."""

from __future__ import annotations

import unicodedata

from brimgen.diagnostics.show_report import visible
from brimgen.diagnostics.span import Span

_TAB = "    "
_WIDEST = 120
_BEFORE = 40


def quote(line: str, span: Span) -> tuple[str, int, int]:
    """The text to print for ``line``, how far to indent the mark, and how wide it is.

    A span over several lines is marked to the end of its first one; an empty one with one mark.
    Of a long line the part around the mark is shown.
    """
    start = min(span.column - 1, len(line))
    end = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
    end = max(start, min(end, len(line)))
    before, marked, after = line[:start], line[start:end], line[end:]
    if len(line) > _WIDEST:
        before = f"…{before[-_BEFORE:]}" if len(before) > _BEFORE else before
        room = _WIDEST - len(before)
        marked, after = _cut(marked, room), _cut(after, max(0, room - len(marked)))
    before, marked, after = map(_displayed, (before, marked, after))
    return before + marked + after, _width(before), max(1, _width(marked))


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[:room]}…"


def _displayed(text: str) -> str:
    return visible(text.replace("\t", _TAB))


def _width(text: str) -> int:
    """How many columns ``text`` takes: wide characters two, combining ones none."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
