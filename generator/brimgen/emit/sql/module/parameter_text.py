"""Write a parameter for modules, once for all tools that have it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from brimgen.emit.code import Code, py
from brimgen.emit.names import attribute_name
from brimgen.emit.python_text.pieces import Piece
from brimgen.emit.sql.module.values import encoder
from brimgen.emit.sql.module.view import BoundValue, ParamLine
from brimgen.emit.sql.types import SqlType


class ParamText(NamedTuple):
    """The text of a parameter: its entry in ``PARAMS``, and its value in a driver's dict."""

    declared: ParamLine
    bound: BoundValue


@lru_cache(maxsize=4096)
def param_text(name: str, type: SqlType, whence: str, dialect: str) -> ParamText:
    """Write a parameter; tools have many of their arguments in common."""
    declared = ParamLine(py(name), py(type.word), py(type.nullable), py(whence))
    bound = bound_value(name, name, encoder(type, dialect), nullable=type.nullable)
    return ParamText(declared, bound)


def bound_value(name: str, key: str, function: Code, *, nullable: bool) -> BoundValue:
    """Return the value of a parameter as ``function`` encodes it."""
    encoder: Code | None = None
    if nullable:
        function, encoder = Code("_encode.maybe"), function
    elif isinstance(function, Piece):
        function, encoder = Code("_encode.whole"), function
    return BoundValue(
        key=py(key),
        function=function,
        encoder=encoder,
        attribute=Code(attribute_name(name)),
        name=py(name),
    )
