"""Convert event marks to spans."""

from __future__ import annotations

import re
from bisect import bisect_left

from brimgen.diagnostics import Span, TextBlock
from brimgen.frozen import replace
from brimgen.source.events import PAIR, Event, Scalar, ScalarEvent

_ESCAPE = re.compile(
    rf"{PAIR}|" r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\r?\n[ \t]*|.)",
    re.DOTALL,
)
_BLANKS = frozenset(" \t\r\n")


def pieces_of(written: str, text: str, style: str) -> list[tuple[int, int]]:
    """Return where the characters of ``text`` stand in ``written``, the scalar in its file.

    Each piece is the (offset in ``text``, index in ``written``) of the first of some characters
    that stand side by side in both; the last can be that of the end. ``style`` is YAML's: a quote,
    ``>``, or empty for a plain scalar. The result is empty where the two do not match.
    """
    index = {'"': 1, "'": 1, ">": written.find("\n") + 1}.get(style, 0)
    special = {'"': "\\", "'": "'"}.get(style, "")
    pieces: list[tuple[int, int]] = []
    following = -1
    for offset, character in enumerate(text):
        if written[index : index + 1] == character != special:
            place, index = index, index + 1
        else:
            place, index = _place(written, index, character, style)
        if place < 0:
            return []
        if place != following:
            pieces.append((offset, place))
        following = place + 1
    if index != following:
        pieces.append((len(text), index))
    return pieces


def _place(written: str, index: int, character: str, style: str) -> tuple[int, int]:
    """Return the place of the next character, and the index behind it; -1 without one."""
    while index < len(written):
        if style == '"' and written[index] == "\\":
            escape = _ESCAPE.match(written, index)
            if escape is None:
                break
            if escape[0][1] not in "\r\n":
                return index, escape.end()
            index = escape.end()  # a line that goes on
        elif style == "'" and written.startswith("''", index):
            return index, index + 2
        elif written[index] == character:
            return index, index + 1
        elif character in " \n" and written[index] in _BLANKS:
            return index, index  # the end of a line, which is a space in the text
        elif written[index] in _BLANKS:
            index += 1
        else:
            break
    return -1, index


_PROPERTIES = re.compile(r"(?:(?:!<[^>\s]*>|[&!][^\s,\[\]{}]*)(?:\s+#[^\n]*|\s+)*)+")
_TAG = re.compile(r"(?:&\S*\s+)?(!<[^>\s]*>|![^\s,\[\]{}]*)")


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

    def marked(self, event: Event | Scalar) -> Span:
        """The whole of an event, as the parser sees it."""
        begin, end = event.start_mark, event.end_mark
        return Span(
            self.file, begin.line + 1, begin.column + 1, end.line + 1, end.column + 1
        )

    def start(self, event: Event) -> tuple[int, int]:
        """(line, column) from 1 of the content, behind its anchor and tag."""
        begin = event.start_mark
        if event.anchor is None and event.tag is None:
            return begin.line + 1, begin.column + 1
        properties = _PROPERTIES.match(self.text, begin.index)
        end = event.end_mark
        if properties is None:
            return begin.line + 1, begin.column + 1
        if isinstance(event, ScalarEvent) and properties.end() >= end.index:
            return end.line + 1, end.column + 1
        return self._after(event, properties.end())

    def tag(self, event: Event) -> tuple[str, Span]:
        """The tag of a node, as written, and its place."""
        match = _TAG.match(self.text, event.start_mark.index)
        if match is None:
            return event.tag or "!", self.marked(event)
        line, column = self._after(event, match.start(1))
        return match[1], Span(self.file, line, column, line, column + len(match[1]))

    def _after(self, event: Event, index: int) -> tuple[int, int]:
        """(line, column) from 1 of an index a little behind the start of ``event``."""
        begin = event.start_mark
        skipped = self.text.count("\n", begin.index, index)
        if not skipped:
            return begin.line + 1, begin.column + 1 + index - begin.index
        return begin.line + 1 + skipped, index - self.text.rfind("\n", 0, index)

    def block_scalar(
        self, begin: tuple[int, int], scalar: Scalar
    ) -> tuple[Span, TextBlock | None]:
        """The span of a literal or folded scalar, and the places of its characters.

        ``begin`` is where it stands, from 1.
        """
        line, column = begin
        end = scalar.end_mark
        last = end.line if end.column else end.line - 1
        lines = self.lines
        last = min(last, len(lines) - 1)
        while last >= line and not lines[last].strip(" "):
            last -= 1
        if last < line:
            span = Span(self.file, line, column, line, column + 1)
        else:
            span = Span(self.file, line, column, last + 1, len(lines[last]) + 1)
        if scalar.style == ">":
            block = self.written_scalar(scalar)
            return span, None if block is None else replace(block, span=span)
        starts = self._starts(line, scalar.value)
        return span, None if starts is None else TextBlock(scalar.value, span, starts)

    def written_scalar(self, scalar: Scalar) -> TextBlock | None:
        """The places of the characters of a scalar that is folded or has escapes.

        None for a scalar of one line without escapes, whose span alone tells them, and for one
        with an anchor or a tag.
        """
        begin, end = scalar.start_mark, scalar.end_mark
        style = scalar.style or ""
        width = len(scalar.value) + (2 if style else 0)
        if begin.line == end.line and end.column - begin.column == width:
            return None
        written = self.text[begin.index : end.index]
        if written[:1] in ("&", "!"):
            return None
        breaks = [match.start() for match in re.finditer("\n", written)]
        pieces: list[tuple[int, int, int]] = []
        for offset, index in pieces_of(written, scalar.value, style):
            row = bisect_left(breaks, index)
            column = index - breaks[row - 1] if row else begin.column + 1 + index
            pieces.append((offset, begin.line + 1 + row, column))
        if not pieces:
            return None
        return TextBlock(scalar.value, self.marked(scalar), pieces=tuple(pieces))

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
