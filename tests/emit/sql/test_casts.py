"""Casts by `::` in dialects that have none: told at the `::`, and how they are written (SQL029)."""

from __future__ import annotations

import pytest

from brimgen.sql import DIALECTS, scan
from brimgen.sql.checks.check_syntax import foreign_cast


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
