"""Lay out a piece of Python as black would.

The rules are black's, in its order: a line that fits stays; the head of a function breaks at its
first bracket, another line at its last one; what stands in brackets breaks at its operators of the
highest priority. Parentheses that nobody has written may be made visible where they help.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from brimgen.emit.code import STEP, WIDTH, Code, fits
from brimgen.emit.python_text.line import DOT_PRIORITY, Line
from brimgen.emit.python_text.marks import COMMA, MAGIC
from brimgen.emit.python_text.pieces import SOLE, Piece
from brimgen.emit.python_text.splits import (
    COMMA_PRIORITY,
    CannotSplit,
    at_bracket,
    omissions,
    show,
    split_at,
)
from brimgen.emit.python_text.tokens import Leaf, leaves_of


def laid_out(text: Code, indent: int = 0, *, has_always: bool = False) -> Code:
    """Lay out a statement or an expression at column ``indent``; its first line is not
    indented.

    ``has_always`` says that it has the mark `ALWAYS`, so that it is broken although it fits.
    """
    if not isinstance(text, Piece) or (fits(text, indent) and not has_always):
        return text
    leaves = leaves_of(text)
    shown = _one_operand_a_line(leaves, indent) or _one_item_a_line(leaves, indent)
    if shown is not None:
        return Code(shown)
    lines = _transformed(Line(leaves, indent, is_tracked=True), forced=False)
    return Code("\n".join(line.text for line in lines).lstrip(" "))


def laid_out_item(text: Code, indent: int) -> Code:
    """Lay out an item that has its own line in brackets, with its comma (see `laid_out`)."""
    if not isinstance(text, Piece) or fits(text, indent + 1):
        return Code(f"{text},")
    leaves = leaves_of(text)
    leaves.append(Leaf("", COMMA.sign, COMMA))
    shown = _one_item_a_line(leaves, indent, is_inside=True)
    if shown is not None:
        return Code(shown)
    line = Line(leaves, indent, is_inside=True, is_tracked=True)
    lines = _transformed(line, forced=False)
    return Code("\n".join(line.text for line in lines).lstrip(" "))


def _one_operand_a_line(leaves: list[Leaf], indent: int) -> str | None:
    """Lay out a long condition or sum, ``if a and b:`` or ``x = a + b``: one operand a line.

    This is what the steps below make of a line whose last bracket is a pair of parentheses that
    nobody has written, around three operands or more; at a third of the cost. None for all else.
    """
    end = len(leaves) - 1
    while end > 0 and not leaves[end].closes:
        end -= 1
    opening = leaves[end].opening
    if opening is None or opening.value:
        return None
    start = leaves.index(opening)
    if any(leaf.opens or leaf.closes for leaf in leaves[:start]):
        return None
    body = leaves[start + 1 : end]
    breaks = _operators_outside_brackets(body)
    if breaks is None:
        return None
    head = f"{_joined(leaves[:start])}{opening.prefix}("
    tail = f"){_joined(leaves[end + 1 :])}"
    rows = [_joined(body)]
    inner = indent + STEP
    if inner + len(rows[0]) > WIDTH:
        ends = [*breaks, len(body)]
        starts = [0, *breaks]
        rows = [
            _joined(body[begin:stop]) for begin, stop in zip(starts, ends, strict=True)
        ]
    if indent + max(len(head), len(tail)) > WIDTH:
        return None
    if inner + max(map(len, rows)) > WIDTH:
        return None
    pad = " " * inner
    lines = "".join([f"{pad}{row}\n" for row in rows])
    return f"{head}\n{lines}{' ' * indent}{tail}"


def _operators_outside_brackets(leaves: list[Leaf]) -> list[int] | None:
    """Where the operators of the highest priority are, of which there are two or more.

    None where there are fewer, or where a comma or an unwritten bracket needs a closer look.
    """
    positions: list[int] = []
    highest = DOT_PRIORITY
    depth = 0
    for at, leaf in enumerate(leaves):
        mark = leaf.mark
        if mark is None:
            continue
        if mark.opens or mark.closes:
            if not leaf.value or (mark.closes and leaves[at - 1].is_comma):
                return None
            depth += 1 if mark.opens else -1
        elif mark.is_comma and depth == 0:
            return None
        elif depth == 0 and mark.priority >= highest:
            if mark.priority > highest:
                positions.clear()
            highest = mark.priority
            positions.append(at)
    return positions if highest > DOT_PRIORITY and len(positions) > 1 else None


def _one_item_a_line(
    leaves: list[Leaf], indent: int, *, is_inside: bool = False
) -> str | None:
    """Lay out a line whose only bracket outside of others is a call or a display: one item a line.

    This is what the steps below make of it where nothing else can be broken; at a fraction of the
    cost. None for all else. With ``is_inside``, the line stands in a bracket of an earlier one.
    """
    end = len(leaves) - 1
    while end > 0 and not (leaves[end].closes and leaves[end].value):
        end -= 1
    opening = leaves[end].opening
    if opening is None or not opening.value:
        return None
    start = leaves.index(opening)
    if not _is_plain(leaves[:start], leaves[end + 1 :], is_inside=is_inside):
        return None
    has_comma = leaves[end - 1].mark is MAGIC or leaves[end - 1].mark is SOLE
    body = leaves[start + 1 : end - has_comma]
    items = _items(body)
    if items is None or not (has_comma or len(items) > 1):
        return None
    head = _joined(leaves[: start + 1])
    tail = _joined(leaves[end:])
    if indent + max(len(head), len(tail)) > WIDTH:
        return None
    inner = indent + STEP
    rows: list[str] = []
    flat = _joined(body)
    is_display = opening.mark is not None and opening.mark.is_display
    if not has_comma and not is_display and inner + len(flat) <= WIDTH:
        rows, items = [flat], []
    for item in items:
        row = f"{_joined(item)},"
        if inner + len(row) > WIDTH:
            comma = Leaf("", COMMA.sign, COMMA)
            broken = _one_item_a_line([*item, comma], inner, is_inside=True)
            if broken is None:
                return None
            row = broken
        rows.append(row)
    pad = f"\n{' ' * inner}"
    return f"{head}{pad}{pad.join(rows)}\n{' ' * indent}{tail}"


def _is_plain(head: list[Leaf], tail: list[Leaf], *, is_inside: bool) -> bool:
    """Whether a line may be broken at nothing but the bracket between ``head`` and ``tail``.

    Unwritten parentheses around all of it do not matter: they stay unwritten.
    """
    hidden = 0
    for leaf in head:
        mark = leaf.mark
        if mark is None:
            continue
        if leaf.closes or mark.is_def or mark.priority > DOT_PRIORITY:
            return False
        if leaf.opens:
            if leaf.value or is_inside:
                return False
            hidden += 1
    if is_inside:
        tail = tail[:-1]
    return hidden < 2 and all(
        leaf.mark is None or not leaf.mark.priority for leaf in tail
    )


def _items(leaves: list[Leaf]) -> list[list[Leaf]] | None:
    """The items that commas separate; None where a bracket in them is broken in any case."""
    items: list[list[Leaf]] = [[]]
    depth = 0
    previous: Leaf | None = None
    for leaf in leaves:
        mark = leaf.mark
        if mark is not None:
            if (
                mark.closes
                and previous is not None
                and previous.is_comma
                and previous.mark is not SOLE
            ):
                return None
            depth += bool(mark.opens) - bool(mark.closes)
            if depth == 0 and mark.priority > COMMA_PRIORITY:
                return None
            if mark.is_comma and depth == 0:
                items.append([])
                previous = leaf
                continue
        items[-1].append(leaf)
        previous = leaf
    return items if all(items) else None


def _joined(leaves: list[Leaf]) -> str:
    """The text of leaves, without what stands before the first one."""
    text = "".join([leaf.prefix + leaf.value for leaf in leaves])
    return text[len(leaves[0].prefix) :] if leaves else text


_Splitter: TypeAlias = Callable[[Line, bool], list[Line]]


def _transformed(line: Line, *, forced: bool) -> list[Line]:
    if not line.explodes and not line.has_magic and line.fits:
        return [line]
    splitters: tuple[_Splitter, ...]
    if line.is_def:
        splitters = (_at_first_bracket,)
    elif line.is_inside:
        splitters = (_at_delimiters, _at_last_brackets)
    else:
        splitters = (_at_last_brackets,)
    for splitter in splitters:
        try:
            return _run(line, splitter, forced=forced)
        except CannotSplit:
            continue
    return [line]


def _run(line: Line, splitter: _Splitter, *, forced: bool) -> list[Line]:
    flat = line.text
    prefixes = [leaf.prefix for leaf in line.leaves] if line.hidden else []
    result: list[Line] = []
    for part in splitter(line, forced):
        if part.indent == line.indent and part.text == flat:
            raise CannotSplit
        result += _transformed(part, forced=forced)
    if (
        forced
        or splitter is not _at_last_brackets
        or not line.hidden
        or any(leaf.value for leaf in line.outer_hidden)
        or result[0].fits
    ):
        return result
    for leaf, prefix in zip(line.leaves, prefixes, strict=True):
        leaf.prefix = (
            prefix  # the first way may have put the leaf at the start of a line
        )
    second = _run(line.copy(), splitter, forced=True)
    return second if all(part.fits for part in second) else result


def _at_first_bracket(line: Line, _forced: bool) -> list[Line]:
    head: list[Leaf] = []
    body: list[Leaf] = []
    tail: list[Leaf] = []
    current = head
    opening: Leaf | None = None
    for leaf in line.leaves:
        if current is body and leaf.closes and leaf.opening is opening:
            assert opening is not None
            show(leaf)
            show(opening)
            current = tail if body else head
        current.append(leaf)
        if current is head and leaf.opens == "(":
            opening = leaf
            current = body
    if opening is None or not tail:
        raise CannotSplit
    return split_at(line, head, body, tail, opening).lines


def _at_delimiters(line: Line, _forced: bool) -> list[Line]:
    last = line.leaves[-1]
    priorities = [
        delimiter for leaf, delimiter in line.delimiters.items() if leaf is not last
    ]
    if not priorities:
        raise CannotSplit
    priority = max(priorities)
    if priority == DOT_PRIORITY and line.count(DOT_PRIORITY) == 1:
        raise CannotSplit
    groups: list[list[Leaf]] = [[]]
    for leaf in line.leaves:
        groups[-1].append(leaf)
        if line.delimiters.get(leaf) == priority:
            groups.append([])
    groups = [group for group in groups if group]
    if priority == COMMA_PRIORITY and not groups[-1][-1].is_comma:
        groups[-1].append(Leaf("", COMMA.sign, COMMA))
    for group in groups:
        group[0].prefix = ""
    return [Line(group, line.indent, is_inside=True) for group in groups]


def _at_last_brackets(line: Line, forced: bool) -> list[Line]:
    first: list[Line] | None = None
    starts: dict[Leaf, int] = {}
    column = line.indent
    for leaf in line.leaves:
        starts[leaf] = column
        column += leaf.length
    for omitted in omissions(line):
        if omitted:
            target = next(
                (
                    leaf.opening
                    for leaf in reversed(line.leaves)
                    if leaf.closes and leaf not in omitted
                ),
                None,
            )
            if target is not None and target.value and starts.get(target, 0) > WIDTH:
                continue
        lines = at_bracket(line, forced, omitted)
        if first is None and not omitted:
            first = lines
        if lines[0].fits:
            return lines
    return first if first is not None else at_bracket(line, forced, frozenset())
