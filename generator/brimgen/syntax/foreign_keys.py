"""A key that an entry cannot have in, what was meant by it told: JSON Schema, or a slip."""

from __future__ import annotations

from brimgen.diagnostics.rules.syntax.arguments import SCHEMA_KEYWORD
from brimgen.regex import regex
from brimgen.source.nodes import Entry, ScalarNode
from brimgen.syntax.reader import Keys, Reader, refuse_unknown

SCHEMA_WORDS = frozenset(
    {
        "properties",
        "patternProperties",
        "additionalProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
        "oneOf",
        "anyOf",
        "allOf",
        "not",
        "const",
        "if",
        "then",
        "else",
        "$ref",
        "$defs",
        "definitions",
        "dependentRequired",
        "dependentSchemas",
        "contains",
        "prefixItems",
    }
)
"""Keywords of JSON Schema that say nothing in an entry; none of them is a slip of ours."""
_NAMED = regex(r"(?:[#\w./-]*/)?([A-Za-z][A-Za-z0-9_-]*)(?:\.(?:json|ya?ml))?")


def refuse_key(
    reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
) -> str | None:
    """Report a key that is not one of an entry; return the one as which it can be read."""
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
