"""Read a tool document into a ToolDecl: the common keys, and those of its kind."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from brimgen.diagnostics import Note
from brimgen.diagnostics.rules import SYNONYM_TWICE
from brimgen.source.document import Document
from brimgen.source.nodes import Entry, MapNode, Text
from brimgen.syntax.arguments import read_arguments, read_schema
from brimgen.syntax.bodies import (
    Statements,
    flat_request,
    read_body,
    read_request,
)
from brimgen.syntax.decls import ArgumentsDecl, RequestDecl, ToolDecl, ToolKind
from brimgen.syntax.keys import (
    API,
    GO,
    GO_IMPLEMENTATION,
    LIMITS,
    MCP_KEYS,
    REQUEST,
    TOOLS,
)
from brimgen.syntax.reader import (
    Keys,
    Reader,
    Section,
    read_inner,
    read_section,
    renamed,
    shortened,
)
from brimgen.syntax.returns import read_returns

TOOL_TYPES: Mapping[str, ToolKind] = MappingProxyType(
    {
        **{kind.value: kind for kind in ToolKind},
        "go": ToolKind.PYTHON,
        "api_function": ToolKind.HTTP,
    }
)


def read_tool(
    reader: Reader,
    document: Document,
    name: Text,
    *,
    word: str,
    statements: Statements,
) -> ToolDecl:
    """The declaration of one tool document, whose name and ``type`` (``word``) were read."""
    before = reader.errors
    kind = TOOL_TYPES[word]
    owner = f"{word} `{shortened(name.value)}`"
    keys = {"go": GO, "api_function": API}.get(word, TOOLS[kind])

    def refuse(
        reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
    ) -> str | None:
        from brimgen.syntax.foreign import refuse_tool_key

        return refuse_tool_key(reader, entry, document.root, owner=owner, keys=keys)

    section = read_section(reader, document.root, keys=keys, owner=owner, refuse=refuse)
    returns = section.entries.get("returns")
    mcp, limits = (
        read_inner(reader, key, section.node(key), inner_keys)
        for key, inner_keys in (("mcp", MCP_KEYS[kind]), ("limits", LIMITS[kind]))
    )
    if kind is ToolKind.RESOURCE:
        section.require(reader, "path", name.span)
    body = read_body(reader, document, section, kind=kind, statements=statements)
    return ToolDecl(
        file=document.file,
        kind=kind,
        name=name,
        span=document.root.span,
        section=section,
        mcp=mcp,
        limits=limits,
        arguments=_arguments(reader, section, infers=kind is ToolKind.SQL),
        returns=None if returns is None else read_returns(reader, returns),
        body=body.text,
        messages=body.messages,
        extensions=(*section.extensions, *_go_function(reader, section)),
        body_file=body.file,
        request=_request(reader, document, section, word=word),
        sound=reader.errors == before,
    )


def _request(
    reader: Reader, document: Document, section: Section, *, word: str
) -> RequestDecl | None:
    """Read the request of an HTTP tool; an ``api_function`` has its keys at the top level."""
    if TOOL_TYPES[word] is not ToolKind.HTTP:
        return None
    node, response = section.node("request"), section.node("response")
    name = section.node("name")
    at = section.span if name is None else name.span
    if not isinstance(node, MapNode):
        flat = any(REQUEST.standard(key) for key in section.unknown)
        if word != "api_function" and not flat:
            section.require(reader, "request", at)
            return None
        node = flat_request(document.root)
    else:
        at = section.written["request"].span
    return read_request(reader, node, response, at=at)


def _go_function(reader: Reader, section: Section) -> tuple[Entry, ...]:
    """The function that a ``go`` document names, as a key that is passed through (S2.9)."""
    implementation = section.node("goImpl")
    node = section.entries.get("func")
    if isinstance(implementation, MapNode):
        owner = "`goImpl`"
        inner = read_section(
            reader, implementation, keys=GO_IMPLEMENTATION, owner=owner
        )
        node = inner.entries.get("func", node)
    return () if node is None else (renamed(node, "x-go-func"),)


def _arguments(
    reader: Reader, section: Section, *, infers: bool
) -> ArgumentsDecl | None:
    """Read ``arguments`` or ``argSchema``, whichever the author wrote.

    Where the tool ``infers`` types from a database, arguments may leave theirs out.
    """
    entry, schema = section.entries.get("arguments"), section.entries.get("argSchema")
    if schema is not None and "arguments" in section.written:
        first, key = section.written["arguments"], schema.key
        notes = [Note(first.span, f"`{first.text}` stands here")]
        reader.report(
            SYNONYM_TWICE, key.span, notes=notes, key=key.text, first=first.text
        )
    elif schema is not None and isinstance(schema.value, MapNode):
        return read_schema(reader, schema.value)
    if entry is None:
        return None
    block = Entry(section.written["arguments"], entry.value)
    return read_arguments(reader, block, infers=infers)
