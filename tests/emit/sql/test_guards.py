"""Filters without a guard: found in the text, and proven on SQLite (rule SQL024)."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.sql import DIALECTS, scan
from brimgen.sql.filters import rejecting

# dialect, statement, the parameters that need a guard
CASES = [
    ("sqlite", "SELECT 1 FROM t WHERE a = :a", "a"),
    ("sqlite", "SELECT 1 FROM t WHERE a IN (:a) AND b IN :b", "a b"),
    ("sqlite", "SELECT 1 FROM t WHERE (:a IS NULL OR a = :a) AND b > :b", "b"),
    ("sqlite", "SELECT 1 FROM t WHERE (a = :a OR :a IS NULL)", ""),
    ("sqlite", "SELECT 1 FROM t WHERE a LIKE :q OR b LIKE '%' || :q || '%'", "q"),
    ("mysql", "SELECT 1 FROM t WHERE b LIKE '%' || :q", ""),
    ("mysql", "SELECT 1 FROM t WHERE b LIKE CONCAT('%', :q, '%')", "q"),
    ("postgres", "SELECT 1 FROM t WHERE b LIKE CONCAT('%', :q, '%')", ""),
    ("oracle", "SELECT 1 FROM t WHERE b LIKE '%' || :q || '%'", ""),
    ("sqlite", "SELECT 1 FROM t WHERE a = :a OR b = :b", ""),
    ("sqlite", "SELECT 1 FROM t WHERE a BETWEEN :a AND :b AND c = :c", "a b c"),
    ("sqlite", "SELECT 1 FROM t WHERE a NOT BETWEEN :a AND :b", ""),
    ("sqlite", "SELECT 1 FROM t WHERE COALESCE(:a, b) = b", ""),
    ("sqlite", "SELECT 1 FROM t WHERE b = COALESCE(:a, b)", ""),
    ("sqlite", "SELECT 1 FROM t WHERE lower(b) = lower(:a)", "a"),
    ("sqlite", "SELECT 1 FROM t WHERE a IS :a", ""),
    ("postgres", "SELECT 1 FROM t WHERE a IS NOT DISTINCT FROM :a", ""),
    ("mysql", "SELECT 1 FROM t WHERE a <=> :a", ""),
    ("sqlite", "SELECT 1 WHERE CASE WHEN :a IS NULL THEN 1 ELSE a = :a END", ""),
    ("sqlite", "SELECT 1 FROM t WHERE iif(:a IS NULL, 1, a = :a)", ""),
    ("sqlite", "SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM u WHERE a = :a)", "a"),
    ("sqlite", "SELECT 1 FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE a = :a)", ""),
    ("sqlite", "SELECT 1 FROM t WHERE a IN (SELECT b FROM u WHERE c = :c)", "c"),
    ("sqlite", "SELECT 1 FROM t WHERE NOT (a = :a)", "a"),
    ("postgres", "SELECT 1 FROM t WHERE a NOT IN (SELECT b FROM u WHERE c = :c)", ""),
    ("sqlite", "SELECT 1 FROM t WHERE NOT (a = :a AND b = 1)", ""),
    ("sqlite", "SELECT 1 FROM t WHERE (a, b) > (:a, :b)", ""),
    ("sqlite", "SELECT 1 FROM t WHERE a NOT IN (:a)", ""),
    ("postgres", "SELECT 1 FROM t WHERE a NOT IN (:a)", "a"),
    (
        "postgres",
        "SELECT 1 FROM t WHERE a = ANY(:a) AND b = :b::int AND d @> :d",
        "a b d",
    ),
    ("sqlite", "UPDATE t SET a = :a, b = CASE WHEN c = :c THEN 1 END, d = :d", ""),
    ("sqlite", "UPDATE t SET a = :a WHERE id = :id", "id"),
    ("sqlite", "DELETE FROM t WHERE id = :id", "id"),
    ("sqlite", "INSERT INTO t (a, b) VALUES (:a, :b)", ""),
    ("mysql", "INSERT INTO t (a) VALUES (:a) ON DUPLICATE KEY UPDATE a = :a", ""),
    ("sqlite", "SELECT 1 FROM t LEFT JOIN u ON u.a = :a", ""),
    ("sqlite", "WITH c AS (SELECT * FROM t WHERE a = :a) SELECT * FROM c", "a"),
    (
        "sqlite",
        "WITH c AS (SELECT * FROM t WHERE a = :a) SELECT * FROM t LEFT JOIN c ON 1",
        "",
    ),
    ("sqlite", "SELECT * FROM (SELECT * FROM t WHERE a = :a)", "a"),
    ("sqlite", "SELECT * FROM t LEFT JOIN (SELECT * FROM t WHERE a = :a)", ""),
    ("sqlite", "SELECT a FROM t WHERE a = :a UNION SELECT a FROM u WHERE b = :b", ""),
    ("sqlite", "SELECT a FROM t WHERE a = :a UNION SELECT a FROM u WHERE b = :a", "a"),
    ("sqlite", "SELECT (SELECT count(*) FROM u WHERE k = :k) FROM t", ""),
    ("sqlite", "SELECT count(*) FILTER (WHERE a = :a) FROM t", ""),
    ("sqlite", "SELECT sum(a) FROM t GROUP BY b HAVING sum(a) > :a LIMIT :n", "a"),
    ("sqlite", "SELECT 1 FROM t WHERE a = :a;", "a"),
    ("sqlite", "SELECT 1 FROM t WHERE", ""),
    ("sqlite", "SELECT 1 FROM t WHERE a = :a)", ""),
    ("sqlite", "SELECT 1 FROM t WHERE a NOT IN (:a, :b)", "a b"),
    ("sqlite", "SELECT 1 FROM t WHERE a = (SELECT max(b) FROM u WHERE b < :b)", ""),
    ("sqlite", "SELECT 1 FROM t WHERE a = (SELECT b FROM u WHERE b < :b)", "b"),
    ("sqlite", "WITH t AS (SELECT * FROM t WHERE a = :a) SELECT * FROM t", "a"),
    ("sqlite", "SELECT 1 FROM t WHERE (a = :a", ""),
]


def _rejected(sql: str, dialect: str) -> set[str]:
    statement = scan(sql, DIALECTS[dialect])
    return set(rejecting(statement, statement.names))


@pytest.mark.parametrize(("dialect", "sql", "names"), CASES)
def test_what_needs_a_guard(dialect: str, sql: str, names: str) -> None:
    assert names.split() == sorted(_rejected(sql, dialect))


ATOMS = st.sampled_from(
    [
        *("a = :x", "b <> :x", "b > :y", "a = :y", "a = 1", "b IS NULL", ":x IS NULL"),
        *("a IN (:x)", "a NOT IN (:x, 1)", "a BETWEEN :x AND :y", "a IS :x"),
        *("a NOT BETWEEN 0 AND :x", "COALESCE(:x, a) = a", "a + :x > 0", ":y"),
        *(
            "b LIKE '%' || :x || '%'",
            "abs(:x) = a",
            "max(:x, a) = a",
            "(a, b) = (:x, 2)",
        ),
        *(
            "EXISTS (SELECT 1 FROM t AS u WHERE u.a = :x AND u.b = t.b)",
            "ifnull(:x, 1)",
        ),
        *("a IN (SELECT b FROM t WHERE b = :x)", "CASE WHEN a = :x THEN 1 ELSE 1 END"),
    ]
)
CONDITIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map(" ".join),
        inner.map("({})".format),
        inner.map("NOT ({})".format),
        inner.map("NOT {}".format),
    ),
    max_leaves=6,
)


@given(condition=CONDITIONS, value=st.sampled_from([None, 0, 1, 2]))
def test_nothing_is_found_where_a_guard_is_missed(
    condition: str, value: int | None
) -> None:
    """What is told is so: SQLite finds no row, whatever the other parameter is."""
    sql = f"SELECT * FROM t WHERE {condition}"
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (a INTEGER, b INTEGER)")
    rows = [(a, b) for a in (None, 0, 1, 2) for b in (None, 0, 1, 2)]
    connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
    for name in _rejected(sql, "sqlite"):
        values = {"x": value, "y": value} | {name: None}
        assert [] == connection.execute(sql, values).fetchall()
    connection.close()
