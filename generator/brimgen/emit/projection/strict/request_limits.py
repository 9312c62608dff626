"""Compare the strict tools of one request with the limits of a provider."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from brimgen.emit.projection.keywords import is_object, schemas_in
from brimgen.emit.projection.profiles import SetLimits
from brimgen.model.json import JsonObject


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
