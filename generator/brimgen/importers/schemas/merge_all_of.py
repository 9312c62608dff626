"""Merge the parts of ``allOf`` into one schema with the same meaning.

Documents derive objects this way (``Dog`` is all of ``Pet``, and has a name), and add keywords to a
reference (a description, ``nullable``). Merged, an object can become a class and can be closed.
What cannot be merged stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from brimgen.importers.schemas.keywords import is_about_values, is_annotation
from brimgen.model.json import is_list, is_object

Follow = Callable[[str], Any]
"""Returns the target of a reference, merged as well."""

_OF_AN_OBJECT = frozenset({"type", "properties", "required", "additionalProperties"})


def merge_all_of(schema: Mapping[str, Any], follow: Follow) -> dict[str, Any]:
    """Merge the ``allOf`` of ``schema`` into it, where that is possible.

    The schemas of its properties stay as they are.
    """
    branches = schema.get("allOf")
    if not is_list(branches) or not branches or not all(map(is_object, branches)):
        return dict(schema)
    rest = {key: value for key, value in schema.items() if key != "allOf"}
    for branch in branches:
        if not is_about_values(branch):
            rest = {**branch, **rest}
    asserting = [branch for branch in branches if is_about_values(branch)]
    if not asserting:
        return rest
    if len(asserting) == 1:
        merged = _single_branch(asserting[0], rest, follow)
        if merged is not None:
            return merged
    joined = _join_objects([*asserting, rest], follow)
    if joined is None:
        return {**rest, "allOf": asserting}
    words = {key: value for key, value in rest.items() if is_annotation(key)}
    return {**words, **joined}


def _single_branch(
    branch: Mapping[str, Any], rest: Mapping[str, Any], follow: Follow
) -> dict[str, Any] | None:
    """Merge the only branch with ``rest``; None where ``rest`` asserts more than a type."""
    merged = dict(rest)
    kind = merged.pop("type", None)
    if is_about_values(merged):
        return None
    if "$ref" in branch:
        target = follow(branch["$ref"])
        branch_kind = target.get("type") if is_object(target) else None
    else:
        branch_kind = branch.get("type")
    if kind not in (None, branch_kind):
        return None
    both = {**branch, **merged}
    return merge_all_of(both, follow) if "allOf" in both else both


def _join_objects(
    schemas: list[Mapping[str, Any]], follow: Follow
) -> dict[str, Any] | None:
    """Merge several object schemas; None where one has other keywords than `_OF_AN_OBJECT`."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    is_open = False
    for schema in schemas:
        followed = _follow_schema(schema, follow)
        if not _is_plain(followed):
            return None
        for name, inner in followed.get("properties", {}).items():
            properties[name] = (
                _merge_property(properties[name], inner)
                if name in properties
                else inner
            )
        required += followed.get("required", ())
        is_open = is_open or followed.get("additionalProperties") is True
    merged: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        merged["required"] = [*dict.fromkeys(required)]
    if is_open:
        merged["additionalProperties"] = True
    return merged


def _follow_schema(schema: Mapping[str, Any], follow: Follow) -> Any:
    if "$ref" not in schema:
        return merge_all_of(schema, follow)
    target = follow(schema["$ref"])
    beside = {key: value for key, value in schema.items() if key != "$ref"}
    if not is_about_values(beside) or not is_object(target):
        return target
    return merge_all_of({"allOf": [target, beside]}, follow)


def _is_plain(schema: Any) -> bool:
    if not is_object(schema):
        return False
    keywords = {key for key in schema if not is_annotation(key)}
    return (
        keywords <= _OF_AN_OBJECT
        and schema.get("type", "object") == "object"
        and is_object(schema.get("properties", {}))
        and is_list(schema.get("required", []))
        and schema.get("additionalProperties", True) is True
    )


def _merge_property(one: Any, other: Any) -> Any:
    """Merge two schemas of one property."""
    if one == other or not is_object(other) or not is_object(one):
        return one if is_object(one) else other
    if all(one.get(key, value) == value for key, value in other.items()):
        return {**one, **other}
    if not is_about_values(other) or not is_about_values(one):
        return {**one, **other}
    return {"allOf": [one, other]}
