"""A tool document in, a ToolDecl out: the common keys, and those of its kind."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from brimgen.diagnostics.rules.syntax.documents import FOREIGN_TOOL_KEY
from brimgen.source.document import Document
from brimgen.source.nodes import Entry, MapNode
from brimgen.syntax import shapes
from brimgen.syntax.arguments import read_arguments
from brimgen.syntax.bodies import Statements, read_body
from brimgen.syntax.decls import Text, ToolDecl, ToolKind
from brimgen.syntax.reader import (
    Keys,
    Reader,
    Section,
    Shape,
    read_section,
    refuse_unknown,
    renamed,
    shown,
)
from brimgen.syntax.returns import read_returns

_COMMON: Mapping[str, Shape] = {
    "type": shapes.word,
    "name": shapes.word,
    "title": shapes.text,
    "description": shapes.text,
    "when_to_use": shapes.text,
    "arguments": shapes.anything,
    "returns": shapes.anything,
    "bundle": shapes.word,
    "slug": shapes.word,
    "version": shapes.word,
    "id": shapes.word,
    "tags": shapes.words,
    "enabled": shapes.flag,
    "mcp": shapes.mapping,
    "profiles": shapes.words,
    "targets": shapes.words,
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
_OF_KIND: Mapping[ToolKind, Mapping[str, Shape]] = {
    ToolKind.SQL: {
        "sql": shapes.text,
        "handler": shapes.text,
        "connection": shapes.word,
    },
    ToolKind.PYTHON: {"handler": shapes.text},
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
TOOLS: Mapping[ToolKind, Keys] = MappingProxyType(
    {kind: Keys({**_COMMON, **own}, _SYNONYMS) for kind, own in _OF_KIND.items()}
)
_OPTIONS = frozenset(
    {
        "bundle",
        "slug",
        "version",
        "id",
        "tags",
        "enabled",
        "profiles",
        "targets",
        "handler",
        "connection",
        "mcp",
    }
)
_EXPORTED_AS: Mapping[ToolKind, tuple[str, ...]] = {
    ToolKind.SQL: ("tool",),
    ToolKind.PYTHON: ("tool",),
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
_FOREIGN = {"tool_name": "name", "tool_type": "type", "tool_description": "description"}


def read_tool(
    reader: Reader,
    document: Document,
    name: Text,
    *,
    kind: ToolKind,
    statements: Statements,
) -> ToolDecl:
    """The declaration of one tool document, whose name and kind were read."""
    before = reader.errors
    owner = f"{kind.value} `{shown(name.value)}`"
    section = read_section(
        reader, document.root, keys=TOOLS[kind], owner=owner, refuse=refuse_tool_key
    )
    arguments = section.entries.get("arguments")
    returns = section.entries.get("returns")
    if kind is ToolKind.RESOURCE:
        section.require(reader, "path", name.span)
    body = read_body(reader, document, section, kind=kind, statements=statements)
    return ToolDecl(
        document=document,
        kind=kind,
        name=name,
        title=section.text("title"),
        description=section.text("description"),
        when_to_use=section.text("when_to_use"),
        arguments=(
            None
            if arguments is None
            else read_arguments(reader, _as_written(section, arguments))
        ),
        returns=None if returns is None else read_returns(reader, returns),
        body=body.text,
        messages=body.messages,
        path=section.text("path"),
        options=_options(reader, section, kind),
        extensions=section.extensions,
        body_file=body.file,
        sound=reader.errors == before,
    )


def _as_written(section: Section, entry: Entry) -> Entry:
    """The entry under the key that the author wrote (``args``), for messages."""
    return Entry(section.written[entry.key.text], entry.value)


def refuse_tool_key(reader: Reader, entry: Entry, /, *, owner: str, keys: Keys) -> None:
    """Report an unknown key; ``tool_name`` and others by what they are called here."""
    meant = _FOREIGN.get(entry.key.text)
    if meant is None:
        refuse_unknown(reader, entry, owner=owner, keys=keys)
        return
    reader.report(
        FOREIGN_TOOL_KEY, entry.key.span, suggestions=(meant,), key=entry.key.text
    )


def _options(reader: Reader, section: Section, kind: ToolKind) -> tuple[Entry, ...]:
    options = []
    for entry in section.chosen(_OPTIONS):
        if isinstance(entry.value, MapNode):
            entry = Entry(entry.key, _mcp(reader, entry.value, kind))
        options.append(entry)
    return tuple(options)


def _mcp(reader: Reader, node: MapNode, kind: ToolKind) -> MapNode:
    """The hints for MCP under their standard names, wrong ones left out.

    ``type: tool`` says nothing new and is checked only (Brimley writes it).
    """
    section = read_section(reader, node, keys=MCP_KEYS[kind], owner="`mcp`")
    kept = tuple(
        renamed(entry, name) for name, entry in section.entries.items() if name in _MCP
    )
    return MapNode(node.span, (*kept, *section.extensions))
