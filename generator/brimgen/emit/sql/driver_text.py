"""The text of a statement for one driver, and what is bound to it."""

from __future__ import annotations

from brimgen.emit.code import Code
from brimgen.emit.sql.bound_values import Expansion, Slot
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True)
class DriverText:
    """The text for one driver, in pieces around expansions, and what is bound in which order.

    ``order`` has each slot once for dicts and numbered placeholders, once a use for the others.
    ``casts`` tells where a type was added: parameter, type. ``expansions`` are the lists that
    expand, in order of their places.
    """

    pieces: tuple[str | Expansion, ...]
    order: tuple[Slot, ...]
    casts: tuple[tuple[str, str], ...]
    expansions: tuple[Slot, ...]

    @property
    def text(self) -> str | None:
        """The whole text, where it is known at build time."""
        first = self.pieces[0]
        return first if len(self.pieces) == 1 and isinstance(first, str) else None

    @property
    def with_one_each(self) -> str:
        """The text with a list of one item in each place, for drivers that write ``?``."""
        return "".join(
            piece if isinstance(piece, str) else "(?)" for piece in self.pieces
        )

    @property
    def shown(self) -> Code:
        """The text for a reader: a list that expands as a comment in its brackets."""
        parts = [
            piece if isinstance(piece, str) else f"(/* each of {piece.slot.name} */)"
            for piece in self.pieces
        ]
        return Code("".join(parts))
