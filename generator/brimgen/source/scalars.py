"""Read plain scalars by the core schema of YAML 1.2."""

from __future__ import annotations

import re
import sys

from brimgen.source.nodes import ScalarValue

CONSTANTS: dict[str, ScalarValue] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
FIRST_OF_NUMBERS = frozenset("+-.0123456789")
_INT = re.compile(r"[-+]?[0-9]+\Z")
_OCTAL = re.compile(r"0o[0-7]+\Z")
_HEX = re.compile(r"0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")
_SAFE_DIGITS = 300  # fit into a double
_INFINITE = float("inf")


class NumberRange(ValueError):
    """A number that JSON cannot carry: not finite, or beyond the range of a double.

    ``nearest`` is a number to use in its place, so that later checks do not report it again.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        largest = -sys.float_info.max if text.startswith("-") else sys.float_info.max
        self.nearest = 0.0 if text.casefold().endswith("nan") else largest


def core_value(text: str) -> ScalarValue:
    """The value of a plain scalar (spec-language.md): ``NO`` and ``1:30`` and dates are texts.

    Raises `NumberRange`.
    """
    if text[:1] not in FIRST_OF_NUMBERS:
        return CONSTANTS.get(text, text)
    if len(text) <= _SAFE_DIGITS and text.isascii() and text.isdecimal():
        return int(text)
    if _INT.match(text):
        return _finite(text, 10)
    if _HEX.match(text) or _OCTAL.match(text):
        return _finite(text, 0)
    if _FLOAT.match(text):
        value = float(text)
        if abs(value) == _INFINITE:
            raise NumberRange(text)
        return value
    if _NOT_FINITE.match(text):
        raise NumberRange(text)
    return text


def _finite(text: str, base: int) -> int:
    """The integer, if a double is wide enough to hold one of its size."""
    try:
        value = int(text, base)
        float(value)
    except (ValueError, OverflowError) as problem:
        raise NumberRange(text) from problem
    return value
