"""Find SQL parameters whose value differs from the bound value.

Values that every side has are compared: text, numbers, booleans and null. Values that have a form
of their own on the other side (moments, decimals, lists, JSON) are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from typing import Any

from brimgen.model.json import is_object

Values = Mapping[str, Any]
"""The bound values by the names of their arguments, as Python has them."""


def misplaced_parameters(result: object, module: Any, values: Values) -> Iterator[str]:
    """The parameters of a statement that do not carry the argument that they are called like.

    ``result`` are the arguments of ``execute`` that a function of ``module`` returns.
    """
    carried: Any = result or ()
    names = [param.name for param in module.PARAMS]
    if not is_object(carried):
        order = _order(module.SOURCE, names)
        rows = [names, order]
        for row in rows:
            if len(row) == len(carried):
                yield from _misplaced_names(
                    dict(zip(row, carried, strict=True)), values
                )
                return
        return
    spread = {str(key).rpartition("__")[0] for key in carried}
    is_chosen = any(name.startswith("_SQL_") for name in dir(module))
    for name in () if is_chosen else names:
        if name not in carried and name not in spread and values.get(name) != []:
            yield name
    yield from _misplaced_names(carried, values)


def _order(source: str, names: Sequence[str]) -> list[str]:
    """The parameters of a statement as often as they stand in it, in that order."""
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.findall(rf"(?<![:\w]):({words})\b", source) if names else []


def _misplaced_names(carried: Mapping[str, Any], values: Values) -> Iterator[str]:
    for name, value in carried.items():
        if name in values and not _carries(value, values[name]):
            yield name


def _carries(value: Any, argument: Any) -> bool:
    plain = argument.value if isinstance(argument, Enum) else argument
    if isinstance(plain, bool):
        return value in (plain, int(plain))
    if isinstance(value, float) and isinstance(plain, int):
        # A float stands for the number that it is written as: 1e+30 is 10**30.
        return plain in (Decimal(value), Decimal(repr(value)))
    if isinstance(plain, str | int | float):
        return isinstance(value, str) == isinstance(plain, str) and bool(value == plain)
    return plain is not None or value is None or value == []
