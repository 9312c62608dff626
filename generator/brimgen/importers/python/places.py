"""Find the places of the parts of a Python module."""

from __future__ import annotations

import ast
from typing import TypeAlias

from brimgen.diagnostics import Span

Part: TypeAlias = ast.expr | ast.stmt | ast.arg


class PythonPlaces:
    """The places of the nodes of one file; columns count characters."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self._lines = text.split("\n")

    def span(self, node: Part) -> Span:
        """The place of a node; of one on several lines, its first character."""
        line, column = node.lineno, self._column(node.lineno, node.col_offset)
        is_block = isinstance(
            node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        )
        end = node.end_col_offset
        if is_block or node.end_lineno != line or end is None:
            return Span(self.name, line, column, line, column + 1)
        return Span(self.name, line, column, line, self._column(line, end))

    def name_of(self, node: ast.ClassDef) -> Span:
        """The place of the name of a class."""
        start = self._column(node.lineno, node.col_offset) - 1
        index = self._line(node.lineno).find(node.name, start + len("class "))
        if index < 0:
            return self.span(node)
        end = index + len(node.name)
        return Span(self.name, node.lineno, index + 1, node.lineno, end + 1)

    def _column(self, line: int, offset: int) -> int:
        """The column, from 1, of an offset in the UTF-8 bytes of a line."""
        before = self._line(line).encode("utf-8", "surrogatepass")[:offset]
        return len(before.decode("utf-8", "surrogatepass")) + 1

    def _line(self, number: int) -> str:
        return self._lines[number - 1] if number <= len(self._lines) else ""
