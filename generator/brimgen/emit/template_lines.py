"""Print the lines of a template, each with the values that stand in it.

While a template is compiled, every line of it that prints something becomes one expression: the
text of the line, and its values. So a value can be laid out for the column that it stands at
(`Placed`), and a line of Python that is too wide is broken as black breaks it.

A line is what stands between two line ends. A line with a tag of Jinja in it is printed in parts,
as Jinja does; so is all that is no statement, head of a block or item of a bracket by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import nodes
from jinja2.visitor import NodeTransformer

from brimgen.emit.code import WIDTH, Code, fits
from brimgen.emit.placed import Placed
from brimgen.emit.python_text.read_line import HOLE
from brimgen.emit.python_text.template_lines import (
    laid_out_line,
    without_last_commas,
)

LINE, PYTHON_LINE = "_line", "_python_line"
"""The filters that lines become; templates do not name them."""


_PLAIN = frozenset({Code, int})
"""What most values are, and may be printed as it is."""


class RawText(Exception):
    """A template tried to print what is not `Code`: a mistake of ours (architecture.md)."""


def only_code(value: Any) -> Any:
    """Let `Code` and plain ints through.

    Raises:
        RawText: for everything else, plain `str` above all.
    """
    kind: Any = value.__class__
    if kind is Code or kind is int or isinstance(value, Code):
        return value
    raise RawText(
        f"template printed raw {type(value).__name__}; pass it through a literal"
    )


def print_line(value: object, pattern: str, *rest: object) -> Code:
    """Print a line of a template: its text has ``%s`` for each value."""
    values = (value, *rest)
    if not _PLAIN.issuperset(map(type, values)):
        for at, part in enumerate(values):
            if isinstance(part, Placed):
                return _placed(part, pattern, values, at)
            only_code(part)
    return Code(pattern % values)


def print_python_line(value: object, pattern: str, broken: str, *rest: object) -> Code:
    """Print a line of Python, as `print_line`; break one that is too wide.

    ``broken`` is its text with the commas that only a broken line has.
    """
    text = print_line(value, pattern, *rest)
    if (len(text) <= WIDTH and text.isascii()) or "\n" in text or fits(text):
        return text
    values: list[Code] = []
    for part in (value, *rest):
        if isinstance(part, Placed):
            return text
        values.append(part if isinstance(part, Code) else Code(part))
    return laid_out_line(_with_holes(broken, len(values)), tuple(values)) or text


def _placed(value: Placed, pattern: str, values: Sequence[Any], at: int) -> Code:
    texts = _with_holes(pattern, len(values)).split(HOLE)
    before = [texts[0]]
    for text, part in zip(texts[1:], values[:at], strict=False):
        before += (only_code(part), text)
    after = [texts[at + 1]]
    for text, part in zip(texts[at + 2 :], values[at + 1 :], strict=False):
        after += (only_code(part), text)
    line = "".join(map(str, before))
    text = line.lstrip(" ")
    indent = len(line) - len(text)
    return Code(
        f"{' ' * indent}{value.lay_out(text, ''.join(map(str, after)), indent)}"
    )


def _with_holes(pattern: str, count: int) -> str:
    return pattern % ((HOLE,) * count)


class LineFinder(NodeTransformer):
    """Replaces the lines of a template, each with the expression that prints it."""

    def __init__(self, *, is_python: bool) -> None:
        self._is_python = is_python
        self._is_at_start = True
        """Whether what is visited begins a line: nodes are visited as they stand in the text."""

    def visit_Output(self, node: nodes.Output) -> nodes.Output:
        """Find the lines that are complete: those that end where nothing else is printed."""
        expressions: list[nodes.Expr] = []
        line: list[nodes.Expr] = []
        for part in node.nodes:
            if not isinstance(part, nodes.TemplateData):
                line.append(part)
                continue
            *ended, rest = part.data.split("\n")
            for text in ended:
                line.append(nodes.TemplateData(text))
                expressions += self._line(line) if self._is_at_start else line
                expressions.append(nodes.TemplateData("\n"))
                self._is_at_start, line = True, []
            if rest:
                line.append(nodes.TemplateData(rest))
        if line:
            self._is_at_start = False
        return nodes.Output(_merged([*expressions, *line]), lineno=node.lineno)

    def _line(self, parts: list[nodes.Expr]) -> list[nodes.Expr]:
        values = [part for part in parts if not isinstance(part, nodes.TemplateData)]
        if not values:
            return parts
        text = "".join(
            [
                part.data if isinstance(part, nodes.TemplateData) else HOLE
                for part in parts
            ]
        )
        name = PYTHON_LINE if self._is_python else LINE
        first, *rest = values
        texts = [without_last_commas(text), text] if self._is_python else [text]
        args = [*map(_pattern, texts), *rest]
        return [nodes.Filter(first, name, args, [], None, None, lineno=first.lineno)]


def _pattern(text: str) -> nodes.Const:
    return nodes.Const(text.replace("%", "%%").replace(HOLE, "%s"))


def _merged(parts: Sequence[nodes.Expr]) -> list[nodes.Expr]:
    """Join neighbouring texts."""
    merged: list[nodes.Expr] = []
    for part in parts:
        last = merged[-1] if merged else None
        if isinstance(part, nodes.TemplateData) and isinstance(
            last, nodes.TemplateData
        ):
            merged[-1] = nodes.TemplateData(last.data + part.data)
        else:
            merged.append(part)
    return merged
