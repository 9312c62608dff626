"""Write a parameter for modules and the manifest, once for all tools that have it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from brimgen.emit.code import Code, py
from brimgen.emit.indented import indented
from brimgen.emit.names import attribute_name
from brimgen.emit.python_text.layout import laid_out_item
from brimgen.emit.python_text.pieces import (
    Piece,
    attribute,
    entry,
    keyword,
    spread,
)
from brimgen.emit.sql.types import SqlType, full_type_name
from brimgen.emit.sql.values import encoder

ITEM, MEMBER = "\n        ", "\n          "
"""The beginnings of lines in the manifest: of a parameter, and of what is told of it."""


class ParamText(NamedTuple):
    """What is written of a parameter.

    ``declared`` is its entry in ``PARAMS``; ``bound`` what a driver that takes a dict is given, at
    column 8; ``manifest`` its object there, open where a default may follow.
    """

    declared: Code
    bound: Code
    manifest: str


@lru_cache(maxsize=4096)
def param_text(name: str, type: SqlType, whence: str, dialect: str) -> ParamText:
    """Write a parameter; tools have many of their arguments in common."""
    rest, members = _shared(type, whence, dialect)
    call = spread(Code("_encode.Param"), py(name), *rest)
    declared = laid_out_item(call, 4)
    bound = encoded(name, name, encoder(type, dialect), nullable=type.nullable)
    return ParamText(declared, bound, f'{{{MEMBER}"name": {indented(name)},{members}')


@lru_cache(maxsize=1024)
def _shared(type: SqlType, whence: str, dialect: str) -> tuple[tuple[Code, ...], str]:
    """Write everything except the name: in code, and in the manifest."""
    nullable = keyword("nullable", py(type.nullable))
    rest = py(type.word), nullable, keyword("origin", py(whence))
    told = {
        "type": type.word,
        "nullable": type.nullable,
        "origin": whence,
        "sql_type": full_type_name(type, dialect),
    }
    lines = [f'{MEMBER}"{key}": {indented(each)}' for key, each in told.items()]
    return rest, ",".join(lines)


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
