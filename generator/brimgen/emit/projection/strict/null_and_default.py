"""Explain null and the default where every property must be sent (descriptors.md)."""

from __future__ import annotations

from typing import Any

from brimgen.emit.account import Recovery
from brimgen.emit.projection.describe_keywords import phrase
from brimgen.emit.projection.json_types import allowed_values, type_of, types_of
from brimgen.emit.projection.json_values import is_same_json
from brimgen.emit.projection.keywords import is_object
from brimgen.emit.projection.ledger import Ledger
from brimgen.model.json import Json, JsonObject


def express_default(
    ledger: Ledger, node: JsonObject, pointer: str, optional: bool
) -> tuple[dict[str, Any], list[str]]:
    """Express null and the default of ``node``: as keywords that are carried, and in words."""
    if ledger.profile.all_required:
        return {}, _null_phrases(ledger, node, pointer, optional)
    return _default_phrases(ledger, node, pointer) if "default" in node else ({}, [])


def _null_phrases(
    ledger: Ledger, node: JsonObject, pointer: str, optional: bool
) -> list[str]:
    """Describe null and the default of ``node``; record that the default is left out."""
    if "default" not in node:
        return ["null means no value"] if optional else []
    default = node["default"]
    if default is None:
        ledger.lose(pointer, "default", default, Recovery.ANNOTATION)
        return ["null means no value"] if optional else []
    words = phrase("default", default)
    ledger.lose(
        pointer, "default", default, Recovery.TEXT if words else Recovery.DECODER
    )
    # Where null is a value of its own, it cannot ask for the default: only the value itself can.
    if optional and not accepts(node, None):
        return [f"null means the {words or 'default'}"]
    return [words] if words else []


def _default_phrases(
    ledger: Ledger, node: JsonObject, pointer: str
) -> tuple[dict[str, Any], list[str]]:
    """Express the default of ``node`` where properties may be absent: as a keyword, and in
    words.
    """
    default = node["default"]
    if default is None:
        ledger.lose(pointer, "default", default, Recovery.ANNOTATION)
        return {}, []
    if not ledger.profile.carries("default", default):
        words = phrase("default", default)
        recovery = Recovery.TEXT if words else Recovery.DECODER
        ledger.lose(pointer, "default", default, recovery)
        return {}, [words] if words else []
    words = (
        phrase("default", default)
        if "default" in ledger.profile.also_described
        else None
    )
    return {"default": default}, [words] if words else []


def accepts(node: JsonObject, value: Json) -> bool:
    """Whether ``value`` has a type, or is among the values, that ``node`` admits.

    This is a rough test, which ignores bounds and the like.
    """
    own = type_of(value)
    if own == node.get("type") and _CHOOSING.isdisjoint(node):
        return True
    for keyword in ("anyOf", "oneOf"):
        branches = node.get(keyword)
        if isinstance(branches, list | tuple):
            return any(
                is_object(branch) and accepts(branch, value) for branch in branches
            )
    values = allowed_values(node)
    if values is not None and not any(
        is_same_json(allowed, value) for allowed in values
    ):
        return False
    names, _ = types_of(node)
    return not names or own in names or (own == "integer" and "number" in names)


_CHOOSING = frozenset(["anyOf", "oneOf", "enum", "const"])
