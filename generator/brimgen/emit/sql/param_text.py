"""A parameter in, its text in modules and the manifest out, written once for all tools with it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from brimgen.emit.code import Code, fits, py
from brimgen.emit.expressions import Expression, called, laid_out
from brimgen.emit.indented import indented
from brimgen.emit.names import attribute_name
from brimgen.emit.sql.types import SqlType, full_type_name
from brimgen.emit.sql.values import encoder

ITEM, MEMBER = "\n        ", "\n          "
"""The beginnings of lines in the manifest: of a parameter, and of what is told of it."""


class ParamText(NamedTuple):
    """What is written of a parameter.

    ``declared`` is its entry in ``PARAMS``; ``bound`` what a driver that takes a dict is given, at
    column 8; ``manifest`` its object there, open where a default may follow.
    """

    declared: str
    bound: str
    manifest: str


@lru_cache(maxsize=4096)
def param_text(name: str, type: SqlType, whence: str, dialect: str) -> ParamText:
    """What is written of a parameter: tools have many of their arguments in common."""
    flat, rest, members = _shared(type, whence, dialect)
    declared = f"_encode.Param({py(name)}, {flat}),"
    if not fits(declared, 4):
        call = called("_encode.Param", py(name), *rest)
        declared = laid_out(call, after=",", indent=4)
    bound = encoded(name, name, encoder(type, dialect), nullable=type.nullable)
    return ParamText(declared, bound, f'{{{MEMBER}"name": {indented(name)},{members}')


@lru_cache(maxsize=1024)
def _shared(
    type: SqlType, whence: str, dialect: str
) -> tuple[str, tuple[Code, ...], str]:
    """What is written beside the name: in code, on one line and apart; and in the manifest."""
    nullable = Code(f"nullable={type.nullable}")
    rest = py(type.word), nullable, Code(f"origin={py(whence)}")
    told = {
        "type": type.word,
        "nullable": type.nullable,
        "origin": whence,
        "sql_type": full_type_name(type, dialect),
    }
    lines = [f'{MEMBER}"{key}": {indented(each)}' for key, each in told.items()]
    return ", ".join(rest), rest, ",".join(lines)


def encoded(name: str, key: str | None, function: Expression, *, nullable: bool) -> str:
    """The value of a parameter as ``function`` encodes it; ``key`` is None in a tuple."""
    literal, value = py(name), Code(f"bound.{attribute_name(name)}")
    before = "" if key is None else f"{literal if key == name else py(key)}: "
    if isinstance(function, Code):
        head = f"_encode.maybe({function}, " if nullable else f"{function}("
        flat = f"{before}{head}{value}, {literal}),"
        if fits(flat, 8):
            return flat
    if nullable:
        written = called("_encode.maybe", function, value, literal)
    elif isinstance(function, Code):
        written = called(function, value, literal)
    else:
        written = called("_encode.whole", function, value, literal)
    return laid_out(written, before=before, after=",", indent=8)
