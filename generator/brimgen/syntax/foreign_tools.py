"""Recognize documents and keys of other systems, and say what replaces them here."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from brimgen.diagnostics import Note
from brimgen.diagnostics.rules import (
    FOREIGN_DOCUMENT,
    FOREIGN_TOOL_KEY,
    MISPLACED_REQUEST_KEY,
    UNKNOWN_KEY,
)
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.reader import Keys, Reader, refuse_unknown
from brimgen.syntax.requests import REQUEST, RESPONSE

_KEYS = {"tool_name": "name", "tool_type": "type", "tool_description": "description"}
_OF_ARGUMENTS = frozenset({"inline", "entity_ref", "omit"})
_OF_ARGUMENTS_TOO = {"params"}
_BLOCKS: Mapping[str, Keys] = {"request": REQUEST, "response": RESPONSE}
MCP_WORDS = frozenset(
    {
        *("read_only", "destructive", "idempotent", "open_world"),
        *("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"),
        *("mime_type", "mimeType", "uri_scheme", "uriScheme", "_meta"),
    }
)
"""Keys of ``mcp`` that no tool has."""
_URLS = frozenset({"url", "urlTemplate", "url_template"})
_PLAIN = re.compile(r"[\w./-]+(?::[\w./-]+)*")
_LONGEST = 140
_SYSTEMS = {
    "inputSchema": ("MCP", "mcp"),
    "input_schema": ("Anthropic", "anthropic"),
    "openapi": ("OpenAPI", "openapi"),
    "swagger": ("OpenAPI", "openapi"),
    "$schema": ("JSON Schema", "json_schema"),
}
"""Keys that identify documents of other systems, which have no ``type`` of ours."""


def report_foreign(reader: Reader, root: MapNode) -> bool:
    """Report a document of another system, which `brimgen import` reads; return if it is one."""
    kind = root.get("type")
    kind_text = kind.text if isinstance(kind, ScalarNode) else None
    system_entries = [entry for entry in root.entries if entry.key.text in _SYSTEMS]
    if kind_text == "function" and isinstance(
        root.get("function") or root.get("parameters"), MapNode
    ):
        at, (system, format) = root.entries[0].key.span, ("OpenAI", "openai")
    elif kind is None and (origin := _origin_of_list(root.get("tools"))):
        at, (system, format) = root.entries[0].key.span, origin
    elif (kind is None or kind_text == "object") and system_entries:
        at, (system, format) = (
            system_entries[0].key.span,
            _SYSTEMS[system_entries[0].key.text],
        )
    else:
        return False
    reader.report(FOREIGN_DOCUMENT, at, system=system, format=format)
    return True


def _origin_of_list(node: Node | None) -> tuple[str, str] | None:
    """Return the system of the tools in a list, by the keys of the first tool."""
    first = node.items[0] if isinstance(node, ListNode) and node.items else None
    if not isinstance(first, MapNode):
        return None
    if first.get("type") is not None and first.get("function") is not None:
        return "OpenAI", "openai"
    keys = [entry.key.text for entry in first.entries]
    return next((_SYSTEMS[key] for key in keys if key in _SYSTEMS), None)


def refuse_tool_key(
    reader: Reader, entry: Entry, root: MapNode, /, *, owner: str, keys: Keys
) -> str | None:
    """Report an unknown key of ``root``, and suggest the key or the block that was meant.

    All keys that belong into one block are reported once, at the first."""
    word = entry.key.text
    if word in _KEYS:
        intended = _KEYS[word]
        reader.report(
            FOREIGN_TOOL_KEY, entry.key.span, suggestions=(intended,), key=word
        )
        return intended
    if word in _OF_ARGUMENTS:
        within = (f"arguments: {{{word}: …}}",)
        reader.report(
            UNKNOWN_KEY, entry.key.span, suggestions=within, key=word, owner=owner
        )
        return None
    if word in MCP_WORDS and "mcp" in keys.shapes:
        within = (f"mcp: {{{word}: {in_braces(entry.value)}}}",)
        reader.report(
            UNKNOWN_KEY, entry.key.span, suggestions=within, key=word, owner=owner
        )
        return None
    if word == "httpImpl" and isinstance(entry.value, MapNode):
        values = (in_braces(entry.value)[1:-1],)
        reader.report(
            UNKNOWN_KEY, entry.key.span, suggestions=values, key=word, owner=owner
        )
        return None
    for block, inner in _BLOCKS.items():
        flat = _flat(root, keys, inner)
        if entry in flat:
            if entry == flat[0]:
                _report_flat(reader, root, flat, block, owner=owner, keys=keys)
            return None
    return refuse_unknown(reader, entry, owner=owner, keys=keys)


def _flat(root: MapNode, keys: Keys, inner: Keys) -> tuple[Entry, ...]:
    """The entries of a document that belong into a block, whose keys are ``inner``."""
    flat = [
        entry
        for entry in root.entries
        if inner.standard(entry.key.text) and not keys.standard(entry.key.text)
    ]
    words = {entry.key.text for entry in flat}
    is_request = "request" in keys.shapes
    if not is_request and "path" not in keys.shapes:
        is_request = not words.isdisjoint(_URLS)
    return tuple(flat) if is_request and words != _OF_ARGUMENTS_TOO else ()


def _report_flat(
    reader: Reader,
    root: MapNode,
    flat: tuple[Entry, ...],
    block: str,
    *,
    owner: str,
    keys: Keys,
) -> None:
    """Report the keys of a block that stand beside it, once, with the block that was meant."""
    first, *other_keys = [entry.key for entry in flat]
    if block not in keys.shapes:
        kind, word = ("type: http_function",), first.text
        reader.report(UNKNOWN_KEY, first.span, suggestions=kind, key=word, owner=owner)
        return
    words = [f"`{entry.key.text}`" for entry in flat]
    reader.report(
        MISPLACED_REQUEST_KEY,
        first.span,
        notes=[Note(key.span, f"`{key.text}` stands here") for key in other_keys],
        suggestions=(_block_text(root, flat, block),),
        owner=owner,
        keys=" and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words),
        block=block,
    )


def _block_text(root: MapNode, flat: tuple[Entry, ...], block: str) -> str:
    """The block with its keys, as one would write it in one line."""
    existing = ["…"] if isinstance(root.get(block), MapNode) else []
    pairs = [f"{entry.key.text}: {in_braces(entry.value)}" for entry in flat]
    nested = f"{block}: {{{', '.join(existing + pairs)}}}"
    if len(nested) <= _LONGEST:
        return nested
    return f"{block}: {{{', '.join(existing + [f'{entry.key.text}: …' for entry in flat])}}}"


def in_braces(node: Node) -> str:
    """Write a value as it would stand inside of braces."""
    match node:
        case ScalarNode():
            is_plain = not node.quoted and _PLAIN.fullmatch(node.text)
            return node.text if is_plain else json.dumps(node.text, ensure_ascii=False)
        case ListNode():
            return f"[{', '.join(map(in_braces, node.items))}]"
        case MapNode():
            pairs = (f"{key.text}: {in_braces(value)}" for key, value in node.entries)
            return f"{{{', '.join(pairs)}}}"
