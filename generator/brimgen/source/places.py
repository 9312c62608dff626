"""Where things stand in the text of a file: lines and columns in, spans out."""

from __future__ import annotations

from brimgen.diagnostics import Span, TextBlock


class Places:
    """Answers with spans in one YAML text, whose lines are those of the file."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self._lines: list[str] | None = None

    @property
    def lines(self) -> list[str]:
        """The lines of the text; most documents never need them."""
        if self._lines is None:
            self._lines = self.text.split("\n")
        return self._lines

    def mark(self, line: int, column: int) -> Span:
        """One character at a place counted from 0; past the text, behind its last character."""
        lines = self.lines
        line = min(line, len(lines) - 1)
        if not lines[line][column:].strip() and not any(
            map(str.strip, lines[line + 1 :])
        ):
            while line and not lines[line].strip():
                line -= 1
            column = min(column, len(lines[line].rstrip()))
        return Span(self.file, line + 1, column + 1, line + 1, column + 2)

    def block(
        self, begin: tuple[int, int], last: int, text: str, *, is_literal: bool
    ) -> tuple[Span, TextBlock | None]:
        """The span of a literal or folded scalar, and of a literal one the place of each line.

        ``begin`` counts from 1, ``last`` is the number, from 0, of a line not before its last one.
        """
        line, column = begin
        lines = self.lines
        last = min(last, len(lines) - 1)
        while last >= line and not lines[last].strip(" "):
            last -= 1
        if last < line:
            span = Span(self.file, line, column, line, column + 1)
        else:
            span = Span(self.file, line, column, last + 1, len(lines[last]) + 1)
        starts = self._starts(line, text) if is_literal else None
        return span, None if starts is None else TextBlock(text, span, starts)

    def _starts(self, first: int, text: str) -> tuple[tuple[int, int], ...] | None:
        """Where each line of a literal scalar begins whose first line is ``lines[first]``."""
        rows = text.split("\n")
        raw = self.lines[first : first + len(rows)]
        raw += [""] * (len(rows) - len(raw))
        indent = next(
            (len(line) - len(row) for line, row in zip(raw, rows, strict=True) if row),
            0,
        )
        starts: list[tuple[int, int]] = []
        for number, (line, row) in enumerate(zip(raw, rows, strict=True), first + 1):
            if row and line[indent:] != row:
                return None
            starts.append((number, min(len(line), indent) + 1 if row or line else 1))
        return tuple(starts)
