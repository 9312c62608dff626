"""A place in a spec file: what every node, declaration and message points at."""

from __future__ import annotations

from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of text, from (line, column) up to, not including, (end_line, end_column).

    Lines and columns count from 1; a column counts Unicode code points. ``file`` is the stable
    name of a spec file: the name of the specs folder, then the path below it, with ``/``.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @staticmethod
    def at_file(file: str) -> Span:
        """The start of a file, for what concerns it as a whole."""
        return Span(file, 1, 1, 1, 1)
