"""Put descriptions with dotted keys into the schema of a field."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules.resolve import names_and_types as rules
from brimgen.frozen import replace
from brimgen.model.json import Json
from brimgen.model.types import EntityType, Field, ListType, NullableType, Type
from brimgen.resolve.fields.canonical_schema import describe_property
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.decls import FieldDecl, Text


def apply_descriptions(
    field: Field, texts: tuple[tuple[Text, Text], ...], diagnostics: Diagnostics
) -> Field:
    """Return the field with texts at places inside its schema, by dotted keys."""
    for key, text in texts:
        schema = describe_property(
            field.schema, tuple(key.value.split(".")), text.value
        )
        if schema is None:
            shared = recursive_name(field.type)
            if shared is not None and "$ref" in str(field.schema):
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
                    suggestions=did_you_mean(key.value, _inner_names(field.schema)),
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
