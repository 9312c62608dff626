"""Convert schemas of earlier drafts of JSON Schema to 2020-12."""

from __future__ import annotations

from brimgen.model.json import JsonObject
from brimgen.schema.walk import is_object

DEFINITIONS = ("$defs", "definitions")
REFERENCES = ("$ref", "$dynamicRef")


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


_BOUNDS = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))
