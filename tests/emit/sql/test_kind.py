"""Kinds: what a statement does; what is not known is never a read (sql.md)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.sql import DIALECTS
from brimgen.sql.effects import Kind, statement_facts

# dialect, statement, kind, destructive, idempotent
CASES = [
    ("postgres", "SELECT 1", "read", None, None),
    ("postgres", "((SELECT 1)) UNION SELECT 2;", "read", None, None),
    ("postgres", "WITH a AS (SELECT 1) SELECT * FROM a", "read", None, None),
    (
        "postgres",
        "WITH RECURSIVE a (n) AS (SELECT 1) SELECT * FROM a",
        "read",
        None,
        None,
    ),
    ("postgres", "VALUES (1), (2)", "read", None, None),
    ("postgres", "TABLE users", "read", None, None),
    ("duckdb", "FROM users SELECT id", "read", None, None),
    ("postgres", "SELECT replace(a, 'x', 'y') FROM t", "read", None, None),
    ("mysql", "SELECT insert(a, 1, 2, 'x'), truncate(b, 2) FROM t", "read", None, None),
    ("postgres", "SELECT t.update, a AS delete, b FROM t", "read", None, None),
    ("postgres", "SELECT 'DELETE FROM t' -- DROP TABLE t", "read", None, None),
    ("sqlite", "INSERT INTO t VALUES (1)", "write", False, False),
    ("sqlite", "INSERT OR IGNORE INTO t VALUES (1)", "write", False, False),
    ("sqlite", "INSERT OR REPLACE INTO t VALUES (1)", "write", True, False),
    ("sqlite", "REPLACE INTO t VALUES (1)", "write", True, False),
    (
        "postgres",
        "INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING",
        "write",
        False,
        False,
    ),
    (
        "postgres",
        "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 1",
        "write",
        True,
        False,
    ),
    (
        "mysql",
        "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 1",
        "write",
        True,
        False,
    ),
    ("sqlite", "DELETE FROM t WHERE a = 1", "write", True, True),
    ("sqlite", "UPDATE t SET a = :a, b = 'x' WHERE c = d", "write", True, True),
    ("postgres", "UPDATE t SET a = CAST(:a AS text), b = :b::int", "write", True, True),
    ("sqlite", "UPDATE t SET n = n + 1", "write", True, False),
    ("sqlite", "UPDATE t SET at = CURRENT_TIMESTAMP", "write", True, False),
    (
        "postgres",
        "MERGE INTO t USING s ON a = b WHEN MATCHED THEN DELETE",
        "write",
        True,
        False,
    ),
    (
        "postgres",
        "WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d",
        "write",
        True,
        False,
    ),
    (
        "postgres",
        "WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a",
        "write",
        False,
        False,
    ),
    ("tsql", "SELECT 1 DELETE FROM users", "write", True, False),
    ("tsql", "INSERT INTO t VALUES (1) DELETE FROM users", "write", True, False),
    ("tsql", "SELECT * INTO newt FROM users", "write", False, False),
    ("postgres", "SELECT nextval('s')", "write", False, False),
    ("postgres", "SELECT \"nextval\"('s')", "write", False, False),
    ("postgres", "SELECT setval('s', 1)", "write", True, False),
    ("oracle", "SELECT s.NEXTVAL FROM dual", "write", False, False),
    ("tsql", "SELECT NEXT VALUE FOR s", "write", False, False),
    ("postgres", "SELECT 1 FROM t FOR UPDATE", "lock", False, False),
    ("postgres", "SELECT 1 FROM t FOR NO KEY UPDATE SKIP LOCKED", "lock", False, False),
    ("mysql", "SELECT 1 FROM t LOCK IN SHARE MODE", "lock", False, False),
    ("tsql", "SELECT 1 FROM t WITH (UPDLOCK)", "lock", False, False),
    ("postgres", "SELECT pg_advisory_lock(1)", "lock", False, False),
    (
        "postgres",
        "WITH l AS (SELECT 1 FOR UPDATE), d AS (DELETE FROM t) SELECT 1",
        "write",
        True,
        False,
    ),
    ("postgres", "CREATE TABLE t (a int)", "ddl", True, False),
    ("postgres", "TRUNCATE t", "ddl", True, False),
    ("postgres", "EXPLAIN ANALYZE DELETE FROM t", "other", True, False),
    ("postgres", "COPY t TO PROGRAM 'x'", "other", True, False),
    ("postgres", "SELECT dblink_exec('x', 'y')", "other", True, False),
    ("sqlite", "PRAGMA user_version = 3", "other", True, False),
    ("sqlite", "SELECT load_extension('x')", "other", True, False),
    ("mysql", "SELECT 1 /*! INTO OUTFILE '/tmp/x' */", "other", True, False),
    ("mysql", "SELECT @a := 1", "other", True, False),
    ("sqlite", "SELECT 1; DELETE FROM t", "other", True, False),
    ("sqlite", "SELECT 'a", "other", True, False),
    ("sqlite", "frobnicate", "other", True, False),
    ("sqlite", "", "other", True, False),
    ("klingon", "SELECT 1", "other", True, False),
]


@pytest.mark.parametrize(("dialect", "sql", "kind", "destructive", "idempotent"), CASES)
def test_what_a_statement_changes_is_known_for_its_hints(
    dialect: str, sql: str, kind: str, destructive: bool | None, idempotent: bool | None
) -> None:
    facts = statement_facts(sql, dialect)
    hints = facts.hints
    assert (kind, kind == "read") == (facts.kind, hints.read_only)
    assert (destructive, idempotent) == (hints.destructive, hints.idempotent)


# dialect, a statement that calls a function that may do anything
CALLING = [
    ("postgres", "SELECT purge_old_rows(:days)"),
    ("postgres", "SELECT * FROM app.close_account(:id)"),
    ("postgres", 'SELECT "Purge"(1)'),
    ("postgres", "SELECT public.lower('A')"),
    ("postgres", "SELECT a FROM t WHERE ok(a)"),
    ("postgres", "VALUES (charge_card(1))"),
    ("postgres", "WITH x AS (SELECT f(1)) SELECT * FROM x"),
    ("postgres", "SELECT count(*) FILTER (WHERE f(a)) OVER (PARTITION BY b) FROM t"),
    ("sqlite", "SELECT notify(id) FROM t"),
    ("mysql", "SELECT shop.refund(:id)"),
    ("tsql", "SELECT dbo.close_account(:id)"),
    ("oracle", "SELECT pkg.close_account(:id) FROM dual"),
    ("duckdb", "FROM purge(1)"),
    ("snowflake", "SELECT purge(1)"),
    ("databricks", "SELECT purge(1)"),
    ("bigquery", "SELECT `p.d.purge`(1)"),
    ("clickhouse", "SELECT purge(1)"),
    ("postgres", "SELECT (5).pg_advisory_lock"),
    ("postgres", "SELECT ('/etc/hostname'::text).lo_import"),
    ("postgres", "SELECT (o).purge FROM orders o"),
    ("postgres", "SELECT s.pg_advisory_lock FROM generate_series(1, 2) s"),
    ("postgres", "SELECT rename(id, id) FROM orders"),
    ("mysql", "SELECT lock(id, id) FROM orders"),
    ("sqlite", "SELECT * FROM lock(:i)"),
    ("postgres", "SELECT * FROM public.rename(:i)"),
    ("postgres", "SELECT * FROM update(1)"),
    ("postgres", "SELECT qualify(1)"),
    ("postgres", "SELECT a, rollup(a) FROM t GROUP BY ROLLUP (a)"),
    ("postgres", 'SELECT "ROW"(1)'),
    ("postgres", "SELECT * FROM comment(1)"),
    ("tsql", "SELECT 1 SHUTDOWN"),
    ("tsql", "SELECT id FROM t COMMIT"),
    ("tsql", "SELECT 1 RECONFIGURE"),
    ("tsql", "SELECT dbo.query(1)"),
    ("tsql", "SELECT dbo.query('x')"),
    ("clickhouse", "SELECT * APPLY(purge) FROM t"),
    ("clickhouse", "SELECT COLUMNS('x') APPLY(purge) FROM t"),
    ("sqlite", "SELECT * FROM pragma_optimize"),
    ("sqlite", 'SELECT * FROM "pragma_optimize"'),
    ("sqlite", "SELECT 1 IN 'pragma_optimize'"),
    ("oracle", "SELECT pkg.close_all FROM dual"),
    ("oracle", "SELECT purge FROM dual"),
    ("oracle", "SELECT * FROM TABLE(purge)"),
    ("postgres", "SELECT map_delete(:i)"),
    ("postgres", "SELECT truncate('orders')"),
    ("postgres", "SELECT search('x')"),
    ("mysql", "SELECT filter(2)"),
    ("mysql", "SELECT net.lower('x')"),
    ("postgres", "SELECT \"LOWER\"('x')"),
    ("postgres", "SELECT st_purge(1)"),
    ("postgres", "SELECT ST_CreateOverview('orders', 'rast', 2)"),
    ("postgres", "SELECT \u017fum(1)"),
    ("postgres", "SELECT LATERAL.purge(1)"),
    ("postgres", "SELECT 1 FROM t JOIN LATERAL . f(1)"),
]


@pytest.mark.parametrize(("dialect", "sql"), CALLING)
def test_a_function_that_may_write_is_not_hinted_read_only(
    dialect: str, sql: str
) -> None:
    facts = statement_facts(sql, dialect)
    assert Kind.OTHER is facts.kind
    assert facts.gives_rows
    said = facts.hints.read_only, facts.hints.destructive, facts.hints.idempotent
    assert (None, None, None) == said


def test_a_change_that_calls_such_a_function_is_not_hinted_harmless() -> None:
    for sql in (
        "INSERT INTO t SELECT purge(1)",
        "INSERT INTO t (a, b) VALUES (1, purge(2))",
    ):
        hints = statement_facts(sql, "postgres").hints
        assert (False, None, None) == (
            hints.read_only,
            hints.destructive,
            hints.idempotent,
        )
    deleting = statement_facts("DELETE FROM t WHERE purge(a)", "postgres").hints
    assert (True, None) == (deleting.destructive, deleting.idempotent)


# dialect, a statement that changes something without a word that says so, kind
CHANGING = [
    ("tsql", "SELECT 1. DELETE FROM users", "write"),
    ("tsql", "SELECT 1.0. DELETE t", "write"),
    ("tsql", "SELECT $1. DELETE t", "write"),
    ("tsql", "SELECT a FROM t WITH (SERIALIZABLE)", "lock"),
    ("tsql", "SELECT a FROM t WITH (PAGLOCK)", "lock"),
    ("tsql", "SELECT a FROM t HOLDLOCK", "lock"),
    ("mysql", "SELECT @`a` := 7", "other"),
    ("mysql", "SELECT @a.b := 7", "other"),
    ("mysql", "SELECT @1 := 7", "other"),
    ("mysql", "SELECT @'a' := 7", "other"),
    ("databricks", "SELECT TRANSFORM(a) USING 'rm' AS (n) FROM t", "other"),
    ("postgres", "SELECT t.nextval FROM t", "write"),
]


@pytest.mark.parametrize(("dialect", "sql", "kind"), CHANGING)
def test_a_change_is_seen_however_it_is_written(
    dialect: str, sql: str, kind: str
) -> None:
    assert kind == statement_facts(sql, dialect).kind


HARMLESS = [
    ("postgres", "SELECT a FROM t GROUP BY a, ROLLUP (b), CUBE (c, d)"),
    ("mysql", "SELECT LAST_INSERT_ID(), POINT(a, b) FROM t"),
    ("snowflake", "SELECT SEQ4() FROM TABLE(GENERATOR(ROWCOUNT => 10))"),
    ("tsql", "SELECT CONVERT(varchar(10), a, 120) FROM t FOR XML PATH('')"),
    ("oracle", "SELECT MAX(a) KEEP (DENSE_RANK LAST ORDER BY b) FROM t"),
    ("clickhouse", "SELECT quantile(0.5)(c), topK(3)(f) FROM t"),
    ("postgres", "SELECT DISTINCT ON (a) a FROM t JOIN u USING (a) WHERE b IN (1)"),
    (
        "postgres",
        "WITH RECURSIVE a (n) AS (SELECT 1), b (m) AS (SELECT 2) SELECT n FROM a, b",
    ),
    ("postgres", "WITH a (n) AS NOT MATERIALIZED (SELECT 1) SELECT n FROM a"),
    ("postgres", "SELECT a::numeric(10, 2), CAST(b AS varchar(9)) FROM t"),
    ("postgres", "SELECT x FROM unnest(ARRAY[1]) WITH ORDINALITY AS u(x, n)"),
    ("postgres", "SELECT x FROM (VALUES (1)) v(x), generate_series(1, 2) g(y)"),
    ("postgres", "SELECT x FROM t p(x)"),
    ("postgres", "SELECT pg_catalog.lower(a), jsonb_agg(b), ST_X(c) FROM t"),
    ("postgres", "SELECT sum(a) FILTER (WHERE b) OVER (PARTITION BY c) FROM t"),
    ("postgres", "SELECT a FROM t GROUP BY ROLLUP (a), GROUPING SETS ((a), ())"),
    ("postgres", "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t"),
    ("postgres", "SELECT EXTRACT(year FROM a), NOT (b), interval '1 day' FROM t"),
    ("mysql", "SELECT a FROM t USE INDEX (i) WHERE MATCH (a) AGAINST ('x')"),
    ("mysql", "SELECT JSON_UNQUOTE(a), DATE_FORMAT(b, '%Y') FROM t"),
    ("tsql", "SELECT TOP (3) a FROM t WITH (NOLOCK) OPTION (RECOMPILE)"),
    ("tsql", "SELECT x.v.value('.', 'int') FROM OPENJSON(:a) WITH (v int) AS x"),
    ("oracle", "SELECT a FROM t, u WHERE t.a = u.a (+)"),
    ("sqlite", "SELECT value FROM json_each(:a) WHERE strftime('%Y', b) = '2020'"),
    ("duckdb", "SELECT list_transform(a, x -> x + 1) FROM read_parquet('x')"),
    ("snowflake", "SELECT IFF(a, 1, 2) FROM t, LATERAL FLATTEN(input => b)"),
    ("bigquery", "SELECT SAFE.SUBSTR(a, 1), ARRAY_AGG(b) FROM t, UNNEST(c)"),
    ("clickhouse", "SELECT toStartOfHour(a), uniqExact(b) FROM t"),
    ("databricks", "SELECT collect_list(a), from_json(b, 'x') FROM t"),
]


@pytest.mark.parametrize(("dialect", "sql"), HARMLESS)
def test_what_the_database_brings_along_changes_nothing(dialect: str, sql: str) -> None:
    assert Kind.READ is statement_facts(sql, dialect).kind


WRITING = [
    "DELETE FROM t",
    "UPDATE t SET a = 1",
    "INSERT INTO t VALUES (1)",
    "DROP TABLE t",
]


@given(
    before=st.lists(
        st.sampled_from(
            ["SELECT 1", "(", "WITH a AS", ",", "FROM t", "WHERE", "x", "1"]
        ),
        max_size=5,
    ),
    write=st.sampled_from(WRITING),
    after=st.sampled_from(["", ")", ") SELECT 1", " RETURNING a"]),
    dialect=st.sampled_from(sorted(DIALECTS)),
)
def test_a_writing_verb_is_never_a_read(
    before: list[str], write: str, after: str, dialect: str
) -> None:
    sql = " ".join([*before, write]) + after
    assert statement_facts(sql, dialect).kind is not Kind.READ
