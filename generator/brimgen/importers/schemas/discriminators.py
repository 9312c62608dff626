"""Say in the branches of a union which values of its discriminator mean them (OpenAPI 4.8.25).

A discriminator names a property, and maps its values to schemas; a schema without a value goes by
its name. JSON Schema says the same with a constant in each branch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from brimgen.importers.nodes import entries_at, mappings_at, text_at
from brimgen.importers.schemas.keywords import is_annotation
from brimgen.model.json import is_list, is_object
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode
from brimgen_runtime.schema.json_pointer import escape_step, unescape_step

Tags: TypeAlias = Mapping[str, Mapping[str, list[str]]]
"""By the reference of a schema: its properties that discriminate, and the values that mean it."""


def read_tags(root: Node, place: str) -> Tags:
    """Return what the discriminators of a document say of the schemas at ``place``.

    ``place`` is the start of their references: ``#/components/schemas/``.
    """
    tags: dict[str, dict[str, list[str]]] = {}
    for union, discriminator in _unions(root):
        name = discriminator.get("propertyName")
        if not isinstance(name, ScalarNode):
            continue
        references = [text_at(branch, "$ref") for branch in union.items]
        mapped = _mapping(discriminator, place)
        for reference in references:
            if reference.startswith(place):
                usual = unescape_step(reference.removeprefix(place))
                values = tags.setdefault(reference, {}).setdefault(name.text, [])
                values += mapped.get(reference, [usual])
    return tags


def _unions(root: Node) -> Iterator[tuple[ListNode, MapNode]]:
    """Yield every union with a discriminator: its branches, and what the discriminator says."""
    for _, node in mappings_at(root):
        discriminator = node.get("discriminator")
        for key in ("oneOf", "anyOf"):
            union = node.get(key)
            if isinstance(discriminator, MapNode) and isinstance(union, ListNode):
                yield union, discriminator


def _mapping(discriminator: MapNode, place: str) -> dict[str, list[str]]:
    """Return the values of the property by the references that they are mapped to."""
    values: dict[str, list[str]] = {}
    for entry in entries_at(discriminator, "mapping"):
        target = entry.value.text if isinstance(entry.value, ScalarNode) else ""
        is_name = "/" not in target and "#" not in target
        reference = f"{place}{escape_step(target)}" if is_name else target
        values.setdefault(reference, []).append(entry.key.text)
    return values


def tagged(schema: Any, tags: Mapping[str, list[str]]) -> Any:
    """Return the schema of an object in which each property of ``tags`` has one of the values."""
    properties = schema.get("properties") if is_object(schema) else None
    if not is_object(properties):
        return schema
    fixed = {
        name: _fixed(properties.get(name, {}), [*dict.fromkeys(values)])
        for name, values in tags.items()
    }
    return {**schema, "properties": {**properties, **fixed}}


def _fixed(schema: Any, values: list[str]) -> Any:
    """Return the schema of a property that has one of the values; one that says so is kept."""
    if not is_object(schema) or "const" in schema:
        return schema
    choices = schema.get("enum", values)
    values = [value for value in values if is_list(choices) and value in choices]
    if not values or schema.get("type", "string") != "string":
        return schema
    words = {key: value for key, value in schema.items() if is_annotation(key)}
    said = {"const": values[0]} if len(values) == 1 else {"enum": values}
    return {"type": "string", **said, **words}
