"""What is inferred of statements, against what databases say of them and what they return.

Every statement is described by its database, then run over rows that hold NULL wherever they may,
and again while some tables are empty. Nothing that is said for sure may be wrong.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import brimgen.sqlschema
from brimgen.sqlschema.infer import infer
from brimgen.sqlschema.model import ColumnType, Inferred, Schema
from brimgen.sqlschema.native_types import column_type
from brimgen.sqltext import DIALECTS, TokenKind, scan
from sqlschema.catalogue_of_postgres import catalogue
from sqlschema.engines import Duckdb, Engine, Mariadb, Postgres, Sqlite, with_values
from sqlschema.shop import EMPTY_SETS, shop
from sqlschema.statements import Example, examples
from sqlschema.test_wrong_statements import wrong_statements

pytestmark = pytest.mark.whole

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
_CATALOGUED = 18
_CATALOGUE = Path(brimgen.sqlschema.__file__).parent / "catalogues" / "postgres.txt"
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
_REFUSED_BY_SQLITE = ("no such function",)
"""Functions that older versions of SQLite do not have."""


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


@contextmanager
def opened(dialect: str, request: pytest.FixtureRequest) -> Iterator[Engine]:
    """A database with the shop."""
    if dialect == "sqlite":
        yield Sqlite()
    elif dialect == "duckdb":
        yield Duckdb()
    elif dialect == "postgres":
        yield Postgres(request.getfixturevalue("postgres_socket"))
    else:
        yield Mariadb(request.getfixturevalue("mariadb_socket"))


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgres", "mysql"])
def test_nothing_that_is_inferred_is_wrong(
    dialect: str, request: pytest.FixtureRequest
) -> None:
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    schema = shop(dialect)
    with opened(dialect, request) as engine:
        for example in examples():
            if dialect in example.dialects:
                wrong += _checked(example, schema, engine, counts)
    assert [] == wrong
    columns, unknown = counts["columns"], counts["unknown"]
    print(
        f"\n{dialect}: {counts['statements']} statements, {columns} columns,"
        f" {unknown} types unknown ({unknown / columns:.1%}),"
        f" {counts['unsure']} nullabilities unsure ({counts['unsure'] / columns:.1%})"
    )
    assert counts["statements"] >= 140
    assert unknown <= columns * 0.03
    assert counts["unsure"] <= columns * 0.04


def test_the_catalogue_is_what_postgres_says_of_itself(postgres_socket: str) -> None:
    connection = Postgres(postgres_socket).connection
    if connection.info.server_version // 10000 != _CATALOGUED:
        pytest.skip("the catalogue is of another version")
    text = catalogue(connection)
    if os.environ.get("BRIMGEN_REGEN"):
        _CATALOGUE.write_text(text, encoding="ascii")
    assert _CATALOGUE.read_text(encoding="ascii") == text


def test_postgres_refuses_every_statement_that_is_called_wrong(
    postgres_socket: str,
) -> None:
    engine = Postgres(postgres_socket)
    accepted = [sql for sql, _ in wrong_statements() if not engine.prepare(sql)[2]]
    assert [] == accepted


def _checked(
    example: Example, schema: Schema, engine: Engine, counts: Counter[str]
) -> list[str]:
    inferred = infer(scan(example.sql, DIALECTS[schema.dialect]), schema)
    counts["statements"] += 1
    wrong = [f"{example.sql}: {each.text}" for each in inferred.findings]
    for each in inferred.columns or ():
        counts["columns"] += 1
        counts["unknown"] += each.type is None
        counts["unsure"] += each.nullable is None
    if isinstance(engine, Postgres):
        wrong += _against_prepared(example.sql, inferred, engine)
    for sql in with_values(example.sql, schema.dialect, inferred):
        try:
            if not isinstance(engine, Postgres):
                wrong += _against_described(sql, inferred, engine)
            wrong += _against_rows(sql, inferred, engine)
        except Exception as error:
            if not _is_about_data(error):
                raise
    return wrong


def _is_about_data(error: Exception) -> bool:
    text = str(error).lower()
    return any(each in text for each in ("duplicate", "unique", *_REFUSED_BY_SQLITE))


def _against_described(sql: str, inferred: Inferred, engine: Engine) -> list[str]:
    told = engine.describe(sql)
    if told is None or inferred.columns is None:
        return []
    assert len(told) == len(inferred.columns), sql
    return [
        f"{sql}: {column.name} is {column.type.native}, not {given}"
        for column, given in zip(inferred.columns, told, strict=True)
        if column.type is not None and not agrees(engine.dialect, column.type, given)
    ]


def _against_prepared(sql: str, inferred: Inferred, engine: Postgres) -> list[str]:
    names, pieces = list(inferred.parameters), list[str]()
    for token in scan(sql, DIALECTS["postgres"]).tokens:
        is_parameter = token.kind is TokenKind.PARAM
        at = names.index(token.text[1:]) + 1 if is_parameter else 0
        pieces.append(f"${at}" if at else token.text)
    text = re.sub(r"\bIN \((\$\d+)\)", r"= ANY(\1)", "".join(pieces))
    text = re.sub(r"(\$\d+) IS NULL", r"CAST(\1 AS text) IS NULL", text)
    columns, taken, refusal = engine.prepare(text)
    assert not refusal, (text, refusal)
    assert len(columns) == len(inferred.columns or ()), sql
    wrong = [
        f"{sql}: {column.name} is {column.type.native}, not {given}"
        for column, given in zip(inferred.columns or (), columns, strict=True)
        if column.type is not None and not agrees("postgres", column.type, given)
    ]
    for name, given in zip(names, taken, strict=True):
        parameter = inferred.parameters[name]
        told = column_type("postgres", given, {"order_status": ()})
        assert parameter.type is not None and told is not None, (sql, name)
        item = told.item if parameter.is_list else told
        if item is None or item.base is not parameter.type.base:
            wrong.append(f"{sql}: :{name} is {parameter.type.native}, not {given}")
    return wrong


def _against_rows(sql: str, inferred: Inferred, engine: Engine) -> list[str]:
    wrong: list[str] = []
    for empty in EMPTY_SETS:
        rows = engine.run(sql, empty)
        if inferred.columns is None:
            continue
        if inferred.at_most_one and len(rows) > 1:
            wrong.append(f"{sql}: {len(rows)} rows")
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
