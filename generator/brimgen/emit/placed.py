"""A value that is laid out at the place where a template prints it."""

from __future__ import annotations

from collections.abc import Callable

from brimgen.emit.python_text.displays import py_block
from brimgen.model.json import Json


class Placed:
    """A value that is laid out where it stands: a docstring, a literal of many lines.

    ``lay_out`` gets the text of the line before and after the value, without the indentation, and
    the indentation. It returns the whole line, its first one not indented.
    """

    __slots__ = ("lay_out",)

    def __init__(self, lay_out: Callable[[str, str, int], str]) -> None:
        self.lay_out = lay_out

    def __str__(self) -> str:
        return self.lay_out("", "", 0)


def placed_literal(value: Json) -> Placed:
    """A JSON-like value as a literal of Python, broken into lines as black breaks it."""
    return Placed(
        lambda before, after, indent: py_block(
            value, before=before, after=after, indent=indent
        )
    )
