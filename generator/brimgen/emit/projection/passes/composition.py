"""Remove ``allOf`` and conditions from a schema."""

from __future__ import annotations

from typing import Any

from brimgen.emit.projection.json_types import types_of
from brimgen.emit.projection.keywords import is_object
from brimgen.emit.projection.ledger import Ledger
from brimgen.emit.projection.passes.hoist_properties import conditions, hoisted
from brimgen.emit.projection.passes.merge_schemas import Unmergeable, merge
from brimgen.model.json import Json, JsonObject

_CONDITIONS = ("if", "then", "else", "dependentSchemas")
_COMPOSED = frozenset(["allOf", *_CONDITIONS])


def without_composition(ledger: Ledger, node: JsonObject, pointer: str) -> JsonObject:
    """Remove ``allOf`` and conditions from ``node``; keep the properties that they declare."""
    if _COMPOSED.isdisjoint(node):
        return node
    merged: dict[str, Any] = dict(node)
    if "allOf" in merged:
        try:
            merged = merge(merged, {})
        except Unmergeable:
            merged = _drop_all_of(ledger, merged, pointer)
    merged = hoisted(ledger, merged, conditions(merged), pointer, "if")
    for keyword in _CONDITIONS:
        if keyword in merged:
            ledger.describe_loss(pointer, keyword, merged.pop(keyword))
    return merged


def _drop_all_of(ledger: Ledger, node: dict[str, Any], pointer: str) -> dict[str, Any]:
    """Remove an ``allOf`` that cannot be merged; keep the first type that it names."""
    all_of: Json = node.pop("allOf")
    parts: list[Any] = list(all_of) if isinstance(all_of, list | tuple) else []
    ledger.describe_loss(pointer, "allOf", parts)
    groups = [[part] for part in parts]
    flattened = hoisted(ledger, node, groups, pointer, "allOf")
    if types_of(flattened)[0]:
        return flattened
    typed = (part for part in parts if is_object(part) and types_of(part)[0])
    first: JsonObject = next(typed, flattened)
    return {**first, **flattened}
