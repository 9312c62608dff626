"""Rejection: a schema and an object in, why the schema refuses it out.

The verdict is that of the runtime's validator, which generated code uses as well. Patterns come
from specs and are not run at build time (promises.md 3): what remains of a schema without them
accepts all that the schema accepts, so that what it refuses is refused.
"""

from __future__ import annotations

from brimgen.model.json import Json, JsonObject
from brimgen.resolve.standard_words import Schema, map_schemas, subschemas

_PATTERNS = frozenset({"pattern", "patternProperties"})
_EITHER_WAY = frozenset({"not", "oneOf", "if", "contains"})
"""Keywords that may refuse a value because a schema in them accepts it."""
_LEFT_OVER = frozenset({"unevaluatedItems", "unevaluatedProperties"})
_UNREAD = "x-unread"


def rejection(schema: JsonObject, value: Json) -> str | None:
    """Return why ``schema`` refuses ``value``, in a few words; None where it accepts it."""
    from brimgen.runtime._engine.errors import SchemaError
    from brimgen.runtime._engine.schema import Validator

    plain = dict(schema)
    if any(each.keys() & _PATTERNS for each in subschemas(plain)):
        plain = map_schemas(plain, _without_patterns)
    try:
        violations = Validator(plain).violations(value)
    except SchemaError:
        return None
    return violations[0].message.removeprefix("input: ") if violations else None


def _without_patterns(schema: Schema) -> Schema:
    kept = {
        key: value
        for key, value in schema.items()
        if key not in _PATTERNS
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
