"""Describe what each provider's descriptors can hold, one row per profile."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from brimgen.frozen import dataclass, field, replace
from brimgen.model.json import Json
from brimgen.model.project import Project
from brimgen.schema.walk import STANDARD, words

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
    ``admits`` has a test for values of further keywords. ``hints`` are formats, and
    ``also_described`` keywords, that are carried and described in words as well.

    A ``plain`` profile is built of few shapes: one type, or ``anyOf``, or a reference. With
    ``untyped`` it may also say nothing of a type, with ``shapeless`` have objects without
    properties. ``closed``: every object is. ``all_required``: every property is, and null where
    it would be absent. ``recursion`` is ``free``, ``optional`` (not through required properties)
    or ``none``; ``case_blind``: it does not hold a model to the case of an enum.
    ``plain_results``: what a tool returns is said in as few shapes as its arguments.
    """

    name: str
    target: str
    keywords: frozenset[str]
    formats: frozenset[str] | None = None
    hints: Mapping[str, str] = field(default_factory=dict[str, str])
    also_described: frozenset[str] = frozenset()
    admits: Mapping[str, Test] = field(default_factory=dict[str, Test])
    plain: bool = False
    untyped: bool = False
    shapeless: bool = True
    closed: bool = False
    all_required: bool = False
    recursion: str = "free"
    case_blind: bool = False
    plain_results: bool = False
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


SHAPES = words("type description enum anyOf properties required items")
BOUNDS = words("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf")
SILENT = words(
    "$schema $id $anchor $dynamicAnchor $vocabulary $comment readOnly writeOnly"
)
FORMATS = words("date-time time date duration email hostname ipv4 ipv6 uuid")
OPEN_KEYWORDS = STANDARD - SILENT
"""What a profile carries that is free in how it says a schema."""


@cache
def output(profile: Profile) -> Profile:
    """Return ``profile`` for results: nobody fills them in, so no hint is needed."""
    if profile.plain and not profile.plain_results:
        return Profile(name=profile.name, target=profile.target, keywords=OPEN_KEYWORDS)
    return replace(profile, hints={}, also_described=frozenset())


def chosen(project: Project, profiles: Sequence[Profile]) -> Sequence[Profile]:
    """Those of a target's ``profiles`` that ``project`` asks for, else the first of them."""
    asked = [
        profile for profile in profiles if profile.name in project.descriptors.profiles
    ]
    return asked or profiles[:1]


_LOOK_AROUND = re.compile(r"(?<!\\)(?:\\\\)*\(\?<?[=!]")
_BACK_REFERENCE = re.compile(r"(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)")
_WORD_BOUNDARY = re.compile(r"(?<!\\)(?:\\\\)*\\[bB]")


def has_look_around(pattern: str) -> bool:
    """Whether ``pattern`` looks ahead or behind, which strict modes refuse (descriptors.md)."""
    return bool(_LOOK_AROUND.search(pattern))


def is_simple(pattern: str) -> bool:
    """Whether a plain automaton can follow ``pattern``: no look-around, no reference back to a
    group, no word boundary (descriptors.md).
    """
    hard = (_LOOK_AROUND, _BACK_REFERENCE, _WORD_BOUNDARY)
    return not any(construct.search(pattern) for construct in hard)
