"""Strict profiles: a schema in, one of typed, closed, fully required objects out.

The outcome accepts whatever the canonical schema accepts, once absent properties are sent as null
(descriptors.md 1.2). What cannot be said in that way is an obstacle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from brimgen.emit.projection.forms import NULL, joined, or_null, with_text
from brimgen.emit.projection.keywords import ANNOTATIONS, is_object, pointer_to, words
from brimgen.emit.projection.ledger import Ledger, Recovery
from brimgen.emit.projection.merge import Unmergeable, merge
from brimgen.emit.projection.nulls import null_phrases
from brimgen.emit.projection.patterns import has_look_around
from brimgen.emit.projection.root import hoisted
from brimgen.emit.projection.types import (
    NAMES,
    allowed_values,
    of_type,
    split,
    types_of,
)
from brimgen.emit.projection.values import shown
from brimgen.model.json import Json, JsonObject

Said: TypeAlias = tuple[dict[str, Any], list[str]]
"""A strict schema without description, and phrases for what it does not carry."""

_ANY = "any value is allowed"
_NOTHING = "no value of its type is allowed"
_CONDITIONS = ("if", "then", "else", "dependentSchemas")
_HANDLED = words(
    "type properties required additionalProperties unevaluatedProperties items prefixItems"
    " unevaluatedItems $ref $defs enum const"
)
_RULES = frozenset(["required", "not"])


def say_strictly(
    ledger: Ledger, schema: Json, pointer: str, *, optional: bool = False
) -> dict[str, Any]:
    """``schema`` as a strict profile says it.

    An ``optional`` one is the schema of a property that may be absent: it accepts null, and its
    words tell what null means.
    """
    if not is_object(schema) or not schema:
        ledger.obstruct(pointer, _ANY)
        return {"type": "string"}
    node = _plain(ledger, schema, pointer)
    outer = {k: v for k, v in node.items() if k in ANNOTATIONS or k.startswith("x-")}
    phrases = null_phrases(ledger, node, pointer, optional)
    said, words = _body(
        ledger, {k: v for k, v in node.items() if k not in outer}, pointer
    )
    phrases += words
    for keyword, value in outer.items():
        if keyword not in ("description", "default"):
            phrases += ledger.told(pointer, keyword, value)
    said = or_null(said) if optional else said
    return with_text(said, outer.get("description"), phrases)


def _plain(ledger: Ledger, node: JsonObject, pointer: str) -> dict[str, Any]:
    """``node`` without ``allOf`` and conditions; the properties that those declare stay."""
    made: dict[str, Any] = dict(node)
    if "allOf" in made:
        try:
            made = merge(made, {})
        except Unmergeable:
            parts = _list(made.pop("allOf"))
            ledger.told(pointer, "allOf", parts)
            made = hoisted(made, parts)
            if not types_of(made)[0]:
                typed = (p for p in parts if is_object(p) and types_of(p)[0])
                first: JsonObject = next(typed, made)
                made = {**first, **made}
    for keyword in _CONDITIONS:
        if keyword in made:
            value = made.pop(keyword)
            ledger.told(pointer, keyword, value)
            several = keyword == "dependentSchemas" and is_object(value)
            made = hoisted(made, value.values() if several else [value])
    return made


def _body(ledger: Ledger, node: dict[str, Any], pointer: str) -> Said:
    for keyword in ("anyOf", "oneOf"):
        if isinstance(node.get(keyword), list | tuple):
            return _union(ledger, node, keyword, pointer)
    if "$ref" in node:
        if not str(node["$ref"]).startswith("#/$defs/"):
            ledger.obstruct(pointer, f"the reference {node['$ref']} leads nowhere")
        return {"$ref": node["$ref"]}, []
    names, declared = types_of(node)
    if not names or not set(names) <= set(NAMES):
        ledger.obstruct(pointer, _ANY)
        return {"type": "string"}, []
    if not declared:
        ledger.lose(pointer, "type", None, Recovery.NARROWED)
    if len(names) == 1:
        return _of_type(ledger, {**node, "type": names[0]}, pointer)
    parts = [_of_type(ledger, each, pointer) for each in split(node, names)]
    if not parts:
        ledger.obstruct(pointer, _NOTHING)
    words = [each for _, phrases in parts for each in phrases]
    return joined([said for said, _ in parts]), words


def _union(ledger: Ledger, node: dict[str, Any], keyword: str, pointer: str) -> Said:
    """``anyOf``, with what stands beside it said in each branch."""
    base = {k: v for k, v in node.items() if k != keyword}
    branches = [each for each in node[keyword] if each is not False]
    if base:
        merged = _merged(base, branches)
        if not merged or all(is_object(b) and _RULES.issuperset(b) for b in branches):
            words = ledger.told(pointer, keyword, node[keyword])
            alone, more = _body(ledger, hoisted(base, branches), pointer)
            return alone, [*words, *more]
        branches = merged
    if keyword == "oneOf":
        ledger.lose(pointer, keyword, node[keyword], Recovery.DECODER)
    at = pointer_to(pointer, keyword)
    said = [
        say_strictly(ledger, each, pointer_to(at, number))
        for number, each in enumerate(branches)
    ]
    return (joined(said) if said else dict(NULL)), []


def _merged(base: JsonObject, branches: Sequence[Json]) -> list[Json]:
    try:
        return [merge(base, each) if is_object(each) else base for each in branches]
    except Unmergeable:
        return []


def _of_type(ledger: Ledger, node: dict[str, Any], pointer: str) -> Said:
    match node["type"]:
        case "null":
            return dict(NULL), []
        case "object":
            made = _object(ledger, node, pointer)
        case "array":
            made = _array(ledger, node, pointer)
        case name:
            made = _scalar(node, name)
    if allowed_values(node) is not None and made["type"] in ("object", "array"):
        ledger.obstruct(pointer, "only certain objects or lists are allowed")
    elif made.get("enum", ...) == [] or ("const" in made and not _fits(made)):
        ledger.obstruct(pointer, _NOTHING)
    phrases: list[str] = []
    for keyword, value in node.items():
        if keyword in _HANDLED:
            continue
        if _is_carried(ledger, keyword, value):
            made[keyword] = value
            hint = ledger.profile.hints.get(str(value)) if keyword == "format" else None
            phrases += [hint] if hint else []
        else:
            phrases += ledger.told(pointer, keyword, value)
    return made, phrases


def _scalar(node: JsonObject, name: str) -> dict[str, Any]:
    made: dict[str, Any] = {"type": name}
    values = allowed_values(node)
    if "const" in node:
        made["const"] = node["const"]
    elif values is not None:
        made["enum"] = of_type(values, name)
    return made


def _fits(made: JsonObject) -> bool:
    return bool(of_type([made["const"]], str(made["type"])))


def _is_carried(ledger: Ledger, keyword: str, value: Json) -> bool:
    profile = ledger.profile
    if keyword == "format":
        return profile.formats is None or value in profile.formats
    if keyword == "pattern" and isinstance(value, str) and has_look_around(value):
        return False
    return keyword in profile.keywords


def _object(ledger: Ledger, node: JsonObject, pointer: str) -> dict[str, Any]:
    declared = node.get("properties")
    properties: JsonObject = declared if is_object(declared) else {}
    required = [each for each in _list(node.get("required")) if isinstance(each, str)]
    _check_closed(ledger, node, pointer)
    for name in required:
        if properties.get(name, False) is False:
            ledger.obstruct(pointer, f"{shown(name)} is required but not declared")
    said = {
        name: say_strictly(
            ledger,
            schema,
            pointer_to(pointer, "properties", name),
            optional=name not in required,
        )
        for name, schema in properties.items()
        if schema is not False
    }
    return {
        "type": "object",
        "properties": said,
        "required": list(said),
        "additionalProperties": False,
    }


def _check_closed(ledger: Ledger, node: JsonObject, pointer: str) -> None:
    """A strict object is closed; one that the author opened, or left without shape, cannot be."""
    extra = node.get("additionalProperties", node.get("unevaluatedProperties"))
    if node.get("patternProperties"):
        ledger.obstruct(pointer, "further properties are allowed by pattern")
    if extra is False:
        return
    if extra is None and (node.get("properties") or pointer == ""):
        ledger.lose(pointer, "additionalProperties", True, Recovery.NARROWED)
    else:
        ledger.obstruct(pointer, "further properties are allowed")


def _array(ledger: Ledger, node: JsonObject, pointer: str) -> dict[str, Any]:
    """A list; of a tuple, every position accepts what any of them accepts."""
    first = _list(node.get("prefixItems"))
    items = node.get("items", node.get("unevaluatedItems"))
    at = pointer_to(pointer, "items")
    if not first:
        return {"type": "array", "items": say_strictly(ledger, items, at)}
    ledger.lose(pointer, "prefixItems", first, Recovery.DECODER)
    said = [
        say_strictly(ledger, each, pointer_to(pointer, "prefixItems", number))
        for number, each in enumerate(first)
    ]
    most = node.get("maxItems")
    if is_object(items):
        said.append(say_strictly(ledger, items, at))
    elif items is not False and not (isinstance(most, int) and most <= len(first)):
        ledger.lose(pointer, "items", True, Recovery.NARROWED)
    return {"type": "array", "items": joined(said)}


def _list(value: Json) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []
