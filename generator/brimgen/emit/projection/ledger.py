"""The ledger: what a projection left out, what says it instead, and what stood in its way."""

from __future__ import annotations

from dataclasses import field

from brimgen.emit.account import Loss, Recovery
from brimgen.emit.projection.keywords import ANNOTATIONS, is_object
from brimgen.emit.projection.phrases import phrase
from brimgen.emit.projection.profiles import Profile
from brimgen.frozen import dataclass
from brimgen.model.json import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What a profile cannot say without refusing valid calls, and where."""

    pointer: str
    reason: str


@dataclass(slots=True)
class Ledger:
    """What is found on the way through one schema for one profile."""

    tool: str
    profile: Profile
    part: str = "input"
    losses: list[Loss] = field(default_factory=list[Loss])
    obstacles: list[Obstacle] = field(default_factory=list[Obstacle])

    def lose(
        self, pointer: str, keyword: str, value: Json, recovered_by: Recovery
    ) -> None:
        """Note that the profile does not carry ``keyword`` at ``pointer``."""
        name = self.profile.name
        self.losses.append(
            Loss(self.tool, pointer, keyword, value, name, recovered_by, self.part)
        )

    def told(self, pointer: str, keyword: str, value: Json) -> tuple[str, ...]:
        """Note the loss of ``keyword``, and give the phrase that says it, if there is one."""
        words = phrase(keyword, value)
        self.lose(pointer, keyword, value, _recovery(keyword, value, words))
        return () if words is None else (words,)

    def obstruct(self, pointer: str, reason: str) -> None:
        """Note that the profile cannot say what stands at ``pointer``."""
        self.obstacles.append(Obstacle(pointer, reason))

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
    mute = keyword in ANNOTATIONS or keyword.startswith("x-")
    return Recovery.ANNOTATION if mute else Recovery.DECODER
