"""The scanner: no character lost, and `:name` where the engines find it (sql.md)."""

from __future__ import annotations

import re
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.sql import DIALECTS, TokenKind, find_dialect, scan
from emit.sql.corpora import placeholders

# dialect, statement, names in order of use
CASES = [
    ("sqlite", "SELECT [a:no], :x", ["x"]),
    ("sqlite", "SELECT 'it''s :no', \"a\"\":no\", :x", ["x"]),
    ("sqlite", r"SELECT '\', :yes, '\'", ["yes"]),
    ("sqlite", r"SELECT '12\:30', \:no, :yes", ["yes"]),
    ("sqlite", "SELECT a:b", []),
    ("sqlite", "SELECT (:a),:b/:c*:d-:e", ["a", "b", "c", "d", "e"]),
    ("sqlite", "SELECT /* /* :no */ :yes", ["yes"]),
    ("sqlite", "SELECT :größe, :名", ["größe", "名"]),
    ("sqlite", "", []),
    ("postgres", r"SELECT E'\':no', :yes", ["yes"]),
    ("postgres", r"SELECT '\', :yes, '\'", ["yes"]),
    ("postgres", "SELECT /* /* :no */ :no */ :yes", ["yes"]),
    ("postgres", "SELECT $a$ $b$ :no $a$, foo$a$, :yes", ["yes"]),
    ("postgres", "SELECT arr[ :n], arr[:lo:5], arr[i :no]", ["n", "lo"]),
    ("postgres", "SELECT ARRAY[:a, :b], ARRAY[[:c]]", ["a", "b", "c"]),
    ("postgres", "SELECT arr[(SELECT x LIMIT :n)]", ["n"]),
    ("postgres", "SELECT a[CASE WHEN b THEN :x ELSE :y END]", ["x", "y"]),
    ("postgres", "SELECT x ? 'a', y ?| :keys, z ?& :more", ["keys", "more"]),
    ("postgres", "SELECT x @? '$.a' AND y @? :path", ["path"]),
    ("postgres", "SELECT a @> :x, b <@ :y, c @@ :z", ["x", "y", "z"]),
    ("postgres", "SELECT :a::text::jsonb->>:k", ["a", "k"]),
    ("duckdb", "SELECT {'a': :x, 'b': 2, 'c':no}", ["x"]),
    ("duckdb", "SELECT list_transform(:l, lambda v: v + :x)", ["l", "x"]),
    ("duckdb", "SELECT list_transform(:l, lambda v :v)", ["l"]),
    ("duckdb", 'SELECT "a":no, b: :x', ["x"]),
    ("duckdb", "SELECT [:a, :b][1:2]", ["a", "b"]),
    ("duckdb", "SELECT [x FOR x IN :xs IF x > :y]", ["xs", "y"]),
    ("duckdb", "SELECT 7 // :n", ["n"]),
    ("mysql", r"SELECT 'a\':no', :yes", ["yes"]),
    ("mysql", 'SELECT ":no", `a:no`, :yes', ["yes"]),
    ("mysql", "SELECT 1--:yes", ["yes"]),
    ("mysql", "SELECT 1-- :no", []),
    ("mysql", "SELECT 1 /*!50001 , :x */, /*+ :no */ :y", ["x", "y"]),
    ("oracle", "SELECT q'[it's :no]', nq'{:no}', q'!:no!', :x", ["x"]),
    ("tsql", "SELECT [a:no], N':no' /* /* :no */ */, :x, @y", ["x"]),
    ("snowflake", "SELECT a:b.c, a[0]:b, a['x']:b, :c // :no", ["c"]),
    ("snowflake", "SELECT $$ :no $$, $1, :x", ["x"]),
    ("bigquery", "SELECT ''' ' :no ''', r'\\', :x, \"\"\"\":no\"\"\"", ["x"]),
    ("bigquery", "SELECT '\\':no', :x # :no", ["x"]),
    ("clickhouse", "SELECT a ? :x : :y, b ? 1 :no, c ? 'x':no", ["x", "y"]),
    ("clickhouse", "SELECT {'a':no, 'b': :x}", ["x"]),
]


@pytest.mark.parametrize(("dialect", "sql", "names"), CASES)
def test_parameters_are_found_in_every_dialect(
    dialect: str, sql: str, names: list[str]
) -> None:
    found = scan(sql, DIALECTS[dialect])
    assert names == [each.name for each in found.parameters]
    assert sql == "".join(each.text for each in found.tokens)


def test_parameters_of_the_corpus_are_found() -> None:
    for case in placeholders("cases"):
        dialect = find_dialect(case["dialect"])
        assert dialect is not None
        found = scan(case["sql"], dialect)
        names = [each.name for each in found.parameters]
        assert case["occurrences"] == names, case["id"]
        assert case["params"] == list(found.names), case["id"]
        assert case["sql"] == "".join(each.text for each in found.tokens), case["id"]


# dialect, statement, the pieces that are no parameters but look like one
MARKED = [
    ("postgres", "SELECT arr[:n]", "ambiguous", [":n"]),
    ("postgres", "SELECT :a:b", "ambiguous", [":b"]),
    ("oracle", "SELECT :a:b", "ambiguous", [":b"]),
    ("sqlite", "SELECT ?, ?1, $x, @x, :1, %s, %(x)s", "foreign", None),
    ("postgres", "SELECT $1, @x, :1, %s, %(x)s, :'x', :\"x\"", "foreign", None),
    ("postgres", "WHERE a = ? AND b IN (?, ?)", "foreign", ["?", "?", "?"]),
    ("postgres", "SELECT a %s, 10 %s, b % s", "foreign", []),
    ("mysql", "SELECT ?, @x, $y", "foreign", ["?"]),
    ("bigquery", "SELECT ?, @x, @@y", "foreign", ["?", "@x"]),
    ("tsql", "SELECT ?, @x", "foreign", ["?"]),
    ("snowflake", "SELECT $1, $x, ?", "foreign", ["?"]),
    ("clickhouse", "SELECT a ? 1 : 2", "foreign", []),
    ("sqlite", "SELECT 'a", "open-string", ["'a"]),
    ("sqlite", "SELECT 'a''", "open-string", ["'a''"]),
    ("sqlite", "SELECT [a", "open-string", ["[a"]),
    ("mysql", r"SELECT 'a\'", "open-string", [r"'a\'"]),
    ("postgres", r"SELECT E'a\'", "open-string", [r"E'a\'"]),
    ("postgres", "SELECT $a$ $b$", "open-string", ["$a$ $b$"]),
    ("postgres", "SELECT $$ $", "open-string", ["$$ $"]),
    ("oracle", "SELECT q'[a]", "open-string", ["q'[a]"]),
    ("bigquery", "SELECT '''a''", "open-string", ["'''a''"]),
    ("postgres", "SELECT /* /* */", "open-comment", ["/* /* */"]),
    ("sqlite", "SELECT /*", "open-comment", ["/*"]),
]


@pytest.mark.parametrize(("dialect", "sql", "kind", "texts"), MARKED)
def test_strings_comments_and_foreign_placeholders_are_no_parameters(
    dialect: str, sql: str, kind: str, texts: list[str] | None
) -> None:
    found = scan(sql, DIALECTS[dialect])
    expected = re.split(", ", sql.removeprefix("SELECT ")) if texts is None else texts
    wanted = TokenKind(kind)
    assert expected == [each.text for each in found.tokens if each.kind is wanted]
    assert () == found.parameters or kind == "ambiguous"


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
    duckdb = pytest.importorskip("duckdb")
    sql = f"SELECT {', '.join(parts)}"
    found = scan(sql, DIALECTS["duckdb"])
    rewritten = "".join(
        f"${each.name}" if each.kind is TokenKind.PARAM else each.text
        for each in found.tokens
    )
    (statement,) = duckdb.extract_statements(rewritten)
    assert set(found.names) == statement.named_parameters
