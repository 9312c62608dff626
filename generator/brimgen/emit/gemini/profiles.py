"""What Gemini accepts of a schema."""

from __future__ import annotations

from brimgen.emit.projection.describe_keywords import FORMAT_HINTS
from brimgen.emit.projection.profiles import SHAPES, Profile
from brimgen.model.json import Json
from brimgen.schema.walk import words


def _all_texts(value: Json) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)


def _texts_or_numbers(value: Json) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(item, str | int | float) and not isinstance(item, bool)
        for item in value
    )


GEMINI = Profile(
    name="gemini",
    target="gemini",
    keywords=SHAPES
    | words(
        "title $ref $defs format additionalProperties minItems maxItems minimum maximum"
    ),
    hints=FORMAT_HINTS,
    admits={"enum": _texts_or_numbers},
    plain=True,
    plain_results=True,
    untyped=True,
    recursion="optional",
)
"""``parametersJsonSchema`` of the Gemini API (descriptors.md)."""

GEMINI_OPENAPI = Profile(
    name="gemini_openapi",
    target="gemini",
    keywords=SHAPES
    | words(
        "title format minItems maxItems minLength maxLength minimum maximum pattern"
    ),
    hints=FORMAT_HINTS,
    admits={"enum": _all_texts},
    plain=True,
    plain_results=True,
    shapeless=False,
    recursion="none",
)
"""``parameters`` of the Gemini API: its subset of OpenAPI 3.0, before it is spelt so."""

PROFILES = (GEMINI, GEMINI_OPENAPI)
