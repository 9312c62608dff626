"""Snowflake, Databricks, BigQuery, ClickHouse: placeholders of their drivers, what is bound."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from brimgen.model.project import Connection
from brimgen.sql.statements import statements
from emit.sql.made import catalog, errors, said, tool
from support.project import build

SQL = """\
SELECT '5%%' AS p, 5 % 2 AS q, ':no' AS r -- :no
FROM t
WHERE a = :n AND (:s IS NULL OR b LIKE :s)
  AND c NOT IN (:ids) AND (:names IS NULL OR d IN :names)
  AND e > :d AND f >= :t AND g = :day AND h = :yes"""
SPEC = f"""\
type: sql_function
name: probe
arguments:
  inline:
    n: int
    s: string?
    ids: "int[]"
    names: "string[]?"
    d: decimal
    t: datetime
    day: date
    yes: bool
returns: object[]
sql: |
{"".join(f"  {line}{chr(10)}" for line in SQL.splitlines())}
---
type: sql_function
name: bare
returns: object
sql: SELECT '5%%' AS p, 5 % 2 AS q
"""
VALUES: dict[str, Any] = {
    "n": 2**63 - 1,
    "s": None,
    "ids": [1, 2],
    "names": ["it's"],
    "d": Decimal("1E-9"),
    "t": datetime(2024, 5, 6, 7, 8, 9, 1, tzinfo=timezone(timedelta(hours=9))),
    "day": date(2024, 2, 29),
    "yes": True,
}
UTC_TIME = datetime(2024, 5, 5, 22, 8, 9, 1)
BIGQUERY = """\
SELECT '5%%%%' AS p, 5 %% 2 AS q, ':no' AS r -- :no
FROM t
WHERE a = %(n:INT64)s AND (%(s:STRING)s IS NULL OR b LIKE %(s:STRING)s)
  AND c NOT IN UNNEST(%(ids:ARRAY<INT64>)s) AND (%(names__given:INT64)s IS NULL \
OR d IN UNNEST(%(names:ARRAY<STRING>)s))
  AND e > %(d:NUMERIC)s AND f >= %(t:DATETIME)s AND g = %(day:DATE)s AND h = %(yes:BOOL)s
"""
CLICKHOUSE = """\
SELECT '5%%' AS p, 5 % 2 AS q, ':no' AS r -- :no
FROM t
WHERE a = {n:Int64} AND ({s:Nullable(String)} IS NULL OR b LIKE {s:Nullable(String)})
  AND c NOT IN {ids:Array(Int64)} AND ({names__given:Nullable(Int64)} IS NULL \
OR d IN {names:Array(String)})
  AND e > {d:Decimal(38,9)} AND f >= {t:DateTime64(6, 'UTC')} \
AND g = {day:Date32} AND h = {yes:Bool}
"""
SNOWFLAKE = """\
SELECT '5%%' AS p, 5 % 2 AS q, ':no' AS r -- :no
FROM t
WHERE a = ? AND (? IS NULL OR b LIKE ?)
  AND c NOT IN (?, ?) AND (? IS NULL OR d IN (?))
  AND e > ? AND f >= ? AND g = ? AND h = ?
"""
DATABRICKS = """\
SELECT '5%%' AS p, 5 % 2 AS q, ':no' AS r -- :no
FROM t
WHERE a = :n AND (:s IS NULL OR b LIKE :s)
  AND c NOT IN (:ids__0, :ids__1) AND (:names__given IS NULL OR d IN (:names__0))
  AND e > :d AND f >= :t AND g = :day AND h = :yes
"""


def _modules(folder: Path, dialect: str) -> Any:
    built = build(
        folder,
        {"probe.yaml": SPEC},
        targets=("python", "sql"),
        connections={"default": Connection(dialect, ())},
    )
    assert [] == [each.message for each in built.diagnostics]
    return built


def _bound(built: Any, **values: Any) -> Any:
    return built.load().TOOLS["probe"].bound_type(**{**VALUES, **values})


def test_bigquery_gets_named_parameters(tmp_path: Path) -> None:
    built = _modules(tmp_path, "bigquery")
    module, bare = built.load("sql.probe"), built.load("sql.bare")
    assert BIGQUERY == module.SQL_BIGQUERY
    expected = {
        **VALUES,
        "t": UTC_TIME,
        "d": Decimal("0.000000001"),
        "names__given": 1,
    }
    assert expected == module.bind_bigquery(_bound(built))
    absent = module.bind_bigquery(_bound(built, names=None, ids=[]))
    assert (None, [], []) == (absent["names__given"], absent["names"], absent["ids"])
    # The driver reads `%%` as `%` whether there are arguments or not.
    assert "SELECT '5%%%%' AS p, 5 %% 2 AS q" == bare.SQL_BIGQUERY
    assert {} == bare.bind_bigquery(built.load().TOOLS["bare"].bound_type())


def test_clickhouse_gets_typed_placeholders(tmp_path: Path) -> None:
    built = _modules(tmp_path, "clickhouse")
    module = built.load("sql.probe")
    assert CLICKHOUSE == module.SQL_CLICKHOUSE_CONNECT
    expected = {
        **VALUES,
        "t": "2024-05-05 22:08:09.000001",
        "day": "2024-02-29",
        "names__given": 1,
    }
    assert expected == module.bind_clickhouse_connect(_bound(built))
    assert "SELECT '5%%' AS p, 5 % 2 AS q" == built.load("sql.bare").SOURCE


def test_snowflake_gets_parameters_by_position(tmp_path: Path) -> None:
    built = _modules(tmp_path, "snowflake")
    text, arguments = built.load("sql.probe").render_snowflake(_bound(built))
    assert SNOWFLAKE == text
    amount = Decimal("0.000000001")
    days = (amount, UTC_TIME, VALUES["day"], True)
    assert (VALUES["n"], None, None, 1, 2, 1, "it's", *days) == arguments


def test_databricks_gets_named_markers(tmp_path: Path) -> None:
    """Named markers, and a dict of plain values, whose types the connector infers."""
    built = _modules(tmp_path, "databricks")
    module = built.load("sql.probe")
    text, arguments = module.render_databricks(_bound(built))
    assert DATABRICKS == text
    assert {
        "n": VALUES["n"],
        "s": None,
        "ids__0": 1,
        "ids__1": 2,
        "names__given": 1,
        "names__0": "it's",
        "d": Decimal("0.000000001"),
        "t": UTC_TIME,
        "day": VALUES["day"],
        "yes": True,
    } == arguments
    for decimal in ("1E+38", "NaN"):
        with pytest.raises(ValueError, match="parameter 'd'"):
            module.render_databricks(_bound(built, d=Decimal(decimal)))


# dialect, statement, arguments, errors
CASES: list[tuple[str, str, dict[str, str], list[str]]] = [
    ("snowflake", "SELECT a:b.c, :x, a:b::int FROM t // :no", {"x": "int"}, []),
    ("snowflake", "SELECT $$ :no ' $$, :x", {"x": "int"}, []),
    ("snowflake", "SELECT f(x)[0]:y, t[:x]:z FROM t", {"x": "int"}, []),
    ("snowflake", "SELECT 1 WHERE a = ?", {}, ["foreign-placeholder"]),
    ("bigquery", "SELECT r'\\', '''it's :no''', :x # :no", {"x": "int"}, []),
    ("bigquery", 'SELECT `a:b`, "it\'s :no", :x', {"x": "int"}, []),
    ("bigquery", "SELECT @x", {"x": "int"}, ["foreign-placeholder"]),
    ("bigquery", "SELECT a[OFFSET(:x)], [:x] FROM t", {"x": "int"}, []),
    ("bigquery", "SELECT :x", {"x": "primitive"}, ["untyped-parameter"]),
    ("clickhouse", "SELECT a ? :x : b, {'k': :x}, :x FROM t", {"x": "int"}, []),
    ("clickhouse", "SELECT {x:Int64}", {"x": "int"}, ["template-syntax"]),
    ("clickhouse", "SELECT 'a\\':no', $t$ :no $t$, :x # :no", {"x": "int"}, []),
    ("clickhouse", "SELECT a WHERE b = :x", {"x": "primitive"}, ["untyped-parameter"]),
]


@pytest.mark.parametrize(("dialect", "sql", "arguments", "expected"), CASES)
def test_what_a_typed_placeholder_cannot_carry_is_told(
    dialect: str, sql: str, arguments: dict[str, str], expected: list[str]
) -> None:
    assert expected == errors(said(tool(sql, arguments), dialect))


def _rewritten(sql: str, arguments: dict[str, str]) -> str:
    made = catalog(tool(sql, arguments), "bigquery", "bigquery")
    (bound,) = statements(made)
    return bound.texts["bigquery"].text or ""


"""Of our types those of scalar parameters of BigQuery's driver (3.47), which has no JSON."""


def test_bigquery_parses_json_by_itself_once() -> None:
    arguments = {"a": "object"}
    written = "PARSE_JSON(%(a:STRING)s)"
    assert f"SELECT 1 FROM t WHERE b = {written}" == _rewritten(
        "SELECT 1 FROM t WHERE b = :a", arguments
    )
    assert f"SELECT 1 FROM t WHERE b = {written}" == _rewritten(
        "SELECT 1 FROM t WHERE b = PARSE_JSON(:a)", arguments
    )
