"""The error that is raised for a value which a driver cannot carry unchanged."""

from __future__ import annotations

from typing import NoReturn


class BindError(ValueError):
    """A value that a driver cannot carry unchanged.

    ``parameter`` names it (``ids``, or ``ids/0`` for an item of a list); ``why`` says what is
    wrong.
    """

    def __init__(self, parameter: str, why: str) -> None:
        super().__init__(parameter, why)
        self.parameter = parameter
        self.why = why

    def __str__(self) -> str:
        return f"parameter {self.parameter!r}: {self.why}"


def refuse(name: str, why: str) -> NoReturn:
    """Raise the error for a value of the parameter ``name``."""
    raise BindError(name, why)


def wrong(name: str, expected: str, value: object) -> NoReturn:
    """Raise the error for a value of another type than the expected one."""
    # Python refuses to write out an int of thousands of digits.
    bits = value.bit_length() if isinstance(value, int) else 0
    shown = f"of {bits} bits" if bits > 256 else f"{value!r:.80}"
    refuse(name, f"expected {expected}, got {type(value).__name__} {shown}")
