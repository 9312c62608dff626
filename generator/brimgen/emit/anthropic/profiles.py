"""What Anthropic accepts of a schema."""

from __future__ import annotations

from brimgen.emit.projection.describe_keywords import FORMAT_HINTS
from brimgen.emit.projection.profiles import (
    FORMATS,
    OPEN_KEYWORDS,
    SHAPES,
    Profile,
    SetLimits,
    is_simple,
)
from brimgen.model.json import Json
from brimgen.schema.walk import words


def _is_simple(value: Json) -> bool:
    return isinstance(value, str) and is_simple(value)


def _is_zero_or_one(value: Json) -> bool:
    return value in (0, 1) and not isinstance(value, bool)


ANTHROPIC = Profile(
    name="anthropic",
    target="anthropic",
    keywords=OPEN_KEYWORDS - {"examples"},
    hints=FORMAT_HINTS,
    also_described=words("default"),
)
"""Tools without ``strict``: examples stand beside the schema, not in it (descriptors.md)."""

ANTHROPIC_STRICT = Profile(
    name="anthropic_strict",
    target="anthropic",
    keywords=SHAPES
    | words("const additionalProperties pattern format minItems default"),
    formats=FORMATS | {"uri"},
    hints=FORMAT_HINTS,
    also_described=words("default"),
    admits={"pattern": _is_simple, "minItems": _is_zero_or_one},
    plain=True,
    closed=True,
    recursion="none",
    case_blind=True,
    set_limits=SetLimits(tools=20, optional=24, unions=16),
)
"""``strict: true``: what Anthropic makes a grammar of; numbers and lengths are left to words."""

PROFILES = (ANTHROPIC, ANTHROPIC_STRICT)
