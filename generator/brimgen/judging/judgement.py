"""What is known of whether a schema accepts a value."""

from __future__ import annotations

from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a schema accepts a value; None if that cannot be decided. ``why`` says why not."""

    accepts: bool | None
    why: str = ""
