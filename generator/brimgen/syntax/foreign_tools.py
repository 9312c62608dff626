"""Documents and keys as other systems have them in; what they are here told."""

from __future__ import annotations

from brimgen.diagnostics.rules.syntax.documents import (
    FOREIGN_DOCUMENT,
    FOREIGN_TOOL_KEY,
    UNKNOWN_KEY,
)
from brimgen.source.nodes import Entry, MapNode, ScalarNode
from brimgen.syntax.reader import Keys, Reader, refuse_unknown
from brimgen.syntax.requests import REQUEST

_KEYS = {"tool_name": "name", "tool_type": "type", "tool_description": "description"}
_OF_ARGUMENTS = frozenset({"inline", "entity_ref", "omit"})
_SYSTEMS = {
    "inputSchema": ("MCP", "mcp"),
    "input_schema": ("Anthropic", "anthropic"),
    "openapi": ("OpenAPI", "openapi"),
    "swagger": ("OpenAPI", "openapi"),
}
"""Keys by which documents without a ``type`` of ours give away whose they are."""


def report_foreign(reader: Reader, root: MapNode) -> bool:
    """Whether a document is that of another system, which `brimgen import` reads; it is told."""
    kind = root.get("type")
    said = kind.text if isinstance(kind, ScalarNode) else None
    found = [each for each in root.entries if each.key.text in _SYSTEMS]
    if said == "function" and isinstance(
        root.get("function") or root.get("parameters"), MapNode
    ):
        at, (system, format) = root.entries[0].key.span, ("OpenAI", "openai")
    elif kind is None and found:
        at, (system, format) = found[0].key.span, _SYSTEMS[found[0].key.text]
    else:
        return False
    reader.report(FOREIGN_DOCUMENT, at, system=system, format=format)
    return True


def refuse_tool_key(
    reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
) -> str | None:
    """Report an unknown key; ``tool_name`` and others by what they are called here, and those of
    a request by where they stand."""
    word = entry.key.text
    if word in _KEYS:
        meant = _KEYS[word]
        reader.report(FOREIGN_TOOL_KEY, entry.key.span, suggestions=(meant,), key=word)
        return meant
    if word in _OF_ARGUMENTS:
        within = (f"arguments: {{{word}: …}}",)
        reader.report(
            UNKNOWN_KEY, entry.key.span, suggestions=within, key=word, owner=owner
        )
        return None
    if "request" not in keys.shapes or not REQUEST.standard(word):
        return refuse_unknown(reader, entry, owner=owner, keys=keys)
    within = (f"request: {{{word}: …}}",)
    reader.report(
        UNKNOWN_KEY, entry.key.span, suggestions=within, key=word, owner=owner
    )
    return None
