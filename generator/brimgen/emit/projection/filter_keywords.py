"""Project a schema to a profile that only lacks some keywords."""

from __future__ import annotations

from functools import cache, partial
from operator import is_
from typing import Any

from brimgen.emit.projection.describe_keywords import HINTED, described, phrase
from brimgen.emit.projection.json_types import SCALARS, split, types_of
from brimgen.emit.projection.keywords import (
    HOLDERS,
    SHAPE,
    is_annotation,
    is_object,
    rewritten,
)
from brimgen.emit.projection.ledger import Ledger
from brimgen.emit.projection.profiles import Profile
from brimgen.model.json import Json, JsonObject

_EMPTY = {"object": "properties", "array": "items"}


def project_openly(ledger: Ledger, schema: Json, pointer: str) -> Any:
    """Project ``schema`` to the ledger's profile; put what it leaves out into the description.

    A schema that needs no change is returned itself.
    """
    if not is_object(schema):
        return {} if schema is True else schema
    sure = _sure_of(ledger.profile)
    if _is_settled(sure, schema):
        return schema
    names, _ = types_of(schema)
    if len(names) > 1 and "type" in schema:
        return _union(ledger, schema, names, pointer)
    projected: dict[str, Any] = {}
    phrases: list[str] = []
    for keyword, value in schema.items():
        if keyword == "description" or (keyword in sure and value is not None):
            projected[keyword] = value
        elif _is_carried(ledger, keyword, value):
            projected[keyword] = rewritten(
                keyword,
                value,
                pointer,
                partial(project_openly, ledger),
                partial(_is_settled, sure),
            )
            phrases += _hints(ledger, keyword, value)
        else:
            phrases += ledger.describe_loss(pointer, keyword, value)
    empty = _EMPTY.get(str(projected.get("type")))
    if empty and empty not in projected and "prefixItems" not in projected:
        projected = {"type": projected.pop("type"), empty: {}, **projected}
    if phrases:
        projected["description"] = described(projected.get("description"), phrases)
    elif len(projected) == len(schema) and all(
        map(is_, projected.values(), schema.values())
    ):
        return schema
    return projected


def project_root_openly(ledger: Ledger, body: JsonObject) -> JsonObject:
    """Project ``body``, the flat object of all arguments; most stay as they are."""
    properties = body["properties"]
    assert is_object(properties)
    unsure = _unsettled(ledger, properties)
    if unsure:
        projected = ledger.arguments(unsure, (), _project_argument)
        if not all(map(is_, projected.values(), unsure.values())):
            properties = {**properties, **projected}
    root = body
    closed = body.get("additionalProperties", False) is False
    if not closed or not SHAPE.issuperset(body):
        root = project_openly(ledger, {**body, "properties": _NONE}, "")
    same = properties is body["properties"] and root is body
    return body if same else {**root, "properties": properties}


def _unsettled(ledger: Ledger, properties: JsonObject) -> JsonObject:
    """Return the ``properties`` that are not obviously carried unchanged."""
    sure, settled = _sure_of(ledger.profile), ledger.cached.settled
    unsure: dict[str, Json] = {}
    for name, schema in properties.items():
        if id(schema) not in settled:
            if _is_settled(sure, schema):
                settled[id(schema)] = schema
            else:
                unsure[name] = schema
    return unsure


def _project_argument(
    ledger: Ledger, schema: Json, pointer: str, optional: bool
) -> Any:
    return project_openly(ledger, schema, pointer)


_NONE: JsonObject = {}


def _is_settled(sure: frozenset[str], schema: Json) -> bool:
    """Whether ``schema`` is obviously carried unchanged, as most arguments are."""
    return (
        is_object(schema)
        and sure.issuperset(schema)
        and schema.get("type") in SCALARS
        and schema.get("default", "") is not None
    )


@cache
def _sure_of(profile: Profile) -> frozenset[str]:
    """Return the keywords that ``profile`` carries whatever their value."""
    unsure = HOLDERS | profile.also_described | profile.admits.keys() | HINTED
    return profile.keywords - unsure


def _is_carried(ledger: Ledger, keyword: str, value: Json) -> bool:
    if keyword == "default" and value is None:
        return False
    return ledger.profile.carries(keyword, value)


def _hints(ledger: Ledger, keyword: str, value: Json) -> list[str]:
    profile = ledger.profile
    if keyword in profile.also_described:
        hint = phrase(keyword, value)
    else:
        hint = profile.hints.get(str(value)) if keyword in HINTED else None
    return [hint] if hint else []


def _union(
    ledger: Ledger, schema: JsonObject, names: tuple[str, ...], pointer: str
) -> Any:
    """Write a list of types as ``anyOf``: clients refuse or drop the list (descriptors.md,
    row 2).
    """
    outer = {k: v for k, v in schema.items() if is_annotation(k)}
    branches = split(schema, names)
    if len(branches) == 1:
        return project_openly(ledger, {**branches[0], **outer}, pointer)
    union = {"anyOf": [project_openly(ledger, branch, pointer) for branch in branches]}
    return {**union, **project_openly(ledger, outer, pointer)} if outer else union
