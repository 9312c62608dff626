"""Report hidden arguments of a statement that may be missing."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics, Note, rules
from brimgen.emit.codecs.sql import SqlKind
from brimgen.emit.sql.checks.check_parameters import Uses
from brimgen.model.fields import Caller, Context
from brimgen.model.types import Field


def check_hidden(uses: Uses, diagnostics: Diagnostics) -> None:
    """Report each argument hidden from callers that a statement uses and that may be missing.

    What a statement does without it depends on where it stands, and in filters it often is to
    let all rows through. So the argument must be required and not null, wherever it stands; and of
    an object or a list in JSON, what the statement reads may be missing.
    """
    for field in uses.tool.fields:
        is_json = uses.types[field.name].kind is SqlKind.JSON
        missing = _how_it_may_be_missing(field) or ("incomplete" if is_json else None)
        if isinstance(field.origin, Caller) or missing is None:
            continue
        of_name = (place for place in uses.places if place.token.name == field.name)
        place = next(of_name, None)
        if place is None and field.name not in uses.body.choices:
            continue
        is_context = isinstance(field.origin, Context)
        diagnostics.add(
            rules.HIDDEN_MAY_BE_MISSING,
            field.span if place is None else uses.span(place),
            notes=[Note(field.span, "the argument")],
            name=field.name,
            origin="comes from the context" if is_context else "is hidden",
            missing=missing,
        )


def _how_it_may_be_missing(field: Field) -> str | None:
    """Say how an argument may have no value of its own; None if it always has one."""
    if field.may_be_null:
        return "null"
    if field.default is not None:
        return "left to its default"
    return None if field.required else "absent"
