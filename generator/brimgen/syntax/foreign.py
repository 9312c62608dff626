"""Recognize spellings of other systems, and say what is written here instead."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from brimgen.diagnostics import Note
from brimgen.diagnostics.rules import (
    FOREIGN_DOCUMENT,
    FOREIGN_TOOL_KEY,
    MISPLACED_REQUEST_KEY,
    NESTED_WITHOUT_FIELDS,
    SCHEMA_KEYWORD_IN_ENTRY,
    UNKNOWN_KEY,
)
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode, Text
from brimgen.syntax.json_schema import SCHEMA_WORDS
from brimgen.syntax.keys import REQUEST, RESPONSE
from brimgen.syntax.reader import (
    Keys,
    Reader,
    Section,
    is_null,
    refuse_unknown,
    shortened,
    similar_keys,
)
from brimgen.syntax.words_of_others import KEYS_OF_TOOLS, MCP_WORDS, NULLABLE, SYSTEMS

_TYPES: dict[type[object], str] = {
    str: "string",
    bool: "bool",
    int: "int",
    float: "float",
}
_MOST_SHOWN = 4
_NAMED = re.compile(r"(?:[#\w./-]*/)?([A-Za-z][A-Za-z0-9_-]*)(?:\.(?:json|ya?ml))?")


def refuse_key(
    reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
) -> str | None:
    """Report a key that is not one of an entry; return the one as which it can be read."""
    if entry.key.text in NULLABLE:
        reader.report(
            UNKNOWN_KEY,
            entry.key.span,
            suggestions=("type: T?",),
            key=entry.key.text,
            owner=owner,
        )
        return None
    if entry.key.text == "schema" and isinstance(entry.value, MapNode):
        # A parameter of OpenAPI: what its schema says stands here in the entry itself.
        pairs = in_braces(entry.value)[1:-1]
        reader.report(
            UNKNOWN_KEY, entry.key.span, suggestions=(pairs,), key="schema", owner=owner
        )
        return None
    if entry.key.text not in SCHEMA_WORDS:
        return refuse_unknown(reader, entry, owner=owner, keys=keys)
    reader.report(
        SCHEMA_KEYWORD_IN_ENTRY,
        entry.key.span,
        suggestions=_intended_key(entry),
        key=entry.key.text,
        owner=owner,
    )
    return None


def _intended_key(entry: Entry) -> tuple[str, ...]:
    """Suggest what to write for a keyword; for a reference, the type that its name ends with."""
    value = entry.value
    if entry.key.text == "properties" and isinstance(value, MapNode):
        return ("fields",)
    if entry.key.text == "const" and isinstance(value, ScalarNode):
        return (f"enum: [{in_braces(value)}]",)
    if entry.key.text != "$ref" or not isinstance(value, ScalarNode):
        return ()
    match = _NAMED.fullmatch(value.text)
    return () if match is None else (f"type: {match[1]}",)


def guessed_type(section: Section) -> tuple[str, ...]:
    """Guess the type of an entry without one from its values."""
    values = section.node("enum"), section.node("default")
    for node in values:
        first = node.items[0] if isinstance(node, ListNode) and node.items else node
        if isinstance(first, ScalarNode) and type(first.value) in _TYPES:
            return (f"type: {_TYPES[type(first.value)]}",)
    return ()


def listed_as_entry(node: Node) -> tuple[str, ...]:
    """Suggest the entry that a list stands for: a list of one type, an optional type, an enum."""
    items = node.items if isinstance(node, ListNode) else ()
    texts = [item.text for item in items if isinstance(item, ScalarNode)]
    if not texts or len(texts) < len(items):
        return ()
    if len(texts) == 1:
        return (f"{texts[0]}[]",)
    non_null = [text for text in texts if text not in ("null", "~", "none")]
    if len(non_null) == 1 and non_null != texts:
        return (f"{non_null[0]}?",)
    return (f"{{type: string, enum: [{', '.join(map(shortened, texts))}]}}",)


def report_nested(reader: Reader, name: Text, node: MapNode) -> None:
    """Report an entry in which every key looks like the name of a field."""
    near, rule = _intended_entry(node), NESTED_WITHOUT_FIELDS
    reader.report(rule, name.span, suggestions=near, name=shortened(name.value))


def _intended_entry(node: MapNode) -> tuple[str, ...]:
    """Suggest the entry that a mapping stands for: a type in braces, or nested fields."""
    entries = [(key.text, value) for key, value in node.entries]
    if len(entries) == 1 and is_null(entries[0][1]):
        return (shortened(entries[0][0]),)
    texts = [value.text for _, value in entries if isinstance(value, ScalarNode)]
    if len(texts) < len(entries) or not all(texts) or len(entries) > _MOST_SHOWN:
        return ()
    pairs = [f"{name}: {text}" for (name, _), text in zip(entries, texts, strict=True)]
    return (shortened(f"{{fields: {{{', '.join(pairs)}}}}}"),)


def pair_as_item(node: MapNode, keys: Keys) -> tuple[str, ...]:
    """Suggest the item of a list of fields that the first ``name: type`` stands for.

    Nothing if a key of the mapping is one of ``keys``, or a misspelt one.
    """
    key_texts = [entry.key.text for entry in node.entries]
    if not key_texts or any(
        keys.standard(word) or similar_keys(word, keys) for word in key_texts
    ):
        return ()
    key, value = node.entries[0]
    if isinstance(value, MapNode) and len(key_texts) == 1:
        attributes = in_braces(value)[1:-1]
        return (
            f"{{name: {shortened(key.text)}{', ' if attributes else ''}{attributes}}}",
        )
    if not isinstance(value, ScalarNode) or not isinstance(value.value, str):
        return ()
    return (f"{{name: {shortened(key.text)}, type: {shortened(value.text)}}}",)


_OF_ARGUMENTS = frozenset({"inline", "entity_ref", "omit"})
_OF_ARGUMENTS_TOO = {"params"}
_BLOCKS: Mapping[str, Keys] = {"request": REQUEST, "response": RESPONSE}
_URLS = frozenset({"url", "urlTemplate", "url_template"})
_PLAIN = re.compile(r"[\w./-]+(?::[\w./-]+)*")
_LONGEST = 140


def report_foreign(reader: Reader, root: MapNode) -> bool:
    """Report a document of another system, which `brimgen import` reads; return if it is one."""
    kind = root.get("type")
    kind_text = kind.text if isinstance(kind, ScalarNode) else None
    system_entries = [entry for entry in root.entries if entry.key.text in SYSTEMS]
    if kind_text == "function" and isinstance(
        root.get("function") or root.get("parameters"), MapNode
    ):
        at, (system, format) = root.entries[0].key.span, ("OpenAI", "openai")
    elif kind is None and (origin := _origin_of_list(root.get("tools"))):
        at, (system, format) = root.entries[0].key.span, origin
    elif (kind is None or kind_text == "object") and system_entries:
        at, (system, format) = (
            system_entries[0].key.span,
            SYSTEMS[system_entries[0].key.text],
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
    return next((SYSTEMS[key] for key in keys if key in SYSTEMS), None)


def refuse_tool_key(
    reader: Reader, entry: Entry, root: MapNode, /, *, owner: str, keys: Keys
) -> str | None:
    """Report an unknown key of ``root``, and suggest the key or the block that was meant.

    All keys that belong into one block are reported once, at the first."""
    word = entry.key.text
    if word in KEYS_OF_TOOLS:
        intended = KEYS_OF_TOOLS[word]
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
