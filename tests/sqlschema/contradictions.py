"""What a database says of a statement, held against what was inferred of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brimgen.sql.model import ColumnType, Inferred
from brimgen.sql.rules.native_types import column_type
from sqlschema.engines import Engine

_FAMILIES = {
    **dict.fromkeys(("int2", "int4", "int8", "uint8", "int16"), "int"),
    **dict.fromkeys(("float4", "float8"), "float"),
}
_MARIADB = {
    **dict.fromkeys(
        ("LONG", "LONGLONG", "SHORT", "TINY", "CHAR", "INT24", "YEAR"), "int"
    ),
    **dict.fromkeys(("NEWDECIMAL", "DECIMAL"), "decimal"),
    **dict.fromkeys(("DOUBLE", "FLOAT"), "float"),
    **dict.fromkeys(("DATE", "NEWDATE"), "date"),
    **dict.fromkeys(("DATETIME", "TIMESTAMP"), "datetime"),
}
_BINARY = "63"
_TEXTS = ("text", "enum", "json", "uuid")
_PYTHON: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "bool": (int,),
    "float": (float, int),
    "decimal": (int, float),
    "text": (str,),
    "date": (str,),
    "datetime": (str,),
    "json": (str,),
    "bytes": (bytes,),
}


def family(type: ColumnType) -> str:
    """What a type holds, without its width."""
    return _FAMILIES.get(type.base.value, type.base.value)


def bare(native: str) -> str:
    """A type without its digits."""
    return " ".join(re.sub(r"\(.*?\)", " ", native).split())


def agrees(dialect: str, inferred: ColumnType, told: str) -> bool:
    """Whether an inferred type is the one that a database tells."""
    if dialect == "postgres":
        return bare(inferred.native) == bare(told)
    if dialect == "duckdb":
        found = column_type("duckdb", told, {})
        return found is not None and family(found) == family(inferred)
    word, _, charset = told.split()
    theirs = _MARIADB.get(word, "bytes" if charset == _BINARY else "text")
    ours = family(inferred)
    if ours in _TEXTS:
        return theirs == "text"
    return theirs == ("int" if ours == "bool" else ours)


def against_described(sql: str, inferred: Inferred, engine: Engine) -> list[str]:
    """What a database's description of a statement contradicts."""
    told = engine.describe(sql)
    if told is None or inferred.columns is None:
        return []
    assert len(told) == len(inferred.columns), sql
    return [
        f"{sql}: {column.name} is {column.type.native}, not {given}"
        for column, given in zip(inferred.columns, told, strict=True)
        if column.type is not None and not agrees(engine.dialect, column.type, given)
    ]


def against_rows(
    sql: str,
    inferred: Inferred,
    engine: Engine,
    empty_sets: Sequence[Sequence[str]] = ((),),
) -> list[str]:
    """What the rows of a statement contradict, while some sets of tables are empty."""
    wrong: list[str] = []
    for empty in empty_sets:
        rows = engine.run(sql, empty)
        if inferred.columns is None:
            continue
        if inferred.at_least_one and not rows:
            wrong.append(f"{sql}: no row without {empty}")
        for row in rows:
            for cell, column in zip(row, inferred.columns, strict=True):
                if cell is None and column.nullable is False:
                    wrong.append(f"{sql}: {column.name} is NULL without {empty}")
                if engine.dialect != "sqlite" or cell is None or column.type is None:
                    continue
                if not isinstance(cell, _PYTHON.get(family(column.type), (object,))):
                    wrong.append(f"{sql}: {column.name} is {cell!r}")
    return list(dict.fromkeys(wrong))
