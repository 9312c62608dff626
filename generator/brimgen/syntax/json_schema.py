"""Report words in an author's JSON Schema that are no keywords of JSON Schema.

The schema is handed on verbatim. `resolve` decides in one place whether the metaschema of its
dialect accepts it, and what it refers to. But a metaschema and a validator ignore unknown keywords:
misspelt ones, and those of other languages, are reported here.
"""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.diagnostics import did_you_mean
from brimgen.diagnostics.rules import MISSPELT_KEYWORD, SCHEMA_WITHOUT_KEYWORD
from brimgen.schema.walk import HOLDERS, STANDARD, inner_nodes, words
from brimgen.source.nodes import Entry, ListNode, MapNode, ScalarNode
from brimgen.syntax.reader import Reader, shortened
from brimgen.syntax.words_of_others import KEYWORDS_OF_OTHERS

KEYWORDS = (
    HOLDERS
    | STANDARD
    | words("$dynamicRef $recursiveAnchor $recursiveRef entity_ref from_context llm")
)
SCHEMA_WORDS = words(
    "properties patternProperties additionalProperties propertyNames minProperties"
    " maxProperties oneOf anyOf allOf not const if then else $ref $defs definitions"
    " dependentRequired dependentSchemas contains prefixItems"
)
"""Keywords of JSON Schema that an entry does not have; none is near a key of an entry."""


def check_keywords(reader: Reader, schema: MapNode) -> None:
    """Warn of every key, at any depth, that is no keyword and was meant as one."""
    if schema.entries and are_fields(schema.entries):
        at = schema.entries[0].key.span
        reader.report(
            SCHEMA_WITHOUT_KEYWORD, at, suggestions=_intended_properties(schema)
        )
        return
    for entry in schema.entries:
        word = entry.key.text
        if word not in KEYWORDS and not word.startswith("x-"):
            _unknown_keyword(reader, entry)
        for _, inner in inner_nodes("", entry):
            check_keywords(reader, inner)


def are_fields(entries: Iterable[Entry]) -> bool:
    """Whether no key is a keyword, or near one, and each has the text of a type or a mapping."""
    for key, value in entries:
        word = key.text
        if word in KEYWORDS or word in KEYWORDS_OF_OTHERS or word.startswith("x-"):
            return False
        if isinstance(value, ScalarNode) and not isinstance(value.value, str):
            return False
        if isinstance(value, ListNode) or _similar_keywords(word):
            return False
    return True


def _similar_keywords(word: str) -> tuple[str, ...]:
    """Return the keywords that a word nearly is; `id` is mostly a property."""
    return () if word == "id" else did_you_mean(word, KEYWORDS)


def _intended_properties(schema: MapNode) -> tuple[str, ...]:
    """Suggest the keys under ``properties``, if each of them has a schema."""
    if not all(isinstance(entry.value, MapNode) for entry in schema.entries):
        return ()
    names = [f"{shortened(entry.key.text)}: …" for entry in schema.entries]
    return (f"properties: {{{', '.join(names)}}}",)


def _unknown_keyword(reader: Reader, entry: Entry) -> None:
    word = entry.key.text
    intended = KEYWORDS_OF_OTHERS.get(word)
    if intended is None:
        intended = _similar_keywords(word)
    if intended or word in KEYWORDS_OF_OTHERS:
        reader.report(
            MISSPELT_KEYWORD, entry.key.span, suggestions=intended, key=shortened(word)
        )
