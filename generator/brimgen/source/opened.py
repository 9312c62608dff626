"""What the builder of a tree keeps of what is not read to its end: collections, anchors."""

from __future__ import annotations

from brimgen.frozen import dataclass
from brimgen.source.events import Event
from brimgen.source.nodes import Node


class Open:
    """A collection whose end has not come yet: where it begins, and its children so far.

    ``last`` is where the ``counted``-th child ends, an alias: what it repeats ends elsewhere.
    ``is_partial`` tells that a child was refused.
    """

    __slots__ = (
        "begin",
        "children",
        "counted",
        "event",
        "height",
        "is_map",
        "is_partial",
        "last",
        "size_before",
    )

    def __init__(
        self, event: Event, is_map: bool, size_before: int, begin: tuple[int, int]
    ) -> None:
        self.event = event
        self.is_map = is_map
        self.size_before = size_before
        self.begin = begin
        self.children: list[Node | None] = []
        self.counted = 0
        self.last = begin
        self.height = 0
        self.is_partial = False

    def end(self) -> tuple[int, int]:
        """(line, column) where its last child ends; of an empty one, where it begins."""
        count, children = self.counted, self.children
        if count < len(children):
            last = children[-1]
            assert last is not None
            return last.span[3:]
        return self.last


@dataclass(frozen=True, slots=True)
class Anchored:
    """What an alias repeats: a node, and what repeating it costs (None while it is open)."""

    node: Node | None
    size: int
    height: int
