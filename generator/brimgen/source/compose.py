"""Compose the documents of a file, and divide those of metadata and text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics, Span, TextBlock
from brimgen.diagnostics.rules import (
    COMMENT_ENDS_EARLY,
    MISSING_DIVIDER,
    NO_METADATA,
    NOT_A_MAPPING,
    SEVERAL_METADATA,
    UNCLOSED_COMMENT,
    UNCLOSED_METADATA,
)
from brimgen.frozen import dataclass
from brimgen.source.characters import may_hide_characters, report_hidden
from brimgen.source.document import Document, SourceFile
from brimgen.source.events import YamlFailure
from brimgen.source.nodes import MapNode
from brimgen.source.places import Places
from brimgen.source.tree import MOST_NODES, OverBudget, kind_of, trees

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


_NEXT_DOCUMENT = re.compile(r"^---(?:[ \t].*)?$", re.MULTILINE)
_MOST_RESTARTS = 20


def compose(
    file: SourceFile, diagnostics: Diagnostics, *, most: int = MOST_NODES
) -> tuple[Document, ...]:
    """The specs of one file, each with the positions of all its parts.

    ``.yaml`` and ``.yml`` hold one spec per YAML document, of which empty ones are skipped. In
    ``.sql`` the metadata stand between ``---`` lines inside of a leading comment and the body
    is the statement; a file without them gives a bare `Document`. In any other file they are
    front matter and the body is the template. Mistakes are reported. All documents that can be
    read are returned; if some cannot, a broken one comes last. ``most`` is how many values a
    document may have, with those that its aliases repeat. Raises nothing.
    """
    if file.name.casefold().endswith((".yaml", ".yml")):
        errors_before = len(diagnostics)
        roots = tuple(_roots(file, file.text, diagnostics, most))
        documents = tuple([Document(file, root) for root in roots if root is not None])
        is_whole = len(documents) == len(roots) and not (
            len(diagnostics) > errors_before and _runs_on(file, diagnostics)
        )
        return documents if is_whole else (*documents, _unreadable_document(file))

    parts = divide(file, diagnostics)
    if parts is None:
        return (_unreadable_document(file),)
    if parts.metadata is None:
        root = MapNode(Span.at_file(file.name), ())
        return (Document(file, root, parts.body, is_bare=True),)
    errors_before = len(diagnostics)
    all_roots = tuple(_roots(file, parts.metadata, diagnostics, most))
    readable = tuple(root for root in all_roots if root is not None)
    if not all_roots and len(diagnostics) == errors_before:
        diagnostics.add(NO_METADATA, Span.at_file(file.name))
    for extra in readable[1:]:
        diagnostics.add(SEVERAL_METADATA, extra.span)
    if not readable:
        return (_unreadable_document(file),)
    return tuple(Document(file, root, parts.body) for root in readable[:1])


def _runs_on(file: SourceFile, diagnostics: Diagnostics) -> bool:
    """Whether another spec was found in one of a file."""
    return any(
        diagnostic.rule is MISSING_DIVIDER and diagnostic.span.file == file.name
        for diagnostic in diagnostics
    )


def _unreadable_document(file: SourceFile) -> Document:
    """Return a document that represents a file, or a part of one, that could not be read."""
    return Document(file, MapNode(Span.at_file(file.name), ()), is_broken=True)


def _roots(
    file: SourceFile, text: str, diagnostics: Diagnostics, most: int
) -> Iterator[MapNode | None]:
    """Yield the mappings of a YAML text; None for any other value, and for a broken document.

    Reports refused characters in them. Reading goes on behind a broken document.
    """
    roots = _composed(file, text, diagnostics, most)
    if not may_hide_characters(text):
        yield from roots
        return
    for root in roots:
        if root is not None:
            report_hidden(root, text, diagnostics)
        yield root


def _composed(
    file: SourceFile, text: str, diagnostics: Diagnostics, most: int
) -> Iterator[MapNode | None]:
    start = 0
    for _ in range(_MOST_RESTARTS):
        places = Places(file.name, text)
        stopped = 0
        try:
            for root in trees(places, diagnostics, most):
                if isinstance(root, MapNode):
                    yield root
                elif root is not None:
                    diagnostics.add(NOT_A_MAPPING, root.span, kind=kind_of(root))
                    yield None
            return
        except YamlFailure as failure:
            from brimgen.source.yaml_errors import report

            report(failure, places, diagnostics)
            stopped = failure.place[0]
        except OverBudget as stop:
            stopped = stop.line - 1
        yield None
        reached = max(start, stopped)
        offset = sum(len(line) + 1 for line in places.lines[:reached])
        following = _NEXT_DOCUMENT.search(text, min(offset, len(text)))
        if following is None:
            return
        start = text.count("\n", 0, following.start())
        text = "\n" * start + text[following.start() :]
        start += 1
