"""A place in a spec file, which nodes, declarations and messages refer to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from brimgen.frozen import dataclass


class Span(NamedTuple):
    """A range of text, from (line, column) up to, not including, (end_line, end_column).

    A tuple, because a run makes more of these than of anything else: every node has one.

    Lines and columns count from 1; a column counts Unicode code points. ``file`` is the stable
    name of a spec file: the name of the specs folder, then the path below it, with ``/``; or the
    name of an option of the command line, such as ``--out``.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def holds(self, other: Span) -> bool:
        """Whether ``other`` lies within."""
        return (
            self.file == other.file
            and (self.line, self.column) <= (other.line, other.column)
            and (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        )

    @staticmethod
    def at_file(file: str) -> Span:
        """The start of a file, for what concerns it as a whole."""
        return Span(file, 1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A text and its places.

    ``starts[i]`` is the (line, column) in the file of the first character of line ``i`` of
    ``text``. Where that does not tell all places (folded or escaped scalars), ``pieces`` does:
    each is the (offset, line, column) of the first of some characters that stand side by side in
    the file, too. If ``exact`` is False, every offset answers with ``span``.
    """

    text: str
    span: Span
    starts: tuple[tuple[int, int], ...] = ()
    exact: bool = True
    pieces: Sequence[tuple[int, int, int]] = ()

    @staticmethod
    def joined(parts: Sequence[TextBlock]) -> TextBlock:
        """One text of ``parts``, each with its places; all are in the file of the first."""
        pieces: list[tuple[int, int, int]] = []
        length = 0
        for part in parts:
            if not part.exact:
                places = [(0, part.span.line, part.span.column)]
            elif part.pieces:
                places = [*part.pieces]
            else:
                sizes = (len(line) + 1 for line in part.text.split("\n"))
                starts = zip(accumulate(sizes, initial=0), part.starts, strict=False)
                places = [(at, *start) for at, start in starts]
            pieces += [(length + at, line, column) for at, line, column in places]
            length += len(part.text)
        text = "".join(part.text for part in parts)
        return TextBlock(text, parts[0].span, pieces=pieces)

    def span_at(self, start: int, end: int) -> Span:
        """The place in the file of ``text[start:end]`` (offsets in code points)."""
        if not self.exact:
            return self.span
        line, column = self._place(start)
        end_line, end_column = self._end(start, end)
        return Span(self.span.file, line, column, end_line, end_column)

    def part(self, start: int, end: int) -> TextBlock:
        """``text[start:end]`` with the places of its characters."""
        text, span = self.text[start:end], self.span_at(start, end)
        if not self.exact:
            return TextBlock(text, span, exact=False)
        if self.pieces:
            first = (0, *self._place(start))
            rest = [
                (at - start, line, column)
                for at, line, column in self.pieces
                if start < at <= end
            ]
            return TextBlock(text, span, pieces=(first, *rest))
        starts: list[tuple[int, int]] = []
        for line in text.split("\n"):
            starts.append(self._place(start))
            start += len(line) + 1
        return TextBlock(text, span, tuple(starts))

    def _end(self, start: int, end: int) -> tuple[int, int]:
        """The place behind the character at ``end - 1``."""
        if not self.pieces or end <= start:
            return self._place(end)
        line, column = self._place(end - 1)
        next_line, next_column = self._place(end)
        is_beside = next_line == line and next_column > column
        return line, next_column if is_beside else column + 1

    def _place(self, offset: int) -> tuple[int, int]:
        if self.pieces:
            at = bisect_right(self.pieces, offset, key=lambda piece: piece[0])
            begin, line, column = self.pieces[max(0, at - 1)]
            return line, column + offset - begin
        row = self.text.count("\n", 0, offset)
        within = offset - (self.text.rfind("\n", 0, offset) + 1)
        line, column = self.starts[min(row, len(self.starts) - 1)]
        return line, column + within
