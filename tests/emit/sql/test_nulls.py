"""What statements do while an argument is left out: told, and shown by SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing

import pytest

from brimgen.model.fields import Context, Default
from brimgen.model.types import Field
from brimgen.sql import DIALECTS, scan
from brimgen.sql.filters import (
    compared_with_null,
    limit_parameters,
    opening,
)
from emit.sql.made import field, said, tool

# statement, the parameters that open it
OPENED = [
    ("DELETE FROM t WHERE (:a IS NULL OR id = :a)", ":a"),
    ("DELETE FROM t WHERE :a IS NULL OR id = :a", ":a"),
    ("DELETE FROM t WHERE (:a IS NULL) OR (id = :a);", ":a"),
    ("DELETE FROM t WHERE (id = :a OR :a IS NULL) AND (:b IS NULL OR n < :b)", ":a :b"),
    ("DELETE FROM t WHERE (:a IS NULL OR n BETWEEN :a AND 3)", ":a"),
    ("UPDATE t SET n = 0 WHERE t.id NOT IN (:as) RETURNING n", ":as"),
    ("UPDATE t SET n = 0 WHERE id NOT IN :as", ":as"),
    ("WITH x AS (SELECT 1) DELETE FROM t WHERE (:a IS NULL OR id = :a)", ":a"),
    ("DELETE FROM t WHERE n = 1 AND (:a IS NULL OR id = :a)", ""),
    ("DELETE FROM t WHERE true AND (:a IS NULL OR id = :a)", ""),
    ("DELETE FROM t WHERE id IN (:as)", ""),
    ("DELETE FROM t WHERE id = :a", ""),
    ("DELETE FROM t WHERE :a IS NOT NULL OR id = 1", ""),
    ("DELETE FROM t WHERE (:a IS NULL AND id = 1)", ""),
    ("DELETE FROM t WHERE CASE WHEN :a IS NULL OR id = :a THEN 0 END", ""),
    ("DELETE FROM t WHERE id IN (SELECT id FROM t WHERE :a IS NULL OR id = :a)", ""),
    ("SELECT id FROM t WHERE (:a IS NULL OR id = :a)", ""),
    ("DELETE FROM t", ""),
]


@pytest.mark.parametrize(("sql", "names"), OPENED)
def test_what_opens_a_change(sql: str, names: str) -> None:
    statement = scan(sql, DIALECTS["sqlite"])
    opened = opening(statement, {"a", "b"}, {"as"})
    assert names.split() == [each.text for each in opened]
    if names:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute("CREATE TABLE t (id INTEGER, n INTEGER)")
            connection.executemany("INSERT INTO t VALUES (?, ?)", [(1, 2), (2, 3)])
            listed = "(SELECT value FROM json_each(:as))"
            run = sql.replace("(:as)", listed).replace(" :as", f" {listed}")
            empty = {"a": None, "b": None, "as": json.dumps([])}
            connection.execute(run, empty).fetchall()
            assert [(2,)] == connection.execute("SELECT changes()").fetchall()


OPEN = "DELETE FROM t WHERE (:a IS NULL OR id = :a)"


def _slugs(
    sql: str, arguments: Mapping[str, str | Field], dialect: str = "sqlite"
) -> list[str]:
    slugs = [each.rule.reason for each in said(tool(sql, arguments), dialect)]
    return [each for each in slugs if each != "void-with-rows"]


def test_only_what_a_caller_may_leave_out_is_told() -> None:
    assert ["open-change"] == _slugs(OPEN, {"a": "int?"})
    assert [] == _slugs(OPEN, {"a": "int"})
    hidden = field("a", "int?", origin=Context(("app", "id")))
    assert ["hidden-may-be-missing"] == _slugs(OPEN, {"a": hidden})
    excluding = "DELETE FROM t WHERE id NOT IN (:as)"
    assert ["open-change"] == _slugs(excluding, {"as": "int[]"})


@pytest.mark.parametrize(
    ("sql", "signs"),
    [
        ("SELECT a FROM t WHERE a = NULL", "="),
        ("SELECT a FROM t WHERE (b = 1 OR a <> NULL) AND c != null", "<> !="),
        ("SELECT a FROM t JOIN u ON t.a = u.a AND t.b = NULL", "="),
        ("SELECT CASE WHEN a = NULL THEN 1 END FROM t", "="),
        ("UPDATE t SET a = NULL, b = NULL WHERE a = NULL", "="),
        ("UPDATE t SET a = NULL WHERE b IS NULL", ""),
        ("SELECT a FROM t WHERE f(b => NULL)", ""),
        ("SELECT a FROM t WHERE a <=> NULL", ""),
        ("SELECT a FROM t WHERE a IS DISTINCT FROM NULL", ""),
        ("INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b = NULL", ""),
        ("SELECT coalesce(a, NULL) FROM t WHERE b IN (1, NULL)", ""),
    ],
)
def test_a_comparison_with_null_that_is_never_true_is_found(
    sql: str, signs: str
) -> None:
    found = compared_with_null(scan(sql, DIALECTS["postgres"]))
    assert signs.split() == [sign for _, sign in found]


RENAME = "UPDATE t SET name = :name, note = :note WHERE id = :id"


def test_a_column_that_is_lost_where_its_argument_is_left_out_is_told() -> None:
    def slugs(sql: str, name: str | Field) -> list[str]:
        return _slugs(sql, {"name": name, "note": "string", "id": "int"})

    alone = RENAME.replace(", note = :note", ", note = note || :note")
    defaulted = field("name", "string", required=False, default=Default("x"))
    assert ["left-out-set"] == slugs(RENAME, "string?")
    assert ["left-out-set"] == slugs(alone, "string?")
    assert ["left-out-set"] == slugs(RENAME, defaulted)
    assert [] == slugs(alone, defaulted)
    assert [] == slugs(RENAME, "string")
    assert [] == slugs(RENAME, field("name", "string?", required=True))
    hidden = field("name", "string?", origin=Context(("app", "id")))
    assert ["hidden-may-be-missing"] == slugs(RENAME, hidden)
    kept = RENAME.replace("= :name", "= COALESCE(:name, name)")
    assert [] == slugs(kept, "string?")


@pytest.mark.parametrize(
    ("dialect", "sql", "words"),
    [
        ("mysql", "SELECT a FROM t LIMIT :n OFFSET :o", ":n LIMIT :o OFFSET"),
        ("mysql", "SELECT a FROM t LIMIT :o, :n", ":o OFFSET :n LIMIT"),
        ("tsql", "SELECT TOP (:n) a FROM t", ":n LIMIT"),
        ("tsql", "SELECT TOP :n a FROM t", ":n LIMIT"),
        ("postgres", "SELECT a FROM t FETCH NEXT :n ROWS ONLY", ":n FETCH"),
        ("mysql", "SELECT a FROM t LIMIT min(:n, 5)", ""),
        ("mysql", "SELECT a FROM t LIMIT :n + 1", ""),
        ("mysql", "SELECT first(:n), a FROM t", ""),
        ("mysql", "SELECT a FROM t LIMIT CAST(:n AS UNSIGNED INTEGER)", ":n LIMIT"),
        ("postgres", "SELECT 1 LIMIT :n::int OFFSET :o::bigint", ":n LIMIT :o OFFSET"),
        ("postgres", "SELECT 1 OFFSET (:o)::numeric(3, 0)", ":o OFFSET"),
        ("postgres", "SELECT 1 LIMIT (:n::int)", ":n LIMIT"),
        ("postgres", "SELECT 1 LIMIT :n::int + 1", ""),
        ("postgres", "SELECT 1 LIMIT least(:n::int, 5)", ""),
        ("postgres", "SELECT 1 LIMIT CAST(:n + 1 AS int)", ""),
    ],
)
def test_parameters_of_limits_are_found_in_every_spelling(
    dialect: str, sql: str, words: str
) -> None:
    found = limit_parameters(scan(sql, DIALECTS[dialect]))
    assert words == " ".join(f"{token.text} {word}" for token, word in found)
