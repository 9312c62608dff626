"""Profiles: one row a provider, of what its descriptors may hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from brimgen.emit.projection.keywords import STANDARD, words
from brimgen.emit.projection.phrases import DATE, DATETIME


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a provider counts in one schema."""

    properties: int
    depth: int
    enum_values: int
    characters: int
    long_enum: int
    long_enum_characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One way to say a schema.

    ``keywords`` is the allow-list, ``formats`` the one for values of ``format`` (None: all).
    ``hints`` are formats whose meaning is told in words as well. A ``strict`` profile types and
    closes everything and requires every property; its patterns have no look-around.
    """

    name: str
    keywords: frozenset[str]
    formats: frozenset[str] | None = None
    hints: Mapping[str, str] = field(default_factory=dict[str, str])
    strict: bool = False
    limits: Limits | None = None


_STRICT_KEYWORDS = words(
    "type description enum const anyOf $ref $defs properties required additionalProperties"
    " items pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum"
    " minItems maxItems"
)
_STRICT_FORMATS = words("date-time time date duration email hostname ipv4 ipv6 uuid")
_SILENT = words(
    "$schema $id $anchor $dynamicAnchor $vocabulary $comment readOnly writeOnly"
)

OPENAI = Profile(
    name="openai",
    keywords=_STRICT_KEYWORDS,
    formats=_STRICT_FORMATS,
    hints={"date-time": DATETIME},
    strict=True,
    limits=Limits(
        properties=5000,
        depth=10,
        enum_values=1000,
        characters=120_000,
        long_enum=250,
        long_enum_characters=15_000,
    ),
)
"""Strict function calling of the Chat and the Responses API (descriptors.md 1.2)."""

OPENAI_LOOSE = Profile(
    name="openai_loose",
    keywords=STANDARD - _SILENT,
    hints={"date": DATE, "date-time": DATETIME},
)
"""``strict: false``: for tools that the strict subset cannot say."""

MCP = Profile(
    name="mcp",
    keywords=STANDARD - _SILENT | {"x-mcp-header"},
    hints={"date": DATE, "date-time": DATETIME},
)
"""Tool schemas of the Model Context Protocol (descriptors.md 2)."""

MCP_OUTPUT = Profile(name="mcp_output", keywords=STANDARD - _SILENT)
"""Output schemas: nobody fills them in, so nothing needs to be told in words."""
