"""Checks of statements: what is said, and at which place of the file (sql.md)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from brimgen.diagnostics import Diagnostic, Severity, Span
from brimgen.model.catalog import McpOptions, Returns
from brimgen.sql import DIALECTS, TokenKind, scan
from emit.sql.corpora import items, placeholders, rewritten
from emit.sql.made import FILE, SCALARS, errors, field, said, tool


def _named(each: Diagnostic) -> str:
    """``slug:name`` where the message is about a parameter, as the corpus writes it."""
    quoted = re.search(r"`:?([^\W\d]\w*)`", each.message)
    about = {
        "undeclared-parameter",
        "unused-parameter",
        "parameter-in-string",
        "parameter-in-order-by",
        "list-as-scalar",
        "entity-parameter",
    }
    if each.rule.reason == "ambiguous-colon":
        return f"{each.rule.reason}:{each.message.split('`')[1].rpartition(':')[2]}"
    if each.rule.reason in about and quoted:
        return f"{each.rule.reason}:{quoted[1]}"
    return each.rule.reason


def test_every_diagnostic_of_the_corpus_of_placeholders_is_told() -> None:
    """An argument that another error keeps from being used is not told to be unused, too."""
    explained = {"template-syntax", "foreign-placeholder"}
    for case in placeholders("diagnostics"):
        found = said(tool(case["sql"], case["declared"]), case["dialect"])
        codes = {_named(each) for each in found}
        wrong = {_named(each) for each in found if each.rule.severity is Severity.ERROR}
        expected = {
            each
            for each in case["expect"]
            if not (explained & codes and each.startswith("unused-parameter"))
        }
        assert expected <= codes, case["id"]
        assert wrong <= expected, case["id"]


# dialect, statement, arguments, errors
CASES: list[tuple[str, str, dict[str, str], list[str]]] = [
    ("sqlite", "SELECT :a", {"a": "int"}, []),
    ("sqlite", "SELECT 1", {"a": "int"}, ["unused-parameter"]),
    ("sqlite", "SELECT 1", {"a-b": "int"}, ["name-not-bindable"]),
    ("sqlite", "SELECT '%:q%', :q", {"q": "string"}, ["parameter-in-string"]),
    ("sqlite", "SELECT '12:30', :q", {"q": "string"}, []),
    ("sqlite", r"SELECT '\:q', :q", {"q": "string"}, []),
    ("sqlite", "SELECT {{ a }}", {}, ["template-syntax"]),
    ("sqlite", "SELECT '{{ a }}'", {}, ["template-syntax"]),
    ("sqlite", "SELECT '{% if a %}x{% endif %}'", {}, ["template-syntax"] * 2),
    ("sqlite", "SELECT '${a.b}', ${a}", {}, ["template-syntax"] * 2),
    ("sqlite", "SELECT {a}, :a", {"a": "int"}, ["template-syntax"]),
    ("postgres", "SELECT '{{1,2},{3,4}}'::int[], '{%}'", {}, []),
    ("postgres", "SELECT d #>> '{a}', :a::text", {"a": "string"}, []),
    ("sqlite", "SELECT 1 -- {{ a }}", {}, []),
    ("clickhouse", "SELECT {x:Int64}", {}, ["template-syntax"]),
    ("sqlite", "SELECT 1;;", {}, []),
    ("sqlite", "SELECT 1; -- done", {}, []),
    ("sqlite", "SELECT 1; SELECT 2", {}, ["multiple-statements"]),
    ("sqlite", " ; ", {}, ["empty-statement"]),
    (
        "sqlite",
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; DELETE FROM c; END;",
        {},
        [],
    ),
    (
        "sqlite",
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END; DROP TABLE b",
        {},
        ["multiple-statements"],
    ),
    ("postgres", "BEGIN; DELETE FROM a; COMMIT", {}, ["multiple-statements"]),
    ("sqlite", "SELECT 'a", {"a": "int"}, ["unterminated-string"]),
    ("sqlite", "SELECT /* a", {}, ["unterminated-comment"]),
    ("sqlite", "SELECT 1\0", {}, []),
    ("postgres", "SELECT a[:n]", {"n": "int"}, ["ambiguous-colon"]),
    ("sqlite", "SELECT * FROM :t", {"t": "string"}, ["parameter-as-identifier"]),
    ("sqlite", "SELECT * FROM a, :t", {"t": "string"}, ["parameter-as-identifier"]),
    ("sqlite", "SELECT * FROM s.:t", {"t": "string"}, ["parameter-as-identifier"]),
    ("sqlite", "SELECT :t.x FROM a", {"t": "string"}, ["parameter-as-identifier"]),
    ("sqlite", "SELECT 1 AS :t", {"t": "string"}, ["parameter-as-identifier"]),
    (
        "sqlite",
        "INSERT INTO :t VALUES (1)",
        {"t": "string"},
        ["parameter-as-identifier"],
    ),
    (
        "sqlite",
        "UPDATE :t SET a = 1 WHERE b",
        {"t": "string"},
        ["parameter-as-identifier"],
    ),
    (
        "sqlite",
        "UPDATE t SET :c = 1 WHERE b",
        {"c": "string"},
        ["parameter-as-identifier"],
    ),
    ("postgres", "SELECT extract(year FROM :d::date)", {"d": "date"}, []),
    ("postgres", "SELECT 1 WHERE a IS DISTINCT FROM :d", {"d": "date"}, []),
    ("postgres", "SELECT trim(BOTH 'x' FROM :s)", {"s": "string"}, []),
    (
        "sqlite",
        "SELECT a FROM t ORDER BY b, :c DESC",
        {"c": "string"},
        ["parameter-in-order-by"],
    ),
    (
        "sqlite",
        "SELECT a FROM t ORDER BY CASE WHEN :c = 'a' THEN a END",
        {"c": "string"},
        [],
    ),
    ("sqlite", "SELECT a FROM t ORDER BY a LIMIT :n", {"n": "int"}, []),
    ("sqlite", "SELECT 1 WHERE a IN (:x)", {"x": "int[]"}, []),
    ("sqlite", "SELECT 1 WHERE a NOT IN :x", {"x": "int[]"}, []),
    ("sqlite", "SELECT 1 WHERE :x IS NULL OR a IN (:x)", {"x": "int[]?"}, []),
    ("sqlite", "SELECT value FROM json_each(:x)", {"x": "int[]"}, []),
    ("sqlite", "SELECT 1 WHERE a IN (1, :x)", {"x": "int[]"}, ["list-beside-values"]),
    ("sqlite", "SELECT 1 WHERE a = ANY(:x)", {"x": "int[]"}, ["list-as-scalar"]),
    ("sqlite", "SELECT 1 LIMIT :x", {"x": "int[]"}, ["list-as-scalar"]),
    ("postgres", "SELECT 1 WHERE a = ANY(:x) OR a && :x", {"x": "int[]"}, []),
    ("postgres", "SELECT 1 WHERE a = :x::bigint[]", {"x": "int[]"}, []),
    ("duckdb", "SELECT list_contains(:x, 2)", {"x": "int[]"}, []),
    ("sqlite", "SELECT 1 WHERE a IN (:x)", {"x": "int"}, []),
    ("sqlite", "SELECT 1 WHERE a IN :x", {"x": "int"}, ["scalar-in-list"]),
    ("postgres", "SELECT 1 WHERE a = ANY(:x)", {"x": "int"}, ["scalar-in-list"]),
    ("sqlite", "SELECT :x", {"x": "User"}, ["entity-parameter"]),
    ("sqlite", "SELECT 1 WHERE a IN (:x)", {"x": "User[]"}, ["entity-parameter"]),
    ("sqlite", "SELECT 1 WHERE (a, b) IN (:x)", {"x": "int[]"}, ["rows-in-list"]),
    ("mysql", "SELECT (a, b) NOT IN :x FROM t", {"x": "int[]"}, ["rows-in-list"]),
    ("postgres", "SELECT 1 WHERE ROW(a, b) IN (:x)", {"x": "int"}, ["rows-in-list"]),
    ("postgres", "SELECT 1 WHERE (f(a, b)) IN (:x)", {"x": "int[]"}, []),
    ("postgres", "SELECT 1 WHERE f(a, b) IN (:x)", {"x": "int[]"}, []),
    ("sqlite", "SELECT 1 WHERE (SELECT a, 1) IN (:x)", {"x": "int[]"}, []),
    ("sqlite", "SELECT 1 WHERE (a, b) IN ((:x, :x))", {"x": "int"}, []),
    ("duckdb", "SELECT 1 WHERE a = :x[1]", {"x": "int[]"}, []),
    ("sqlite", "SELECT 1 WHERE (a = :x", {"x": "int"}, ["syntax-error"]),
    ("duckdb", "SELECT {'a': :x", {"x": "int"}, ["syntax-error"]),
    ("tsql", "SELECT `a`", {}, ["foreign-quote"]),
    ("mysql", "SELECT `a(`", {}, []),
    ("postgres", "SELECT :x", {"x": "primitive"}, ["untyped-parameter"]),
    ("postgres", "SELECT :x::text, a = :x", {"x": "primitive"}, []),
    ("sqlite", "SELECT :x", {"x": "primitive"}, []),
    (
        "mysql",
        "SELECT 1 /*! , :x */",
        {"x": "int"},
        ["parameter-in-executable-comment"],
    ),
]


@pytest.mark.parametrize(("dialect", "sql", "arguments", "expected"), CASES)
def test_a_mistake_in_a_statement_is_told_once(
    dialect: str, sql: str, arguments: dict[str, str], expected: list[str]
) -> None:
    assert expected == errors(said(tool(sql, arguments), dialect))


@pytest.mark.parametrize(
    ("dialect", "quoted", "meant"),
    [
        ("sqlite", "'%:q%'", "'%' || :q || '%'"),
        ("sqlite", "':q'", ":q"),
        ("sqlite", "':q, :x :r'", ":q || ', :x ' || :r"),
        ("tsql", "'a :q'", "'a ' + :q"),
        ("mysql", "':q :r'", "CONCAT(:q, ' ', :r)"),
        ("mysql", "':q'", ":q"),
        ("mysql", '"a :q"', None),
        ("sqlite", "'a\n:q'", None),
    ],
)
def test_what_stands_in_quotes_is_told_as_it_is_meant(
    dialect: str, quoted: str, meant: str | None
) -> None:
    arguments = {each: "string" for each in "qr" if f":{each}" in quoted}
    found = said(tool(f"SELECT {quoted}", arguments), dialect)
    told = [each for each in found if each.rule.reason == "parameter-in-string"]
    expected = [() if meant is None else (meant,)] * len(arguments)
    assert expected == [each.suggestions for each in told]


ONE_MISTAKE = [
    ("SELECT :customerid", ["customer_id"], ["undeclared-parameter"]),
    ("SELECT :cid", ["customer_id"], ["undeclared-parameter"]),
    ("SELECT :cid, :q", ["customer_id", "q"], ["undeclared-parameter"]),
    ("SELECT :who", ["a", "b"], ["undeclared-parameter"] + ["unused-parameter"] * 2),
    ("SELECT :a, :b", ["c"], ["undeclared-parameter"] * 2 + ["unused-parameter"]),
    ("SELECT {{ id }}", ["id"], ["template-syntax"]),
    ("SELECT {{ customerid }}", ["customer_id"], ["template-syntax"]),
    ("SELECT '{% if id %}x{% endif %}'", ["id"], ["template-syntax"] * 2),
    ("SELECT ?", ["id"], ["foreign-placeholder"]),
    ("SELECT @customerid", ["customer_id"], ["foreign-placeholder"]),
    ("SELECT $id", ["id", "b"], ["unused-parameter", "foreign-placeholder"]),
    ("SELECT 1 -- :id", ["id"], ["unused-parameter"]),
    ("SELECT ':id'", ["id"], ["parameter-in-string"]),
]


@pytest.mark.parametrize(("sql", "names", "expected"), ONE_MISTAKE)
def test_one_mistake_is_one_error(
    sql: str, names: list[str], expected: list[str]
) -> None:
    found = said(tool(sql, dict.fromkeys(names, "int")), "sqlite")
    assert sorted(expected) == sorted(errors(found))


@pytest.mark.parametrize(
    ("sql", "hints", "told"),
    [
        ("DELETE FROM t WHERE a", {"read_only": True}, True),
        ("DELETE FROM t WHERE a", {"destructive": False}, True),
        ("UPDATE t SET a = 1 WHERE b", {"destructive": False}, False),
        ("SELECT 1 FOR UPDATE", {"read_only": True}, True),
        ("SELECT 1", {"destructive": True}, True),
        ("SELECT 1", {"read_only": False}, False),
        ("PRAGMA table_info(t)", {"read_only": True}, False),
    ],
)
def test_a_hint_that_contradicts_its_statement_is_told(
    sql: str, hints: dict[str, bool], told: bool
) -> None:
    found = said(tool(sql, {}, mcp=McpOptions(**hints)), "postgres")
    assert told == ("annotation-contradicts-kind" in errors(found))


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("EXEC dbo.report", "tsql"),
        ("CALL report()", "mysql"),
        ("PRAGMA table_info('t')", "sqlite"),
        ("SHOW TABLES", "duckdb"),
        ("SET NOCOUNT ON SELECT 1 AS a", "tsql"),
        ("INSERT INTO t (a) VALUES (1) SELECT scope_identity()", "tsql"),
        ("UPDATE t SET a = 1 WHERE b = 2 SELECT a FROM t", "tsql"),
        ("UPDATE t SET a = 1 OUTPUT inserted.a WHERE b = 2", "tsql"),
    ],
)
def test_of_rows_that_the_text_does_not_tell_the_author_is_believed(
    sql: str, dialect: str
) -> None:
    returns = Returns(type=SCALARS["int"], schema={}, span=Span(FILE, 9, 1, 9, 4))
    assert [] == said(tool(sql, {}, returns=returns), dialect)


def test_a_decimal_on_sqlite_is_told() -> None:
    made = tool("SELECT :a", {"a": "decimal"})
    assert "type-not-exact" in [each.rule.reason for each in said(made, "sqlite")]
    assert "type-not-exact" not in [each.rule.reason for each in said(made, "postgres")]
    for precision, told in ((8, False), (15, False), (16, True), (38, True)):
        sized = field("a", "decimal", precision=precision, scale=2)
        slugs = [
            each.rule.reason for each in said(tool("SELECT :a", {"a": sized}), "sqlite")
        ]
        assert told == ("type-not-exact" in slugs)


def _told(item: Any, found: list[Diagnostic]) -> list[str]:
    """The errors, but for what is no SQL: functions of sqlc's own, and mistakes on purpose."""
    foreign = "sqlc." in item["sql"] or "syntax_errors" in item["id"]
    told = errors(found)
    return [each for each in told if not (foreign and each == "syntax-error")]


def test_the_parameters_of_statements_of_others() -> None:
    """With our placeholders each statement is sound, and none is lost.

    A lone parameter in a subscript may be a slice, too: that is asked.
    """
    engines = {"postgresql": "postgres"}
    count = 0
    for item in items("sql-annotated/sqlc_queries.jsonl.gz"):
        dialect = engines.get(item["engine"], item["engine"])
        for other, theirs in (("clickhouse", "clickhouse"), ("mssql", "tsql")):
            dialect = theirs if other in item["path"] else dialect
        sql, names = rewritten(item["sql"], dialect)
        statement = scan(sql, DIALECTS[dialect])
        asked = any(each.kind is TokenKind.AMBIGUOUS for each in statement.tokens)
        made = tool(sql, dict.fromkeys(names, "string"))
        found = _told(item, said(made, dialect))
        assert (["ambiguous-colon"] if asked else []) == found, item["id"]
        assert asked or names == statement.names, item["id"]
        count += len(statement.parameters)
    assert count > 300
