"""Lines: the statements of a method body, each laid out as black lays it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from brimgen.emit.code import STEP, Code, bracketed, fits


class Lines:
    """Statements one after the other, indented.

    A statement of a fixed shape that a long name has made too wide is kept on its line with
    ``# fmt: skip``; whatever a spec can make long in other ways has a layout of its own.
    """

    def __init__(self, indent: int) -> None:
        self.indent = indent
        self._lines: list[Code] = []

    def add(self, statement: str) -> None:
        """A statement, or the head of a block."""
        if fits(statement, self.indent):
            self.put(statement)
            return
        parts = _at_last_bracket(statement)
        pad = " " * (self.indent + STEP)
        if parts is None or not (fits(parts[0], self.indent) and fits(pad + parts[1])):
            self.put(f"{statement}  # fmt: skip")
            return
        head, inside, close = parts
        self.put(f"{head}\n{pad}{inside}\n{' ' * self.indent}{close}")

    def put(self, statement: str) -> None:
        """A statement that is laid out already, its first line unindented."""
        self._lines.append(Code(" " * self.indent + statement))

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """What is added inside is the body of ``head``."""
        self.add(head)
        self.indent += STEP
        yield
        self.indent -= STEP

    def refuse_unless(self, conditions: Sequence[str], *, word: str = "and") -> None:
        """``return None`` where ``conditions``, joined by ``word``, do not hold."""
        first = conditions[0]
        opposite = _opposite(first)
        if len(conditions) == 1 and opposite:
            head = f"if {opposite}:"
        elif len(conditions) == 1:
            head = f"if not {first}:"
        else:
            head = self._joined(conditions, word)
        if "\n" in head:
            self.put(head)
        else:
            self.add(head)
        self.put("    return None")

    def _joined(self, conditions: Sequence[str], word: str) -> str:
        flat = f" {word} ".join(conditions)
        whole = f"if not ({flat}):"
        pad = " " * (self.indent + STEP)
        rows = [conditions[0], *(f"{word} {each}" for each in conditions[1:])]
        if fits(whole, self.indent) or not all(fits(pad + row) for row in rows):
            return whole
        if fits(pad + flat):
            rows = [flat]
        body = "".join(f"{pad}{row}\n" for row in rows)
        return f"if not (\n{body}{' ' * self.indent}):"

    def call(self, before: str, arguments: Sequence[str], after: str = ")") -> None:
        """A call or a display, its items on one line or one a line."""
        self.put(bracketed(arguments, before=before, after=after, indent=self.indent))

    def take_over(self, other: Lines) -> None:
        """The lines of another writer, which are indented already."""
        self._lines += other._lines

    @property
    def taken(self) -> tuple[Code, ...]:
        """All lines so far."""
        return tuple(self._lines)


def _opposite(condition: str) -> str | None:
    for sign, other in (
        (" is not ", " is "),
        (" is ", " is not "),
        (" == ", " != "),
        (" in ", " not in "),
    ):
        if sign in condition:
            return condition.replace(sign, other)
    return None


_CLOSING = {"]": "[", ")": "(", "}": "{"}


def _at_last_bracket(statement: str) -> tuple[str, str, str] | None:
    """An assignment split around what its last bracket holds; None where black splits elsewhere.

    Only the plain case: what the bracket holds is one item, and the bracket is the whole value or
    the arguments of a plain call.
    """
    target, equals, value = statement.partition(" = ")
    opening = _CLOSING.get(value[-1:], "")
    start = value.find(opening) if opening else -1
    if not equals or start < 0 or _depths(value[start + 1 : -1]) is None:
        return None
    if not value[:start].replace(".", "_").isidentifier() and start:
        return None
    return f"{target} = {value[: start + 1]}", value[start + 1 : -1], value[-1]


def _depths(inside: str) -> int | None:
    """How deep brackets nest in ``inside``; None where one is left open or a comma is outside."""
    depth = deepest = 0
    for character in inside:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth -= 1
        if depth < 0 or (character == "," and depth == 0):
            return None
    return deepest if depth == 0 and inside else None
