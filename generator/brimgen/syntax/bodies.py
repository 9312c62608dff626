"""Find the statement or template of a tool, in its document or in a file.

A statement stands under ``sql:``, as the body of a ``.sql`` file, or in a bare ``.sql`` file that
``handler`` names: a file without metadata, under the specs folder, by its path from the folder of
the document or else from the specs folder. A bare file is one of the documents of the run, so
nothing outside of the specs is ever read, and a changed statement is a changed spec.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from brimgen.diagnostics import Note, Span, TextBlock, did_you_mean
from brimgen.diagnostics.rules import (
    BODY_MISSING,
    BODY_NOT_USED,
    BODY_TWICE,
    STATEMENT_FILE_HAS_METADATA,
    STATEMENT_FILE_NOT_FOUND,
    STATEMENT_FILE_UNUSED,
)
from brimgen.frozen import dataclass
from brimgen.source.document import Document, SourceFile
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.decls import ToolKind
from brimgen.syntax.reader import Reader, Section, shortened

if TYPE_CHECKING:
    from brimgen.syntax.templates import Messages


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a tool: a text, or messages; ``file`` if the text has a file of its own."""

    text: TextBlock | None = None
    messages: Messages = ()
    file: SourceFile | None = None


@dataclass(frozen=True, slots=True)
class _Source:
    """One of the places that give a body: its name in messages, and its span."""

    label: str
    span: Span


class Statements:
    """The bare ``.sql`` files among the documents, and which of them were named.

    Every document must be added before a file is looked up. ``is_partial`` says that files are
    missing, which may be named or may name others.
    """

    def __init__(self) -> None:
        self.is_partial = False
        self._bare: dict[str, Document] = {}
        self._broken: dict[str, Document] = {}
        self._specs: set[str] = set()
        self._named: set[str] = set()

    def add(self, document: Document) -> None:
        """Add a document; of a spec that can be read, only the name is kept."""
        name = document.file.name
        if document.is_bare:
            self._bare[name] = document
            return
        self._specs.add(name)
        if document.is_broken:
            self._broken[name] = document

    def named(
        self, reader: Reader, document: Document, handler: ScalarNode
    ) -> Document | None:
        """The bare file that ``handler`` of ``document`` names, or None after a report."""
        document_path = document.file.name
        root = document_path.split("/", 1)[0] if "/" in document_path else ""
        candidates = [
            posixpath.normpath(posixpath.join(folder, handler.text))
            for folder in (posixpath.dirname(document_path), root)
        ]
        for name in candidates:
            if name in self._bare:
                self._named.add(name)
                return self._bare[name]
        if self.is_partial or not self._broken.keys().isdisjoint(candidates):
            return None
        for name in candidates:
            if name in self._specs and name.casefold().endswith(".sql"):
                reader.report(
                    STATEMENT_FILE_HAS_METADATA,
                    handler.span,
                    path=shortened(handler.text),
                )
                return None
        folder = posixpath.dirname(document_path)
        known = [posixpath.relpath(path, folder or ".") for path in sorted(self._bare)]
        reader.report(
            STATEMENT_FILE_NOT_FOUND,
            handler.span,
            suggestions=did_you_mean(handler.text, known),
            path=shortened(handler.text),
        )
        return None

    def report_unused(self, reader: Reader) -> None:
        """Report every bare file that no tool names, and that no unread file can name."""
        if self.is_partial:
            return
        unread = "\n".join(document.file.text for document in self._broken.values())
        for name in sorted(self._bare.keys() - self._named):
            if posixpath.basename(name) not in unread:
                reader.report(STATEMENT_FILE_UNUSED, Span.at_file(name))


def read_body(
    reader: Reader,
    document: Document,
    section: Section,
    *,
    kind: ToolKind,
    statements: Statements,
) -> Body:
    """The body of a tool, by its kind; a missing, doubled or unused one is reported."""
    if kind is ToolKind.SQL:
        return _statement(reader, document, section, statements=statements)
    if kind is ToolKind.TEMPLATE:
        return _template(reader, document, section)
    report_unused_body(reader, document, section.owner)
    return Body()


def report_unused_body(reader: Reader, document: Document, owner: str) -> None:
    """Report a body that a document of this type does not have."""
    body = document.body
    if body is not None and body.text.strip():
        reader.report(BODY_NOT_USED, _first_line(body), owner=owner)


def _first_line(block: TextBlock) -> Span:
    """The place of the first line that is not blank."""
    start = len(block.text) - len(block.text.lstrip())
    line = block.text[start:].split("\n", 1)[0].rstrip()
    return block.span_at(start, start + len(line))


def _statement(
    reader: Reader, document: Document, section: Section, *, statements: Statements
) -> Body:
    block = _own_body(reader, document, section, suffix=".sql")
    keys = ("sql", "handler")
    if not _is_single(reader, section, keys=keys, block=block, body_kind="statement"):
        return Body()
    handler = section.scalar("handler")
    if handler is not None:
        statement_file = statements.named(reader, document, handler)
        return (
            Body()
            if statement_file is None
            else Body(statement_file.body, file=statement_file.file)
        )
    sql = section.scalar("sql")
    return Body(block if sql is None else sql.block)


def _template(reader: Reader, document: Document, section: Section) -> Body:
    block = _own_body(reader, document, section, suffix=".md")
    keys = ("template", "messages")
    if not _is_single(reader, section, keys=keys, block=block, body_kind="template"):
        return Body()
    from brimgen.syntax.templates import read_messages, split_roles

    messages_node = section.node("messages")
    if messages_node is not None:
        return Body(messages=read_messages(reader, messages_node))
    template = section.scalar("template")
    block = block if template is None else template.block
    if block is None:
        return Body()
    before = reader.errors
    messages = split_roles(reader, block)
    return (
        Body(messages=messages) if messages or reader.errors > before else Body(block)
    )


def _own_body(
    reader: Reader, document: Document, section: Section, *, suffix: str
) -> TextBlock | None:
    """The body of the file, unless it is blank, or of a file of another kind (reported)."""
    body = document.body
    if body is None or not body.text.strip():
        return None
    if document.file.name.casefold().endswith(suffix):
        return body
    report_unused_body(reader, document, section.owner)
    return None


def _is_single(
    reader: Reader,
    section: Section,
    *,
    keys: tuple[str, ...],
    block: TextBlock | None,
    body_kind: str,
) -> bool:
    """Whether exactly one of ``keys`` and ``block`` gives the body; else it is reported.

    A key of a wrong shape was reported, and counts as given.
    """
    written = [value for name, value in section.written.items() if name in keys]
    if block is not None and not written:
        return True
    sources = [_Source(f"`{key.text}`", key.span) for key in written]
    if block is not None:
        sources.append(_Source("the body of the file", _first_line(block)))
    for source in sources[1:]:
        reader.report(
            BODY_TWICE,
            source.span,
            notes=[Note(sources[0].span, "given here first")],
            body=body_kind,
            key=source.label,
            first=sources[0].label,
        )
    missing = [
        node.span
        for node in map(section.scalar, keys)
        if node and not node.text.strip()
    ]
    if not (sources or section.is_partial or section.misspells(*keys)):
        name = section.node("name")
        missing = [section.span if name is None else name.span]
    for span in missing:
        reader.report(BODY_MISSING, span, owner=section.owner, body=body_kind)
    is_read = all(key in section.entries for key in keys if key in section.written)
    return is_read and not missing and len(sources) == 1
