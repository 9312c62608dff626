"""Lines: the statements of a method body, each laid out as black lays it out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from brimgen.emit.code import STEP, bracketed, fits

BODY = 8
"""Where the statements of a method stand."""


class Lines:
    """Statements one after the other, indented.

    A statement of a fixed shape that a long name has made too wide is kept on its line with
    ``# fmt: skip``; whatever a spec can make long in other ways has a layout of its own.
    """

    __slots__ = ("_lines", "indent")

    def __init__(self, indent: int) -> None:
        self.indent = indent
        self._lines: list[str] = []

    def add(self, statement: str) -> None:
        """A statement, or the head of a block."""
        self._lines.append(laid_out(statement, self.indent))

    def put(self, statement: str) -> None:
        """A statement that is laid out already, its first line unindented."""
        self._lines.append(f"{' ' * self.indent}{statement}")

    def block(self, head: str) -> Lines:
        """What is added ``with`` it is the body of ``head``."""
        self.add(head)
        return self

    def when(self, tests: Sequence[str], rest: Sequence[str] = ()) -> Lines:
        """What is added ``with`` it is the body of an ``if`` that asks for all ``tests``.

        ``rest`` are all but the first of them as `operand` lays them out, where that is known. Two
        wide ones must be asked one after the other: black would break the second.
        """
        self.put(self._condition(tests, rest))
        return self

    def __enter__(self) -> None:
        self.indent += STEP

    def __exit__(self, *problem: object) -> None:
        self.indent -= STEP

    def are_too_wide(self, tests: Sequence[str]) -> bool:
        """Whether two tests must be asked one after the other."""
        return len(tests) == 2 and not fits(f"if {' and '.join(tests)}:", self.indent)

    def _condition(self, tests: Sequence[str], rest: Sequence[str]) -> str:
        word, inner = "and", self.indent + STEP
        if len(tests) == 1 and tests[0].startswith("("):
            word, tests, rest = "or", tests[0][1:-1].split(" or ", 1), ()
        flat = f" {word} ".join(tests)
        if fits(f"if {flat}:", self.indent):
            return f"if {flat}:"
        rows = _at_ending(f"if {flat}", self.indent) if len(tests) == 2 else None
        if rows is not None:
            return "\n".join(rows)
        rows = [f"{' ' * inner}{flat}"]
        if not fits(flat, inner):
            rest = rest or [operand(f"{word} {each}", inner) for each in tests[1:]]
            rows = [operand(tests[0], inner), *rest]
        body = "\n".join(rows)
        return f"if (\n{body}\n{' ' * self.indent}):"

    def call(self, before: str, arguments: Sequence[str], after: str = ")") -> None:
        """A call or a display, its items on one line or one a line."""
        self.put(bracketed(arguments, before=before, after=after, indent=self.indent))

    def take(self, texts: Iterable[str]) -> None:
        """Lines that are indented already."""
        self._lines += texts

    def take_over(self, other: Lines) -> None:
        """The lines of another writer, which are indented already."""
        self._lines += other._lines

    @property
    def text(self) -> str:
        """All lines so far."""
        return "\n".join(self._lines)


def laid_out(statement: str, indent: int) -> str:
    """A statement, or the head of a block, on the lines that it takes at column ``indent``."""
    pad = " " * indent
    if fits(statement, indent):
        return f"{pad}{statement}"
    rows = _broken(statement)
    if rows is not None and len(rows) == 3 and not _hold(rows, indent):
        rows = [rows[0], *_parts(rows[1]), rows[-1]]
    if rows is None or not (_hold(rows, indent) or _is_text_in_call(rows, indent)):
        # black has nothing to break in a text either.
        is_text = rows is not None and rows[0].endswith("= (") and rows[1][0] in "\"'"
        return f"{pad}{statement}" if is_text else f"{pad}{statement}  # fmt: skip"
    inner = "".join(f"{pad}    {row}\n" for row in rows[1:-1])
    return f"{pad}{rows[0]}\n{inner}{pad}{rows[-1]}"


def _hold(rows: Sequence[str], indent: int) -> bool:
    inside = all(fits(row, indent + STEP) for row in rows[1:-1])
    return inside and fits(rows[0], indent)


def can_be_asked(test: str, indent: int) -> bool:
    """Whether a test can stand in a condition at column ``indent``, on lines that are not wide."""
    if fits(f"and {test}", indent):
        return True
    _, either, other = test[1:-1].partition(" or ")
    is_pair = test.startswith("(") and bool(either)
    return is_pair and fits(f"or {other}", indent + STEP)


def operand(row: str, indent: int) -> str:
    """A test with its ``and``, indented; a wide one in parentheses as black breaks it."""
    pad = " " * indent
    if fits(row, indent):
        return f"{pad}{row}"
    if "(" not in row:
        return pad + row.replace(" != ", f"\n{pad}!= ", 1)
    head, inside = row[: row.index("(") + 1], row[row.index("(") + 1 : -1]
    rows = [inside]
    if not fits(inside, indent + STEP):
        first, _, other = inside.partition(" or ")
        rows = [first, f"or {other}"]
    inner = " " * (indent + STEP)
    return "\n".join([pad + head, *(inner + each for each in rows), f"{pad})"])


def opposite(test: str) -> str:
    """The condition that holds where ``test`` does not."""
    for sign, other in ((" in ", " not in "), (" is ", " is not "), (" == ", " != ")):
        first, found, second = test.partition(sign)
        if found and first.count("(") == first.count(")"):
            return f"{first}{other}{second}"
    return f"not {test}" if test.endswith(")") else f"not ({test})"


_TEXT = re.compile(r"""(["'])(?:(?!\1)[^\\]|\\.)*\1""")
_ITEM = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'()\[\]{},])+""")
_ENDING = re.compile(r"""([^"'()\[\]{}]+[({])(.+)([)}])""")


def _at_ending(head: str, indent: int) -> list[str] | None:
    """The head of a wide condition of two operands, of which the last ends with a call or a set
    and has no other brackets: black breaks it there. None where it is another one.
    """
    ending = _ENDING.fullmatch(head)
    # black counts the operands as if they stood indented: ``if `` is a column less.
    if ending is None or not fits(f"{ending[1]} ", indent):
        return None
    items = [each.strip() for each in _ITEM.findall(ending[2])]
    if ", ".join(items) != ending[2]:
        return None
    rows = [f"{each}," for each in items]
    if ending[3] == ")" or len(items) == 1:
        rows = [ending[2]]
        if not fits(ending[2], indent + STEP):
            return None
    inner, close = " " * (indent + STEP), " " * indent + ending[3]
    return [ending[1], *(inner + each for each in rows), f"{close}:"]


def _is_text_in_call(rows: Sequence[str], indent: int) -> bool:
    """Whether a text stands alone in brackets of a call or of a key: however wide it is, black
    gives it a line of its own.
    """
    is_call = not rows[0].endswith(("= (", "if not "))
    return is_call and fits(rows[0], indent) and _TEXT.fullmatch(rows[1]) is not None


_CLOSING = {"]": "[", ")": "(", "}": "{"}
_PART = re.compile(r" (?=for \w+(?:, \w+)? in |if |else )")


def _broken(statement: str) -> list[str] | None:
    """A wide statement as black breaks it: first line, what is indented, last line."""
    if statement.startswith("if not ") and statement.endswith("):"):
        return _at_bracket(statement[:-1], "if not ", ":")
    if statement.startswith("if ") and " not in " in statement and '"' not in statement:
        first, _, second = statement[3:-1].partition(" not in ")
        return ["if (", first, f"not in {second}", "):"]
    target, equals, value = statement.partition(" = ")
    if not equals:
        return None
    if value[0] in "\"'" or " if " in value or not {*value} & {*"([{"}:
        return [f"{target} = (", value, ")"]
    return _at_bracket(statement, f"{target} = ", "")


def _at_bracket(statement: str, before: str, after: str) -> list[str] | None:
    """``before``, a name, a bracket and what it holds, ``after``: broken around the bracket."""
    value = statement[len(before) :]
    opening = _CLOSING.get(value[-1:])
    start = value.find(opening) if opening else -1
    name = value[:start].replace(".", "_")
    if start < 0 or (name and not name.isidentifier()):
        return None
    head, inside, close = value[: start + 1], value[start + 1 : -1], value[-1] + after
    if not inside or (not name and len(_parts(inside)) == 1 and _has_comma(inside)):
        return None
    return [f"{before}{head}", inside, close]


def _parts(inside: str) -> list[str]:
    """The lines of a comprehension or conditional that is too wide for one."""
    cuts = [
        each.start()
        for each in _PART.finditer(inside)
        if _is_outside(inside, each.start())
    ]
    if not any(inside.startswith(" for ", each) for each in cuts):
        del cuts[2:]  # a conditional in the last part of another is one line to black
    edges = [0, *(cut + 1 for cut in cuts), len(inside) + 1]
    return [inside[start : end - 1] for start, end in pairwise(edges)]


def _is_outside(text: str, index: int) -> bool:
    before = text[:index]
    return all(
        before.count(open) == before.count(close) for close, open in _CLOSING.items()
    )


def _has_comma(inside: str) -> bool:
    places = (index for index, each in enumerate(inside) if each == ",")
    return any(_is_outside(inside, index) for index in places)
