"""Convert schemas of earlier drafts of JSON Schema to 2020-12."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from brimgen.emit.projection.keywords import is_object
from brimgen.model.json import JsonObject

DEFINITIONS = ("$defs", "definitions")
REFERENCES = ("$ref", "$dynamicRef")


_class_of: Callable[[Any], object] = type
_SIMPLE: frozenset[object] = frozenset([str, int, float, bool, type(None)])


def is_current(schema: Mapping[str, Any]) -> bool:
    """Whether inlining certainly changes nothing, as in nearly all schemas."""
    if not _CHANGED.isdisjoint(schema) and not _is_plain(schema):
        return False
    for value in schema.values():
        kind = _class_of(value)
        if kind in _SIMPLE:
            continue
        look = is_current if kind is dict else _are_current
        if not look(value):
            return False
    return True


def _are_current(value: Any) -> bool:
    if is_object(value):
        return is_current(value)
    if _SIMPLE.issuperset(map(type, value)):
        return True
    return all(type(item) in _SIMPLE or _are_current(item) for item in value)


def _is_plain(node: JsonObject) -> bool:
    """Whether the keywords of ``node`` that earlier drafts wrote otherwise are in the form of
    2020-12.
    """
    return (
        _GONE.isdisjoint(node)
        and not isinstance(node.get("items"), list | tuple)
        and not isinstance(node.get("exclusiveMinimum"), bool)
        and not isinstance(node.get("exclusiveMaximum"), bool)
    )


_RENAMED = frozenset(
    ["items", "additionalItems", "dependencies", "exclusiveMinimum", "exclusiveMaximum"]
)


def upgraded(node: JsonObject) -> JsonObject:
    """Return ``node`` with keywords of drafts 4 to 7 under their names of 2020-12."""
    if not _RENAMED.intersection(node):
        return node
    renamed = dict(node)
    if isinstance(renamed.get("items"), list | tuple):
        renamed["prefixItems"] = renamed.pop("items")
        if "additionalItems" in renamed:
            renamed["items"] = renamed["additionalItems"]
    renamed.pop("additionalItems", None)
    for inclusive, exclusive in _BOUNDS:
        flag = renamed.get(exclusive)
        if isinstance(flag, bool):
            del renamed[exclusive]
            renamed.update(
                {exclusive: renamed.pop(inclusive)}
                if flag and inclusive in renamed
                else {}
            )
    dependencies = renamed.pop("dependencies", None)
    if is_object(dependencies):
        lists = {k: v for k, v in dependencies.items() if isinstance(v, list | tuple)}
        schemas = {k: v for k, v in dependencies.items() if k not in lists}
        renamed.update({"dependentRequired": lists} if lists else {})
        renamed.update({"dependentSchemas": schemas} if schemas else {})
    return renamed


_GONE = frozenset([*REFERENCES, *DEFINITIONS, "additionalItems", "dependencies"])
_CHANGED = _GONE | _RENAMED
_BOUNDS = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))
