"""Read a tool document into a ToolDecl: the common keys, and those of its kind."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from brimgen.diagnostics import Note
from brimgen.diagnostics.rules import SYNONYM_TWICE
from brimgen.model.targets import target_names
from brimgen.source.document import Document
from brimgen.source.nodes import Entry, MapNode
from brimgen.syntax import shapes
from brimgen.syntax.arguments import read_arguments, read_schema
from brimgen.syntax.bodies import (
    READY_KINDS,
    REQUEST,
    Statements,
    flat_request,
    hosts,
    intended_response,
    read_body,
    read_request,
)
from brimgen.syntax.decls import ArgumentsDecl, RequestDecl, Text, ToolDecl, ToolKind
from brimgen.syntax.limits import LIMITS, LIMITS_OF_REQUESTS, read_limits
from brimgen.syntax.reader import (
    Keys,
    Reader,
    Section,
    Shape,
    read_section,
    renamed,
    shortened,
)
from brimgen.syntax.returns import read_returns

TARGET = shapes.Choice(
    target_names(), label="a target (`brimgen explain --targets` lists them)"
)
_COMMON: Mapping[str, Shape] = {
    "type": shapes.word,
    "name": shapes.word,
    "title": shapes.text,
    "description": shapes.text,
    "when_to_use": shapes.text,
    "arguments": shapes.anything,
    "argSchema": shapes.mapping,
    "returns": shapes.anything,
    "bundle": shapes.word,
    "slug": shapes.word,
    "version": shapes.word,
    "id": shapes.word,
    "createdAt": shapes.text,
    "modifiedAt": shapes.text,
    "tags": shapes.words,
    "enabled": shapes.flag,
    "mcp": shapes.mapping,
    "profiles": shapes.words,
    "targets": shapes.Each(TARGET),
}
_SYNONYMS: Mapping[str, str] = {
    "args": "arguments",
    "inputs": "arguments",
    "parameters": "arguments",
    "return_shape": "returns",
    "outputSchema": "returns",
    "displayName": "title",
    "isEnabled": "enabled",
}
_CALLED: Mapping[str, Shape] = {
    "confirm": shapes.flag_or_text,
    "limits": shapes.mapping,
}
"""The keys of tools that models call."""
_OF_KIND: Mapping[ToolKind, Mapping[str, Shape]] = {
    ToolKind.SQL: {
        **_CALLED,
        "sql": shapes.text,
        "handler": shapes.text,
        "connection": shapes.word,
        "strict": shapes.flag,
        "choices": shapes.choices,
        "variants": shapes.flag_or_words,
        "keyset": shapes.texts,
        "kind": shapes.choice(*READY_KINDS),
        "tables": shapes.words,
        "max_rows": shapes.positive_count,
    },
    ToolKind.PYTHON: {
        **_CALLED,
        "handler": shapes.text,
        "call": shapes.choice("keywords"),
    },
    ToolKind.HTTP: {
        **_CALLED,
        "request": shapes.mapping,
        "response": shapes.Block(intended_response),
        "secrets": shapes.words,
        "allowedHosts": hosts,
    },
    ToolKind.TEMPLATE: {
        "template": shapes.text,
        "messages": shapes.anything,
        "template_engine": shapes.choice("jinja2"),
    },
    ToolKind.RESOURCE: {
        "path": shapes.text,
        "handler": shapes.text,
    },
}
_SYNONYMS_OF_KIND: Mapping[ToolKind, Mapping[str, str]] = {
    ToolKind.HTTP: {"allowed_hosts": "allowedHosts"},
}
TOOLS: Mapping[ToolKind, Keys] = MappingProxyType(
    {
        kind: Keys(
            {**_COMMON, **own_shapes}, {**_SYNONYMS, **_SYNONYMS_OF_KIND.get(kind, {})}
        )
        for kind, own_shapes in _OF_KIND.items()
    }
)
# What other systems wrote, read as kinds of this language.
GO_IMPLEMENTATION = Keys({"func": shapes.text})
GO = Keys({**_COMMON, "func": shapes.text, "goImpl": shapes.mapping}, _SYNONYMS)
API = Keys(
    {**TOOLS[ToolKind.HTTP].shapes, **REQUEST.shapes},
    {**TOOLS[ToolKind.HTTP].synonyms, **REQUEST.synonyms},
)
_OPTIONS = frozenset(
    {
        "bundle",
        "slug",
        "version",
        "id",
        "createdAt",
        "modifiedAt",
        "tags",
        "enabled",
        "profiles",
        "targets",
        "handler",
        "call",
        "connection",
        "strict",
        "choices",
        "variants",
        "keyset",
        "kind",
        "tables",
        "max_rows",
        "secrets",
        "allowedHosts",
        "confirm",
        "limits",
        "mcp",
    }
)
_EXPORTED_AS: Mapping[ToolKind, tuple[str, ...]] = {
    ToolKind.SQL: ("tool",),
    ToolKind.PYTHON: ("tool",),
    ToolKind.HTTP: ("tool",),
    ToolKind.TEMPLATE: ("prompt", "tool"),
    ToolKind.RESOURCE: ("resource", "tool"),
}
_MCP: Mapping[str, Shape] = {
    "title": shapes.text,
    "description": shapes.text,
    "read_only": shapes.flag,
    "destructive": shapes.flag,
    "idempotent": shapes.flag,
    "open_world": shapes.flag,
    "mime_type": shapes.text,
    "uri_scheme": shapes.word,
    "meta": shapes.mapping,
}
_MCP_SYNONYMS: Mapping[str, str] = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
    "read_only_hint": "read_only",
    "destructive_hint": "destructive",
    "idempotent_hint": "idempotent",
    "open_world_hint": "open_world",
    "mimeType": "mime_type",
    "uriScheme": "uri_scheme",
    "_meta": "meta",
}
MCP_KEYS: Mapping[ToolKind, Keys] = {
    kind: Keys({**_MCP, "type": shapes.choice(*names)}, _MCP_SYNONYMS)
    for kind, names in _EXPORTED_AS.items()
}
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
    refuse = _Refusal(document.root)
    section = read_section(reader, document.root, keys=keys, owner=owner, refuse=refuse)
    returns = section.entries.get("returns")
    if kind is ToolKind.RESOURCE:
        section.require(reader, "path", name.span)
    body = read_body(reader, document, section, kind=kind, statements=statements)
    return ToolDecl(
        file=document.file,
        kind=kind,
        name=name,
        span=document.root.span,
        title=section.text("title"),
        description=section.text("description"),
        when_to_use=section.text("when_to_use"),
        arguments=_arguments(reader, section, infers=kind is ToolKind.SQL),
        returns=None if returns is None else read_returns(reader, returns),
        body=body.text,
        messages=body.messages,
        path=section.text("path"),
        options=_options(reader, section, kind),
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
    answer = response if isinstance(response, MapNode) else None
    return read_request(reader, node, answer, at=at)


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


class _Refusal:
    """Reports the unknown keys of a document; see `refuse_tool_key`."""

    __slots__ = ("_root",)

    def __init__(self, root: MapNode) -> None:
        self._root = root

    def __call__(
        self, reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
    ) -> str | None:
        """See `brimgen.syntax.reader.Refusal`."""
        from brimgen.syntax.foreign import refuse_tool_key

        return refuse_tool_key(reader, entry, self._root, owner=owner, keys=keys)


def _options(reader: Reader, section: Section, kind: ToolKind) -> tuple[Entry, ...]:
    options: list[Entry] = []
    for entry in section.chosen(_OPTIONS):
        if entry.key.text == "mcp" and isinstance(entry.value, MapNode):
            entry = Entry(entry.key, _mcp(reader, entry.value, kind))
        elif entry.key.text == "limits" and isinstance(entry.value, MapNode):
            limits = read_limits(reader, entry.value, limit_keys(kind))
            entry = Entry(entry.key, limits)
        options.append(entry)
    return tuple(options)


def limit_keys(kind: ToolKind) -> Keys:
    """Return the keys of `limits` for a kind of tool."""
    return LIMITS_OF_REQUESTS if kind is ToolKind.HTTP else LIMITS


def _mcp(reader: Reader, node: MapNode, kind: ToolKind) -> MapNode:
    """Return the hints for MCP under their standard names, without wrong ones.

    ``type: tool`` says nothing new and is checked only (Brimley writes it).
    """
    section = read_section(reader, node, keys=MCP_KEYS[kind], owner="`mcp`")
    entries = tuple(
        renamed(entry, name) for name, entry in section.entries.items() if name in _MCP
    )
    return MapNode(node.span, (*entries, *section.extensions))
