"""Show diagnostics with their source lines, a mark under the text, and help."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.rule import Severity
from brimgen.diagnostics.show_report import Report, did_you_mean_text, visible
from brimgen.diagnostics.span import Span

BOLD = "1"
BLUE = "1;34"
COLOURS = {
    Severity.ERROR: "1;31",
    Severity.WARNING: "1;33",
    Severity.INFO: "1;36",
}


def full(report: Report) -> str:
    """Each diagnostic as a paragraph of several lines, with a blank line between them."""
    return "\n".join(paragraphs(report))


def paragraphs(report: Report) -> tuple[str, ...]:
    """The paragraph of each diagnostic."""
    files = _Files(report)
    return tuple(
        _paragraph(report, files, diagnostic) for diagnostic in report.diagnostics
    )


class _Files:
    """The lines of the quoted files, each split once."""

    def __init__(self, report: Report) -> None:
        self._sources = report.sources
        self._lines: dict[str, list[str]] = {}

    def line(self, file: str, number: int) -> str | None:
        """Line ``number`` of ``file``, or None where there is no such line."""
        if file not in self._lines:
            source = self._sources.get(file)
            self._lines[file] = [] if source is None else source.text.split("\n")
        lines = self._lines[file]
        return lines[number - 1] if number <= len(lines) else None


def _paragraph(report: Report, files: _Files, diagnostic: Diagnostic) -> str:
    rule = diagnostic.rule
    colour = COLOURS[rule.severity]
    places = [diagnostic.span, *(note.span for note in diagnostic.notes)]
    margin = len(str(max(place.line for place in places)))
    paint = Paint(report.colour)
    head = paint(colour, f"{rule.severity}[{rule.code}]")
    lines = [f"{head}{paint(BOLD, f': {visible(diagnostic.message)}')}"]
    snippet = _Snippet(report, files, paint, margin)
    lines += snippet.of(diagnostic.span, "-->", "^", colour)
    for note in diagnostic.notes:
        lines += snippet.of(note.span, ":::", "-", BLUE, visible(note.text))
    suggested = did_you_mean_text(diagnostic.suggestions)
    for advice in (suggested, rule.help):
        if advice:
            lines.append(f"{' ' * margin} {paint(BLUE, '=')} help: {advice}")
    return "\n".join(lines) + "\n"


class Paint:
    """Wraps text in an ANSI colour, unless colours are off."""

    def __init__(self, is_on: bool) -> None:
        self._is_on = is_on

    def __call__(self, colour: str, text: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._is_on else text


class _Snippet:
    """Quotes the line of a place, with its number at the margin and a mark below."""

    def __init__(
        self, report: Report, files: _Files, paint: Paint, margin: int
    ) -> None:
        self._report = report
        self._files = files
        self._paint = paint
        self._margin = margin

    def of(
        self, span: Span, arrow: str, mark: str, colour: str, label: str = ""
    ) -> Iterator[str]:
        """The lines of one snippet; only its place (and label) where there is no such line."""
        paint, bar = self._paint, self._paint(BLUE, "|")
        space = " " * self._margin
        line = self._files.line(span.file, span.line)
        place = f"{space}{paint(BLUE, arrow)} {self._report.place(span)}"
        if line is None or not _is_quotable(line, span):
            yield f"{place}: {label}" if label else place
            return
        text, indent, width = quote(line, span)
        marks = paint(colour, f"{mark * width}{f' {label}' if label else ''}")
        number = paint(BLUE, f"{span.line:>{self._margin}}")
        yield place
        yield f"{space} {bar}"
        yield f"{number} {bar} {text}".rstrip()
        yield f"{space} {bar} {' ' * indent}{marks}"


def _is_quotable(line: str, span: Span) -> bool:
    """A place of a whole file has no text to mark."""
    return bool(line.strip()) or span != Span.at_file(span.file)


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


def concise(report: Report) -> str:
    """The place, severity, code, message and suggestions of each diagnostic on its line."""
    return "".join(lines(report))


def lines(report: Report) -> tuple[str, ...]:
    """The line of each diagnostic."""
    paint = Paint(report.colour)
    return tuple(_line(report, paint, each) for each in report.diagnostics)


def _line(report: Report, paint: Paint, diagnostic: Diagnostic) -> str:
    rule = diagnostic.rule
    head = paint(COLOURS[rule.severity], f"{rule.severity}[{rule.code}]")
    message = f"{visible(diagnostic.message)}{_suggested(diagnostic.suggestions)}"
    return f"{report.place(diagnostic.span)}: {head} {message}\n"


def _suggested(suggestions: tuple[str, ...]) -> str:
    return f"; {did_you_mean_text(suggestions)}" if suggestions else ""
