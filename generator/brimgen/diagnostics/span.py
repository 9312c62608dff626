"""A place in a spec file, which nodes, declarations and messages refer to."""

from __future__ import annotations

from typing import NamedTuple


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
