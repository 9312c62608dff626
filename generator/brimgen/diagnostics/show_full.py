"""Show diagnostics with their source lines, a mark under the text, and help."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.rule import Severity
from brimgen.diagnostics.show_line import quote
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
