"""A line of tokens, and the places where it may be broken."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import WIDTH
from brimgen.emit.python_text.marks import Mark
from brimgen.emit.python_text.tokens import Leaf

DOT_PRIORITY = 1


class Line:
    """Tokens on one line; ``is_inside`` says that they stand in brackets of an earlier line.

    ``delimiters`` are the places outside of its brackets where it may be broken, by the leaf before
    the break. ``explodes`` says that it is broken at its commas even where it would fit, and
    ``has_magic`` that a bracket in it is, for a comma that stands in it already. ``hidden`` are the
    parentheses that nobody has written, ``outer_hidden`` those of them that stand in no bracket.
    """

    __slots__ = (
        "delimiters",
        "explodes",
        "has_magic",
        "hidden",
        "indent",
        "is_inside",
        "leaves",
        "outer_hidden",
    )

    def __init__(
        self,
        leaves: Sequence[Leaf],
        indent: int,
        *,
        is_inside: bool = False,
        is_tracked: bool = False,
        tracked: frozenset[Leaf] | None = None,
    ) -> None:
        self.leaves = list(leaves)
        self.indent = indent
        self.is_inside = is_inside
        self.explodes = False
        self.has_magic = False
        self.delimiters: dict[Leaf, int] = {}
        self.hidden: list[Leaf] = []
        self.outer_hidden: list[Leaf] = []
        if is_tracked or is_inside or tracked:
            self._track(tracked)

    def _track(self, only: frozenset[Leaf] | None) -> None:
        depth = 0
        seen: set[Leaf] = set()
        previous: Leaf | None = None
        for at, leaf in enumerate(self.leaves):
            if only is not None and leaf not in only:
                continue
            mark = leaf.mark
            if mark is not None:
                if mark.closes:
                    if leaf.opening not in seen:
                        continue
                    depth -= 1
                if not leaf.value and (mark.opens or mark.closes):
                    self.hidden.append(leaf)
                    if depth == 0:
                        self.outer_hidden.append(leaf)
                if depth == 0 and mark.priority:
                    if mark.is_comma:
                        if leaf.value:
                            self.delimiters[leaf] = mark.priority
                    elif previous is not None and _may_break(mark, previous):
                        self.delimiters[previous] = mark.priority
                if mark.opens:
                    seen.add(leaf)
                    depth += 1
                if mark.closes and at and self._is_magic(at, leaf):
                    self.has_magic = True
            previous = leaf

    def _is_magic(self, at: int, closing: Leaf) -> bool:
        if not self.leaves[at - 1].is_comma:
            return False
        if closing.closes == "{":
            return True
        assert closing.mark is not None
        if closing.closes == "[":
            return closing.mark.is_display or not self.is_single(at, closing)
        return not self.is_single(at, closing)

    def is_single(self, at: int, closing: Leaf) -> bool:
        """Whether a bracket holds a single item with a comma.

        A call with one argument and a comma is no such thing: that comma counts.
        """
        assert closing.mark is not None
        if closing.closes == "(" and not closing.mark.is_display:
            return False
        commas = depth = 0
        for leaf in reversed(self.leaves[:at]):
            if leaf is closing.opening:
                break
            depth += bool(leaf.closes) - bool(leaf.opens)
            commas += leaf.is_comma and depth == 0
        return commas < 2

    @property
    def text(self) -> str:
        shown = "".join([leaf.prefix + leaf.value for leaf in self.leaves])
        return " " * self.indent + shown[len(self.leaves[0].prefix) :]

    @property
    def fits(self) -> bool:
        return len(self.text) <= WIDTH

    @property
    def is_def(self) -> bool:
        return any(
            leaf.mark is not None and leaf.mark.is_def for leaf in self.leaves[:2]
        )

    @property
    def highest(self) -> int:
        return max(self.delimiters.values(), default=0)

    def count(self, priority: int) -> int:
        return sum(1 for delimiter in self.delimiters.values() if delimiter == priority)

    def copy(self) -> Line:
        new = {leaf: Leaf(leaf.prefix, leaf.value, leaf.mark) for leaf in self.leaves}
        for old, leaf in new.items():
            leaf.opening = None if old.opening is None else new.get(old.opening)
        line = Line(
            list(new.values()), self.indent, is_inside=self.is_inside, is_tracked=True
        )
        line.explodes = self.explodes
        return line


def _may_break(mark: Mark, previous: Leaf) -> bool:
    return mark.priority != DOT_PRIORITY or bool(previous.closes)
