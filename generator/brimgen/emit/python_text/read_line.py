"""Read a line of Python that a template writes, as the parts that the layout knows.

A line is a whole statement, the head of a block, or an item of a bracket that was opened on an
earlier line. Its text is that of the template, with a `HOLE` for each value that is printed in it:
no value is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from brimgen.emit.python_text.marks import (
    AND,
    ANNOTATED,
    ARROW,
    ASSIGNED,
    BRACE_CLOSE,
    BRACE_OPEN,
    CALL_CLOSE,
    CALL_OPEN,
    COLON,
    COMMA,
    DEF,
    DOT,
    ELSE,
    EQUAL,
    FOR,
    HIDDEN_CLOSE,
    HIDDEN_OPEN,
    IF,
    IN,
    LIST_CLOSE,
    LIST_OPEN,
    MAGIC,
    NOT,
    OR,
    PAREN_CLOSE,
    PAREN_OPEN,
    RESULT_OPEN,
    SUBSCRIPT_CLOSE,
    SUBSCRIPT_OPEN,
    UNION,
    Mark,
    operator,
    word,
)
from brimgen.emit.python_text.pieces import ADJACENT, SOLE, WHERE
from brimgen.emit.python_text.statements import BLOCK, INCREASED

HOLE: Final = "\0"
"""Stands for a printed value in the text of a line."""

_TOKEN: Final = re.compile(
    r"""\s*(?:
        (?P<string>[A-Za-z]{0,2}(?:\"{3}.*?\"{3}|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))
      | (?P<name>[\w\0]+(?:\.[0-9]+)?)
      | (?P<sign>->|\*\*|//|==|!=|<=|>=|\+=|-=|:=|\.\.\.|[-+*/%@&|^~<>=.,:()\[\]{}])
    )""",
    re.VERBOSE,
)
_OPENING: Final = {"(": ")", "[": "]", "{": "}"}
_CALL: Final = {"(": (CALL_OPEN, CALL_CLOSE), "[": (SUBSCRIPT_OPEN, SUBSCRIPT_CLOSE)}
_DISPLAY: Final = {
    "(": (PAREN_OPEN, PAREN_CLOSE),
    "[": (LIST_OPEN, LIST_CLOSE),
    "{": (BRACE_OPEN, BRACE_CLOSE),
}
_WORDS: Final = {"and": AND, "or": OR, "if": IF, "else": ELSE, "for": FOR, "in": IN}
_PREFIXES: Final = frozenset({"not", "await", "lambda", "yield"})
_PRIORITIES: Final = {
    **dict.fromkeys(("==", "!=", "<=", ">=", "<", ">"), 10),
    **dict.fromkeys(("*", "/", "//", "%", "@"), 4),
    **dict.fromkeys(("+", "-"), 5),
    "|": 9,
    "^": 8,
    "&": 7,
    "**": 3,
}
_OPERATORS: Final = {
    sign: operator(sign, " ", " ", priority) for sign, priority in _PRIORITIES.items()
} | {"|": UNION}
_COMPARISONS: Final = {
    sign: operator(sign, " ", " ", 10) for sign in ("in", "not in", "is", "is not")
}
_DEFAULT: Final = operator("=", " ", " ", 0, is_equal=True)
_SLICE: Final = operator(":", "", "", 0)
_FROM: Final = operator("from", " ", " ", 0)
_OF: Final = operator("in", " ", " ", 0)
_CONDITIONAL: Final = frozenset({"if", "elif", "while", "except"})
_NEVER: Final = frozenset[str]()


class Unreadable(Exception):
    """A line of a template is no line of Python by itself."""


@cache
def read_line(text: str) -> tuple[tuple[str, ...], bool]:
    """The parts of a line, and whether it is an item of a bracket: then without its comma.

    Raises:
        Unreadable: where it is no line of Python by itself.
    """
    tokens = [*_tokens(text)]
    is_item = tokens[-1:] == [","]
    reader = _Reader(tokens[:-1] if is_item else tokens)
    parts = reader.element(_NEVER, COLON) if is_item else reader.statement()
    if reader.next:
        raise Unreadable(text)
    return tuple(parts), is_item


def _tokens(text: str) -> Iterator[str]:
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Unreadable(text)
        at = match.end()
        yield match[0].strip()


class _Reader:
    """Reads the tokens of one line; `next` is the one to come, empty at the end."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, expected: str = "") -> str:
        token = self.next
        if not token or (expected and token != expected):
            raise Unreadable(token)
        self._at += 1
        return token

    def statement(self) -> list[str]:
        match self.next:
            case "@":
                return [operator(self._take(), "", "", 0), *self.element(_NEVER)]
            case "async" | "def":
                return self._function()
            case "class":
                return [word(self._take()), *self.element({":"}), self._block()]
            case "return":
                start = word(self._take())
                return [start, *self._wrapped(_NEVER)] if self.next else ["return"]
            case "raise":
                start, value = word(self._take()), self.element({"from"})
                if not self.next:
                    return [start, *value]
                self._take("from")
                return [start, *value, _FROM, *self.element(_NEVER)]
            case "for":
                start, names = word(self._take()), self._wrapped({"in"})
                self._take("in")
                return [start, *names, _OF, *self._wrapped({":"}), self._block()]
            case first if first in _CONDITIONAL:
                return [word(self._take()), *self._wrapped({":"}), self._block()]
            case (
                "import"
                | "from"
                | "with"
                | "assert"
                | "del"
                | "global"
                | "try"
                | "else"
            ):
                raise Unreadable(self.next)
            case _:
                return self._assignment()

    def _assignment(self) -> list[str]:
        parts = self.element({":", "=", "+="})
        if self.next == ":":
            self._take()
            parts += [ANNOTATED, *self._wrapped({"="})]
        if self.next:
            parts.append({"=": ASSIGNED, "+=": INCREASED}[self._take()])
            parts += self._wrapped(_NEVER)
        return parts

    def _function(self) -> list[str]:
        parts: list[str] = []
        if self.next == "async":
            parts.append(word(self._take()))
        self._take("def")
        parts += [DEF, self._take()]
        self._take("(")
        parts += [CALL_OPEN, *self._items(")", ANNOTATED)]
        if self.next == "->":
            self._take()
            parts += [ARROW, RESULT_OPEN, *self.element({":"}), HIDDEN_CLOSE]
        return [*parts, self._block()]

    def _block(self) -> str:
        self._take(":")
        end = " ..." if self.next == "..." else ""
        if end:
            self._take()
        return operator(f":{end}", "", "", 0) if end else BLOCK

    def _wrapped(self, stops: frozenset[str] | set[str]) -> list[str]:
        """An expression that black may put into parentheses."""
        return [HIDDEN_OPEN, *self.element(stops), HIDDEN_CLOSE]

    def element(
        self, stops: frozenset[str] | set[str], colon: Mark | None = None
    ) -> list[str]:
        """An expression up to one of ``stops``, with the name ahead of its ``colon`` or ``=``."""
        parts: list[str] = []
        start = 0
        is_conditional = is_comprehension = False
        while self.next and self.next not in stops:
            token, wants_operand = self.next, _wants_operand(parts)
            if token in "([{":
                parts += self._bracket(is_display=wants_operand)
            elif token == "=" and colon is not None:
                self._take()
                is_annotated = colon is ANNOTATED and ANNOTATED in parts
                if is_annotated:
                    _wrap_union(parts, start)
                parts.append(_DEFAULT if is_annotated else EQUAL)
                start = len(parts)
            elif token == ":" and colon is not None:
                self._take()
                parts.append(colon)
                start = len(parts)
            elif token == "for":
                parts += self._loop()
                is_comprehension = True
            elif token == "if":
                self._take()
                parts.append(WHERE if is_comprehension else IF)
                is_conditional = is_conditional or not is_comprehension
            elif token == "lambda":
                parts += self._lambda()
            elif wants_operand:
                parts.append(self._operand())
            else:
                parts.append(self._operator())
        if colon is ANNOTATED and parts[start - 1 : start] == [ANNOTATED]:
            _wrap_union(parts, start)
        if is_conditional:
            parts[start:] = [HIDDEN_OPEN, *parts[start:], HIDDEN_CLOSE]
        return parts

    def _bracket(self, *, is_display: bool) -> list[str]:
        opening = self._take()
        open, close = (_DISPLAY if is_display else _CALL)[opening]
        colon = _SLICE if opening == "[" else COLON
        sole = SOLE if opening == "(" and is_display else MAGIC
        items = self._items(_OPENING[opening], colon, sole)
        return [open, *items[:-1], close]

    def _items(self, closing: str, colon: Mark, sole: Mark = MAGIC) -> list[str]:
        """The items of a bracket with their commas, and its end.

        The comma behind the only item is ``sole``: a tuple of one is none without it.
        """
        parts: list[str] = []
        while self.next != closing:
            parts += self.element({",", closing}, colon)
            if self.next != closing and self.next != ",":
                raise Unreadable(self.next)
            if self.next == ",":
                self._take()
                parts.append(sole if self.next == closing else COMMA)
                sole = MAGIC
        self._take(closing)
        if colon is ANNOTATED and parts and parts[-1] is not MAGIC:
            parts.append(MAGIC)
        return [*parts, CALL_CLOSE]

    def _loop(self) -> list[str]:
        self._take("for")
        names = ""
        while self.next != "in":
            taken = self._take()
            names += f"{taken} " if taken == "," else taken
        self._take("in")
        return [FOR, names, IN]

    def _lambda(self) -> list[str]:
        parts: list[str] = [word(self._take("lambda"))]
        while self.next != ":":
            taken = self._take()
            parts.append(COMMA if taken == "," else taken)
        self._take(":")
        return [*parts, COLON]

    def _operand(self) -> str:
        token = self._take()
        if token in _PREFIXES:
            return NOT if token == "not" else word(token)
        if token in {"-", "+", "~", "*", "**"} and self.next not in {"", ",", ")"}:
            return operator(token, "", "", 0)
        return token

    def _operator(self) -> str:
        token = self._take()
        if token == ".":
            return DOT
        if token in {"not", "is"}:
            second_word = {"not": "in", "is": "not"}[token]
            if self.next == second_word or token == "not":
                token = f"{token} {self._take(second_word)}"
        mark = _COMPARISONS.get(token) or _OPERATORS.get(token) or _WORDS.get(token)
        if mark is not None:
            return mark
        if token[-1:] in {'"', "'"}:
            self._at -= 1
            return ADJACENT
        raise Unreadable(token)


def _wants_operand(parts: Sequence[str]) -> bool:
    """Whether what follows is an operand and no operator."""
    if not parts:
        return True
    last = parts[-1]
    return isinstance(last, Mark) and not last.closes


def _wrap_union(parts: list[str], start: int) -> None:
    """Let black put the annotation of a parameter into parentheses if it is ``A | B``."""
    depth = 0
    for part in parts[start:]:
        if isinstance(part, Mark):
            depth += bool(part.opens) - bool(part.closes)
            if part is UNION and depth == 0:
                parts[start:] = [HIDDEN_OPEN, *parts[start:], HIDDEN_CLOSE]
                return
