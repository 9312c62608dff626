"""Describe what each provider's descriptors can hold, one row per profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

from brimgen.emit.projection.describe_keywords import FORMAT_HINTS
from brimgen.emit.projection.keywords import STANDARD, words
from brimgen.emit.projection.patterns import has_look_around, is_simple
from brimgen.frozen import dataclass, field, replace
from brimgen.model.json import Json
from brimgen.model.project import Project

Test: TypeAlias = Callable[[Json], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a provider for one schema."""

    properties: int
    depth: int
    enum_values: int
    characters: int
    long_enum: int
    long_enum_characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLimits:
    """The limits of a provider for all the tools of one request (None: no limit)."""

    tools: int
    optional: int | None = None
    unions: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How a provider's descriptors express a schema.

    ``keywords`` is the allow-list, ``formats`` the one for values of ``format`` (None: all), and
    ``admits`` has a test for values of further keywords. ``hints`` are formats, and ``told``
    keywords, that are carried and told in words as well.

    A ``plain`` profile is built of few shapes: one type, or ``anyOf``, or a reference. With
    ``untyped`` it may also say nothing of a type, with ``shapeless`` have objects without
    properties. ``closed``: every object is. ``all_required``: every property is, and null where
    it would be absent. ``recursion`` is ``free``, ``optional`` (not through required properties)
    or ``none``; ``case_blind``: it does not hold a model to the case of an enum.
    """

    name: str
    target: str
    keywords: frozenset[str]
    formats: frozenset[str] | None = None
    hints: Mapping[str, str] = field(default_factory=dict[str, str])
    told: frozenset[str] = frozenset()
    admits: Mapping[str, Test] = field(default_factory=dict[str, Test])
    plain: bool = False
    untyped: bool = False
    shapeless: bool = True
    closed: bool = False
    all_required: bool = False
    recursion: str = "free"
    case_blind: bool = False
    limits: Limits | None = None
    set_limits: SetLimits | None = None

    # Rows of a table: it counts which one it is, and their mappings have no hash.
    __hash__ = object.__hash__

    def carries(self, keyword: str, value: Json) -> bool:
        """Whether the profile carries ``keyword`` with ``value`` unchanged."""
        if keyword not in self.keywords:
            return False
        if keyword == "format":
            return self.formats is None or value in self.formats
        test = self.admits.get(keyword)
        return test is None or test(value)


def _no_look_around(value: Json) -> bool:
    return isinstance(value, str) and not has_look_around(value)


def _is_simple(value: Json) -> bool:
    return isinstance(value, str) and is_simple(value)


def _is_zero_or_one(value: Json) -> bool:
    return value in (0, 1) and not isinstance(value, bool)


def _all_texts(value: Json) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)


def _texts_or_numbers(value: Json) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(each, str | int | float) and not isinstance(each, bool)
        for each in value
    )


_SHAPES = words("type description enum anyOf properties required items")
_BOUNDS = words("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf")
_SILENT = words(
    "$schema $id $anchor $dynamicAnchor $vocabulary $comment readOnly writeOnly"
)
_FORMATS = words("date-time time date duration email hostname ipv4 ipv6 uuid")

OPENAI = Profile(
    name="openai",
    target="openai",
    keywords=_SHAPES
    | _BOUNDS
    | words("const $ref $defs additionalProperties pattern format minItems maxItems"),
    formats=_FORMATS,
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
"""Strict function calling of the Chat and the Responses API (descriptors.md 1.2)."""

OPENAI_AZURE = replace(
    OPENAI,
    name="openai_azure",
    keywords=OPENAI.keywords - _BOUNDS - words("pattern format minItems maxItems"),
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
    keywords=STANDARD - _SILENT,
    hints=FORMAT_HINTS,
    set_limits=OPENAI.set_limits,
)
"""``strict: false``: for tools that the strict subset cannot say."""

MCP = Profile(
    name="mcp",
    target="mcp",
    keywords=STANDARD - _SILENT | {"x-mcp-header"},
    hints=FORMAT_HINTS,
)
"""Tool schemas of the Model Context Protocol (descriptors.md 2)."""

ANTHROPIC = Profile(
    name="anthropic",
    target="anthropic",
    keywords=STANDARD - _SILENT - {"examples"},
    hints=FORMAT_HINTS,
    told=words("default"),
)
"""Tools without ``strict``: examples stand beside the schema, not in it (descriptors.md 3.1)."""

ANTHROPIC_STRICT = Profile(
    name="anthropic_strict",
    target="anthropic",
    keywords=_SHAPES
    | words("const additionalProperties pattern format minItems default"),
    formats=_FORMATS | {"uri"},
    hints=FORMAT_HINTS,
    told=words("default"),
    admits={"pattern": _is_simple, "minItems": _is_zero_or_one},
    plain=True,
    closed=True,
    recursion="none",
    case_blind=True,
    set_limits=SetLimits(tools=20, optional=24, unions=16),
)
"""``strict: true``: what Anthropic makes a grammar of; numbers and lengths are left to words."""

GEMINI = Profile(
    name="gemini",
    target="gemini",
    keywords=_SHAPES
    | words(
        "title $ref $defs format additionalProperties minItems maxItems minimum maximum"
    ),
    hints=FORMAT_HINTS,
    admits={"enum": _texts_or_numbers},
    plain=True,
    untyped=True,
    recursion="optional",
)
"""``parametersJsonSchema`` of the Gemini API (descriptors.md 3.2)."""

GEMINI_OPENAPI = Profile(
    name="gemini_openapi",
    target="gemini",
    keywords=_SHAPES
    | words(
        "title format minItems maxItems minLength maxLength minimum maximum pattern"
    ),
    hints=FORMAT_HINTS,
    admits={"enum": _all_texts},
    plain=True,
    shapeless=False,
    recursion="none",
)
"""``parameters`` of the Gemini API: its subset of OpenAPI 3.0, before it is spelt so."""

PROFILES = (
    OPENAI,
    OPENAI_LOOSE,
    OPENAI_AZURE,
    MCP,
    ANTHROPIC,
    ANTHROPIC_STRICT,
    GEMINI,
    GEMINI_OPENAPI,
)
"""Those that a project can ask for; the first of a target is the one it makes unless told."""


@cache
def output(profile: Profile) -> Profile:
    """Return ``profile`` for results: nobody fills them in, so no hint is needed."""
    if profile.plain and profile.target != "gemini":
        profile = OPENAI_LOOSE
    return replace(profile, hints={}, told=frozenset(), recursion="free")


def chosen(project: Project, target: str) -> tuple[Profile, ...]:
    """The profiles of ``target`` that ``project`` asks for, else the first of them."""
    own = [each for each in PROFILES if each.target == target]
    asked = [each for each in own if each.name in project.descriptors.profiles]
    return tuple(asked or own[:1])
