"""What OpenAI and Azure accept of a schema."""

from __future__ import annotations

from brimgen.emit.projection.describe_keywords import FORMAT_HINTS
from brimgen.emit.projection.profiles import (
    BOUNDS,
    FORMATS,
    OPEN_KEYWORDS,
    SHAPES,
    Limits,
    Profile,
    SetLimits,
    has_look_around,
)
from brimgen.frozen import replace
from brimgen.model.json import Json
from brimgen.schema.walk import words


def _no_look_around(value: Json) -> bool:
    return isinstance(value, str) and not has_look_around(value)


OPENAI = Profile(
    name="openai",
    target="openai",
    keywords=SHAPES
    | BOUNDS
    | words("const $ref $defs additionalProperties pattern format minItems maxItems"),
    formats=FORMATS,
    hints=FORMAT_HINTS,
    admits={"pattern": _no_look_around},
    plain=True,
    closed=True,
    all_required=True,
    limits=Limits(
        properties=5000,
        depth=10,
        enum_values=1000,
        characters=120_000,
        long_enum=250,
        long_enum_characters=15_000,
    ),
    set_limits=SetLimits(tools=128),
)
"""Strict function calling of the Chat and the Responses API (descriptors.md)."""

OPENAI_AZURE = replace(
    OPENAI,
    name="openai_azure",
    keywords=OPENAI.keywords - BOUNDS - words("pattern format minItems maxItems"),
    limits=Limits(
        properties=100,
        depth=5,
        enum_values=1000,
        characters=120_000,
        long_enum=250,
        long_enum_characters=15_000,
    ),
)
"""The same where Azure hosts it, and for fine-tuned models: no bounds, patterns and formats."""

OPENAI_LOOSE = Profile(
    name="openai_loose",
    target="openai",
    keywords=OPEN_KEYWORDS,
    hints=FORMAT_HINTS,
    set_limits=OPENAI.set_limits,
)
"""``strict: false``: for tools that the strict subset cannot say."""

PROFILES = (OPENAI, OPENAI_LOOSE, OPENAI_AZURE)
