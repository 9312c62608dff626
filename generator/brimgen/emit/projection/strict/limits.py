"""Compare the size of a strict schema with the limits of its provider (descriptors.md)."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.emit.projection.json_values import json_text
from brimgen.emit.projection.keywords import HOLDERS, is_object, subschemas
from brimgen.emit.projection.profiles import Limits
from brimgen.frozen import dataclass, field
from brimgen.model.json import Json


@dataclass(slots=True)
class _Counts:
    """How many of the things that providers limit there are in a schema."""

    properties: int = 0
    depth: int = 0
    enum_values: int = 0
    characters: int = 0
    long_enums: list[str] = field(default_factory=list[str])


def exceeded_limits(limits: Limits, schema: Json) -> Iterator[str]:
    """Describe in words what of ``schema`` exceeds ``limits``.

    Each definition is counted once and by itself, without following references, as the API does.
    """
    counts = _Counts()
    _count(counts, limits, schema, 1)
    yield from counts.long_enums
    for number, most, noun in (
        (counts.properties, limits.properties, "properties"),
        (counts.depth, limits.depth, "levels of objects"),
        (counts.enum_values, limits.enum_values, "enum values"),
        (counts.characters, limits.characters, "characters of names and values"),
    ):
        if number > most:
            yield f"it has {number} {noun}, and {most} are allowed"


def _count(counts: _Counts, limits: Limits, node: Json, depth: int) -> None:
    if not is_object(node) or _COUNTED.isdisjoint(node):
        return
    properties = node.get("properties")
    if is_object(properties):
        counts.properties += len(properties)
        counts.characters += sum(map(len, properties))
        counts.depth = max(counts.depth, depth)
    values = node.get("enum")
    if isinstance(values, list | tuple):
        length = sum(len(json_text(value)) for value in values)
        counts.enum_values += len(values)
        counts.characters += length
        if len(values) > limits.long_enum and length > limits.long_enum_characters:
            counts.long_enums.append(
                f"an enum of {len(values)} values has {length} characters"
            )
    if "const" in node:
        counts.characters += len(json_text(node["const"]))
    for keyword, value in node.items():
        if keyword == "$defs" and is_object(value):
            counts.characters += sum(map(len, value))
        if keyword in HOLDERS:
            inner = depth + 1 if keyword == "properties" else depth
            for subschema in subschemas(keyword, value):
                _count(counts, limits, subschema, 1 if keyword == "$defs" else inner)


_COUNTED = HOLDERS | {"enum", "const"}
