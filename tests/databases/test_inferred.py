"""What is inferred of statements, against what databases say of them and what they return.

Every statement is described by its database, then run over rows that hold NULL wherever they may,
and again while some tables are empty. Nothing that is said for sure may be wrong.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

import brimgen.sql
from brimgen.api import Diagnostics
from brimgen.model.project import SchemaFile
from brimgen.sql import DIALECTS, TokenKind, scan
from brimgen.sql.ddl.read_ddl import read_ddl
from brimgen.sql.infer import infer
from brimgen.sql.model import Inferred, Schema
from brimgen.sql.rules.native_types import column_type
from sqlschema.catalogue_of_postgres import catalogue
from sqlschema.contradictions import against_described, against_rows, agrees
from sqlschema.engines import Engine, Postgres, opened, with_values
from sqlschema.random_statements import Tables, Writer
from sqlschema.shop import EMPTY_SETS, script, shop
from sqlschema.sqlc_shapes import SHAPES, schema_of, script_of, statements_of
from sqlschema.statements import Example, examples
from statements.test_statements import SECTIONS

pytestmark = pytest.mark.whole

_ENUMS = ("order_status", "book_type", "venue_status")
_CATALOGUED = 18
_CATALOGUE = Path(brimgen.sql.__file__).parent / "rules/catalogues/postgres.txt"
_REFUSED_BY_SQLITE = ("no such function",)
"""Functions that older versions of SQLite do not have."""


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgres", "mysql"])
def test_nothing_that_is_inferred_is_wrong(
    dialect: str, request: pytest.FixtureRequest
) -> None:
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    schema = shop(dialect)
    engine = opened(dialect, script(dialect), request)
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


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgres", "mysql"])
def test_queries_in_the_shapes_of_sqlc_are_inferred(
    name: str, dialect: str, request: pytest.FixtureRequest
) -> None:
    shape = SHAPES[name]
    schema, counts = schema_of(shape, dialect), Counter[str]()
    engine = opened(dialect, script_of(shape, dialect), request)
    wrong = [
        each
        for sql in statements_of(shape)
        for each in _checked(Example(sql), schema, engine, counts, sets=((),))
    ]
    assert [] == wrong
    assert counts["unknown"] == counts["unsure"] == 0


def test_the_catalogue_is_what_postgres_says_of_itself(postgres_socket: str) -> None:
    connection = Postgres(script("postgres"), postgres_socket).connection
    if connection.info.server_version // 10000 != _CATALOGUED:
        pytest.skip("the catalogue is of another version")
    text = catalogue(connection)
    if os.environ.get("BRIMGEN_REGEN"):
        _CATALOGUE.write_text(text, encoding="ascii")
    assert _CATALOGUE.read_text(encoding="ascii") == text


def test_postgres_refuses_every_statement_that_is_called_wrong(
    postgres_socket: str,
) -> None:
    engine = Postgres(script("postgres"), postgres_socket)
    (wrong,) = (each for each in SECTIONS if "without a database" in each.title)
    statements = [row.cells[0] for row in wrong.rows]
    accepted = [sql for sql in statements if not engine.prepare(sql)[2]]
    assert [] == accepted


def _checked(
    example: Example,
    schema: Schema,
    engine: Engine,
    counts: Counter[str],
    *,
    sets: Sequence[Sequence[str]] = EMPTY_SETS,
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
                wrong += against_described(sql, inferred, engine)
            wrong += against_rows(sql, inferred, engine, sets)
        except Exception as error:
            if not _is_about_data(error):
                raise
    return wrong


def _is_about_data(error: Exception) -> bool:
    text = str(error).lower()
    return any(
        each in text
        for each in ("duplicate", "unique", "foreign key", *_REFUSED_BY_SQLITE)
    )


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
        told = column_type("postgres", given, dict.fromkeys(_ENUMS, ()))
        assert parameter.type is not None and told is not None, (sql, name)
        item = told.item if parameter.is_list else told
        if item is None or item.base is not parameter.type.base:
            wrong.append(f"{sql}: :{name} is {parameter.type.native}, not {given}")
    return wrong


@pytest.mark.fuzz
@pytest.mark.parametrize("first", range(0, 800, 100))
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgres", "mysql"])
def test_nothing_that_is_inferred_of_random_queries_is_wrong(
    dialect: str, first: int, request: pytest.FixtureRequest
) -> None:
    wrong = [
        each
        for seed in range(first, first + 100)
        for each in _random_wrongs(seed, dialect, request)
    ]
    assert [] == wrong


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgres", "mysql"])
def test_nothing_that_is_inferred_of_some_random_queries_is_wrong(
    dialect: str, request: pytest.FixtureRequest
) -> None:
    wrong = [
        each for seed in range(20) for each in _random_wrongs(seed, dialect, request)
    ]
    assert [] == wrong


def _random_wrongs(
    seed: int, dialect: str, request: pytest.FixtureRequest
) -> list[str]:
    """What is wrong of eight queries over three tables; queries that are refused say nothing."""
    tables = Tables(Random(seed), dialect)
    file = SchemaFile("random.sql", tables.ddl)
    schema = read_ddl([file], dialect, Diagnostics())
    made = [each for each in tables.ddl.split(";\n") if each]
    engine = opened(dialect, [*made, *tables.rows], request)
    wrong: list[str] = []
    for _ in range(8):
        sql, _ = Writer(tables).query()
        inferred = infer(scan(sql, DIALECTS[dialect]), schema)
        assert inferred.unreadable is None, sql
        try:
            engine.run(sql, ())
        except Exception:
            continue
        found = [f"{sql}: {each.text}" for each in inferred.findings]
        found += against_described(sql, inferred, engine)
        found += against_rows(sql, inferred, engine)
        wrong += [f"{seed}: {each}" for each in found]
    engine.close()
    return wrong
