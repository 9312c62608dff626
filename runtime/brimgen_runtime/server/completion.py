"""Complete the arguments of prompts and resource templates while a user types them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

_MOST = 100
"""The number of values that the protocol allows in a response."""


def completion(values: Iterable[str], typed: str) -> dict[str, Any]:
    """Return the result of ``completion/complete``: the values that begin with ``typed``."""
    begun = typed.casefold()
    matches = [value for value in values if value.casefold().startswith(begun)]
    return {
        "completion": {
            "values": matches[:_MOST],
            "total": len(matches),
            "hasMore": len(matches) > _MOST,
        }
    }


def values_of(schema: Mapping[str, Any], name: str) -> Iterator[str]:
    """Yield the values that the schema of a property lists, as texts."""
    properties = cast("Mapping[str, Any]", schema.get("properties", {}))
    seen: set[str] = set()
    for value in _values(properties.get(name), schema, depth=0):
        text = value if isinstance(value, str) else json.dumps(value)
        if value is not None and text not in seen:
            seen.add(text)
            yield text


def _values(schema: Any, root: Mapping[str, Any], *, depth: int) -> Iterator[Any]:
    if not isinstance(schema, Mapping) or depth > 8:
        return
    keywords = cast("Mapping[str, Any]", schema)
    if "enum" in keywords:
        yield from keywords["enum"]
    elif "const" in keywords:
        yield keywords["const"]
    elif keywords.get("type") == "boolean":
        yield from (True, False)
    for word in ("anyOf", "oneOf"):
        for option in keywords.get(word, ()):
            yield from _values(option, root, depth=depth + 1)
    reference = keywords.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        named = root.get("$defs", {}).get(reference.removeprefix("#/$defs/"))
        yield from _values(named, root, depth=depth + 1)
