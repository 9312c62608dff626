"""The ledger: what a projection left out, what says it instead, and what stood in its way."""

from __future__ import annotations

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


class Lack(NamedTuple):
    """One keyword that a profile does not carry, the pointer of what holds it, and what makes up
    for it.
    """

    pointer: str
    keyword: str
    value: Json
    recovered_by: Recovery


class Saying(NamedTuple):
    """What a profile says of an argument, what was found on the way, and what of it providers
    count, if anything.
    """

    schema: dict[str, Any]
    lacks: list[Lack]
    obstacles: list[Obstacle]
    counts: Counts | None


ARGUMENT = "/properties/name"
"""Where an argument is said whose name is to come."""

Sayings: TypeAlias = dict[tuple[str, bool, str], Saying]
"""What is said of arguments: by profile, whether they are optional, and their schemas as text.

Many tools inherit the same argument, or have one in the same words.
"""


@dataclass(slots=True)
class Ledger:
    """What is found on the way through one schema for one profile."""

    profile: Profile
    sayings: Sayings = field(default_factory=Sayings)
    lacks: list[Lack] = field(default_factory=list[Lack])
    obstacles: list[Obstacle] = field(default_factory=list[Obstacle])
    counts: Counts = field(default_factory=Counts)

    def lose(
        self, pointer: str, keyword: str, value: Json, recovered_by: Recovery
    ) -> None:
        """Note that the profile does not carry ``keyword`` at ``pointer``."""
        self.lacks.append(Lack(pointer, keyword, value, recovered_by))

    def told(self, pointer: str, keyword: str, value: Json) -> tuple[str, ...]:
        """Note the loss of ``keyword``, and give the phrase that says it, if there is one."""
        words = phrase(keyword, value)
        self.lose(pointer, keyword, value, _recovery(keyword, value, words))
        return () if words is None else (words,)

    def obstruct(self, pointer: str, reason: str) -> None:
        """Note that the profile cannot say what stands at ``pointer``."""
        self.obstacles.append(Obstacle(pointer, reason))

    def saying(self, schema: dict[str, Any]) -> Saying:
        """What this ledger holds, ``schema`` being what was said of the argument."""
        limits = self.profile.limits
        counts = Counts() if limits is None else counted(limits, schema, depth=2)
        some = None if counts == Counts() else counts
        return Saying(schema, self.lacks, self.obstacles, some)

    def repeat(self, saying: Saying, name: str) -> None:
        """Note what was found for the argument ``name``."""
        if saying.counts is not None:
            self.counts.add(saying.counts)
        if saying.lacks or saying.obstacles:
            pointer = pointer_to("", "properties", name)
            for at, keyword, value, recovered_by in saying.lacks:
                place = pointer + at.removeprefix(ARGUMENT)
                self.lacks.append(Lack(place, keyword, value, recovered_by))
            for each in saying.obstacles:
                self.obstruct(
                    pointer + each.pointer.removeprefix(ARGUMENT), each.reason
                )

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
