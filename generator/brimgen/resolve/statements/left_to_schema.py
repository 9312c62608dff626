"""Find what a declaration leaves to the schema of its database."""

from __future__ import annotations

from brimgen.resolve.index import Index
from brimgen.syntax.decls import FieldDecl, ToolDecl, ToolKind
from brimgen.syntax.returns import ROW_WORDS


def needs_schema(decl: ToolDecl, index: Index) -> bool:
    """Whether a declaration leaves something to the schema of its database."""
    if decl.kind is not ToolKind.SQL:
        return False
    return row_word(decl, index) != "" or any(untyped(decl))


def untyped(decl: ToolDecl) -> list[str]:
    """The arguments of the tool itself that have no type. Those of an entity may refine it."""
    content = decl.arguments
    if content is None or content.entity_ref is not None:
        return []
    return [field.name.value for field in content.fields if _has_no_type(field)]


def _has_no_type(field: FieldDecl) -> bool:
    return field.type is None and field.sound and field.fields is None


def row_word(decl: ToolDecl, index: Index) -> str:
    """The word by which ``returns`` leaves the shape of rows to the schema; else an empty text."""
    type = decl.returns.type if decl.returns is not None else None
    if type is None or type.name not in ROW_WORDS or type.is_list:
        return ""
    if type.name in index.type_names:
        return ""
    return type.name
