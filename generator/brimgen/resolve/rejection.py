"""Rejection: a schema and an object in, why the schema refuses it out.

The verdict is that of the runtime's validator, which generated code uses as well. Patterns come
from specs and are not run at build time (promises.md 3): what remains of a schema without them
accepts all that the schema accepts, so that what it refuses is refused.
"""

from __future__ import annotations

from functools import partial

from brimgen.model.json import Json, JsonObject
from brimgen.resolve.standard_words import Schema, map_schemas, subschemas

_PATTERNS = frozenset({"pattern", "patternProperties"})
_REFERENCES = frozenset({"$ref", "$dynamicRef"})
"""Left out as well where one leads to what is not in the part of a document that is asked."""
_EITHER_WAY = frozenset({"not", "oneOf", "if", "contains"})
"""Keywords that may refuse a value because a schema in them accepts it."""
_LEFT_OVER = frozenset({"unevaluatedItems", "unevaluatedProperties"})
_UNREAD = "x-unread"


def rejection(schema: JsonObject, value: Json) -> str | None:
    """Return why ``schema`` refuses ``value``, in a few words; None where it accepts it."""
    from brimgen.runtime._engine.errors import SchemaError
    from brimgen.runtime._engine.schema import Validator

    for words in (_PATTERNS, _PATTERNS | _REFERENCES):
        try:
            violations = Validator(_without(words, dict(schema))).violations(value)
        except SchemaError:
            continue
        return violations[0].message.removeprefix("input: ") if violations else None
    return None


def _without(words: frozenset[str], schema: Schema) -> Schema:
    if not any(each.keys() & words for each in subschemas(schema)):
        return schema
    return map_schemas(schema, partial(_loosened, words))


def _loosened(words: frozenset[str], schema: Schema) -> Schema:
    kept = {
        key: value
        for key, value in schema.items()
        if key not in words
        and key not in _LEFT_OVER
        and not (key in _EITHER_WAY and _is_unread(value))
    }
    if "patternProperties" in schema:
        kept.pop("additionalProperties", None)
    return {**kept, _UNREAD: True} if len(kept) < len(schema) else kept


def _is_unread(part: Json) -> bool:
    """Whether something in a keyword was left out, or may be where it refers to."""
    return any(
        _UNREAD in each or "$ref" in each or "$dynamicRef" in each
        for one in (part if isinstance(part, list) else [part])
        for each in subschemas(one if isinstance(one, dict) else {})
    )
