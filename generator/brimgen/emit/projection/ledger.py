"""The ledger: what a projection left out, what says it instead, and what stood in its way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeAlias

from brimgen.emit.account import Loss, Recovery
from brimgen.emit.projection.keywords import is_annotation, is_object, pointer_to
from brimgen.emit.projection.limits import Counts, counted
from brimgen.emit.projection.phrases import phrase
from brimgen.emit.projection.profiles import Profile
from brimgen.frozen import dataclass, field
from brimgen.model.json import Json, JsonObject
from brimgen.named import NamedTuple


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


class Saying(NamedTuple):
    """What a profile says of a schema, what was found on the way, and what of it providers count,
    if anything. Pointers lead on from the schema; its ``source`` stays itself while it is kept.
    """

    source: Json
    schema: Any
    losses: Sequence[Loss]
    obstacles: Sequence[Obstacle]
    counts: Counts | None


@dataclass(frozen=True, slots=True)
class Sayings:
    """What has been said of arguments, by the identity of their schemas, which equal arguments
    share; and of results, by their profile and their schemas as text.

    Many tools inherit the same argument, or have one in the same words.
    """

    arguments: dict[str, _Said] = field(default_factory=dict[str, "_Said"])
    results: dict[tuple[str, str], Projection] = field(
        default_factory=dict[tuple[str, str], Projection]
    )

    def of(self, profile: Profile) -> _Said:
        """What ``profile`` says of required arguments, and of those that may be absent."""
        return self.arguments.setdefault(profile.name, ({}, {}))


_Said: TypeAlias = tuple[dict[int, Saying], dict[int, Saying]]
_ARGUMENT = "/properties/name"
"""Where an argument is said whose name is to come."""

Say: TypeAlias = Callable[["Ledger", Json, str, bool], Any]


@dataclass(slots=True)
class Ledger:
    """What is found on the way through one schema for one profile: ``part`` of a ``tool``.

    ``sayings`` are what has been said so far, of this tool and of others.
    """

    profile: Profile
    tool: str = ""
    part: str = "input"
    sayings: Sayings | None = None
    losses: list[Loss] = field(default_factory=list[Loss])
    obstacles: list[Obstacle] = field(default_factory=list[Obstacle])
    counts: Counts | None = None

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
        required, others = (self.sayings or Sayings()).of(self.profile)
        said: dict[str, Any] = {}
        for name, schema in properties.items():
            known = others if name in optional else required
            saying = known.get(id(schema))
            if saying is None:
                saying = self._saying(schema, name in optional, say)
                known[id(schema)] = saying
            _, said[name], losses, obstacles, counts = saying
            if losses or obstacles or counts:
                self._repeat(saying, pointer_to("/properties", name))
        return said

    def _saying(self, schema: Json, optional: bool, say: Say) -> Saying:
        """What ``say`` says of an argument, which any tool may have."""
        own, limits = Ledger(self.profile), self.profile.limits
        said = say(own, schema, _ARGUMENT, optional)
        counts = None if limits is None else counted(limits, said, depth=2)
        start = len(_ARGUMENT)
        losses = [Loss("", each.pointer[start:], *each[2:]) for each in own.losses]
        obstacles = [
            Obstacle(each.pointer[start:], each.reason) for each in own.obstacles
        ]
        return Saying(schema, said, losses, obstacles, counts)

    def _repeat(self, saying: Saying, pointer: str) -> None:
        """Note what was found for an argument, at the place that it has in this tool."""
        tool, part = self.tool, self.part
        self.losses += [
            Loss(tool, f"{pointer}{at}", keyword, value, profile, recovered_by, part)
            for _, at, keyword, value, profile, recovered_by, _ in saying.losses
        ]
        for each in saying.obstacles:
            self.obstruct(f"{pointer}{each.pointer}", each.reason)
        if saying.counts is not None:
            self.counts = self.counts or Counts()
            self.counts.add(saying.counts)

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
