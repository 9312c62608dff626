"""Text of several lines (a statement, a template) that knows where each line stands."""

from __future__ import annotations

from brimgen.diagnostics.span import Span
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A text and its places.

    ``starts[i]`` is the (line, column) in the file of the first character of line ``i`` of
    ``text``. Where a line of the text has no place of its own in the file (folded or escaped
    scalars), ``exact`` is False and every offset answers with ``span``.
    """

    text: str
    span: Span
    starts: tuple[tuple[int, int], ...] = ()
    exact: bool = True

    def span_at(self, start: int, end: int) -> Span:
        """The place in the file of ``text[start:end]`` (offsets in code points)."""
        if not self.exact:
            return self.span
        line, column = self._place(start)
        end_line, end_column = self._place(end)
        return Span(self.span.file, line, column, end_line, end_column)

    def _place(self, offset: int) -> tuple[int, int]:
        row = self.text.count("\n", 0, offset)
        within = offset - (self.text.rfind("\n", 0, offset) + 1)
        line, column = self.starts[min(row, len(self.starts) - 1)]
        return line, column + within
