"""What holds for any statement, held against the parsers of SQLite and DuckDB."""

from __future__ import annotations

import sqlite3

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.sql import DIALECTS, TokenKind, scan
from brimgen.sql.checks.check_syntax import find_slip
from brimgen.sql.drivers import Driver, Style
from brimgen.sql.effects import Kind, statement_facts
from brimgen.sql.filters import rejecting
from brimgen.sql.kinds import SqlKind
from brimgen.sql.parameter_types import SqlType
from brimgen.sql.result_columns import columns
from brimgen.sql.rewrite import rewrite
from brimgen.sql.uses import find_places

PIECES = st.sampled_from(
    [
        *"'\"`[](){}:;?$@%#\\/*-!<>=.,|&~ \n\x00",
        "::",
        ":=",
        ":a",
        "$$",
        "$t$",
        "--",
        "/*",
        "*/",
        "/*!",
        "E'",
        "q'[",
        "]'",
        "'''",
        "r'",
        "lambda ",
        "IN ",
        "a",
        "7",
        "ü",
        "名",
    ]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join))


@given(text=TEXTS, dialect=st.sampled_from(sorted(DIALECTS)))
def test_no_character_of_a_statement_is_lost(text: str, dialect: str) -> None:
    found = scan(text, DIALECTS[dialect])
    assert text == "".join(each.text for each in found.tokens)
    assert all(text[each.start : each.end] == each.text for each in found.tokens)
    assert all(each.text for each in found.tokens)


LITE = st.sampled_from(
    [
        "'a:no'",
        '":no"',
        "[b:no]",
        "`c:no`",
        ":x",
        ":y1",
        ":_z",
        "1",
        "'it''s'",
        "(:x)",
        "/* :no */ 2",
        "-- :no\n3",
        "-:x",
        "NOT :y1",
        "CASE WHEN :x THEN ':n' ELSE :w END",
    ]
)
COMMON = ["'a:no'", ":x", ":y1::TEXT", ":_z", "1", "'it''s'", "(:x)", "/* :no */ 2"]
DUCK = st.sampled_from(
    [
        *COMMON,
        "-- :no\n3",
        "$$ :no $$",
        "$t$ :no $t$",
        "[:x, 2][1:2]",
        "E'\\':no'",
        "{'a': :x}",
        "{'a':1}",
        "/* /* :no */ :no */ 4",
        "list_value(:x)[1 : :hi]",
    ]
)


@given(parts=st.lists(LITE, min_size=1, max_size=6))
def test_sqlite_finds_the_same(parts: list[str]) -> None:
    sql = f"SELECT {', '.join(parts)}"
    names = scan(sql, DIALECTS["sqlite"]).names
    connection = sqlite3.connect(":memory:")
    source = '(SELECT 1 AS "a:no", 2 AS ":no", 3 AS "b:no", 4 AS "c:no")'
    connection.execute(f"{sql} \nFROM {source}", dict.fromkeys(names, 1))
    for missing in names:
        others = {each: 1 for each in names if each != missing}
        with pytest.raises(sqlite3.ProgrammingError, match=f":{missing}\\."):
            connection.execute(f"{sql} \nFROM {source}", others)
    connection.close()


@given(parts=st.lists(DUCK, min_size=1, max_size=6))
def test_duckdb_finds_the_same(parts: list[str]) -> None:
    sql = f"SELECT {', '.join(parts)}"
    found = scan(sql, DIALECTS["duckdb"])
    rewritten = "".join(
        f"${each.name}" if each.kind is TokenKind.PARAM else each.text
        for each in found.tokens
    )
    (statement,) = duckdb.extract_statements(rewritten)
    assert set(found.names) == statement.named_parameters


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
    for name in rejecting((found := scan(sql, DIALECTS["sqlite"])), found.names):
        values = {"x": value, "y": value} | {name: None}
        assert [] == connection.execute(sql, values).fetchall()
    connection.close()


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


UNTYPED = SqlType(kind=SqlKind.PRIMITIVE)
NAMED = Driver(name="x", style=Style.NAMED, dialects=())
QMARK = Driver(name="x", style=Style.QMARK, dialects=())


@given(text=TEXTS, dialect=st.sampled_from(sorted(DIALECTS)))
def test_nothing_of_a_statement_changes_but_its_parameters(
    text: str, dialect: str
) -> None:
    """With untyped parameters, a named text is the author's, except for escaped colons."""
    found = scan(text, DIALECTS[dialect])
    result = rewrite(
        found, find_places(found), dict.fromkeys(found.names, UNTYPED), NAMED
    )
    if dialect != "oracle" and "\\:" not in text:
        assert text == result.text
    numbered = rewrite(
        found, find_places(found), dict.fromkeys(found.names, UNTYPED), QMARK
    )
    uses = [each for each in found.tokens if each.kind is TokenKind.PARAM]
    assert [each.name for each in uses] == [each.name for each in numbered.order]
