"""Find edits that certainly correct a mistake, such as a misspelt key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from brimgen.diagnostics.diagnostic import Diagnostic, did_you_mean
from brimgen.diagnostics.rule import Severity
from brimgen.diagnostics.span import Span
from brimgen.frozen import dataclass

_WORD = re.compile(r"[^\s{}'\"#,]+")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``old`` at ``span`` by ``new``, to correct ``diagnostic``."""

    span: Span
    old: str
    new: str
    diagnostic: Diagnostic


def certain_edits(
    diagnostics: Iterable[Diagnostic], lines: Sequence[str]
) -> list[Edit]:
    """The edits that mend ``diagnostics`` in a file with these ``lines``, in order; none overlap.

    A diagnostic is mended if it has a single suggestion, and that is another spelling of the
    marked word: nothing but the word changes.
    """
    edits: list[Edit] = []
    for diagnostic in diagnostics:
        edit = _edit(diagnostic, lines)
        if edit is not None and not (edits and _overlap(edits[-1].span, edit.span)):
            edits.append(edit)
    return edits


def apply_edits(lines: Sequence[str], edits: Sequence[Edit]) -> list[str]:
    """The lines of a file after its edits, which are in order."""
    edited = list(lines)
    for edit in reversed(edits):
        line, start, end = edit.span.line - 1, edit.span.column, edit.span.end_column
        edited[line] = edited[line][: start - 1] + edit.new + edited[line][end - 1 :]
    return edited


def _edit(diagnostic: Diagnostic, lines: Sequence[str]) -> Edit | None:
    span = diagnostic.span
    if diagnostic.rule.severity is Severity.INFO or len(diagnostic.suggestions) != 1:
        return None
    if span.line != span.end_line or span.line > len(lines):
        return None
    [new] = diagnostic.suggestions
    marked = lines[span.line - 1][span.column - 1 : span.end_column - 1]
    if marked[:1] in {"'", '"'} and marked[-1:] == marked[:1]:
        marked = marked[1:-1]
        span = span._replace(column=span.column + 1, end_column=span.end_column - 1)
    if new == marked or not _WORD.fullmatch(marked) or not _WORD.fullmatch(new):
        return None
    return Edit(span, marked, new, diagnostic) if did_you_mean(marked, [new]) else None


def _overlap(first: Span, second: Span) -> bool:
    """Whether two edits, in order, touch the same text."""
    return first.line == second.line and second.column < first.end_column
