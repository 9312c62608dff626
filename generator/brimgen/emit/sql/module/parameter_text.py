"""Write a parameter for modules, once for all tools that have it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from brimgen.emit.code import Code, py
from brimgen.emit.sql.bound_values import Slot
from brimgen.emit.sql.module.values import encoder
from brimgen.emit.sql.module.view import BoundValue, ParamLine
from brimgen.emit.sql.types import SqlType


class ParamText(NamedTuple):
    """The text of a parameter: its entry in ``PARAMS``, and its value in a driver's dict."""

    declared: ParamLine
    bound: BoundValue


@lru_cache(maxsize=4096)
def param_text(
    name: str, attribute: Code, type: SqlType, whence: str, dialect: str
) -> ParamText:
    """Write a parameter, which is an ``attribute`` of the bound input."""
    declared = ParamLine(py(name), py(type.word), py(type.nullable), py(whence))
    bound = bound_value(
        Slot(name, name), attribute, encoder(type, dialect), nullable=type.nullable
    )
    return ParamText(declared, bound)


def bound_value(
    slot: Slot, attribute: Code, function: Code, *, nullable: bool
) -> BoundValue:
    """Return the value of a parameter as ``function`` encodes it."""
    given = f"bound.{attribute}, {py(slot.name)}"
    if nullable:
        encoded = Code(f"_encode.maybe({function}, {given})")
    else:
        encoded = Code(f"{function}({given})")
    return BoundValue(key=py(slot.key), encoded=encoded)
