"""Record what a projection leaves out, what replaces it, and its obstacles."""

from __future__ import annotations

from brimgen.emit.account import Loss, Recovery
from brimgen.emit.projection.describe_keywords import phrase
from brimgen.emit.projection.profiles import Profile
from brimgen.frozen import dataclass
from brimgen.model.json import Json, JsonObject
from brimgen.schema.walk import is_annotation, is_object

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


class Ledger:
    """The findings of one projection of one schema to one profile: ``part`` of a ``tool``."""

    __slots__ = ("losses", "obstacles", "part", "profile", "tool")

    def __init__(self, profile: Profile, tool: str = "", part: str = "input") -> None:
        self.profile = profile
        self.tool = tool
        self.part = part
        self.losses: list[Loss] = []
        self.obstacles: list[Obstacle] = []

    def lose(
        self, pointer: str, keyword: str, value: Json, recovered_by: Recovery
    ) -> None:
        """Record that the profile does not carry ``keyword`` at ``pointer``."""
        name = self.profile.name
        self.losses.append(
            Loss(self.tool, pointer, keyword, value, name, recovered_by, self.part)
        )

    def describe_loss(self, pointer: str, keyword: str, value: Json) -> tuple[str, ...]:
        """Record the loss of ``keyword``; return the phrase that replaces it, if there is one."""
        words = phrase(keyword, value)
        self.lose(pointer, keyword, value, _recovery(keyword, value, words))
        return () if words is None else (words,)

    def obstruct(self, pointer: str, reason: str) -> None:
        """Record that the profile cannot express what stands at ``pointer``."""
        self.obstacles.append(Obstacle(pointer, reason))

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
