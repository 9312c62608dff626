"""The ledger: what a projection left out, what says it instead, and what stood in its way."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from brimgen.emit.projection.keywords import ANNOTATIONS
from brimgen.emit.projection.phrases import phrase
from brimgen.emit.projection.profiles import Profile
from brimgen.model.json import Json, JsonObject


class Recovery(StrEnum):
    """What makes up for a keyword that a descriptor does not carry.

    ``TEXT``: the description says it, and the decoder enforces it. ``DECODER``: only the
    decoder enforces it. ``ANNOTATION``: it decides nothing and tells a caller nothing.
    ``NARROWED``: the descriptor admits less than the decoder, so nothing is to be recovered.
    ``NONE``: it is lost.
    """

    TEXT = "text"
    DECODER = "decoder"
    ANNOTATION = "annotation"
    NARROWED = "narrowed"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Loss:
    """One keyword of a canonical schema that a profile does not carry.

    ``pointer`` is the JSON Pointer of the schema that holds it, in the canonical schema with
    its references followed.
    """

    tool: str
    pointer: str
    keyword: str
    value: Json
    profile: str
    recovered_by: Recovery


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
    losses: list[Loss] = field(default_factory=list[Loss])
    obstacles: list[Obstacle] = field(default_factory=list[Obstacle])

    def lose(
        self, pointer: str, keyword: str, value: Json, recovered_by: Recovery
    ) -> None:
        """Note that the profile does not carry ``keyword`` at ``pointer``."""
        self.losses.append(
            Loss(self.tool, pointer, keyword, value, self.profile.name, recovered_by)
        )

    def told(self, pointer: str, keyword: str, value: Json) -> tuple[str, ...]:
        """Note the loss of ``keyword``, and give the phrase that says it, if there is one."""
        words = phrase(keyword, value)
        if words is not None:
            self.lose(pointer, keyword, value, Recovery.TEXT)
            return (words,)
        mute = keyword in ANNOTATIONS or keyword.startswith("x-")
        self.lose(
            pointer, keyword, value, Recovery.ANNOTATION if mute else Recovery.DECODER
        )
        return ()

    def obstruct(self, pointer: str, reason: str) -> None:
        """Note that the profile cannot say what stands at ``pointer``."""
        self.obstacles.append(Obstacle(pointer, reason))


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
