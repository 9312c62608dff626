"""Defaults of Standard mode: a schema in, whether it refuses its own default out."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import resolve_standard as rules
from brimgen.model.fields import Default
from brimgen.model.json import Json
from brimgen.resolve.rejection import rejection
from brimgen.resolve.standard_refs import is_local_pointer
from brimgen.resolve.standard_words import Schema, subschemas
from brimgen.resolve.unions import PLAIN
from brimgen.resolve.values import fits, is_number

_SIMPLE = frozenset({"type", "default", "description", "title", "examples"})


def read_default(
    name: str, schema: Schema, place: tuple[Schema, Span], found: Diagnostics
) -> Default | None:
    """Return the default of a property; None where its own schema refuses it, which is told.

    ``place`` is the document, for references, and where the property stands in the file.
    """
    value, (root, span) = schema["default"], place
    if is_rejected(schema, value, root):
        found.add(rules.DEFAULT_NOT_APPLIED, span, name=name)
        return None
    if isinstance(value, int | float) and is_number(value):
        return Default(value, str(value))
    return Default(value)


def is_rejected(schema: Schema, value: Json, root: Schema) -> bool:
    """Return whether a schema refuses its own default.

    Of patterns only its own is asked, where a bounded automaton decides it; those of parts are
    not run.
    """
    kind, pattern = schema.get("type"), schema.get("pattern")
    if isinstance(pattern, str) and isinstance(value, str):
        from brimgen.resolve.automata import is_found

        if is_found(pattern, value) is False:
            return True
    if not schema.keys() - _SIMPLE and isinstance(kind, str) and kind in PLAIN:
        return not fits(PLAIN[kind], value)
    kept: Schema = {key: root[key] for key in ("$defs", "definitions") if key in root}
    if any(is_local_pointer(each.get("$ref")) for each in subschemas(schema)):
        return rejection({**kept, **schema}, value) is not None
    return rejection(schema, value) is not None
