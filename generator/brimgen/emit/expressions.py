"""Expressions: calls and lists of generated Python, laid out as black lays them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from brimgen.emit.code import STEP, Code, bracketed, fits
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Call:
    """A call or a list: what stands before its arguments, they, and what closes it."""

    head: str
    arguments: tuple[Expression, ...]
    close: str = ")"


Expression: TypeAlias = "Code | Call"


def called(function: str, *arguments: Expression) -> Call:
    """The call of ``function``."""
    return Call(f"{function}(", arguments)


def laid_out(
    expression: Expression, *, before: str = "", after: str = "", indent: int = 0
) -> Code:
    """An expression on one line if it fits there, else with one argument a line, at any depth."""
    line = f"{before}{flat(expression)}{after}"
    if isinstance(expression, Code) or fits(line, indent) or not expression.arguments:
        return Code(line)
    pad = " " * (indent + STEP)
    lines = [
        pad + laid_out(each, after=",", indent=indent + STEP)
        for each in expression.arguments
    ]
    body = "\n".join(lines)
    return Code(
        f"{before}{expression.head}\n{body}\n{' ' * indent}{expression.close}{after}"
    )


def flat(expression: Expression) -> str:
    """An expression on one line, however wide."""
    if isinstance(expression, Code):
        return expression
    return (
        expression.head + ", ".join(map(flat, expression.arguments)) + expression.close
    )


def headed(statement: str, indent: int = 0) -> Code:
    """A line that black may not break although a long name makes it too wide."""
    return Code(statement if fits(statement, indent) else f"{statement}  # fmt: skip")


def displayed(before: str, items: Sequence[str], after: str, indent: int = 0) -> Code:
    """A tuple or dict of one item at least, one a line; every item ends with its comma.

    A tuple of one item stays on one line where it fits: its comma is no sign for black.
    """
    if len(items) == 1 and before.endswith("("):
        flat = f"{before}{items[0]}{after}"
        if "\n" not in flat and fits(flat, indent):
            return Code(flat)
    pad = "\n" + " " * (indent + STEP)
    return Code(f"{before}{pad}{pad.join(items)}\n{' ' * indent}{after}")


def tupled(items: Sequence[str], *, before: str) -> Code:
    """``before`` and a tuple of items that are on one line each; a sole one keeps its comma on one
    line, too: without it, it would be no tuple.
    """
    if len(items) == 1:
        return bracketed([f"{items[0]},"], before=f"{before}(", after=")", sole="")
    return bracketed(items, before=f"{before}(", after=")")
