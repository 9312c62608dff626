"""Compare the type of a column in the database with the type that a field reads."""

from __future__ import annotations

import re

from brimgen.emit.codecs.sql import KINDS, SqlKind
from brimgen.emit.sql.types import SqlType

_FAMILIES = tuple(
    (re.compile(pattern, re.IGNORECASE), family)
    for pattern, family in (
        (r".*\[\d*\]\Z", "array"),
        (r"tiny(int.*)?\Z", "tiny"),
        (r"(u?(big|small|huge)int|u?int(eger|\d*)|(small|big)?serial)\b", "int"),
        (r"(long(long)?|short|int24|year)\Z", "int"),
        (r"(numeric|(new)?decimal)\b", "decimal"),
        (r"(double|real|float)", "float"),
        (r"bool", "bool"),
        (r"(timestamp|datetime)", "datetime"),
        (r"date\Z", "date"),
        (r"json", "json"),
        (r"uuid\Z", "uuid"),
        (r"(bytea|binary|varbinary)", "bytes"),
        (r"(character|varchar|text|\"?char|name\Z|bpchar|string|var_string)", "text"),
        (r"interval", "interval"),
        (r"time", "time"),
        (r"(inet|cidr|macaddr)", "inet"),
    )
)


def family_of(type: str) -> str:
    """Return the family of a database type; empty where it is unknown."""
    return next((family for pattern, family in _FAMILIES if pattern.match(type)), "")


def reads(declared: SqlType, native: str, *, exact: bool = True) -> bool:
    """Whether a field of the type ``declared`` is read from a column of the type ``given``.

    A column of an unknown type can be read. A decimal is not read from a float if the database
    could have kept its digits (``exact``).
    """
    family = family_of(native)
    if not family or declared.leaf is not None:
        return True
    if declared.is_list:
        return family in ("array", "json", "text")
    if family == "float" and declared.kind is SqlKind.DECIMAL:
        return not exact
    return family in KINDS[declared.kind].reads
