"""Describe the types of prompt and resource arguments, which MCP sends as strings."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.emit.projection import inline
from brimgen.emit.projection.describe_keywords import FORMAT_HINTS, described, phrase
from brimgen.emit.projection.json_types import types_of
from brimgen.model.catalog import Tool
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import Field
from brimgen.schema.walk import is_object, split_definitions

_TYPES = {
    "integer": "integer",
    "number": "number",
    "boolean": "true or false",
    "array": "JSON array",
    "object": "JSON object",
    "null": "null",
}
_TOLD_BY_TYPE = frozenset(["type", "description", "title", "items", "anyOf"])


def argument_schema(field: Field, tool: Tool) -> JsonObject:
    """Return the schema of an argument of a tool, with entities written out."""
    _, definitions = split_definitions(tool.bound_schema)
    return inline({**field.schema, "$defs": definitions})


def argument_text(field: Field, tool: Tool) -> str | None:
    """Describe one argument, with its type and constraints in the fixed form."""
    schema = argument_schema(field, tool)
    return described(schema.get("description"), phrases(schema))


def arguments_text(fields: Iterable[Field], tool: Tool) -> str:
    """Describe all arguments in one sentence: ``category (string): Of the shop; page (integer;
    default: 1).``
    """
    sentences: list[str] = []
    for field in fields:
        schema = argument_schema(field, tool)
        type_text = "; ".join(_typed(schema))
        text = str(schema.get("description") or "").strip().rstrip(".")
        sentences.append(f"{field.name} ({type_text}){f': {text}' if text else ''}")
    return f"{'; '.join(sentences)}."


def _typed(schema: JsonObject) -> list[str]:
    """Describe what a text must be, always with its type."""
    words = phrases(schema)
    plain = types_of(schema)[0] == ("string",) and not _type_phrases(schema)
    has_values = "enum" in schema or "const" in schema
    return ["string", *words] if plain and not has_values else words or ["string"]


def phrases(schema: JsonObject) -> list[str]:
    """Describe what a text must be for an argument with ``schema``; nothing for a plain string."""
    all_words = _type_phrases(schema)
    for keyword, value in schema.items():
        if keyword in _TOLD_BY_TYPE or (keyword, value) in _SAID_BY_HINT:
            continue
        words = phrase(keyword, value)
        if words is not None:
            all_words.append(words)
    return all_words


_SAID_BY_HINT = [("format", format_hint) for format_hint in FORMAT_HINTS]


def _type_phrases(schema: JsonObject) -> list[str]:
    branches = schema.get("anyOf")
    if isinstance(branches, list | tuple):
        alternatives = [
            " and ".join(phrases(b)) or "text" for b in branches if is_object(b)
        ]
        return [" or ".join(dict.fromkeys(alternatives))]
    hint = FORMAT_HINTS.get(str(schema.get("format")))
    if hint:
        return [hint]
    if "enum" in schema or "const" in schema:
        return []
    names, _ = types_of(schema)
    if names == ("string",) or not names:
        return []
    words = [_TYPES.get(name, "text") for name in names]
    if names == ("array",):
        return [f"JSON array{_items(schema.get('items'))}"]
    return [" or ".join(words)]


def _items(items: Json) -> str:
    if not is_object(items) or not items:
        return ""
    kinds = _type_phrases(items)
    limits = phrases(items)[len(kinds) :]
    plural = "strings" if types_of(items)[0] == ("string",) else "values"
    each = f", each {' and '.join(limits)}" if limits else ""
    return f" of {' and '.join(kinds) or plural}{each}"
