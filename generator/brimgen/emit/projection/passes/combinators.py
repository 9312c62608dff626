"""Remove combinators: all of them from the root of arguments, `allOf` and conditions elsewhere."""

from __future__ import annotations

from typing import Any

from brimgen.emit.projection.json_types import types_of
from brimgen.emit.projection.ledger import Ledger
from brimgen.emit.projection.passes.hoist_properties import conditions, hoisted
from brimgen.emit.projection.passes.merge_schemas import Unmergeable, merge
from brimgen.model.json import Json, JsonObject
from brimgen.schema.walk import ANNOTATIONS, is_object

_BARE = frozenset(["required", "not", *ANNOTATIONS])
_UNSAID = ("not", "enum", "const", "if", "then", "else", "dependentSchemas")


def flat_root(ledger: Ledger, schema: JsonObject) -> tuple[JsonObject, list[str]]:
    """Flatten ``schema`` to ``{"type": "object", "properties": …}``; describe what that leaves
    out.

    Combinators at the root make some providers refuse the whole request (descriptors.md, row 8):
    their properties move to the root, as optional ones, and the decoder holds the rule. The
    outcome accepts every object that ``schema`` accepts.
    """
    node, notes = dict(schema), list[str]()
    if "allOf" in node:
        node = _merged(ledger, node, notes)
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            node = _united(ledger, node, keyword, notes)
    node = hoisted(ledger, node, conditions(node), "", "if")
    for keyword in _UNSAID:
        if keyword in node:
            notes += ledger.describe_loss("", keyword, node.pop(keyword))
    if "unevaluatedProperties" in node:
        node.setdefault("additionalProperties", node.pop("unevaluatedProperties"))
    rest = {k: v for k, v in node.items() if k not in ("type", "properties")}
    properties = node.get("properties")
    return {
        "type": "object",
        "properties": properties if is_object(properties) else {},
        **rest,
    }, notes


def _merged(ledger: Ledger, node: JsonObject, notes: list[str]) -> dict[str, Any]:
    try:
        return merge(node, {})
    except Unmergeable:
        rest = {k: v for k, v in node.items() if k != "allOf"}
        notes += ledger.describe_loss("", "allOf", node["allOf"])
        groups = [[part] for part in _branches(node["allOf"])]
        return hoisted(ledger, rest, groups, "", "allOf")


def _united(
    ledger: Ledger, node: JsonObject, keyword: str, notes: list[str]
) -> dict[str, Any]:
    """Remove ``keyword``: add the properties of all branches, required where all branches
    require them.
    """
    base = {k: v for k, v in node.items() if k != keyword}
    notes += ledger.describe_loss("", keyword, node[keyword])
    branches = [
        branch
        for branch in _branches(node[keyword])
        if branch.get("type", "object") == "object" or not base.get("type")
    ]
    if all(_BARE.issuperset(branch) for branch in branches):
        return base
    united = hoisted(ledger, base, [branches], "", keyword)
    shared = [set(_names(branch.get("required"))) for branch in branches]
    first = _names(branches[0].get("required"))
    everywhere = [name for name in first if all(name in names for names in shared)]
    required = list(dict.fromkeys([*_names(base.get("required")), *everywhere]))
    return {**united, **({"required": required} if required else {})}


def _branches(value: Json) -> list[JsonObject]:
    parts = value if isinstance(value, list | tuple) else ()
    return [part for part in parts if is_object(part)]


def _names(value: Json) -> list[str]:
    return (
        [item for item in value if isinstance(item, str)]
        if isinstance(value, list | tuple)
        else []
    )


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
