"""Say which names of arguments a provider takes, and find all names in a schema."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brimgen.model.json import JsonObject
from brimgen.schema.walk import is_object, pointer_to, schemas_in

_PYTHONIC = re.compile(r"\A[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
_PORTABLE = re.compile(r"\A[a-zA-Z0-9_.-]{1,64}\Z")


def takes(target: str, name: str) -> bool:
    """Whether the provider of ``target`` takes an argument of this name (descriptors.md).

    A server of MCP takes any; its clients send the name to the other providers.
    """
    return bool((_PYTHONIC if target == "gemini" else _PORTABLE).match(name))


def all_names(schema: JsonObject) -> Iterator[tuple[str, str]]:
    """Return the names of all properties in a schema, each with its pointer."""
    for pointer, node in schemas_in(schema):
        properties = node.get("properties")
        for name in properties if is_object(properties) else ():
            yield pointer_to(pointer, "properties", name), name
