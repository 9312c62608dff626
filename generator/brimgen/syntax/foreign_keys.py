"""Refuse keys that a field cannot have, and suggest the keys that were probably meant."""

from __future__ import annotations

import re

from brimgen.diagnostics.rules import (
    NESTED_WITHOUT_FIELDS,
    SCHEMA_KEYWORD_IN_ENTRY,
    UNKNOWN_KEY,
)
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.decls import Text
from brimgen.syntax.foreign_tools import in_braces
from brimgen.syntax.json_schema import SCHEMA_WORDS
from brimgen.syntax.reader import (
    Keys,
    Reader,
    Section,
    is_null,
    refuse_unknown,
    shortened,
    similar_keys,
)

_NULLABLE = frozenset({"nullable", "null", "allow_null", "nullish"})
"""Keys of other languages that make a value nullable."""
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
    if entry.key.text in _NULLABLE:
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
