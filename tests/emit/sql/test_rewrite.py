"""Rewriting: the author's text for each driver; nothing but parameters changes (sql.md)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.sql import DIALECTS, TokenKind, find_dialect, scan
from brimgen.sql.drivers import (
    Driver,
    Style,
    find_driver,
)
from brimgen.sql.kinds import SqlKind
from brimgen.sql.parameter_types import SqlType
from brimgen.sql.rewrite import DriverText, Expansion, rewrite
from brimgen.sql.uses import find_places
from emit.sql.corpora import placeholders
from emit.sql.test_scanner import TEXTS

STYLES = {
    "named": Driver(name="x", style=Style.NAMED, dialects=()),
    "qmark": Driver(name="x", style=Style.QMARK, dialects=()),
    "dollar": Driver(name="x", style=Style.DOLLAR, dialects=()),
    "numeric_dollar": Driver(name="x", style=Style.NUMERIC, dialects=()),
    "pyformat": Driver(name="x", style=Style.PYFORMAT, dialects=(), percent=True),
    "format": Driver(name="x", style=Style.FORMAT, dialects=(), percent=True),
    "format_raw": Driver(name="x", style=Style.FORMAT, dialects=()),
}
UNTYPED = SqlType(kind=SqlKind.PRIMITIVE)
TYPES = {
    "n": SqlType(kind=SqlKind.INT),
    "s": SqlType(kind=SqlKind.TEXT, nullable=True),
    "d": SqlType(kind=SqlKind.DECIMAL, digits=(10, 2)),
    "t": SqlType(kind=SqlKind.DATETIME),
    "z": SqlType(kind=SqlKind.DATETIME, zoned=True),
    "j": SqlType(kind=SqlKind.JSON),
    "ids": SqlType(kind=SqlKind.INT, is_list=True),
    "names": SqlType(kind=SqlKind.TEXT, is_list=True, nullable=True),
    "prices": SqlType(kind=SqlKind.DECIMAL, is_list=True),
}


def written(
    sql: str, dialect: str, driver: Driver | str, *, untyped: bool = False
) -> DriverText:
    found = scan(sql, DIALECTS[dialect])
    row = find_driver(driver) if isinstance(driver, str) else driver
    assert row is not None
    known = {} if untyped else TYPES
    types = {name: known.get(name, UNTYPED) for name in found.names}
    return rewrite(found, find_places(found), types, row)


def test_statements_of_the_corpus_are_written_as_each_driver_reads_them() -> None:
    count = 0
    for case in placeholders("cases"):
        dialect = find_dialect(case["dialect"])
        assert dialect is not None
        for style, expected in case["expected_rewrite"].items():
            if style in STYLES:
                count += 1
                found = written(case["sql"], dialect.name, STYLES[style], untyped=True)
                assert expected == found.text, (case["id"], style)
    assert count > 100


# dialect, driver, statement, text, keys in order
CASES = [
    (
        "sqlite",
        "sqlite3",
        "a IN (:ids)",
        "a IN (SELECT value FROM json_each(:ids))",
        ["ids"],
    ),
    (
        "sqlite",
        "apsw",
        "a NOT IN :ids",
        "a NOT IN (SELECT value FROM json_each(:ids))",
        ["ids"],
    ),
    ("postgres", "asyncpg", "a IN (:ids)", "a = ANY($1::bigint[])", ["ids"]),
    ("postgres", "asyncpg", "a not in :ids", "a <> ALL($1::bigint[])", ["ids"]),
    ("postgres", "asyncpg", "a = ANY(:ids)", "a = ANY($1::bigint[])", ["ids"]),
    ("postgres", "asyncpg", "a = ANY(:ids::int[])", "a = ANY($1::int[])", ["ids"]),
    ("postgres", "asyncpg", "a IN (:names)", "a = ANY($1)", ["names"]),
    ("postgres", "asyncpg", "a && :names", "a && $1::text[]", ["names"]),
    (
        "postgres",
        "asyncpg",
        "a = b IN (:names)",
        "a = b IN (SELECT unnest($1::text[]))",
        ["names"],
    ),
    (
        "postgres",
        "asyncpg",
        "a IN (:ids) = b AND c IN (:ids)",
        "a IN (SELECT unnest($1::bigint[])) = b AND c = ANY($1::bigint[])",
        ["ids"],
    ),
    ("duckdb", "duckdb", "a IN (:ids)", "a = ANY($ids::BIGINT[])", ["ids"]),
    ("duckdb", "duckdb", "a = :ids[1]", "a = ($ids::BIGINT[])[1]", ["ids"]),
    ("postgres", "asyncpg", "a = :ids[1]", "a = ($1::bigint[])[1]", ["ids"]),
    ("postgres", "asyncpg", "a = (:ids)[1]", "a = ($1::bigint[])[1]", ["ids"]),
    (
        "duckdb",
        "duckdb",
        "a IN (:ids)::INT",
        "a IN (SELECT unnest($ids::BIGINT[]))::INT",
        ["ids"],
    ),
    ("duckdb", "duckdb", "a IN (:prices)", "a = ANY($prices)", ["prices"]),
    (
        "tsql",
        "pyodbc",
        "a IN (:ids) AND b = :n",
        "a IN (SELECT v FROM OPENJSON(?) WITH (v bigint '$')) AND b = ?",
        ["ids", "n"],
    ),
    (
        "postgres",
        "asyncpg",
        "SELECT :n, :n + 1",
        "SELECT CAST($1 AS bigint), $1 + 1",
        ["n"],
    ),
    ("postgres", "asyncpg", "SELECT :n::int AS a", "SELECT $1::int AS a", ["n"]),
    (
        "postgres",
        "asyncpg",
        "SELECT CAST(:n AS int), :d x",
        "SELECT CAST($1 AS int), CAST($2 AS numeric(10,2)) x",
        ["n", "d"],
    ),
    (
        "postgres",
        "asyncpg",
        "SELECT a WHERE :n IS NULL OR b = :n",
        "SELECT a WHERE CAST($1 AS bigint) IS NULL OR b = $1",
        ["n"],
    ),
    (
        "postgres",
        "psycopg",
        "SELECT a WHERE (:s IS NOT NULL AND b = :s) OR c LIKE '5%'",
        "SELECT a WHERE (CAST(%(s__given)s AS text) IS NOT NULL AND b = %(s)s) OR c LIKE '5%%'",
        ["s__given", "s"],
    ),
    (
        "postgres",
        "asyncpg",
        "SELECT a WHERE b || :s IS NULL",
        "SELECT a WHERE b || $1 IS NULL",
        ["s"],
    ),
    (
        "postgres",
        "asyncpg",
        "SELECT concat(:s, 'x'), f(:s), generate_series(1, :n)",
        "SELECT concat(CAST($1 AS text), 'x'), f($1), generate_series(1, CAST($2 AS bigint))",
        ["s", "n"],
    ),
    (
        "postgres",
        "asyncpg",
        "SELECT a WHERE :z IS NULL OR b > :z LIMIT :n",
        "SELECT a WHERE CAST($1 AS timestamptz) IS NULL OR b > $1::timestamptz LIMIT $2",
        ["z", "n"],
    ),
    ("postgres", "asyncpg", "INSERT INTO a VALUES (:n, :j)", None, ["n", "j"]),
    (
        "sqlite",
        "sqlite3",
        r"SELECT '12\:30', a\:b, :n",
        "SELECT '12:30', a:b, :n",
        ["n"],
    ),
    ("mysql", "pymysql", r"SELECT 'a\\:b\:c', :n", r"SELECT 'a\\:b:c', %(n)s", ["n"]),
    ("mysql", "pymysql", "SELECT '5%'", "SELECT '5%'", []),
    (
        "mysql",
        "mysql.connector",
        "a = :n % 2 AND b = :n",
        "a = %s % 2 AND b = %s",
        ["n", "n"],
    ),
    ("mysql", "mariadb", "a = :n -- don't\n/* it's */", "a = ?  \n ", ["n"]),
    (
        "oracle",
        "oracledb",
        "a = :size AND b = :n",
        "a = :b0_size AND b = :n",
        ["b0_size", "n"],
    ),
    (
        "postgres",
        "sqlalchemy",
        "SELECT :n::int, '12:30' WHERE a = :s",
        r"SELECT :n\:\:int, '12\:30' WHERE a = :s",
        ["n", "s"],
    ),
]


@pytest.mark.parametrize(("dialect", "driver", "sql", "text", "keys"), CASES)
def test_parameters_are_written_as_each_driver_reads_them(
    dialect: str, driver: str, sql: str, text: str | None, keys: list[str]
) -> None:
    found = written(sql, dialect, driver)
    expected = "INSERT INTO a VALUES ($1, $2)" if text is None else text
    assert expected == found.text
    assert keys == [each.key for each in found.order]


@pytest.mark.parametrize(
    ("dialect", "driver", "text"),
    [
        ("duckdb", "duckdb", "f($v_0, $V_1_, $v_1, $w)"),
        ("oracle", "oracledb", "f(:v_0, :V_1_, :v_1, :w)"),
        ("sqlite", "sqlite3", "f(:v, :V, :v_1, :w)"),
    ],
)
def test_names_that_differ_in_case_alone(dialect: str, driver: str, text: str) -> None:
    """DuckDB and Oracle take them for one parameter."""
    found = written("f(:v, :V, :v_1, :w)", dialect, driver, untyped=True)
    assert text == found.text


def test_a_list_expands_to_one_parameter_per_item() -> None:
    sql = "a IN (:ids) AND (:names IS NULL OR b NOT IN :names) AND c = :ids__0"
    found = written(sql, "mysql", "pymysql")
    assert found.text is None
    texts = [each for each in found.pieces if isinstance(each, str)]
    assert "a IN " == texts[0]
    assert " AND (%(names__given)s IS NULL OR b NOT IN " == texts[1]
    keys = [each.slot.key for each in found.pieces if isinstance(each, Expansion)]
    assert ["ids_", "names"] == keys
    positional = written(sql, "mysql", "mariadb")
    shown = [(each.name, each.given) for each in positional.order]
    assert shown == [
        ("ids", False),
        ("names", True),
        ("names", False),
        ("ids__0", False),
    ]


@given(text=TEXTS, dialect=st.sampled_from(sorted(DIALECTS)))
def test_nothing_of_a_statement_changes_but_its_parameters(
    text: str, dialect: str
) -> None:
    """With untyped parameters, a named text is the author's, except for escaped colons."""
    found = scan(text, DIALECTS[dialect])
    result = rewrite(
        found, find_places(found), dict.fromkeys(found.names, UNTYPED), STYLES["named"]
    )
    if dialect != "oracle" and "\\:" not in text:
        assert text == result.text
    numbered = rewrite(
        found, find_places(found), dict.fromkeys(found.names, UNTYPED), STYLES["qmark"]
    )
    uses = [each for each in found.tokens if each.kind is TokenKind.PARAM]
    assert [each.name for each in uses] == [each.name for each in numbered.order]


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("SELECT m #>> :names FROM t", "SELECT m #>> $1::text[] FROM t"),
        ("SELECT m #> :names FROM t", "SELECT m #> $1::text[] FROM t"),
        ("SELECT m #- :names FROM t", "SELECT m #- $1::text[] FROM t"),
        ("SELECT m #>> :s FROM t", "SELECT m #>> CAST($1 AS text)::text[] FROM t"),
        ("SELECT m #>> :names::text[] FROM t", "SELECT m #>> $1::text[] FROM t"),
    ],
)
def test_a_path_into_json_may_be_a_list_or_its_text(sql: str, text: str) -> None:
    assert text == written(sql, "postgres", "asyncpg").text


def test_a_comment_that_mysql_connector_takes_for_a_placeholder_is_left_out() -> None:
    sql = "SELECT 1 -- %s rows\n, /*+ MAX 3 */ 2 /* %s */ FROM t WHERE a = :n"
    text = "SELECT 1  \n, /*+ MAX 3 */ 2   FROM t WHERE a = %s"
    assert text == written(sql, "mysql", "mysql_connector").text
    assert "-- %%s rows" in str(written(sql, "mysql", "pymysql").text)
