"""Compare schemas, and the strict tools of one request, with the limits of a provider
(descriptors.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from brimgen.emit.indented import json_line
from brimgen.emit.projection.profiles import Limits, SetLimits
from brimgen.frozen import dataclass, field
from brimgen.model.json import Json, JsonObject
from brimgen.schema.walk import HOLDERS, is_object, schemas_in, subschemas


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
        length = sum(len(json_line(value)) for value in values)
        counts.enum_values += len(values)
        counts.characters += length
        if len(values) > limits.long_enum and length > limits.long_enum_characters:
            counts.long_enums.append(
                f"an enum of {len(values)} values has {length} characters"
            )
    if "const" in node:
        counts.characters += len(json_line(node["const"]))
    for keyword, value in node.items():
        if keyword == "$defs" and is_object(value):
            counts.characters += sum(map(len, value))
        if keyword in HOLDERS:
            inner = depth + 1 if keyword == "properties" else depth
            for subschema in subschemas(keyword, value):
                _count(counts, limits, subschema, 1 if keyword == "$defs" else inner)


_COUNTED = HOLDERS | {"enum", "const"}


def exceeded_request_limits(
    limits: SetLimits, schemas: Iterable[JsonObject]
) -> Iterator[tuple[int, str]]:
    """Return for each limit that the tools exceed: the index of the first schema that is too
    many, and the count in words.
    """
    tools = optional = unions = 0
    first: dict[str, int] = {}
    for place, schema in enumerate(schemas):
        tools += 1
        optional += _optional(schema)
        unions += _unions(schema)
        for name, number, most in (
            ("tools", tools, limits.tools),
            ("optional", optional, limits.optional),
            ("unions", unions, limits.unions),
        ):
            if most is not None and number > most:
                first.setdefault(name, place)
    for name, number, most, noun in (
        ("tools", tools, limits.tools, "tools"),
        ("optional", optional, limits.optional, "optional parameters"),
        ("unions", unions, limits.unions, "parameters of several types"),
    ):
        if name in first:
            yield first[name], f"it has {number} {noun}, and {most} are allowed"


def _optional(schema: JsonObject) -> int:
    count = 0
    for _, node in schemas_in(schema):
        properties, required = node.get("properties"), node.get("required", ())
        if is_object(properties) and isinstance(required, list | tuple):
            count += sum(name not in required for name in properties)
    return count


def _unions(schema: JsonObject) -> int:
    return sum(
        "anyOf" in node or isinstance(node.get("type"), list | tuple)
        for _, node in schemas_in(schema)
    )
