"""Project a schema to a profile (descriptors.md, 3).

A plain profile allows few shapes, which are built anew. Its outcome accepts whatever the canonical
schema accepts, once absent properties are sent as null where the profile requires all of them.
What cannot be expressed in that way is an obstacle. For any other profile a schema keeps its shape
and loses keywords.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, TypeAlias

from brimgen.emit.account import Recovery
from brimgen.emit.indented import json_line
from brimgen.emit.projection.describe_keywords import described
from brimgen.emit.projection.json_types import NAMES, split, types_of
from brimgen.emit.projection.ledger import Ledger
from brimgen.emit.projection.passes.combinators import without_composition
from brimgen.emit.projection.passes.hoist_properties import hoisted
from brimgen.emit.projection.passes.inline_references import references
from brimgen.emit.projection.passes.merge_schemas import Unmergeable, merge
from brimgen.emit.projection.plain_schemas import (
    NOTHING,
    NULL,
    assertions,
    choices,
    express_default,
    hints,
    joined,
    or_null,
    unsaid_choices,
    with_text,
)
from brimgen.model.json import Json, JsonObject
from brimgen.schema.walk import (
    BY_TYPE,
    is_annotation,
    is_object,
    pointer_to,
    rewritten,
)

PlainSchema: TypeAlias = tuple[dict[str, Any], list[str]]
"""A plain schema without description, and phrases for what it does not carry."""

_ANY = "any value is allowed"
_SPLIT = frozenset(["anyOf", "oneOf", "$ref"])
_SAID_APART = frozenset(["description", "default"])
_FOREIGN = frozenset[str]().union(*BY_TYPE.values()) - {"format"}
"""Keywords about values of one type; providers know formats of several."""
_RULES = frozenset(["required", "not"])
_EMPTY = {"object": "properties", "array": "items"}


def project_schema(
    ledger: Ledger, schema: Json, pointer: str, *, optional: bool = False
) -> Any:
    """Project ``schema``, which stands at ``pointer``, to the ledger's profile.

    An ``optional`` one is the schema of a property that may be absent: where the profile sends
    all properties it accepts null, and its description says what null means.
    """
    if not ledger.profile.plain:
        return _filtered(ledger, schema, pointer)
    if not is_object(schema) or not schema:
        return _anything(ledger, pointer)
    node = without_composition(ledger, schema, pointer)
    profile = ledger.profile
    carried, phrases = express_default(ledger, node, pointer, optional)
    inner = {k: v for k, v in node.items() if not is_annotation(k)}
    projected, words = _body(ledger, inner, pointer)
    phrases += words
    for keyword in [k for k in node if k not in inner and k not in _SAID_APART]:
        if profile.carries(keyword, node[keyword]):
            carried[keyword] = node[keyword]
        else:
            phrases += ledger.describe_loss(pointer, keyword, node[keyword])
    if optional and profile.all_required:
        projected = or_null(projected)
    return with_text(projected, carried, node.get("description"), phrases)


def _filtered(ledger: Ledger, schema: Json, pointer: str) -> Any:
    """Return ``schema`` with the keywords that the profile carries; its description says the
    others.
    """
    if not is_object(schema):
        return {} if schema is True else schema
    names, _ = types_of(schema)
    if len(names) > 1 and "type" in schema:
        return _union_of_types(ledger, schema, names, pointer)
    profile = ledger.profile
    projected: dict[str, Any] = {}
    phrases: list[str] = []
    for keyword, value in schema.items():
        is_null = keyword == "default" and value is None
        if keyword == "description":
            projected[keyword] = value
        elif not is_null and profile.carries(keyword, value):
            projected[keyword] = rewritten(
                keyword, value, pointer, partial(_filtered, ledger)
            )
            phrases += hints(profile, keyword, value)
        else:
            phrases += ledger.describe_loss(pointer, keyword, value)
    empty = _EMPTY.get(str(projected.get("type")))
    if empty and empty not in projected and "prefixItems" not in projected:
        projected = {"type": projected.pop("type"), empty: {}, **projected}
    if phrases:
        projected["description"] = described(projected.get("description"), phrases)
    return projected


def _union_of_types(
    ledger: Ledger, schema: JsonObject, names: tuple[str, ...], pointer: str
) -> Any:
    """Write a list of types as ``anyOf``: clients refuse or drop the list (descriptors.md,
    row 2).
    """
    outer = {k: v for k, v in schema.items() if is_annotation(k)}
    branches = split(schema, names)
    if len(branches) == 1:
        return _filtered(ledger, {**branches[0], **outer}, pointer)
    union = {"anyOf": [_filtered(ledger, branch, pointer) for branch in branches]}
    return {**union, **_filtered(ledger, outer, pointer)} if outer else union


def _anything(ledger: Ledger, pointer: str) -> dict[str, Any]:
    if ledger.profile.untyped:
        return {}
    ledger.obstruct(pointer, _ANY)
    return {"type": "string"}


def _body(ledger: Ledger, node: dict[str, Any], pointer: str) -> PlainSchema:
    if node.get("type") in NAMES and _SPLIT.isdisjoint(node):
        return _of_type(ledger, node, pointer)
    for keyword in ("anyOf", "oneOf"):
        if isinstance(node.get(keyword), list | tuple):
            return _union(ledger, node, keyword, pointer)
    if "$ref" in node:
        if not str(node["$ref"]).startswith("#/$defs/"):
            ledger.obstruct(pointer, f"the reference {node['$ref']} leads nowhere")
        if ledger.profile.recursion == "none":
            ledger.obstruct(pointer, "it refers to itself")
        words = [
            phrase
            for keyword, value in node.items()
            if keyword != "$ref"
            for phrase in ledger.describe_loss(pointer, keyword, value)
        ]
        return {"$ref": node["$ref"]}, words
    names, declared = types_of(node)
    if not names or not set(names) <= set(NAMES):
        words = [
            phrase
            for keyword, value in node.items()
            for phrase in ledger.describe_loss(pointer, keyword, value)
        ]
        return _anything(ledger, pointer), words
    if not declared:
        ledger.narrow_type(pointer)
    if len(names) == 1:
        return _of_type(ledger, {**node, "type": names[0]}, pointer)
    parts = [_of_type(ledger, part, pointer) for part in split(node, names)]
    if not parts:
        ledger.obstruct(pointer, NOTHING)
    words = [phrase for _, phrases in parts for phrase in phrases]
    return joined([branch for branch, _ in parts]), words


def _union(
    ledger: Ledger, node: dict[str, Any], keyword: str, pointer: str
) -> PlainSchema:
    """Project ``anyOf``, with its sibling keywords repeated in each branch."""
    base = {k: v for k, v in node.items() if k != keyword}
    branches = [branch for branch in node[keyword] if branch is not False]
    if base:
        merged = _merged(base, branches)
        if not merged or all(is_object(b) and _RULES.issuperset(b) for b in branches):
            words = ledger.describe_loss(pointer, keyword, node[keyword])
            united = hoisted(ledger, base, [branches], pointer, keyword)
            alone, more = _body(ledger, united, pointer)
            return alone, [*words, *more]
        branches = merged
    if keyword == "oneOf":
        ledger.lose(pointer, keyword, node[keyword], Recovery.DECODER)
    at = pointer_to(pointer, keyword)
    projected_branches = [
        project_schema(ledger, branch, pointer_to(at, number))
        for number, branch in enumerate(branches)
    ]
    return (joined(projected_branches) if projected_branches else dict(NULL)), []


def _merged(base: JsonObject, branches: Sequence[Json]) -> list[Json]:
    try:
        return [
            _without_foreign(merge(base, branch)) if is_object(branch) else base
            for branch in branches
        ]
    except Unmergeable:
        return []


def _without_foreign(schema: dict[str, Any]) -> dict[str, Any]:
    """``schema`` without keywords that say nothing of values of its type."""
    name = schema.get("type")
    if not isinstance(name, str):
        return schema
    own = BY_TYPE.get("number" if name == "integer" else name, frozenset[str]())
    return {
        keyword: value
        for keyword, value in schema.items()
        if keyword in own or keyword not in _FOREIGN
    }


def _of_type(ledger: Ledger, node: dict[str, Any], pointer: str) -> PlainSchema:
    match node["type"]:
        case "null":
            return dict(NULL), []
        case "object":
            projected, phrases = _object(ledger, node, pointer)
            phrases += unsaid_choices(ledger, node, pointer)
        case "array":
            projected = _array(ledger, node, pointer)
            phrases = unsaid_choices(ledger, node, pointer)
        case name:
            projected, phrases = choices(ledger, node, name, pointer)
    phrases += assertions(ledger, projected, node, pointer)
    return projected, phrases


def _object(ledger: Ledger, node: JsonObject, pointer: str) -> PlainSchema:
    profile = ledger.profile
    declared = node.get("properties")
    properties: JsonObject = declared if is_object(declared) else {}
    required = [name for name in _list(node.get("required")) if isinstance(name, str)]
    extra = _project_further_properties(ledger, node, pointer)
    projected_properties = _properties(ledger, properties, required, pointer)
    if not projected_properties and not profile.shapeless and pointer:
        ledger.obstruct(pointer, "an object without properties")
    phrases = _forbidden_properties(ledger, properties, extra, pointer)
    if profile.all_required:
        _check_required(ledger, required, projected_properties, pointer)
        return {
            "type": "object",
            "properties": projected_properties,
            "required": [*projected_properties],
            **extra,
        }, phrases
    required_names, words = _carried_required(
        ledger, required, projected_properties, pointer
    )
    most = {"required": required_names} if required_names else {}
    return {
        "type": "object",
        "properties": projected_properties,
        **most,
        **extra,
    }, [*phrases, *words]


def _properties(
    ledger: Ledger, properties: JsonObject, required: Sequence[str], pointer: str
) -> dict[str, Any]:
    return {
        name: project_schema(
            ledger,
            schema,
            pointer_to(pointer, "properties", name),
            optional=name not in required,
        )
        for name, schema in properties.items()
        if schema is not False
    }


def _forbidden_properties(
    ledger: Ledger, properties: JsonObject, extra: JsonObject, pointer: str
) -> list[str]:
    """Describe the properties that no object may have: only a closed object needs no words."""
    forbidden = {name: False for name, schema in properties.items() if schema is False}
    if not forbidden or extra.get("additionalProperties") is False:
        return []
    return list(ledger.describe_loss(pointer, "properties", forbidden))


def _check_required(
    ledger: Ledger, required: Sequence[str], properties: JsonObject, pointer: str
) -> None:
    for name in required:
        if name not in properties:
            ledger.obstruct(pointer, f"{json_line(name)} is required but not declared")


def _carried_required(
    ledger: Ledger, required: Sequence[str], properties: JsonObject, pointer: str
) -> tuple[list[str], list[str]]:
    """Return the ``required`` names that the profile accepts, and a phrase for the others.

    Names must be declared. Where only optional properties may recurse, those that lead into a
    recursion are described instead.
    """
    optional = ledger.profile.recursion == "optional" and pointer.startswith("/$defs/")
    left_out = [
        name
        for name in required
        if name not in properties or (optional and any(references(properties[name])))
    ]
    if not left_out:
        return list(required), []
    ledger.lose(pointer, "required", left_out, Recovery.TEXT)
    return [n for n in required if n not in left_out], [
        f"always with {', '.join(left_out)}"
    ]


def _project_further_properties(
    ledger: Ledger, node: JsonObject, pointer: str
) -> dict[str, Any]:
    """Project what a schema says of properties beyond the declared ones."""
    profile = ledger.profile
    if profile.closed:
        _check_closed(ledger, node, pointer)
        return {"additionalProperties": False}
    keyword = "additionalProperties"
    if keyword not in node and "unevaluatedProperties" in node:
        keyword = "unevaluatedProperties"
    extra = node.get(keyword)
    patterns = node.get("patternProperties")
    if patterns:
        ledger.describe_loss(pointer, "patternProperties", patterns)
    if extra is None or (extra is True and "additionalProperties" in profile.keywords):
        return {}
    if patterns or "additionalProperties" not in profile.keywords:
        ledger.describe_loss(pointer, keyword, extra)
        return {}
    if keyword != "additionalProperties":
        ledger.lose(pointer, keyword, extra, Recovery.KEYWORD)
    if extra is False:
        return {"additionalProperties": False}
    at = pointer_to(pointer, keyword)
    return {"additionalProperties": project_schema(ledger, extra, at)}


def _check_closed(ledger: Ledger, node: JsonObject, pointer: str) -> None:
    """Report an obstacle for an object that the author opened or left without shape: a strict
    object is closed.
    """
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
    """Project a list; of a tuple, every position accepts what any of them accepts."""
    first, at = _list(node.get("prefixItems")), pointer_to(pointer, "items")
    items = node.get("items", node.get("unevaluatedItems"))
    if not first:
        if items is False:
            ledger.describe_loss(pointer, "items", False)
        return {"type": "array", "items": project_schema(ledger, items, at)}
    ledger.lose(pointer, "prefixItems", first, Recovery.DECODER)
    prefix_items = [
        project_schema(ledger, item, pointer_to(pointer, "prefixItems", number))
        for number, item in enumerate(first)
    ]
    most = node.get("maxItems")
    if is_object(items):
        prefix_items.append(project_schema(ledger, items, at))
    elif items is not False and not (isinstance(most, int) and most <= len(first)):
        if ledger.profile.closed:
            ledger.obstruct(pointer, _ANY)
        ledger.lose(pointer, "items", True, Recovery.NARROWED)
    return {"type": "array", "items": joined(prefix_items)}


def _list(value: Json) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []
