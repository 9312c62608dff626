"""Casts by `::` in dialects that have none: told at the `::`, and how they are written (SQL029)."""

from __future__ import annotations

import sqlite3

import pytest

from brimgen.diagnostics import Severity
from brimgen.sql import DIALECTS, scan
from brimgen.sql.foreign_casts import foreign_cast
from emit.sql.corpora import placeholders
from emit.sql.made import said, tool

QUERY = "SELECT year FROM old_loans WHERE year >= :year::int"


@pytest.mark.parametrize(
    ("dialect", "sql", "why"),
    [
        ("sqlite", ":a::int", "SQLite: write `CAST(:a AS INTEGER)`"),
        ("sqlite", ":a :: TEXT", "SQLite: write `CAST(:a AS TEXT)`"),
        ("sqlite", "o.year::real", "SQLite: write `CAST(o.year AS REAL)`"),
        ("sqlite", "(a + :a)::int", "SQLite: write `CAST(… AS INTEGER)`"),
        ("sqlite", ":a::date", "SQLite: write `CAST(:a AS …)`"),
        ("sqlite", "a::", "SQLite: write `CAST(a AS …)`"),
        ("mysql", ":a::int", "MySQL: write `CAST(:a AS SIGNED)`"),
        ("mysql", "`o`.`year`::text", "MySQL: write `CAST(`o`.`year` AS CHAR)`"),
        ("oracle", ":a::int", "Oracle: write `CAST(:a AS INTEGER)`"),
        ("bigquery", ":a::int64", "BigQuery: write `CAST(:a AS INT64)`"),
        ("tsql", ":a::int", "T-SQL: write `CAST(:a AS BIGINT)`"),
    ],
)
def test_a_cast_is_told_where_there_is_none(dialect: str, sql: str, why: str) -> None:
    found = foreign_cast(scan(f"SELECT {sql}", DIALECTS[dialect]))
    assert found is not None
    assert ("::", f"casts nothing in {why}") == (found.token.text, found.why)
    assert 7 + sql.index("::") == found.token.start


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        *(
            (each, "SELECT :a::int, b::text")
            for each in ("postgres", "duckdb", "snowflake", "databricks", "clickhouse")
        ),
        *((each, "SELECT '::', :a /* x::int */ -- ::") for each in DIALECTS),
        ("tsql", "SELECT geography::Point(:a, 2, 4326), hierarchyid::GetRoot()"),
        ("tsql", "GRANT SELECT ON SCHEMA::sales TO reader"),
    ],
)
def test_others_are_left_alone(dialect: str, sql: str) -> None:
    assert foreign_cast(scan(sql, DIALECTS[dialect])) is None


@pytest.mark.parametrize("dialect", ["sqlite", "mysql"])
def test_it_is_the_one_error_at_its_place(dialect: str) -> None:
    (told,) = [
        each
        for each in said(tool(QUERY, {"year": "int"}), dialect)
        if each.rule.severity is Severity.ERROR
    ]
    assert "SQL029" == told.rule.code
    assert 2 == told.span.end_column - told.span.column
    assert "CAST(:year AS " in told.message


def test_what_is_advised_runs_in_sqlite_and_what_was_written_does_not() -> None:
    with sqlite3.connect(":memory:") as connection:
        advised = "SELECT CAST(:year AS INTEGER)"
        assert (2020,) == connection.execute(advised, {"year": 2020}).fetchone()
        with pytest.raises(sqlite3.ProgrammingError, match="year::int"):
            connection.execute("SELECT :year::int", {"year": 2020})


def test_statements_of_others_have_none_in_their_dialect() -> None:
    for case in placeholders("cases"):
        found = foreign_cast(scan(case["sql"], DIALECTS[case["dialect"]]))
        assert found is None, case["sql"]
