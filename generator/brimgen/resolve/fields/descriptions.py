"""Read the descriptions of fields, and of fields inside of fields."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.diagnostics import Diagnostics, Note, did_you_mean, rules
from brimgen.frozen import replace
from brimgen.model.json import Json
from brimgen.model.types import EntityType, Field, ListType, NullableType, Type
from brimgen.resolve.fields.canonical_schema import describe_property
from brimgen.resolve.fields.frame import FlatField, Frame
from brimgen.source.nodes import Entry, ScalarNode, Text
from brimgen.syntax.decls import FieldDecl


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


def apply_descriptions(
    field: Field, texts: tuple[tuple[Text, Text], ...], frame: Frame
) -> Field:
    """Return the field with texts at places inside its schema, by dotted keys."""
    written_out, diagnostics = frame.shapes.written_out, frame.diagnostics
    for key, text in texts:
        path = tuple(key.value.split("."))
        schema = describe_property(field.schema, path, text.value, written_out)
        if schema is None:
            shared, whole = recursive_name(field.type), written_out(field.schema)
            if shared is not None and "$ref" in str(whole):
                diagnostics.add(
                    rules.DESCRIPTION_OUT_OF_REACH,
                    key.span,
                    name=f"{field.name}.{key.value}",
                    entity=shared,
                )
            else:
                diagnostics.add(
                    rules.DESCRIPTION_OF_NOTHING,
                    key.span,
                    suggestions=did_you_mean(key.value, _inner_names(whole)),
                    name=f"{field.name}.{key.value}",
                )
            continue
        field = replace(field, schema=schema)
    return field


def recursive_name(kind: Type) -> str | None:
    """Return the name of the entity that a type is, lists and null aside."""
    match kind:
        case EntityType(name):
            return name
        case ListType(item) | NullableType(item):
            return recursive_name(item)
        case _:
            return None


def _inner_names(schema: Json) -> list[str]:
    if not isinstance(schema, dict):
        return []
    properties = schema.get("properties")
    if isinstance(properties, dict):
        return list(properties)
    options = schema.get("anyOf")
    inner = options[0] if isinstance(options, list) else schema.get("items")
    return _inner_names(inner)


def text_of(decl: FieldDecl, key: str) -> str | None:
    """Return the text of an attribute, or None."""
    node = decl.attribute(key)
    return node.text if isinstance(node, ScalarNode) else None
