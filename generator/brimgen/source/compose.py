"""Read a spec file into its documents (spec-language.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import (
    MISSING_DIVIDER,
    NO_METADATA,
    NOT_A_MAPPING,
    SEVERAL_METADATA,
)
from brimgen.source.characters import may_hide_characters, report_hidden
from brimgen.source.document import Document, SourceFile
from brimgen.source.entries import kind_of
from brimgen.source.events import YamlFailure
from brimgen.source.nodes import MapNode
from brimgen.source.places import Places
from brimgen.source.tree import MOST_NODES, OverBudget, trees

_NEXT_DOCUMENT = re.compile(r"^---(?:[ \t].*)?$", re.MULTILINE)
_MOST_RESTARTS = 20


def compose(
    file: SourceFile, diagnostics: Diagnostics, *, most: int = MOST_NODES
) -> tuple[Document, ...]:
    """The specs of one file, each with the positions of all its parts.

    ``.yaml`` and ``.yml`` hold one spec per YAML document, of which empty ones are skipped. In
    ``.sql`` the metadata stand between ``---`` lines inside of a leading comment and the body
    is the statement; a file without them gives a bare `Document`. In any other file they are
    front matter and the body is the template. What is wrong is reported, and the documents that
    can be read are returned, with a broken one behind them where others cannot. ``most`` is how
    many values a document may have, with those that its aliases repeat. Raises nothing.
    """
    if file.name.casefold().endswith((".yaml", ".yml")):
        errors_before = len(diagnostics)
        roots = tuple(_roots(file, file.text, diagnostics, most))
        documents = tuple([Document(file, root) for root in roots if root is not None])
        is_whole = len(documents) == len(roots) and not (
            len(diagnostics) > errors_before and _runs_on(file, diagnostics)
        )
        return documents if is_whole else (*documents, _unreadable_document(file))
    from brimgen.source.metadata import divide

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
            from brimgen.source.yaml_failures import report

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
