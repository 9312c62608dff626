"""Names of columns: read from the text, and the same as SQLite's (rules SQL017, SQL117 …)."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.sql import DIALECTS, scan
from brimgen.sql.result_columns import Column, columns
from support.project import build

# dialect, statement, the names: `-` for one that is not told, `~` for one that no database gives
# a plain name, None where all is unsure
CASES: list[tuple[str, str, str | None]] = [
    ("sqlite", 'SELECT a, t.b, s.t.c, "d e", t.[f], `g` FROM t', "a b c d e f g"),
    ("sqlite", "SELECT a AS x, count(*) AS \"y\", 1 + 2 AS 'z' FROM t", "x y z"),
    ("sqlite", "SELECT count(*) n, a m, t.b k, (1) l", "n m k l"),
    (
        "sqlite",
        "SELECT count(*), a + b, 1, 'a', NOT a, NULL, a IS NULL",
        "~ ~ - - - - -",
    ),
    ("sqlite", "SELECT CASE WHEN a THEN (b) END, a COLLATE nocase", "- -"),
    ("sqlite", "SELECT a * 2, a || 'x', (SELECT 1), (a), -a, a = (b)", "~ ~ - - - -"),
    ("mysql", "SELECT NAME_CONST('x', 1), count(*)", "- ~"),
    ("tsql", "SELECT n = sum(a), sum(a), m = a + b FROM t", "n ~ m"),
    ("databricks", "SELECT posexplode(a), a + b FROM t", None),
    ("snowflake", "SELECT a:b, a:b + 1, max(a) FROM t", "- ~ ~"),
    ("postgres", 'SELECT count(*), s.F(a), "Up"(a) FROM t', "count f Up"),
    (
        "postgres",
        "SELECT rank() OVER (ORDER BY a), sum(a) FILTER (WHERE b), max(a)::int",
        "rank sum -",
    ),
    ("postgres", "SELECT CAST(a AS int), max(a) + 1, a - b, ROW(a)", "- ~ ~ -"),
    ("sqlite", "SELECT DISTINCT a, b FROM t WHERE c", "a b"),
    ("sqlite", "SELECT * FROM t", None),
    ("sqlite", "SELECT a, t.* FROM t", None),
    ("sqlite", "SELECT a * b AS c, count(*) AS d FROM t", "c d"),
    ("sqlite", "SELECT a UNION SELECT b", "a"),
    ("postgres", "(SELECT a FROM t) UNION (SELECT b FROM u)", "a"),
    ("sqlite", "WITH c AS (SELECT x, y FROM t) SELECT x AS a FROM c", "a"),
    ("sqlite", "INSERT INTO t (a) VALUES (1) RETURNING a, b AS c", "a c"),
    ("sqlite", "UPDATE t SET a = 1 WHERE b RETURNING *", None),
    ("sqlite", "DELETE FROM t WHERE a", None),
    ("sqlite", "VALUES (1, 2)", None),
    ("sqlite", "SELECT", None),
    ("sqlite", "SELECT a,", "a"),
    ("sqlite", "SELECT 1; SELECT 2", None),
    ("postgres", "SELECT DISTINCT ON (a) a, b FROM t", "a b"),
    ("postgres", "SELECT a::int, extract(year FROM d) AS y FROM t", "- y"),
    ("postgres", "SELECT a IS DISTINCT FROM b AS c, d FROM t", "c d"),
    ("postgres", "SELECT unnest(a) AS b FROM t", None),
    ("tsql", "SELECT TOP 3 a FROM t", "a"),
    ("duckdb", "SELECT COLUMNS('a.*') FROM t", None),
    ("duckdb", "SELECT * EXCLUDE (a) FROM t", None),
    ("duckdb", "FROM t SELECT a", "a"),
    ("mysql", 'SELECT "a", b AS "c" FROM t', "- c"),
    ("mysql", "SELECT BINARY a, INTERVAL 1 DAY + b FROM t", "~ ~"),
]


@pytest.mark.parametrize(("dialect", "sql", "names"), CASES)
def test_columns_of_a_statement_are_named_as_the_database_does(
    dialect: str, sql: str, names: str | None
) -> None:
    found = columns(scan(sql, DIALECTS[dialect]))
    assert names == (None if found is None else " ".join(map(_name, found)))


def _name(column: Column) -> str:
    return column.name or ("~" if column.unnamed else "-")


ITEMS = st.sampled_from(
    [
        *(
            "a",
            "t.a",
            '"a b"',
            "[a]",
            "t.`b`",
            "a AS x",
            "a x",
            "count(*)",
            "(a) y",
            "a b",
        ),
        *(
            "a + b",
            "a AS 'q'",
            "max(a, b) AS m",
            "CASE WHEN a THEN b END z",
            "-a",
            "'s'",
        ),
        *("(SELECT b FROM t) AS w", "(SELECT b, a FROM t LIMIT 0) IS NULL", "*", "t.*"),
        *(
            "a BETWEEN 1 AND 2 k",
            "a ISNULL",
            "NOT a",
            ":p",
            ":p AS v",
            "EXISTS (SELECT 1)",
        ),
        *("a COLLATE nocase", "CAST(a AS TEXT)", "CURRENT_DATE", '"a b" AS "it""s"'),
    ]
)


@given(items=st.lists(ITEMS, min_size=1, max_size=5))
def test_names_are_those_of_sqlite(items: list[str]) -> None:
    sql = f"SELECT {', '.join(items)} FROM t"
    connection = sqlite3.connect(":memory:")
    connection.execute('CREATE TABLE t (a INTEGER, b INTEGER, "a b" TEXT)')
    try:
        cursor = connection.execute(sql, {"p": 1})
    except sqlite3.OperationalError:
        return
    finally:
        connection.close()
    theirs = [each[0] for each in cursor.description]
    ours = columns(scan(sql, DIALECTS["sqlite"]))
    if ours is not None:
        assert len(theirs) == len(ours)
        for name, column in zip(theirs, ours, strict=True):
            assert column.name in (name, None)
            assert column.unnamed in ("", name)


ENTITY = (
    "type: entity\nname: Sale\nfields: { id: int, total: float, note: string? }\n---\n"
)
RECORD = (
    "{type: object, properties: {id: {type: integer}, total: {type: number}, note: {type: string}},"
    " required: [id, total], additionalProperties: false}"
)


def _said(folder: Path, sql: str, returns: str = "Sale[]") -> list[tuple[str, int]]:
    text = f"{ENTITY}type: sql_function\nname: f\nreturns: {returns}\nsql: |\n  {sql}\n"
    built = build(folder, {"f.yaml": text}, targets=("sql",))
    return [(each.rule.code, each.span.line) for each in built.diagnostics]


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELECT id, total, note FROM t", []),
        ("SELECT id, total FROM t", []),
        ("SELECT ID, Total FROM t", []),
        ("SELECT id, sum(a) FROM t", [("SQL017", 7)]),
        ("SELECT id, total, note, sum(a) FROM t", [("SQL117", 9)]),
        ("SELECT id, sum(a), sum(a) FROM t", [("SQL017", 7)]),
        ("SELECT id, max(a), (b) FROM t", []),
        ("SELECT id, sum(a) AS totl FROM t", [("SQL017", 7)]),
        ("SELECT id, sum(a) AS sum FROM t", [("SQL017", 7)]),
        ("SELECT note FROM t", [("SQL017", 7)] * 2),
        ("SELECT id, total, nte FROM t", [("SQL117", 9)]),
        ("SELECT id, total, ID FROM t", []),
    ],
)
@pytest.mark.parametrize("returns", ["Sale[]", "Sale?", "Sale", RECORD])
def test_columns_that_do_not_fit_the_entity_are_told(
    sql: str, told: list[tuple[str, int]], returns: str, tmp_path: Path
) -> None:
    found = _said(tmp_path, sql, returns)
    assert [code for code, _ in told] == [code for code, _ in found]
    if returns != RECORD:
        assert told == found
