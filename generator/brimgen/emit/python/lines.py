"""Collect the statements of a function body, each laid out as black does."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.emit.code import STEP, Code
from brimgen.emit.python_text.layout import laid_out

BODY = 8
"""The column of the statements of a method."""
ELSE, TRY = Code("else:"), Code("try:")


class Lines:
    """Statements, each at the column ``indent`` of the moment."""

    __slots__ = ("_lines", "indent")

    def __init__(self, indent: int) -> None:
        self.indent = indent
        self._lines: list[str] = []

    def add(self, statement: Code) -> None:
        """Add a statement, or the head of a block."""
        self._lines.append(f"{' ' * self.indent}{laid_out(statement, self.indent)}")

    def block(self, head: Code) -> Lines:
        """Add a head; what is added ``with`` the result is its body."""
        self.add(head)
        return self

    def __enter__(self) -> None:
        self.indent += STEP

    def __exit__(self, *problem: object) -> None:
        self.indent -= STEP

    def take(self, texts: Iterable[str]) -> None:
        """Add lines that are indented already."""
        self._lines += texts

    def take_over(self, other: Lines) -> None:
        """Add the lines of another writer, which are indented already."""
        self._lines += other._lines

    @property
    def text(self) -> str:
        """All lines so far."""
        return "\n".join(self._lines)
