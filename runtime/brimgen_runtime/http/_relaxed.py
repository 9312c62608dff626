"""Relax the schema of an answer by what its service may outgrow without making the rest wrong.

Services learn new values of an enum and new properties of an object, and describe alternatives
that overlap.
"""

from __future__ import annotations

import re
from typing import Any

from ..schema.json_values import is_list, is_object, kind_of

_LISTS = frozenset(("allOf", "anyOf", "items", "oneOf", "prefixItems"))
_MAPS = frozenset(
    ("$defs", "definitions", "dependentSchemas", "patternProperties", "properties")
)
_SINGLE = frozenset(
    (
        "additionalProperties",
        "else",
        "items",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    )
)
_STRICT = frozenset(("contains", "if", "not", "propertyNames"))
"""What stands here stays as it is, with all that it refers to: relaxed, it would refuse more."""
_AS_IT_WAS = "x-strict"
"""The whole schema as it was, for references from there."""
_CLOSING = frozenset(("additionalProperties", "unevaluatedProperties"))
_WAS_ONE_OF = "x-oneOf"
_INTO_ONE_OF = re.compile(r"/oneOf(?=/[0-9]+(?:/|$))")
"""References lead to the branches of a ``oneOf`` by the place that these are kept at."""


def relaxed(schema: Any) -> Any:
    """Return a schema that accepts, besides, values of enums and properties that it does not name,
    and what fits several alternatives of which it wants one.

    The types stay: a choice of texts takes any text. What stands under ``not``, ``if`` and the like
    stays as it is.
    """
    kept = _relaxed(schema)
    led = _led(schema)
    return {**kept, _AS_IT_WAS: led} if is_object(kept) and led != schema else kept


def _led(schema: Any) -> Any:
    """Return a schema whose references lead into `_AS_IT_WAS`."""
    if is_list(schema):
        return [_led(part) for part in schema]
    if not is_object(schema):
        return schema
    return {
        word: (
            f"#/{_AS_IT_WAS}{inner[1:]}"
            if word == "$ref" and isinstance(inner, str) and inner.startswith("#")
            else _led(inner)
        )
        for word, inner in schema.items()
    }


def _relaxed(schema: Any) -> Any:
    if not is_object(schema):
        return schema
    kept: dict[str, Any] = {}
    for word, inner in schema.items():
        if word in _MAPS and is_object(inner):
            kept[word] = {name: _relaxed(part) for name, part in inner.items()}
        elif word in _LISTS and is_list(inner):
            kept[word] = [_relaxed(part) for part in inner]
        elif word in _SINGLE:
            if inner is not False or word not in _CLOSING:
                kept[word] = _relaxed(inner)
        elif word in _STRICT:
            kept[word] = _led(inner)
        elif word == "$ref" and isinstance(inner, str):
            kept[word] = _INTO_ONE_OF.sub(f"/{_WAS_ONE_OF}", inner)
        elif word not in ("const", "enum"):
            kept[word] = inner
    choices = [*schema.get("enum", ())]
    if "const" in schema:
        choices.append(schema["const"])
    if choices and "type" not in kept:
        kept["type"] = [*dict.fromkeys(map(_type_of, choices))]
    if "oneOf" in kept:
        branches = kept[_WAS_ONE_OF] = kept.pop("oneOf")
        kept["allOf"] = [*kept.get("allOf", ()), {"anyOf": branches}]
    return kept


def _type_of(value: Any) -> str:
    return "integer" if type(value) is int else kind_of(value)
