"""Compare the size of a strict schema with the limits of its provider (descriptors.md)."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.emit.projection.json_values import json_text
from brimgen.emit.projection.keywords import HOLDERS, is_object, subschemas
from brimgen.emit.projection.profiles import Limits
from brimgen.frozen import dataclass, field
from brimgen.model.json import Json


@dataclass(slots=True)
class Counts:
    """How many of the things that providers limit there are in schemas."""

    properties: int = 0
    depth: int = 0
    enum_values: int = 0
    characters: int = 0
    long_enums: list[str] = field(default_factory=list[str])

    def name(self, properties: Json, depth: int) -> None:
        """Count the names of what an object of level ``depth`` holds."""
        if is_object(properties):
            self.properties += len(properties)
            self.characters += sum(map(len, properties))
        if depth > self.depth:
            self.depth = depth

    def add(self, other: Counts) -> None:
        """Add the counts of another schema."""
        self.properties += other.properties
        if other.depth > self.depth:
            self.depth = other.depth
        self.enum_values += other.enum_values
        self.characters += other.characters
        self.long_enums += other.long_enums


def counted(limits: Limits, schema: Json, depth: int = 1) -> Counts | None:
    """Count ``schema``, whose objects are of level ``depth``; None where there is nothing to
    count.

    Each definition is counted once and by itself, without following references, as the API does.
    """
    if _is_light(schema):
        return None
    counts = Counts()
    _count(counts, limits, schema, depth)
    return counts if counts.depth or counts.characters else None


def _is_light(schema: Json) -> bool:
    """Whether ``schema`` is a scalar, or one that may be null, and so has nothing to count."""
    if not is_object(schema) or _COUNTED.isdisjoint(schema):
        return True
    branches = schema.get("anyOf")
    return (
        isinstance(branches, list)
        and len(_COUNTED.intersection(schema)) == 1
        and all(
            is_object(branch) and _COUNTED.isdisjoint(branch) for branch in branches
        )
    )


def exceeded_limits(limits: Limits, counts: Counts) -> Iterator[str]:
    """Describe in words what exceeds ``limits``."""
    yield from counts.long_enums
    for number, most, noun in (
        (counts.properties, limits.properties, "properties"),
        (counts.depth, limits.depth, "levels of objects"),
        (counts.enum_values, limits.enum_values, "enum values"),
        (counts.characters, limits.characters, "characters of names and values"),
    ):
        if number > most:
            yield f"it has {number} {noun}, and {most} are allowed"


def _count(counts: Counts, limits: Limits, node: Json, depth: int) -> None:
    if not is_object(node) or _COUNTED.isdisjoint(node):
        return
    if "properties" in node:
        counts.name(node["properties"], depth)
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
