"""Regular expressions for the texts of types (ECMA-262), which every editor can run."""

from __future__ import annotations

from brimgen.editor.schema_pieces import Schema

_NAME = "[A-Za-z][A-Za-z0-9_-]*"
_ITEM = f"(?!(?:array|list)(?![A-Za-z0-9_-])){_NAME}"
_OBJECT = "(?:object|dict)"


def _anchored(*forms: str, optional: bool = True) -> str:
    mark = r"\s*\??" if optional else ""
    return rf"^\s*(?:{'|'.join(forms)}){mark}\s*$"


def _lists_of(item: str) -> tuple[str, ...]:
    return (
        rf"{item}\s*\[\s*\]",
        rf"(?:array|list)\s*\[\s*{item}\s*\]",
        rf"array\s*<\s*{item}\s*>",
    )


ANY_TYPE = _anchored(_NAME, *_lists_of(_ITEM))
"""``int``, ``Order[]``, ``array<date>?`` (see `brimgen.syntax.type_text`)."""

OBJECT_TYPE = _anchored(_OBJECT, "array", "list", *_lists_of(_OBJECT))
"""The types that may stand beside ``fields``."""

LIST_TYPE = _anchored("array", "list")
"""The types that may stand beside ``items``."""

ITEM_TYPE = _anchored(_ITEM, optional=False)
"""The type of an item."""

ENTITY_NAME = _anchored(_NAME, optional=False)
"""The name in ``entity_ref``."""


def type_text(pattern: str = ANY_TYPE) -> Schema:
    """The schema of a type whose text matches ``pattern``."""
    return {"type": "string", "pattern": pattern, "maxLength": 200}
