"""Operators, brackets and keywords: the tokens between names and literals."""

from __future__ import annotations

from typing import Final


class Mark(str):
    """An operator, bracket or keyword, with the spaces around it and what the layout knows of
    it.

    ``sign`` is the mark without its spaces; ``priority`` how gladly black breaks a line ahead of it
    (behind it where it is a comma): 0 for never. ``opens`` and ``closes`` say which bracket it is,
    ``is_display`` that the bracket is no call and no subscript.
    """

    __slots__ = (
        "closes",
        "is_comma",
        "is_def",
        "is_display",
        "is_equal",
        "is_result",
        "opens",
        "priority",
        "sign",
        "spaced",
        "trailed",
    )
    sign: str
    spaced: bool
    trailed: bool
    priority: int
    opens: str
    closes: str
    is_comma: bool
    is_def: bool
    is_display: bool
    is_equal: bool
    is_result: bool


def operator(
    sign: str,
    before: str,
    after: str,
    priority: int,
    *,
    is_comma: bool = False,
    is_equal: bool = False,
) -> Mark:
    """Return a mark that is no bracket; ``before`` and ``after`` are a space or nothing."""
    mark = Mark(f"{before}{sign}{after}")
    mark.sign, mark.priority = sign, priority
    mark.spaced, mark.trailed = bool(before), bool(after)
    mark.opens = mark.closes = ""
    mark.is_comma, mark.is_equal = is_comma, is_equal
    mark.is_def = mark.is_display = mark.is_result = False
    return mark


def word(sign: str) -> Mark:
    """A keyword that begins a statement or an expression."""
    return operator(sign, "", " ", 0)


def _bracket(sign: str, *, opens: str = "", closes: str = "", display: bool) -> Mark:
    bracket = operator(sign, "", "", 0)
    bracket.opens, bracket.closes, bracket.is_display = opens, closes, display
    return bracket


COMMA: Final = operator(",", "", " ", 18, is_comma=True)
MAGIC: Final = operator("", "", "", 18, is_comma=True)
"""A comma that is written behind the last item of a bracket that is broken: one item a line."""
ALWAYS: Final = operator(",", "", "", 18, is_comma=True)
"""A comma behind the last item that stands there in any case: its bracket is always broken."""
COLON: Final = operator(":", "", " ", 0)
ANNOTATED: Final = operator(":", "", " ", 0)
ASSIGNED: Final = operator("=", " ", " ", 0, is_equal=True)
EQUAL: Final = operator("=", "", "", 0, is_equal=True)
DOT: Final = operator(".", "", "", 1)
FOR: Final = operator("for", " ", " ", 20)
IN: Final = operator("in", " ", " ", 0)
IF: Final = operator("if", " ", " ", 16)
ELSE: Final = operator("else", " ", " ", 16)
AND: Final = operator("and", " ", " ", 14)
OR: Final = operator("or", " ", " ", 14)
UNION: Final = operator("|", " ", " ", 9)
NOT: Final = word("not")
ARROW: Final = operator("->", " ", " ", 0)
DEF: Final = word("def")
DEF.is_def = True

CALL_OPEN: Final = _bracket("(", opens="(", display=False)
CALL_CLOSE: Final = _bracket(")", closes="(", display=False)
SUBSCRIPT_OPEN: Final = _bracket("[", opens="[", display=False)
SUBSCRIPT_CLOSE: Final = _bracket("]", closes="[", display=False)
LIST_OPEN: Final = _bracket("[", opens="[", display=True)
LIST_CLOSE: Final = _bracket("]", closes="[", display=True)
BRACE_OPEN: Final = _bracket("{", opens="{", display=True)
BRACE_CLOSE: Final = _bracket("}", closes="{", display=True)
PAREN_OPEN: Final = _bracket("(", opens="(", display=True)
PAREN_CLOSE: Final = _bracket(")", closes="(", display=True)
HIDDEN_OPEN: Final = _bracket("", opens="(", display=True)
HIDDEN_CLOSE: Final = _bracket("", closes="(", display=True)
"""Parentheses that black may write where they make a line fit."""
RESULT_OPEN: Final = _bracket("", opens="(", display=True)
"""As `HIDDEN_OPEN`, around what a function returns."""
RESULT_OPEN.is_result = True
