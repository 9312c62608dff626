"""Defaults of Standard mode: a schema in, whether it refuses its own default out."""

from __future__ import annotations

from brimgen.model.json import Json
from brimgen.resolve.rejection import rejection
from brimgen.resolve.standard_refs import is_local_pointer
from brimgen.resolve.standard_words import Schema, subschemas
from brimgen.resolve.unions import PLAIN
from brimgen.resolve.values import fits

_SIMPLE = frozenset({"type", "default", "description", "title", "examples"})


def is_rejected(schema: Schema, value: Json, root: Schema) -> bool:
    """Return whether a schema refuses its own default; patterns are not run."""
    if not schema.keys() - _SIMPLE and isinstance(schema.get("type"), str):
        kind = str(schema["type"])
        if kind in PLAIN:
            return not fits(PLAIN[kind], value)
        return kind == "null" and value is not None
    if any("patternProperties" in each for each in subschemas(schema)):
        return False
    kept: Schema = {key: root[key] for key in ("$defs", "definitions") if key in root}
    if any(is_local_pointer(each.get("$ref")) for each in subschemas(schema)):
        return rejection({**kept, **schema}, value) is not None
    return rejection(schema, value) is not None
