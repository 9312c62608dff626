"""Limit what one file may take: steps of loops and calls, and characters of text."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import cast

MOST_STEPS = 5_000_000
MOST_TEXT = 100_000_000
LARGEST_NUMBER = 10_000
"""The largest number that a filter takes, as a width or a count."""
_CHARACTERS_A_STEP = 64
_ITEMS_A_STEP = 8
_MOST_BITS = 4096


class Exhausted(Exception):
    """A template took more than it may."""


class Budget:
    """What is left of the steps of one file."""

    def __init__(self) -> None:
        self.steps = MOST_STEPS

    def step(self) -> None:
        """Take one step.

        Raises:
            Exhausted: where nothing is left.
        """
        self.steps -= 1
        if self.steps < 0:
            raise Exhausted(f"it takes more than {MOST_STEPS:,} steps for one file")

    def read(self, value: object) -> None:
        """Take steps for a value that is long.

        Raises:
            Exhausted: where nothing is left.
        """
        if isinstance(value, str):
            self.steps -= len(value) // _CHARACTERS_A_STEP
        elif isinstance(value, list | tuple | dict | range):
            self.steps -= len(cast(Sized, value)) // _ITEMS_A_STEP
        self.step()


def check_length(length: int) -> None:
    """Refuse a text or list that is too long, before it is made.

    Raises:
        Exhausted: where it is.
    """
    if length > MOST_TEXT:
        raise Exhausted(f"it makes more than {MOST_TEXT:,} characters")


def joined(parts: Iterable[str]) -> str:
    """Join the parts to one text.

    Raises:
        Exhausted: where it is too long.
    """
    pieces: list[str] = []
    length = 0
    for part in parts:
        length += len(part)
        check_length(length)
        pieces.append(part)
    return "".join(pieces)


def encodable(text: str) -> str:
    """Return ``text`` if UTF-8 can encode it.

    Raises:
        ValueError: where it holds half of a surrogate pair, which no file in UTF-8 does.
    """
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as problem:
            half = ord(text[problem.start])
            raise ValueError(f"no file can hold \\u{half:04x} alone") from problem
    return text


def calculate(operator: str, left: object, right: object) -> None:
    """Check the operands of ``+``, ``*``, ``%`` and ``**`` before they are calculated.

    Raises:
        Exhausted: where the result would be too large.
        TypeError: for ``%`` on a text: it could ask for any width.
    """
    sizes = [_size(operand) for operand in (left, right)]
    if operator == "%" and isinstance(left, str):
        raise TypeError("`%` formats no text here; use `~`")
    if operator == "+":
        check_length(sum(sizes))
    elif operator == "*":
        for size, times in zip(sizes, (right, left), strict=True):
            if isinstance(times, int):
                check_length(size * max(times, 1))
    bits = [
        operand.bit_length() for operand in (left, right) if isinstance(operand, int)
    ]
    if operator == "**" and isinstance(left, int) and isinstance(right, int):
        is_large = right > _MOST_BITS or bits[0] * max(right, 1) > _MOST_BITS
    else:
        is_large = sum(bits) > _MOST_BITS
    if is_large:
        raise Exhausted("it calculates with a number that is too large")


def _size(value: object) -> int:
    return len(cast(Sized, value)) if isinstance(value, str | list | tuple) else 0
