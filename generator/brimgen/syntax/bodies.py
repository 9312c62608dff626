"""Parse what a tool does: a statement, a template, a request, a resource.

An opening tag counts at the start of a line, so that a prompt may mention `<user>` in its prose;
a template in which none does is one text without roles. A block ends at the first closing tag of
its role. Blank lines after the opening tag and white space before the closing one are not part of
the message; nothing else is changed (spec-language.md).

Shapes are checked here; `resolve`, which knows the arguments, reads the templates.

A statement stands under ``sql:``, as the body of a ``.sql`` file, or in a bare ``.sql`` file that
``handler`` names: a file without metadata, under the specs folder, by its path from the folder of
the document or else from the specs folder. A bare file is one of the documents of the run, so
nothing outside of the specs is ever read, and a changed statement is a changed spec.
"""

from __future__ import annotations

import posixpath
import re

from brimgen.diagnostics import Note, Span, TextBlock, did_you_mean
from brimgen.diagnostics.rules import (
    BODY_MISSING,
    BODY_NOT_USED,
    BODY_TWICE,
    ROLE_NOT_CLOSED,
    ROLE_NOT_OPENED,
    STATEMENT_FILE_HAS_METADATA,
    STATEMENT_FILE_NOT_FOUND,
    STATEMENT_FILE_UNUSED,
    TEXT_OUTSIDE_ROLES,
)
from brimgen.frozen import dataclass
from brimgen.source.document import Document, SourceFile
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode, Text
from brimgen.syntax import shapes
from brimgen.syntax.decls import RequestDecl, ToolKind
from brimgen.syntax.keys import (
    AUTH,
    MESSAGE,
    MORE_OF_AUTH,
    OF_AUTH,
    REQUEST,
    RESPONSE,
    RETRY,
    ROLES,
)
from brimgen.syntax.reader import (
    Reader,
    Section,
    head,
    read_inner,
    read_section,
    shortened,
)
from brimgen.syntax.words_of_others import FOREIGN_ROLES

_ROLE = "|".join(ROLES)
_OPEN = re.compile(rf"^[ \t]*<({_ROLE})>", re.MULTILINE)
_CLOSE = re.compile(rf"</({_ROLE})>")
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_MARKS = frozenset("{}[],:#")


_TAGS = frozenset(f"<{end}{role}>" for role in ROLES for end in ("", "/"))
Messages = tuple[tuple[Text, TextBlock], ...]


def split_roles(reader: Reader, block: TextBlock) -> Messages:
    """The messages of a template, in order; empty where it has no role blocks."""
    opening = _OPEN.search(block.text)
    if opening is None:
        return ()
    messages: list[tuple[Text, TextBlock]] = []
    position = 0
    while opening is not None:
        _outside(reader, block, start=position, end=opening.start())
        role = opening[1]
        following = _OPEN.search(block.text, opening.end())
        end = block.text.find(f"</{role}>", opening.end())
        tag = block.span_at(opening.start(1) - 1, opening.end())
        if end < 0 or (following is not None and following.start() < end):
            reader.report(ROLE_NOT_CLOSED, tag, role=role)
            position = len(block.text) if following is None else following.start()
        else:
            place = block.span_at(opening.start(1), opening.end(1))
            content = _trimmed(block, opening.end(), end)
            messages.append((Text(role, place), content))
            position = end + len(role) + 3
            following = _OPEN.search(block.text, position)
        opening = following
    _outside(reader, block, start=position, end=len(block.text))
    return tuple(messages)


def _trimmed(block: TextBlock, start: int, end: int) -> TextBlock:
    """The message without blank lines at its start and white space at its end."""
    text = block.text[start:end]
    stripped = text.lstrip()
    lead = text[: len(text) - len(stripped)]
    start += lead.rfind("\n") + 1 if "\n" in lead else len(lead)
    return block.part(start, max(start, end - (len(text) - len(text.rstrip()))))


def _outside(reader: Reader, block: TextBlock, *, start: int, end: int) -> None:
    """Report the first text between blocks that is more than white space or a comment."""
    text = _COMMENT.sub(lambda match: " " * len(match[0]), block.text[start:end])
    stripped = text.strip()
    if not stripped:
        return
    start += text.index(stripped)
    closing = _CLOSE.match(block.text, start)
    if closing is not None:
        span = block.span_at(start, closing.end())
        reader.report(ROLE_NOT_OPENED, span, role=closing[1])
        return
    line = stripped.split("\n", 1)[0].rstrip()
    near = (line.lower(),) if line.lower() in _TAGS else ()
    span = block.span_at(start, start + len(line))
    reader.report(TEXT_OUTSIDE_ROLES, span, suggestions=near)


def read_messages(reader: Reader, node: Node) -> Messages:
    """The list form: ``messages: [{role, content}]``."""
    if not shapes.items(reader, "messages", node) or not isinstance(node, ListNode):
        return ()
    if not node.items:
        reader.report(
            BODY_MISSING, node.span, owner="the list of messages", body="message"
        )
    messages: list[tuple[Text, TextBlock]] = []
    for item in node.items:
        near = _intended_message(item)
        if near or not isinstance(item, MapNode):
            reader.refuse(
                "an item of messages",
                item,
                expected="a mapping with `role` and `content`",
                suggestions=near,
                actual="one with the role as its key" if near else "",
            )
            continue
        section = read_section(reader, item, keys=MESSAGE, owner="a message")
        at = head(item)
        complete = [section.require(reader, key, at) for key in ("role", "content")]
        role, content = section.text("role"), section.scalar("content")
        if all(complete) and role is not None and isinstance(content, ScalarNode):
            messages.append((role, content.block))
    return tuple(messages)


def _intended_message(item: Node) -> tuple[str, ...]:
    """The message that a mapping of a role to its text was meant to be."""
    if not isinstance(item, MapNode) or len(item.entries) != 1:
        return ()
    key, value = item.entries[0]
    role = dict(FOREIGN_ROLES).get(key.text, key.text)
    if role not in ROLES or not isinstance(value, ScalarNode):
        return ()
    text = shortened(value.text)
    content = f'"{text}"' if set(text) & _MARKS and '"' not in text else text
    return (f"{{role: {role}, content: {content}}}",)


def flat_request(root: MapNode) -> MapNode:
    """The keys of a request that stand in the document itself (``api_function``)."""
    return MapNode(
        root.span,
        tuple(entry for entry in root.entries if REQUEST.standard(entry.key.text)),
    )


def read_request(
    reader: Reader, node: MapNode, response: Node | None, *, at: Span
) -> RequestDecl | None:
    """Read a request and its response; None if there is no URL, which is reported at ``at``."""
    section = read_section(reader, node, keys=REQUEST, owner="`request`")
    section.require(reader, "urlTemplate", at)
    answer = read_inner(reader, "response", response, RESPONSE)
    retry = read_inner(reader, "retry", section.node("retry"), RETRY)
    decl = RequestDecl(section, answer, retry, _auth(reader, section))
    return None if section.scalar("urlTemplate") is None else decl


def _auth(reader: Reader, section: Section) -> dict[str, ScalarNode]:
    node = section.node("auth")
    if not isinstance(node, MapNode):
        return {}
    inner, at = read_inner(reader, "auth", node, AUTH), section.written["auth"].span
    inner.require(reader, "type", at)
    kind = inner.value("type", "")
    needed = OF_AUTH.get(kind, ("type",))
    complete = [inner.require(reader, key, at) for key in needed if key != "type"]
    keys = ("type", *needed, *MORE_OF_AUTH.get(kind, ()))
    texts = {key: text for key in keys if (text := inner.scalar(key)) is not None}
    return texts if all(complete) and texts.keys() >= {"type", *needed} else {}


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
    keys = ("sql", "handler")
    if "kind" in section.written:
        report_unused_body(reader, document, section.owner)
        for name in keys:
            if name in section.written:
                span = section.written[name].span
                reader.report(BODY_NOT_USED, span, owner=section.owner)
        return Body()
    block = _own_body(reader, document, section, suffix=".sql")
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
