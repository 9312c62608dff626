"""Split a line at a bracket, and choose the bracket as black does."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.emit.code import STEP, WIDTH
from brimgen.emit.python_text.line import DOT_PRIORITY, Line
from brimgen.emit.python_text.marks import COMMA, MAGIC
from brimgen.emit.python_text.tokens import Leaf

COMMA_PRIORITY = 18


class CannotSplit(Exception):
    """A line has no place to break it in the requested way."""


def show(leaf: Leaf) -> None:
    if not leaf.value:
        leaf.value = "(" if leaf.opens else ")"


class Split:
    """A line in three parts: up to a bracket, its contents, and from its end."""

    __slots__ = ("body", "closing", "head", "opening", "tail")

    def __init__(
        self,
        head: Line,
        body: Line,
        tail: Line,
        opening: Leaf,
        closing: Leaf,
    ) -> None:
        self.head = head
        self.body = body
        self.tail = tail
        self.opening = opening
        self.closing = closing

    @property
    def lines(self) -> list[Line]:
        return [line for line in (self.head, self.body, self.tail) if line.leaves]


def split_at(
    line: Line,
    head: list[Leaf],
    body: list[Leaf],
    tail: list[Leaf],
    opening: Leaf,
) -> Split:
    if body and body[-1].mark is MAGIC:
        body = [*body[:-1], Leaf("", COMMA.sign, COMMA)]
    elif body and _needs_comma(line, body, opening):
        body = [*body, Leaf("", COMMA.sign, COMMA)]
    split = Split(
        Line(head, line.indent, tracked=_matched(head)),
        Line(body, line.indent + STEP, is_inside=True),
        Line(tail, line.indent),
        opening,
        tail[0],
    )
    split.body.explodes = _explodes(split.body, opening)
    if not body:
        length = sum(leaf.length for leaf in tail)
        if length < 3:
            raise CannotSplit
    return split


def _needs_comma(line: Line, body: list[Leaf], opening: Leaf) -> bool:
    assert opening.mark is not None
    if not line.is_def or opening.mark.is_result or opening.opens != "(":
        return False
    depth = 0
    for leaf in body:
        if leaf.closes:
            depth -= 1
        if leaf.is_comma and depth == 0:
            return False
        if leaf.opens:
            depth += 1
    return True


def _matched(leaves: list[Leaf]) -> frozenset[Leaf]:
    """Return the leaves in brackets whose both ends are in ``leaves``, with these."""
    matched: set[Leaf] = set()
    open: list[list[Leaf]] = []
    for leaf in leaves:
        if leaf.opens:
            open.append([leaf])
        elif leaf.closes:
            if not open or open[-1][0] is not leaf.opening:
                if open:
                    break
                continue
            matched.update(open.pop(), [leaf])
        elif open:
            open[-1].append(leaf)
    return frozenset(matched)


def _explodes(body: Line, opening: Leaf) -> bool:
    if not body.leaves:
        return False
    last = body.leaves[-1]
    has_comma = last.is_comma
    priorities = [
        delimiter
        for leaf, delimiter in body.delimiters.items()
        if leaf is not last or not has_comma
    ]
    assert opening.mark is not None
    if max(priorities, default=0) != COMMA_PRIORITY:
        return False
    return has_comma or opening.mark.is_display


def omissions(line: Line) -> Iterator[frozenset[Leaf]]:
    """Yield the closing brackets at the end of a line to be passed over, from none to more and
    more.
    """
    omitted: set[Leaf] = set()
    if not line.has_magic:
        yield frozenset()
    length = line.indent
    opening: Leaf | None = None
    closing: Leaf | None = None
    inner: set[Leaf] = set()
    leaves = line.leaves
    for at in range(len(leaves) - 1, -1, -1):
        leaf = leaves[at]
        length += leaf.length
        if length > WIDTH:
            return
        previous = leaves[at - 1] if at else None
        if opening is not None:
            if leaf is opening:
                opening = None
            elif leaf.closes:
                if previous is not None and _keeps(line, at, leaf, previous):
                    return
                inner.add(leaf)
        elif leaf.closes:
            if previous is not None and previous.opens:
                inner.add(leaf)
                continue
            if closing is not None:
                omitted.add(closing)
                omitted |= inner
                inner.clear()
                yield frozenset(omitted)
            if previous is not None and _keeps(line, at, leaf, previous):
                return
            if leaf.value:
                opening = leaf.opening
                closing = leaf


def _keeps(line: Line, at: int, closing: Leaf, previous: Leaf) -> bool:
    """Whether a bracket has a comma at its end, and is not a tuple of one item."""
    if not previous.is_comma or closing.opening not in line.leaves:
        return False
    return closing.closes != "(" or not line.is_single(at, closing)


def at_bracket(line: Line, forced: bool, omitted: frozenset[Leaf]) -> list[Line]:
    return _without_parentheses(_last_split(line, omitted), line, forced, omitted)


def _last_split(line: Line, omitted: frozenset[Leaf]) -> Split:
    head: list[Leaf] = []
    body: list[Leaf] = []
    tail: list[Leaf] = []
    current = tail
    opening: Leaf | None = None
    for leaf in reversed(line.leaves):
        if current is body and leaf is opening:
            current = head if body else tail
        current.append(leaf)
        if current is tail and leaf.closes and leaf not in omitted:
            opening = leaf.opening
            current = body
    if opening is None or not head:
        raise CannotSplit
    tail.reverse()
    body.reverse()
    head.reverse()
    return split_at(line, head, body, tail, opening)


def _without_parentheses(
    split: Split, line: Line, forced: bool, omitted: frozenset[Leaf]
) -> list[Line]:
    """Return the lines of a split, at an earlier bracket if it needs no visible parentheses."""
    if (
        not forced
        and not split.opening.value
        and not split.closing.value
        and _may_omit(split)
    ):
        more = omitted | {split.closing}
        try:
            earlier = _last_split(line, more)
            if _is_preferred(earlier, split):
                return _without_parentheses(earlier, line, forced, more)
        except CannotSplit:
            if len(split.body.leaves) < 2 and not split.body.fits:
                raise
    show(split.opening)
    show(split.closing)
    return split.lines


def _is_preferred(earlier: Split, split: Split) -> bool:
    """Whether a split without parentheses is better than one with them."""
    head = split.head.leaves
    if len(head) < 2 or not head[-2].is_equal:
        return True
    if not any(leaf.opens or leaf.closes for leaf in head[:-1]):
        return True
    if len(split.head.text) > WIDTH - 1:
        return True
    if split.head.has_magic:
        return True
    equals = sum(1 for leaf in head if leaf.is_equal)
    if 1 < equals > sum(1 for leaf in earlier.head.leaves if leaf.is_equal):
        return False
    for leaf in reversed(earlier.head.leaves):
        if leaf.is_equal:
            break
        if leaf.closes:
            return True
    return any(leaf.is_equal for leaf in earlier.head.leaves) and earlier.head.fits


def _may_omit(split: Split) -> bool:
    line = split.body
    if not line.delimiters:
        return True
    highest = line.highest
    if line.count(highest) > 1:
        return False
    if highest == DOT_PRIORITY:
        return True
    first, second = line.leaves[:2]
    if first.opens and not second.closes and _may_omit_opening(line, first):
        return True
    before, last = line.leaves[-2:]
    if last.closes and (
        last.closes != "[" or (last.mark is not None and last.mark.is_display)
    ):
        return not before.opens and _may_omit_closing(line, last)
    return False


def _may_omit_opening(line: Line, first: Leaf) -> bool:
    remains = False
    length = line.indent
    for leaf in line.leaves:
        if leaf.closes and leaf.opening is first:
            remains = True
        if remains:
            length += leaf.length
            if length > WIDTH:
                return False
            if leaf.opens:
                remains = False
    return True


def _may_omit_closing(line: Line, last: Leaf) -> bool:
    length = line.indent
    seen = False
    for leaf in line.leaves:
        length += leaf.length
        if leaf is last.opening:
            if seen or length <= WIDTH:
                return True
        elif leaf.opens:
            seen = True
    return False
