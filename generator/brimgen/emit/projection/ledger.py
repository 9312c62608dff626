"""The ledger: what a projection left out, what says it instead, and what stood in its way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeAlias

from brimgen.emit.account import Loss, Recovery
from brimgen.emit.projection.keywords import is_annotation, is_object, pointer_to
from brimgen.emit.projection.limits import Counts, counted
from brimgen.emit.projection.phrases import phrase
from brimgen.emit.projection.profiles import Profile
from brimgen.frozen import dataclass, field
from brimgen.model.json import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What a profile cannot say without refusing valid calls, and where."""

    pointer: str
    reason: str


@dataclass(frozen=True, slots=True)
class Projection:
    """A canonical schema as one profile says it.

    ``notes`` are phrases about the arguments as a whole; they belong into the description of the
    tool, because models are seldom shown that of the root. With ``obstacles`` the ``schema`` is
    not fit for use under this profile: it would refuse valid calls.
    """

    profile: Profile
    schema: JsonObject
    losses: tuple[Loss, ...]
    obstacles: tuple[Obstacle, ...]
    notes: tuple[str, ...]


Saying: TypeAlias = tuple[
    Json, Any, Sequence[Loss], Sequence[Obstacle], "Counts | None"
]
"""A schema, which stays itself as long as it is kept here; what a profile says of it, what was
found on the way, at pointers that lead on from `_ARGUMENT`, and what of it providers count.
"""


@dataclass(frozen=True, slots=True)
class Sayings:
    """What has been said of arguments and results, by the identity of their schemas, which equal
    arguments share. ``plain`` are arguments that stay as they are when references are put in place.

    Many tools inherit the same argument, or have one in the same words.
    """

    profiles: dict[str, Said] = field(default_factory=dict[str, "Said"])
    plain: dict[int, Json] = field(default_factory=dict[int, Json])

    def of(self, profile: Profile) -> Said:
        """What ``profile`` has said."""
        known = self.profiles.get(profile.name)
        if known is None:
            known = self.profiles[profile.name] = Said()
        return known


@dataclass(frozen=True, slots=True)
class Said:
    """What one profile has said: of arguments that are required, of those that may be absent, and
    of results, these by their text, too. ``settled`` are arguments that are said as they are.
    """

    required: dict[int, Saying] = field(default_factory=dict[int, Saying])
    optional: dict[int, Saying] = field(default_factory=dict[int, Saying])
    settled: dict[int, Json] = field(default_factory=dict[int, Json])
    results: dict[int | str, SaidResult] = field(
        default_factory=dict[int | str, "SaidResult"]
    )


SaidResult: TypeAlias = tuple[JsonObject, Projection, JsonObject]
"""The schema of a result, what is said of it, and the same in an object."""
_tuple: Any = tuple
_new: Callable[..., Loss] = _tuple.__new__
"""What `Loss` does itself, in a call the less: there are several of every tool."""
_ARGUMENT = "/properties/name"
"""Where an argument is said whose name is to come."""

Say: TypeAlias = Callable[["Ledger", Json, str, bool], Any]


class Ledger:
    """What is found on the way through one schema for one profile: ``part`` of a ``tool``.

    ``sayings`` are what has been said so far, of this tool and of others.
    """

    __slots__ = ("counts", "losses", "obstacles", "part", "profile", "sayings", "tool")

    def __init__(
        self,
        profile: Profile,
        tool: str = "",
        part: str = "input",
        sayings: Sayings | None = None,
    ) -> None:
        self.profile = profile
        self.tool = tool
        self.part = part
        self.sayings = sayings
        self.losses: list[Loss] = []
        self.obstacles: list[Obstacle] = []
        self.counts: Counts | None = None

    @property
    def said(self) -> Said:
        """What the profile has said so far, of this tool and of others."""
        return (self.sayings or Sayings()).of(self.profile)

    def lose(
        self, pointer: str, keyword: str, value: Json, recovered_by: Recovery
    ) -> None:
        """Note that the profile does not carry ``keyword`` at ``pointer``."""
        profile = self.profile.name
        self.losses.append(
            Loss(self.tool, pointer, keyword, value, profile, recovered_by, self.part)
        )

    def told(self, pointer: str, keyword: str, value: Json) -> tuple[str, ...]:
        """Note the loss of ``keyword``, and give the phrase that says it, if there is one."""
        words = phrase(keyword, value)
        self.lose(pointer, keyword, value, _recovery(keyword, value, words))
        return () if words is None else (words,)

    def obstruct(self, pointer: str, reason: str) -> None:
        """Note that the profile cannot say what stands at ``pointer``."""
        self.obstacles.append(Obstacle(pointer, reason))

    def arguments(
        self, properties: JsonObject, optional: Collection[str], say: Say
    ) -> dict[str, Any]:
        """The arguments ``properties`` as ``say`` says them; a schema that recurs is said once."""
        before = self.said
        said: dict[str, Any] = {}
        for name, schema in properties.items():
            known = before.optional if name in optional else before.required
            saying = known.get(id(schema))
            if saying is None:
                saying = self._saying(schema, name in optional, say)
                known[id(schema)] = saying
            _, said[name], losses, obstacles, counts = saying
            if losses or obstacles:
                self._repeat(losses, obstacles, pointer_to("/properties", name))
            if counts is not None:
                self.counts = self.counts or Counts()
                self.counts.add(counts)
        return said

    def _saying(self, schema: Json, optional: bool, say: Say) -> Saying:
        """What ``say`` says of an argument, which any tool may have."""
        own, limits = Ledger(self.profile), self.profile.limits
        said = say(own, schema, _ARGUMENT, optional)
        counts = None if limits is None else counted(limits, said, depth=2)
        return schema, said, own.losses, own.obstacles, counts

    def _repeat(
        self, losses: Iterable[Loss], obstacles: Iterable[Obstacle], pointer: str
    ) -> None:
        """Note what was found for an argument, at the ``pointer`` that it has in this tool."""
        tool, part, start = self.tool, self.part, len(_ARGUMENT)
        self.losses += [
            _new(
                Loss,
                (tool, pointer + at[start:], keyword, value, profile, recovery, part),
            )
            for _, at, keyword, value, profile, recovery, _ in losses
        ]
        for each in obstacles:
            self.obstruct(pointer + each.pointer[start:], each.reason)

    def narrow_type(self, pointer: str) -> None:
        """Note that what says no type is said to have the one that its keywords are about.

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
    if words is not None:
        return Recovery.TEXT
    if keyword == "examples" and value:
        return Recovery.NONE
    return Recovery.ANNOTATION if is_annotation(keyword) else Recovery.DECODER
