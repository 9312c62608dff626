"""What an entry cannot be in, what was meant by it told: JSON Schema, a slip, words of others."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.diagnostics.rules.syntax.arguments import SCHEMA_KEYWORD
from brimgen.diagnostics.rules.syntax.documents import UNKNOWN_KEY
from brimgen.regex import regex
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.json_schema import SCHEMA_WORDS
from brimgen.syntax.reader import (
    Keys,
    Reader,
    Section,
    refuse_unknown,
    renamed,
    shown,
)

_NULLABLE = frozenset({"nullable", "null", "allow_null", "nullish"})
"""Keys by which others say that a value may be null."""
_TYPES: dict[type[object], str] = {
    str: "string",
    bool: "bool",
    int: "int",
    float: "float",
}
_NAMED = regex(r"(?:[#\w./-]*/)?([A-Za-z][A-Za-z0-9_-]*)(?:\.(?:json|ya?ml))?")


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
    if entry.key.text not in SCHEMA_WORDS:
        return refuse_unknown(reader, entry, owner=owner, keys=keys)
    reader.report(
        SCHEMA_KEYWORD,
        entry.key.span,
        suggestions=_type_of(entry),
        key=entry.key.text,
        owner=owner,
    )
    return None


def _type_of(entry: Entry) -> tuple[str, ...]:
    """What a reference is here: the type of the name that it ends with."""
    value = entry.value
    if entry.key.text != "$ref" or not isinstance(value, ScalarNode):
        return ()
    named = _NAMED.fullmatch(value.text)
    return () if named is None else (f"type: {named[1]}",)


def guessed_type(section: Section) -> tuple[str, ...]:
    """The type of an entry without one, as its values tell it."""
    values = section.node("enum"), section.node("default")
    for node in values:
        first = node.items[0] if isinstance(node, ListNode) and node.items else node
        if isinstance(first, ScalarNode) and type(first.value) in _TYPES:
            return (f"type: {_TYPES[type(first.value)]}",)
    return ()


def listed_as_entry(node: Node) -> tuple[str, ...]:
    """What a list in the place of an entry says: a list of one type, or a closed list of texts."""
    items = node.items if isinstance(node, ListNode) else ()
    texts = [each.text for each in items if isinstance(each, ScalarNode)]
    if not texts or len(texts) < len(items):
        return ()
    if len(texts) == 1:
        return (f"{texts[0]}[]",)
    return (f"{{type: string, enum: [{', '.join(map(shown, texts))}]}}",)


def pair_as_item(node: MapNode, keys: Keys) -> tuple[str, ...]:
    """The item of a list of fields, with ``keys``, that a lone ``name: type`` stands for."""
    if len(node.entries) != 1 or keys.standard(node.entries[0].key.text):
        return ()
    key, value = node.entries[0]
    if not isinstance(value, ScalarNode) or not isinstance(value.value, str):
        return ()
    return (f"{{name: {shown(key.text)}, type: {shown(value.text)}}}",)


def as_prose(entry: Entry, name: str) -> Entry:
    """The words of a value that was refused, under ``name``, as the text that was meant.

    So nobody says that it is missing besides.
    """
    words = " ".join(_words(entry.value))
    said = ScalarNode(entry.value.span, words, words, quoted=True)
    return renamed(Entry(entry.key, said), name)


def _words(node: Node) -> Iterator[str]:
    match node:
        case ScalarNode():
            yield node.text
        case ListNode():
            for item in node.items:
                yield from _words(item)
        case MapNode():
            for key, value in node.entries:
                yield key.text
                yield from _words(value)
