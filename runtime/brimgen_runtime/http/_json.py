"""Take JSON values apart, and write their numbers as services read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..schema.errors import MISSING
from ..schema.json_values import is_list, is_object

ABSENT: Final[object] = MISSING
"""Stands for a value that is left out, where None would be sent as null."""
_EXPONENTIAL = 1e21


def member(value: Any, *steps: str | int) -> Any:
    """Return what JSON holds below a value, or `ABSENT` where there is nothing."""
    for step in steps:
        is_list = isinstance(step, int)
        kind: Any = list if is_list else Mapping
        if not isinstance(value, kind):
            return ABSENT
        container: Any = value
        if (
            (step >= len(container))
            if isinstance(step, int)
            else (step not in container)
        ):
            return ABSENT
        value = container[step]
    return value


def whole_numbers(value: Any) -> Any:
    """Return JSON in which a float without a fraction is an int: 3.0 is sent as 3.

    A caller writes 3 for a number, which is decoded to a float; services that read it as an
    integer refuse 3.0. From 1e21 on a float stays one, as in JavaScript (ECMA-262 6.1.6.1.20).
    """
    if isinstance(value, float):
        is_whole = value.is_integer() and abs(value) < _EXPONENTIAL
        return int(value) if is_whole else value
    if is_object(value):
        return {name: whole_numbers(item) for name, item in value.items()}
    if is_list(value):
        return [whole_numbers(item) for item in value]
    return value
