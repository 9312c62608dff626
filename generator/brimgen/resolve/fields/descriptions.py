"""Apply a `descriptions` map to fields (S4.2, S4.18)."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.diagnostics import Diagnostics, Note, did_you_mean
from brimgen.diagnostics.rules.resolve import names_and_types as rules
from brimgen.frozen import replace
from brimgen.resolve.fields.flat_field import FlatField
from brimgen.source.nodes import Entry, ScalarNode
from brimgen.syntax.decls import FieldDecl, Text


def describe(
    fields: tuple[FlatField, ...],
    texts: tuple[tuple[Text, Text], ...],
    inherited: Mapping[str, FlatField],
    diagnostics: Diagnostics,
    *,
    certain: bool = True,
) -> tuple[FlatField, ...]:
    """Return ``fields`` with the texts of a `descriptions` map at the places that its keys name.

    Reports a key that names no field (S4.18) and a field that has a text of its own already,
    unless that text is inherited. A name that contains dots is tried whole before it is split.
    Where the fields are not all known (not ``certain``) none is missed.
    """
    by_name = {field.name: field for field in fields}
    for key, text in texts:
        head, rest = _split(key.value, by_name)
        if head is None:
            if certain:
                near = did_you_mean(key.value, by_name)
                rule, name = rules.DESCRIPTION_OF_NOTHING, key.value
                diagnostics.add(rule, key.span, suggestions=near, name=name)
            continue
        flat = by_name[head]
        if rest:
            inner = Text(rest, key.span)
            flat = replace(flat, described=(*flat.described, (inner, text)))
        else:
            own_text = flat.decl.attribute("description")
            base = inherited.get(head)
            if own_text is not None and (
                base is None or own_text is not base.decl.attribute("description")
            ):
                notes = [Note(own_text.span, "described here")]
                diagnostics.add(rules.DESCRIBED_TWICE, key.span, notes=notes, name=head)
                continue
            flat = replace(flat, decl=with_description(flat.decl, text))
        by_name[head] = flat
    return tuple(by_name.values())


def _split(key: str, names: Mapping[str, object]) -> tuple[str | None, str]:
    if key in names:
        return key, ""
    parts = key.split(".")
    for end in range(len(parts) - 1, 0, -1):
        head = ".".join(parts[:end])
        if head in names:
            return head, ".".join(parts[end:])
    return None, ""


def with_description(decl: FieldDecl, text: Text) -> FieldDecl:
    """Return the declaration with ``text`` as its description."""
    attributes = dict(decl.attributes)
    attributes.pop("description", None)
    key = ScalarNode(text.span, "description", "description")
    value = ScalarNode(text.span, text.value, text.value, quoted=True)
    return replace(decl, attributes={**attributes, "description": Entry(key, value)})
