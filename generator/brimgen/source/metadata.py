"""Split a ``.sql`` or ``.md`` text into metadata and body, each with its place."""

from __future__ import annotations

import re

from brimgen.diagnostics import Diagnostics, Span, TextBlock
from brimgen.diagnostics.rules import (
    COMMENT_ENDS_EARLY,
    NO_METADATA,
    UNCLOSED_COMMENT,
    UNCLOSED_METADATA,
)
from brimgen.frozen import dataclass
from brimgen.source.document import SourceFile

# Blank lines and `--` comments, then the opening of a comment and a line of three dashes.
_SQL_OPENING = re.compile(
    r"(?:[ \t]*(?:--[^\n]*)?\n)*[ \t]*/\*\**"
    r"(?:\s*\n(?P<indent>[ \t]*)|[ \t]*)(?P<dashes>---)[ \t]*(?:\n|\Z)"
)
_MD_OPENING = re.compile(r"(?:[ \t]*\n)*(?P<indent>)(?P<dashes>---)[ \t]*(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class Parts:
    """``metadata`` is YAML whose lines are those of the file; None where there is none.

    It stands in the file from the offset ``start`` up to ``end``.
    """

    metadata: str | None
    body: TextBlock
    start: int = 0
    end: int = 0


def divide(file: SourceFile, diagnostics: Diagnostics) -> Parts | None:
    """The parts of a ``.sql`` file or, with any other suffix, of a Markdown file.

    None where the metadata are missing or broken, which is reported. A ``.sql`` file with no
    metadata at all is not broken: the ``handler`` of a tool may name it (spec-language.md).
    """
    is_sql = file.name.casefold().endswith(".sql")
    opening = (_SQL_OPENING if is_sql else _MD_OPENING).match(file.text)
    if opening is None and is_sql:
        return Parts(None, _body(file, 0))
    if opening is None:
        diagnostics.add(NO_METADATA, Span.at_file(file.name))
        return None
    indent = opening["indent"] or ""
    closing = re.compile(rf"^{indent}---[ \t]*$", re.MULTILINE).search(
        file.text, opening.end()
    )
    comment_end = file.text.find("*/", opening.end()) if is_sql else -1
    if closing is None or -1 < comment_end < closing.start():
        _report_unclosed(file, opening, closing is not None, comment_end, diagnostics)
        return None
    body_start = closing.end()
    if is_sql:
        if comment_end < 0:
            diagnostics.add(UNCLOSED_COMMENT, _span(file, file.text.index("/*"), 2))
            return None
        body_start = comment_end + 2
    line = file.text.count("\n", 0, opening.end())
    start, end = opening.end(), closing.start()
    yaml = "\n" * line + file.text[start:end]
    return Parts(yaml, _body(file, body_start), start, end)


def _report_unclosed(
    file: SourceFile,
    opening: re.Match[str],
    is_closed: bool,
    comment_end: int,
    diagnostics: Diagnostics,
) -> None:
    if is_closed:
        diagnostics.add(COMMENT_ENDS_EARLY, _span(file, comment_end, 2))
        return
    where = " before the `*/`" if comment_end > -1 else ""
    dashes = _span(file, opening.start("dashes"), 3)
    diagnostics.add(UNCLOSED_METADATA, dashes, where=where)


def _span(file: SourceFile, start: int, width: int) -> Span:
    line = file.text.count("\n", 0, start) + 1
    column = start - file.text.rfind("\n", 0, start)
    return Span(file.name, line, column, line, column + width)


def _body(file: SourceFile, start: int) -> TextBlock:
    """The text from ``start`` on, without blank lines before and white space behind it."""
    text = file.text
    stripped = text[start:].rstrip()
    leading = re.match(r"(?:[ \t]*\n)*", stripped)
    first = start + (leading.end() if leading else 0)
    body = text[first : start + len(stripped)]
    line = text.count("\n", 0, first) + 1
    column = first - text.rfind("\n", 0, first)
    rows = body.split("\n")
    starts = ((line, column), *((line + row, 1) for row in range(1, len(rows))))
    end_column = len(rows[-1]) + (column if len(rows) == 1 else 1)
    span = Span(file.name, line, column, line + len(rows) - 1, end_column)
    return TextBlock(body, span, starts)
