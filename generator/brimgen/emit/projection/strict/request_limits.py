"""Compare the strict tools of one request with the limits of a provider."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from brimgen.emit.projection.keywords import is_object, subschemas
from brimgen.emit.projection.profiles import SetLimits
from brimgen.model.json import Json, JsonObject


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
        optional += sum(1 for _ in _optional(schema))
        unions += sum(1 for _ in _unions(schema))
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


def _nodes(node: Json) -> Iterator[JsonObject]:
    if is_object(node):
        yield node
        for keyword, value in node.items():
            for subschema in subschemas(keyword, value):
                yield from _nodes(subschema)


def _optional(schema: JsonObject) -> Iterator[str]:
    for node in _nodes(schema):
        properties, required = node.get("properties"), node.get("required", ())
        if is_object(properties) and isinstance(required, list | tuple):
            yield from (name for name in properties if name not in required)


def _unions(schema: JsonObject) -> Iterator[JsonObject]:
    for node in _nodes(schema):
        if "anyOf" in node or isinstance(node.get("type"), list | tuple):
            yield node
