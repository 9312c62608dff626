"""Record what a projection leaves out, what replaces it, and its obstacles."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeAlias

from brimgen.emit.account import Loss, Recovery
from brimgen.emit.projection.describe_keywords import phrase
from brimgen.emit.projection.keywords import is_annotation, is_object, pointer_to
from brimgen.emit.projection.passes.cut_depth import MOST_TOKENS
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.projection.strict.limits import Counts, counted
from brimgen.frozen import dataclass, field
from brimgen.model.json import Json, JsonObject

BUDGET = "token_budget"
"""The keyword of a loss that says that all below its pointer was cut."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What a profile cannot express without refusing valid calls, and where."""

    pointer: str
    reason: str


@dataclass(frozen=True, slots=True)
class Projection:
    """A canonical schema as one profile expresses it.

    ``notes`` are phrases about the arguments as a whole; they belong into the description of the
    tool, because models are seldom shown that of the root. With ``obstacles`` the ``schema`` is
    not fit for use under this profile: it would refuse valid calls.
    """

    profile: Profile
    schema: JsonObject
    losses: tuple[Loss, ...]
    obstacles: tuple[Obstacle, ...]
    notes: tuple[str, ...]


_Noted: TypeAlias = tuple[
    Sequence[tuple[str, str, Json, str, Recovery]],
    Sequence[tuple[str, str]],
    Counts | None,
]
"""What is found on the way through an argument: of its losses the pointer, keyword, value, profile
and recovery, its obstacles, both with pointers that lead on from it, and what providers count.
"""
CachedArgument: TypeAlias = tuple[Json, Any, _Noted | None]
"""A schema, which stays itself as long as it is kept here; what a profile says of it, and notes."""


@dataclass(frozen=True, slots=True)
class ProjectionCache:
    """Cache of projections by the identity of schemas, which equal arguments share.

    ``plain`` are arguments that stay as they are when references are inlined. Many tools
    inherit the same argument, or have one in the same words. ``most_tokens`` is what the schema of
    one descriptor may take.
    """

    most_tokens: int = MOST_TOKENS
    profiles: dict[str, ProfileCache] = field(default_factory=dict[str, "ProfileCache"])
    plain: dict[int, Json] = field(default_factory=dict[int, Json])

    def of(self, profile: Profile) -> ProfileCache:
        """The projections of ``profile``."""
        profile_cache = self.profiles.get(profile.name)
        if profile_cache is None:
            profile_cache = self.profiles[profile.name] = ProfileCache()
        return profile_cache


@dataclass(frozen=True, slots=True)
class ProfileCache:
    """Projections to one profile: of required arguments, of optional ones, and of results,
    which are also cached by their text. ``settled`` are arguments that stay as they are.
    """

    required: dict[int, CachedArgument] = field(
        default_factory=dict[int, CachedArgument]
    )
    optional: dict[int, CachedArgument] = field(
        default_factory=dict[int, CachedArgument]
    )
    settled: dict[int, Json] = field(default_factory=dict[int, Json])
    results: dict[int | str, CachedResult] = field(
        default_factory=dict[int | str, "CachedResult"]
    )


CachedResult: TypeAlias = tuple[JsonObject, Projection, JsonObject]
"""The schema of a result, what is said of it, and the same in an object."""
_tuple: Any = tuple
_new: Callable[..., Loss] = _tuple.__new__
"""What `Loss` does itself, in a call the less: there are several of every tool."""
_ARGUMENT = "/properties/name"
"""Where an argument is said whose name is to come."""

ProjectArgument: TypeAlias = Callable[["Ledger", Json, str, bool], Any]


class Ledger:
    """The findings of one projection of one schema to one profile: ``part`` of a ``tool``.

    ``cache`` has what has been projected so far, of this tool and of others.
    """

    __slots__ = ("cache", "counts", "losses", "obstacles", "part", "profile", "tool")

    def __init__(
        self,
        profile: Profile,
        tool: str = "",
        part: str = "input",
        cache: ProjectionCache | None = None,
    ) -> None:
        self.profile = profile
        self.tool = tool
        self.part = part
        self.cache = cache
        self.losses: list[Loss] = []
        self.obstacles: list[Obstacle] = []
        self.counts: Counts | None = None

    @property
    def cached(self) -> ProfileCache:
        """The projections to the profile so far, of this tool and of others."""
        return (self.cache or ProjectionCache()).of(self.profile)

    def lose(
        self, pointer: str, keyword: str, value: Json, recovered_by: Recovery
    ) -> None:
        """Record that the profile does not carry ``keyword`` at ``pointer``."""
        profile = self.profile.name
        loss = self.tool, pointer, keyword, value, profile, recovered_by, self.part
        self.losses.append(_new(Loss, loss))

    def describe_loss(self, pointer: str, keyword: str, value: Json) -> tuple[str, ...]:
        """Record the loss of ``keyword``; return the phrase that replaces it, if there is one."""
        words = phrase(keyword, value)
        self.lose(pointer, keyword, value, _recovery(keyword, value, words))
        return () if words is None else (words,)

    def obstruct(self, pointer: str, reason: str) -> None:
        """Record that the profile cannot express what stands at ``pointer``."""
        self.obstacles.append(Obstacle(pointer, reason))

    def arguments(
        self,
        properties: JsonObject,
        optional: Collection[str],
        project: ProjectArgument,
    ) -> dict[str, Any]:
        """Project the arguments ``properties`` with ``project``; a schema that recurs is projected
        once.
        """
        required_cache, optional_cache = self.cached.required, self.cached.optional
        projected: dict[str, Any] = {}
        notes: list[tuple[str, _Noted]] = []
        for name, schema in properties.items():
            cache = optional_cache if name in optional else required_cache
            argument = cache.get(id(schema))
            if argument is None:
                argument = self._projected(schema, name in optional, project)
                cache[id(schema)] = argument
            _, projected[name], noted = argument
            if noted is not None:
                notes.append((name, noted))
        if notes:
            self._repeat(notes)
        return projected

    def _projected(
        self, schema: Json, optional: bool, project: ProjectArgument
    ) -> CachedArgument:
        """Project an argument with ``project``; any tool may have the same one."""
        own, limits = Ledger(self.profile), self.profile.limits
        projected = project(own, schema, _ARGUMENT, optional)
        counts = None if limits is None else counted(limits, projected, depth=2)
        if not own.losses and not own.obstacles and counts is None:
            return schema, projected, None
        start = len(_ARGUMENT)
        losses = [(loss[1][start:], *loss[2:6]) for loss in own.losses]
        obstacles = [
            (obstacle.pointer[start:], obstacle.reason) for obstacle in own.obstacles
        ]
        return schema, projected, (losses, obstacles, counts)

    def _repeat(self, notes: Sequence[tuple[str, _Noted]]) -> None:
        """Record what was found for cached arguments, at the pointers that they have by their
        names.
        """
        tool, part = self.tool, self.part
        self.losses += [
            _new(Loss, (tool, pointer + at, keyword, value, profile, recovery, part))
            for name, (losses, _, _) in notes
            for pointer in [pointer_to("/properties", name)]
            for at, keyword, value, profile, recovery in losses
        ]
        for name, (_, obstacles, counts) in notes:
            for at, reason in obstacles:
                self.obstruct(pointer_to("/properties", name) + at, reason)
            if counts is not None:
                self.counts = self.counts or Counts()
                self.counts.add(counts)

    def narrow_type(self, pointer: str) -> None:
        """Record that a schema without a type is narrowed to the one that its keywords are
        about.

        It accepts values of every other type, too, but for the arguments, which are an object.
        """
        if self.profile.closed and pointer:
            self.obstruct(
                pointer,
                "no type is said, so that values of every other type are allowed",
            )
        self.lose(pointer, "type", None, Recovery.NARROWED)


EXACT_DIGITS = 15
"""Digits that a JSON number keeps on its way through programs that read it as a float."""


def _recovery(keyword: str, value: Json, words: str | None) -> Recovery:
    if keyword == "x-decimal" and is_object(value):
        digits = value.get("precision")
        exact = not isinstance(digits, int) or digits <= EXACT_DIGITS
        return Recovery.TEXT if exact else Recovery.NONE
    if words is not None and keyword != "x-format":
        return Recovery.TEXT
    if keyword == "examples" and value:
        return Recovery.NONE
    return Recovery.ANNOTATION if is_annotation(keyword) else Recovery.DECODER
