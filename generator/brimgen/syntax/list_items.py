"""Merge a list field with the entry under its ``items`` into one field declaration.

Value constraints on a list type are about its items (spec-language.md), so ``{type: array, items:
{type: string, enum: [a]}}`` and ``{type: "string[]", enum: [a]}`` are one declaration.
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.diagnostics import Note
from brimgen.diagnostics.rules import (
    CONSTRAINT_TWICE,
    ITEM_KEY,
    ITEMS_BESIDE_TYPE,
    LIST_OF_LISTS,
    OPTIONAL_ITEM,
)
from brimgen.frozen import replace
from brimgen.source.nodes import Entry, ScalarNode
from brimgen.syntax.decls import FieldDecl, TypeText
from brimgen.syntax.reader import Reader, shortened
from brimgen.syntax.type_text import LIST_WORDS

OF_THE_ITEM = frozenset({"description", "title", "examples", "deprecated"})
OF_THE_LIST = frozenset(
    {
        "default",
        "required",
        "from_context",
        "llm",
        "bind",
        "minItems",
        "maxItems",
        "uniqueItems",
    }
)


def fold_items(
    reader: Reader, field: FieldDecl, item: FieldDecl, *, at: ScalarNode
) -> FieldDecl:
    """Return ``field`` with the attributes of ``item``; report what the two cannot say together."""
    unfolded: dict[str, Entry] = {}
    folded: dict[str, Entry] = {}
    for key, entry in item.attributes.items():
        if key in OF_THE_LIST:
            reader.report(ITEM_KEY, entry.key.span, key=key)
        elif key in OF_THE_ITEM or key.startswith("x-"):
            unfolded[key] = entry
        elif not _report_duplicate(reader, field, entry):
            folded[key] = entry
    return replace(
        field,
        type=_list_type(reader, field, item, at=at),
        attributes={**field.attributes, **folded},
        fields=field.fields if item.fields is None else item.fields,
        items=_remainder(item, unfolded),
    )


def _remainder(item: FieldDecl, unfolded: Mapping[str, Entry]) -> FieldDecl | None:
    return (
        FieldDecl(name=item.name, type=None, attributes=unfolded) if unfolded else None
    )


def _report_duplicate(reader: Reader, field: FieldDecl, entry: Entry) -> bool:
    list_entry = field.attributes.get(entry.key.text)
    if list_entry is None:
        return False
    reader.report(
        CONSTRAINT_TWICE,
        entry.key.span,
        notes=[Note(list_entry.key.span, "also said of the list")],
        key=entry.key.text,
        name=shortened(field.name.value),
    )
    return True


def _list_type(
    reader: Reader, field: FieldDecl, item: FieldDecl, *, at: ScalarNode
) -> TypeText | None:
    """The type of the list: the item's type, as a list, optional as the list is."""
    outer, inner = field.type, item.type
    if outer is not None and (outer.is_list or outer.name not in LIST_WORDS):
        reader.report(
            ITEMS_BESIDE_TYPE,
            at.span,
            notes=[Note(outer.span, "the type")],
            name=shortened(field.name.value),
            type=outer.name + "[]" * outer.is_list,
        )
        return outer
    if inner is None:
        return outer
    if inner.is_list or inner.name in LIST_WORDS:
        reader.report(LIST_OF_LISTS, inner.span, type=shortened(inner.name))
    elif inner.is_optional:
        reader.report(OPTIONAL_ITEM, inner.span, type=f"{inner.name}?")
    optional = outer is not None and outer.is_optional
    return replace(inner, is_list=True, is_optional=optional)
