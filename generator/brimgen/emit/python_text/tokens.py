"""Split a piece into the tokens of its line."""

from __future__ import annotations

from brimgen.emit.python_text.marks import Mark
from brimgen.emit.python_text.pieces import Piece


class Leaf:
    """A token: the text before it, its own text, and its mark if it is one.

    ``opens`` and ``closes`` are those of the mark, ``opening`` the bracket that it closes.
    """

    __slots__ = ("closes", "mark", "opening", "opens", "prefix", "value")

    def __init__(self, prefix: str, value: str, mark: Mark | None) -> None:
        self.prefix = prefix
        self.value = value
        self.mark = mark
        self.opening: Leaf | None = None
        self.opens = "" if mark is None else mark.opens
        self.closes = "" if mark is None else mark.closes

    @property
    def is_comma(self) -> bool:
        return self.mark is not None and self.mark.is_comma and bool(self.value)

    @property
    def is_equal(self) -> bool:
        return self.mark is not None and self.mark.is_equal

    @property
    def length(self) -> int:
        return len(self.prefix) + len(self.value)


def leaves_of(text: Piece) -> list[Leaf]:
    leaves: list[Leaf] = []
    pending: list[str] = [text]
    is_spaced = False
    while pending:
        part = pending.pop()
        if isinstance(part, Piece):
            pending.extend(reversed(part.parts))
            continue
        mark = part if isinstance(part, Mark) else None
        if mark is None:
            leaf = Leaf(" " if is_spaced else "", part, None)
            is_spaced = False
        else:
            prefix = " " if is_spaced or mark.spaced else ""
            leaf = Leaf(prefix, mark.sign, mark)
            is_spaced = mark.trailed
        leaves.append(leaf)
    return _paired(leaves)


def _paired(leaves: list[Leaf]) -> list[Leaf]:
    """Match each closing bracket to its opening one; nested parentheses count as one pair."""
    dropped: set[int] = set()
    open: list[int] = []
    closed: dict[int, int] = {}
    for at, leaf in enumerate(leaves):
        if leaf.opens:
            open.append(at)
        elif leaf.closes:
            start = open.pop()
            leaf.opening = leaves[start]
            closed[start] = at
    for start, end in closed.items():
        if leaves[start].value or not start or leaves[start - 1].opens != "(":
            continue
        if closed.get(start - 1) == end + 1:
            leaves[start + 1].prefix = leaves[start].prefix or leaves[start + 1].prefix
            dropped |= {start, end}
    if not dropped:
        return leaves
    return [leaf for at, leaf in enumerate(leaves) if at not in dropped]
