"""Write the annotations of a field: schema keywords that no validator checks."""

from __future__ import annotations

from brimgen.model.json import Json
from brimgen.model.lint import LINT_IGNORE
from brimgen.resolve.values import to_json
from brimgen.syntax.decls import FieldDecl

_ANNOTATIONS = frozenset({"title", "description", "deprecated", "examples"})


def field_annotations(decl: FieldDecl) -> dict[str, Json]:
    """Return the annotations of a field: its texts and examples, and its ``x-`` keys."""
    words = item_annotations(decl)
    if words.get("deprecated") is False:
        del words["deprecated"]
    return words


def item_annotations(decl: FieldDecl) -> dict[str, Json]:
    """Return the annotations of the items of a list."""
    return {
        key: to_json(value.value)
        for key, value in decl.attributes.items()
        if key in _ANNOTATIONS or (key[:2] == "x-" and key != LINT_IGNORE)
    }
