"""Rejection: a schema and an object in, why the schema refuses it out.

The verdict is that of the runtime's validator, which generated code uses as well. Patterns come
from specs and are not run at build time (promises.md 3), so they are not looked at.
"""

from __future__ import annotations

from brimgen.model.json import Json, JsonObject
from brimgen.resolve.standard_words import Schema, map_schemas, subschemas


def rejection(schema: JsonObject, value: Json) -> str | None:
    """Return why ``schema`` refuses ``value``, in a few words; None where it accepts it."""
    from brimgen.runtime._engine.errors import SchemaError
    from brimgen.runtime._engine.schema import Validator

    plain = dict(schema)
    if any("patternProperties" in each for each in subschemas(plain)):
        return None
    try:
        violations = Validator(map_schemas(plain, _without_pattern)).violations(value)
    except SchemaError:
        return None
    return violations[0].message.removeprefix("input: ") if violations else None


def _without_pattern(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key != "pattern"}
