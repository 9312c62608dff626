"""Build plain schemas: few shapes, values of one type, null and defaults (descriptors.md, 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from brimgen.emit.account import Recovery
from brimgen.emit.projection.describe_keywords import HINTED, described, phrase
from brimgen.emit.projection.json_types import (
    allowed_values,
    of_type,
    type_of,
    types_of,
)
from brimgen.emit.projection.json_values import is_same_json
from brimgen.emit.projection.ledger import Ledger
from brimgen.emit.projection.profiles import Profile
from brimgen.model.json import Json, JsonObject
from brimgen.schema.walk import is_object, words

NULL: JsonObject = {"type": "null"}


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Allow null beside ``schema``; an enum is split off, because a null among its values is
    refused.
    """
    if schema.get("type") == "null":
        return schema
    branches = schema.get("anyOf")
    if branches is not None and NULL in branches:
        return schema
    if "description" not in schema:
        return {"anyOf": [*(branches or (schema,)), NULL]}
    text = {"description": schema["description"]}
    without_text = {k: v for k, v in schema.items() if k != "description"}
    return {"anyOf": [*(branches or (without_text,)), NULL], **text}


def joined(schemas: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return one schema that accepts what any schema accepts; nested unions are flattened."""
    flat: list[Any] = []
    for schema in schemas:
        inner = schema["anyOf"] if set(schema) == {"anyOf"} else [schema]
        flat += [
            one for one in inner if not any(is_same_json(one, kept) for kept in flat)
        ]
    return dict(flat[0]) if len(flat) == 1 else {"anyOf": flat}


def with_text(
    schema: dict[str, Any],
    carried: JsonObject,
    description: Json,
    phrases: Sequence[str],
) -> dict[str, Any]:
    """Add the annotations that are carried to ``schema``, and its description last.

    A reference is wrapped where there are any, as it admits no siblings.
    """
    own = schema.get("description")
    text = described(description if isinstance(description, str) else own, phrases)
    body = schema
    if own is not None:
        body = {k: v for k, v in schema.items() if k != "description"}
    if "$ref" in body and (text is not None or carried):
        body = {"anyOf": [body]}
    if text is None:
        return {**body, **carried} if carried else body
    return {**body, **carried, "description": text}


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


STRUCTURE = words(
    "type properties required additionalProperties unevaluatedProperties patternProperties"
    " items prefixItems unevaluatedItems $ref $defs enum const"
)
"""Keywords that are no assertions about values of one type, or are said with its shape."""

_INCLUSIVE = {"exclusiveMinimum": ("minimum", 1), "exclusiveMaximum": ("maximum", -1)}


def assertions(
    ledger: Ledger, projected: dict[str, Any], node: JsonObject, pointer: str
) -> list[str]:
    """Add the assertions of ``node``, which has one type, to ``projected``, which has its shape.

    Returns phrases for those that the profile does not carry.
    """
    profile = ledger.profile
    phrases: list[str] = []
    for keyword, value in node.items():
        if keyword in STRUCTURE:
            continue
        if profile.carries(keyword, value):
            projected[keyword] = value
            phrases += hints(profile, keyword, value)
        elif not _included(ledger, projected, node, keyword, pointer):
            phrases += ledger.describe_loss(pointer, keyword, value)
    return phrases


def hints(profile: Profile, keyword: str, value: Json) -> list[str]:
    """Return the words that stand beside a keyword that ``profile`` carries, if there are any."""
    if keyword in profile.also_described:
        hint = phrase(keyword, value)
    else:
        hint = profile.hints.get(str(value)) if keyword in HINTED else None
    return [hint] if hint else []


def _included(
    ledger: Ledger,
    projected: dict[str, Any],
    node: JsonObject,
    keyword: str,
    pointer: str,
) -> bool:
    """Whether an exclusive bound of integers could be written as an inclusive one."""
    if keyword not in _INCLUSIVE:
        return False
    (bound, step), value = _INCLUSIVE[keyword], node[keyword]
    whole = isinstance(value, int | float) and value == int(value)
    if (
        node.get("type") != "integer"
        or not isinstance(value, int | float)
        or not whole
        or not ledger.profile.carries(bound, value)
    ):
        return False
    existing: Any = node.get(bound)
    own = int(value) + step
    tighter = max if step > 0 else min
    projected[bound] = own if existing is None else tighter(own, existing)
    ledger.lose(pointer, keyword, value, Recovery.KEYWORD)
    return True


def choices(
    ledger: Ledger, node: JsonObject, name: str, pointer: str
) -> tuple[dict[str, Any], list[str]]:
    """Return the scalar type ``name`` with ``enum`` or ``const`` of ``node``, and a phrase if
    neither is carried.
    """
    projected: dict[str, Any] = {"type": name}
    values = allowed_values(node)
    if values is None:
        return projected, []
    fitting = of_type(values, name)
    keyword = "const" if "const" in node else "enum"
    if not fitting:
        ledger.obstruct(pointer, NOTHING)
        ledger.lose(pointer, keyword, node[keyword], Recovery.DECODER)
        return projected, []
    _check_case(ledger, fitting, pointer)
    allowed = fitting[0] if keyword == "const" else fitting
    if ledger.profile.carries(keyword, allowed):
        projected[keyword] = allowed
        return projected, []
    if keyword == "const" and ledger.profile.carries("enum", fitting):
        ledger.lose(pointer, "const", allowed, Recovery.KEYWORD)
        projected["enum"] = fitting
        return projected, []
    return projected, list(ledger.describe_loss(pointer, keyword, allowed))


def unsaid_choices(ledger: Ledger, node: JsonObject, pointer: str) -> list[str]:
    """Return a phrase for the only objects or lists that ``node`` allows, if it names any."""
    if allowed_values(node) is None:
        return []
    if ledger.profile.closed:
        ledger.obstruct(pointer, "only certain objects or lists are allowed")
        return []
    keyword = "const" if "const" in node else "enum"
    return [*ledger.describe_loss(pointer, keyword, node[keyword])]


NOTHING = "no value of its type is allowed"


def _check_case(ledger: Ledger, values: list[Json], pointer: str) -> None:
    if not ledger.profile.case_blind:
        return
    seen: dict[str, str] = {}
    for value in values:
        if isinstance(value, str) and seen.setdefault(value.casefold(), value) != value:
            first = seen[value.casefold()]
            ledger.obstruct(
                pointer, f"`{first}` and `{value}` differ in nothing but case"
            )
