"""Write a parameter for modules, once for all tools that have it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from brimgen.emit.code import Code, py
from brimgen.emit.names import attribute_name
from brimgen.emit.python_text.layout import laid_out_item
from brimgen.emit.python_text.pieces import (
    Piece,
    attribute,
    entry,
    keyword,
    spread,
)
from brimgen.emit.sql.types import SqlType
from brimgen.emit.sql.values import encoder


class ParamText(NamedTuple):
    """What is written of a parameter.

    ``declared`` is its entry in ``PARAMS``; ``bound`` what a driver that takes a dict is given, at
    column 8.
    """

    declared: Code
    bound: Code


@lru_cache(maxsize=4096)
def param_text(name: str, type: SqlType, whence: str, dialect: str) -> ParamText:
    """Write a parameter; tools have many of their arguments in common."""
    nullable = keyword("nullable", py(type.nullable))
    call = spread(
        Code("_encode.Param"),
        py(name),
        py(type.word),
        nullable,
        keyword("origin", py(whence)),
    )
    declared = laid_out_item(call, 4)
    bound = encoded(name, name, encoder(type, dialect), nullable=type.nullable)
    return ParamText(declared, bound)


def encoded(name: str, key: str | None, function: Code, *, nullable: bool) -> Code:
    """Return the value of a parameter as ``function`` encodes it, with its comma, at column 8.

    ``key`` is None in a tuple.
    """
    literal, value = py(name), attribute(Code("bound"), attribute_name(name))
    if nullable:
        written = spread(Code("_encode.maybe"), function, value, literal)
    elif isinstance(function, Piece):
        written = spread(Code("_encode.whole"), function, value, literal)
    else:
        written = spread(function, value, literal)
    shown = written if key is None else entry(py(key), written)
    return laid_out_item(shown, 8)
