"""Slips of the pen: told where they are sure, by our own eyes and by SQLite's parser (SQL029)."""

from __future__ import annotations

import sqlite3

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.sql import DIALECTS, scan
from brimgen.sql.checks.check_syntax import find_slip, find_syntax_error
from brimgen.sql.uses import find_places

SLIPS = [
    ("SELECT id FRM orders WHERE id = 1", "FRM", "FROM"),
    ("SELECT * FORM orders o WHERE id = 1", "FORM", "FROM"),
    ("SELECT o.* FORM orders o", "FORM", "FROM"),
    ("SELECT id FROM orders WHER id = :id", "WHER", "WHERE"),
    ("SELECT id FROM orders o WEHRE id = :id", "WEHRE", "WHERE"),
    ("SELECT id FROM t WHERE a = 1 ADN b = 2", "ADN", "AND"),
    ("SELECT id FROM t WHERE a LIK 'x'", "LIK", "LIKE"),
    ("SELECT id FROM t ODER BY id", "ODER", "ORDER"),
    ("SELECT id FROM t GRUOP BY id", "GRUOP", "GROUP"),
    ("SELECT id FROM t LIMT 5", "LIMT", "LIMIT"),
    ("SELECT id FROM t LIMIT 5 OFSET 3", "OFSET", "OFFSET"),
    ("SELECT id FROM t JION u ON t.a = u.a", "JION", "JOIN"),
    ("SELECT id FROM (SELECT b FRM u) AS x", "FRM", "FROM"),
    ("UPDATE t STE a = 1", "STE", "SET"),
    ("SELEC a FROM t", "SELEC", "SELECT"),
    ("-- UDPATE\nUDPATE t SET a = 1", "UDPATE", "UPDATE"),
    ("SELECT id FROM t WHERE", "WHERE", None),
    ("SELECT id FROM t WHERE;", "WHERE", None),
    ("SELECT id FROM t WHERE ORDER BY id", "WHERE", None),
    ("SELECT id FROM t WHERE a = 1 AND", "AND", None),
    ("SELECT id FROM t WHERE a =", "=", None),
    ("SELECT id, FROM t", ",", None),
    ("SELECT id FROM t WHERE a IN (1, 2, )", ",", None),
]


@pytest.mark.parametrize(("sql", "text", "meant"), SLIPS)
@pytest.mark.parametrize("dialect", ["postgres", "mysql", "oracle", "tsql", "sqlite"])
def test_a_slip_of_a_keyword_is_found_and_the_keyword_suggested(
    dialect: str, sql: str, text: str, meant: str | None
) -> None:
    found = find_slip(scan(sql, DIALECTS[dialect]))
    assert found is not None
    assert (text, (meant,) if meant else ()) == (found.token.text, found.meant)


SOUND = [
    ("postgres", "SELECT form f, limits l FROM forms form, limits limits WHERE a"),
    ("postgres", "SELECT DISTINCT ON (a) limits x FROM t"),
    ("postgres", "SELECT a FROM ONLY form x"),
    ("postgres", "UPDATE ONLY limits l SET a = 1"),
    ("postgres", "SELECT mail AS from FROM t ORDER BY t.from"),
    ("postgres", "SELECT a IS DISTINCT FROM b, extract(year FROM c) FROM t"),
    ("postgres", "SELECT * FROM json_to_recordset(:j) AS x (form text, limits int)"),
    ("postgres", "SELECT a FROM t JOIN LATERAL f(a) form ON true"),
    ("postgres", "CREATE TABLE t (form text, ordr int)"),
    ("tsql", "SELECT TOP 10 form x FROM t"),
    (
        "postgres",
        "INSERT INTO t (a, b) VALUES (1, f(2, 3)), (:a, '(,') RETURNING (a, b, a)",
    ),
    ("postgres", "INSERT INTO t (a, b) SELECT 1, 2"),
    ("mysql", "INSERT INTO t VALUES (1), (2)"),
    ("mysql", "INSERT INTO t () VALUES ()"),
    ("tsql", "MERGE limits l USING u ON l.a = u.a WHEN MATCHED THEN DELETE"),
    ("mysql", "INSERT IGNORE form VALUE (1)"),
    ("mysql", "UPDATE LOW_PRIORITY limits l SET a = 1"),
    ("mysql", "SELECT a FROM t WHERE b LIKE 'x' ESCAPE '!'"),
    ("oracle", "SELECT a FROM t WHERE b LIKEC 'x'"),
    ("duckdb", "SELECT a, FROM t"),
    ("duckdb", "FROM t SELECT a, b,"),
    ("bigquery", "SELECT a, FROM t"),
    ("bigquery", "FROM t |> WHERE a > 1 |> ORDER BY a"),
    ("clickhouse", "SELECT a FROM t FINAL PREWHERE b = 1 FORMAT JSON"),
    ("snowflake", "SELECT a FROM t SAMPLE (10) WHERE b"),
    (
        "databricks",
        "INSERT INTO TABLE form SELECT a FROM b LATERAL VIEW explode(c) d AS e",
    ),
]


@pytest.mark.parametrize(("dialect", "sql"), SOUND)
def test_of_what_some_dialect_takes_nothing_is_said(dialect: str, sql: str) -> None:
    assert find_slip(scan(sql, DIALECTS[dialect])) is None


STATEMENTS = (
    "SELECT a, b FROM t WHERE a = 1 AND b LIKE 'x' GROUP BY a HAVING b > 1 ORDER BY a",
    "SELECT t.a FROM t JOIN u ON t.a = u.a WHERE t.b IN (1, 2) LIMIT 3 OFFSET 4",
    "SELECT a FROM (SELECT b AS a FROM u WHERE c BETWEEN 1 AND 2) AS x UNION SELECT 1",
    "UPDATE t SET a = 1, b = 'x' WHERE a = 2 AND b IS NULL",
    "INSERT INTO t (a, b) VALUES (1, 'x')",
    "DELETE FROM t WHERE a = 1 OR b = 2",
    "WITH c AS (SELECT a FROM t) SELECT count(*) AS n FROM c WHERE a LIKE 'x'",
)


@st.composite
def mistyped(draw: st.DrawFn) -> str:
    """A statement with a letter or a word too much, too few, or in the wrong place."""
    sql = draw(st.sampled_from(STATEMENTS))
    at = draw(st.integers(0, len(sql) - 2))
    match draw(st.integers(0, 4)):
        case 0:
            return sql[:at] + sql[at + 1 :]
        case 1:
            return sql[:at] + sql[at + 1] + sql[at] + sql[at + 2 :]
        case 2:
            return sql[:at] + draw(st.sampled_from("EROMW ,=")) + sql[at:]
        case 3:
            return sql[:at]
        case _:
            parts = sql.split(" ")
            del parts[draw(st.integers(0, len(parts) - 1))]
            return " ".join(parts)


@given(sql=mistyped())
def test_what_is_told_the_engines_refuse(sql: str) -> None:
    told = find_slip(scan(sql, DIALECTS["duckdb"]))
    if told is not None:
        with pytest.raises(duckdb.ParserException):
            duckdb.extract_statements(sql)
    if (told or find_slip(scan(sql, DIALECTS["sqlite"]))) is not None:
        with pytest.raises(sqlite3.OperationalError, match=r"syntax|incomplete|unrec"):
            sqlite3.connect(":memory:").execute(f"EXPLAIN {sql}")


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("SELECT a FROM t ORDER BY a WHERE b", "WHERE"),
        ("SELECT a FROM t WHERE a == = 1", "="),
        ("SELECT id a b FROM t WHERE b = b", "b"),
        ("SELECT a FROM t WHERE a IN :as AND b IN :as c", "c"),
        (r"SELECT a\:\: int FROM t", None),
        ("SELECT 1_000", None),
        ("SELECT a FROM t WHERE a NOT IN :as", None),
        ("SELECT a FROM t WHERE (a, b) IN (:as)", None),
        ("UPDATE t SET a = 1 WHERE b ORDER BY a LIMIT 1", None),
        ("SELECT a FROM missing.t WHERE unknown(a)", None),
        ("PRAGMA table_info(", None),
        ("CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END", None),
    ],
)
def test_where_sqlite_gives_up(sql: str, text: str | None) -> None:
    read = scan(sql, DIALECTS["sqlite"])
    token = find_syntax_error(read, find_places(read))
    assert text == (token.text if token else None)
