"""Lay out a piece of Python as black would.

The rules are black's, in its order: a line that fits stays; the head of a function breaks at its
first bracket, another line at its last one; what stands in brackets breaks at its operators of the
highest priority. Parentheses that nobody has written may be made visible where they help.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from brimgen.emit.code import WIDTH, Code, fits
from brimgen.emit.python_text.line import DOT_PRIORITY, Line
from brimgen.emit.python_text.marks import COMMA
from brimgen.emit.python_text.pieces import Piece
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
    lines = _transformed(Line(leaves_of(text), indent, is_tracked=True), forced=False)
    return Code("\n".join(line.text for line in lines).lstrip(" "))


def laid_out_item(text: Code, indent: int) -> Code:
    """Lay out an item that has its own line in brackets, with its comma (see `laid_out`)."""
    if not isinstance(text, Piece) or fits(text, indent + 1):
        return Code(f"{text},")
    leaves = leaves_of(text)
    leaves.append(Leaf("", COMMA.sign, COMMA))
    line = Line(leaves, indent, is_inside=True, is_tracked=True)
    lines = _transformed(line, forced=False)
    return Code("\n".join(each.text for each in lines).lstrip(" "))


_Way: TypeAlias = Callable[[Line, bool], list[Line]]


def _transformed(line: Line, *, forced: bool) -> list[Line]:
    if not line.explodes and not line.has_magic and line.fits:
        return [line]
    ways: tuple[_Way, ...]
    if line.is_def:
        ways = (_at_first_bracket,)
    elif line.is_inside:
        ways = (_at_delimiters, _at_last_brackets)
    else:
        ways = (_at_last_brackets,)
    for way in ways:
        try:
            return _run(line, way, forced=forced)
        except CannotSplit:
            continue
    return [line]


def _run(line: Line, way: _Way, *, forced: bool) -> list[Line]:
    flat = line.text
    prefixes = [each.prefix for each in line.leaves] if line.hidden else []
    result: list[Line] = []
    for each in way(line, forced):
        if each.indent == line.indent and each.text == flat:
            raise CannotSplit
        result += _transformed(each, forced=forced)
    if (
        forced
        or way is not _at_last_brackets
        or not line.hidden
        or any(each.value for each in line.outer_hidden)
        or result[0].fits
    ):
        return result
    for leaf, prefix in zip(line.leaves, prefixes, strict=True):
        leaf.prefix = (
            prefix  # the first way may have put the leaf at the start of a line
        )
    second = _run(line.copy(), way, forced=True)
    return second if all(each.fits for each in second) else result


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
    others = [each for leaf, each in line.delimiters.items() if leaf is not last]
    if not others:
        raise CannotSplit
    priority = max(others)
    if priority == DOT_PRIORITY and line.count(DOT_PRIORITY) == 1:
        raise CannotSplit
    groups: list[list[Leaf]] = [[]]
    for leaf in line.leaves:
        groups[-1].append(leaf)
        if line.delimiters.get(leaf) == priority:
            groups.append([])
    groups = [each for each in groups if each]
    if priority == COMMA_PRIORITY and not groups[-1][-1].is_comma:
        groups[-1].append(Leaf("", COMMA.sign, COMMA))
    for group in groups:
        group[0].prefix = ""
    return [Line(each, line.indent, is_inside=True) for each in groups]


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
                    each.opening
                    for each in reversed(line.leaves)
                    if each.closes and each not in omitted
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
