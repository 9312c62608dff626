"""Queries of sqlc and aiosql become tools with the types of their tables, and tables entities."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from brimgen.diagnostics import Diagnostics
from brimgen.importers.sql.query_files import SqlFiles
from brimgen.model.project import Connection
from support.imports import import_sql
from support.made import corpus
from support.project import build

TABLES = (
    "CREATE TABLE authors (id bigint PRIMARY KEY, name text NOT NULL, bio text, born date);\n"
    "CREATE TABLE books (id bigint PRIMARY KEY, author_id bigint NOT NULL, title text NOT NULL,"
    " price numeric(10,2), data jsonb);\n"
)


def _imported(text: str, *, dialect: str = "postgres", **options: Any) -> Any:
    found = Diagnostics()
    files = SqlFiles({"query.sql": text}, {"schema.sql": TABLES}, dialect)
    documents = import_sql("query.sql", [files], found, **options)
    return "---\n".join(documents), [each.message for each in found]


QUERIES = {
    "-- name: get :one\nSELECT * FROM authors WHERE id = $1;": """\
type: entity
name: Author
fields: { id: int, name: string, bio: "string?", born: "date?" }
---
type: sql_function
name: get
arguments:
  inline: { id: int }
returns: Author
sql: "SELECT * FROM authors WHERE id = :id"
""",
    "-- name: find :many\n-- By name.\nSELECT name FROM authors\nWHERE (sqlc.narg('bio')::text IS"
    " NULL OR bio = sqlc.narg('bio'))\n  AND name ILIKE @pattern AND id IN (sqlc.slice(ids));": """\
type: sql_function
name: find
description: By name.
arguments:
  inline: { bio: "string?", pattern: string, ids: "int[]" }
returns: "string[]"
sql: |
  SELECT name FROM authors
  WHERE (:bio::text IS NULL OR bio = :bio)
    AND name ILIKE :pattern AND id IN (:ids)
""",
    "-- name: put :execrows\nINSERT INTO books (id, author_id, title, price)\n"
    "VALUES ($1, $2, $3, $4)": """\
type: sql_function
name: put
arguments:
  inline: { id: int, author_id: int, title: string, price: "decimal?" }
returns: int
sql: |
  INSERT INTO books (id, author_id, title, price)
  VALUES (:id, :author_id, :title, :price)
""",
    "-- name: fill :copyfrom\nINSERT INTO books (id, title) VALUES ($1, $2)": """\
type: sql_function
name: fill
arguments:
  inline: { id: int, title: string }
returns: int
sql: "INSERT INTO books (id, title) VALUES (:id, :title)"
""",
    "-- name: drop :exec\nDELETE FROM authors WHERE name = $1 AND id <> $2 AND bio = '$1 @x'": """\
type: sql_function
name: drop
arguments:
  inline: { name: string, id: int }
sql: "DELETE FROM authors WHERE name = :name AND id <> :id AND bio = '$1 @x'"
""",
    "-- name: get-name^\n-- One name.\nselect name from authors where id = :id\n": """\
type: sql_function
name: get_name
description: One name.
arguments:
  inline: { id: int }
returns: string?
sql: "select name from authors where id = :id"
""",
    "-- name: how_many$\nselect count(*) from books": """\
type: sql_function
name: how_many
returns: int
sql: "select count(*) from books"
""",
    "-- name: shelf :many\nSELECT b.title, sqlc.embed(a) FROM books b"
    " LEFT JOIN authors a ON a.id = b.author_id": """\
type: entity
name: Author
fields: { id: int, name: string, bio: "string?", born: "date?" }
---
type: sql_function
name: shelf
returns:
  type: "object[]"
  fields:
    a: { type: "Author?", embed: true }
    title: string
sql: SELECT b.title, a.id AS a_id, a.name AS a_name, a.bio AS a_bio, a.born AS a_born\
 FROM books b LEFT JOIN authors a ON a.id = b.author_id
""",
    "-- name: rename!\nupdate authors set name = :name where id = :id": """\
type: sql_function
name: rename
arguments:
  inline: { name: string, id: int }
returns: int
sql: "update authors set name = :name where id = :id"
""",
}


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_becomes_a_tool_with_the_types_of_its_tables(query: str) -> None:
    assert (QUERIES[query], []) == _imported(query)


def test_a_query_is_named_as_tools_are_and_the_change_is_told() -> None:
    queries = (
        "-- name: MyOrders :many\nSELECT name, bio FROM authors;\n"
        "-- name: ListURLs :exec\nDELETE FROM authors;\n"
        "-- name: get_author :exec\nDELETE FROM books\n"
    )
    documents, messages = _imported(queries)
    assert (
        "name: my_orders\nx-name: MyOrders\nreturns: MyOrdersRow[]"
        in documents.replace('"', "")
    )
    assert "name: list_urls\nx-name: ListURLs\n" in documents
    assert "name: get_author\nsql:" in documents
    assert [
        "the query `MyOrders` becomes the tool `my_orders`, and 1 more name changes"
    ] == messages


LEFT_OUT = {
    "-- name: a#\nDELETE FROM authors; DELETE FROM books": "a script of several statements",
    "-- name: a :many\nSELECT sqlc.embed(a) FROM nowhere a": "`sqlc.embed(a)` are not known",
    "-- name: a :many\nSELECT a.id, b.id FROM authors a, books b": "two columns are called `id`",
}


@pytest.mark.parametrize("query", LEFT_OUT)
def test_what_cannot_be_taken_is_told_and_the_rest_is(query: str) -> None:
    documents, messages = _imported(
        f"{query};\n\n-- name: b :exec\nDELETE FROM books\n"
    )
    assert documents.startswith("type: sql_function\nname: b\n")
    (message,) = messages
    assert LEFT_OUT[query] in message


def test_the_types_that_nobody_knows_are_told() -> None:
    documents, messages = _imported(
        "-- name: a :many\nSELECT * FROM nowhere WHERE x = $1"
    )
    assert 'inline: { x: primitive }\nreturns: "object[]"' in documents
    assert ["of query `a`: the type of `x` is not known"] == messages


def test_tables_become_entities() -> None:
    found = Diagnostics()
    authors, books = import_sql(
        "schema.sql", [SqlFiles({"schema.sql": TABLES}, {}, "postgres")], found
    )
    assert 'fields: { id: int, name: string, bio: "string?", born: "date?" }' in authors
    assert 'price: "decimal?", data: "object?" }' in books


def test_marks_of_other_dialects_get_the_names_of_columns() -> None:
    documents, _ = _imported(
        "-- name: a :many\nSELECT @v, id FROM authors WHERE name = ? LIMIT ?",
        dialect="mysql",
    )
    assert "SELECT @v, id FROM authors WHERE name = :name LIMIT :limit" in documents


ENGINES = {"postgresql": "postgres", "mysql": "mysql", "sqlite": "sqlite"}


@pytest.mark.whole
def test_the_queries_of_sqlc_itself_are_imported_and_build(tmp_path: Path) -> None:
    """Of 680 queries all but some sixty, each with its reason; four do not build."""
    schemas, files = defaultdict(dict), defaultdict(list)
    for each in corpus("sql-annotated", "sqlc_schemas"):
        folder = each["path"].rpartition("/")[0]
        schemas[folder][each["path"]] = each["sql"]
    for each in corpus("sql-annotated", "sqlc_queries"):
        is_ours = each["engine"] in ENGINES and "clickhouse" not in each["path"]
        if is_ours and not each["expects_error"]:
            files[each["path"], ENGINES[each["engine"]]].append(each["sql"])
    queries = tools = errors = 0
    for number, ((path, dialect), texts) in enumerate(files.items()):
        found = Diagnostics()
        tables = schemas[path.rpartition("/")[0]]
        part = SqlFiles({path: "\n\n".join(texts)}, tables, dialect)
        documents = import_sql(path, [part], found)
        made = [each for each in documents if each.startswith("type: sql_function")]
        refused = [e for e in found if e.rule.reason == "import-query-refused"]
        assert len(texts) <= len(made) + len(refused), path
        queries, tools = queries + len(texts), tools + len(made)
        if documents:
            built = build(
                tmp_path / f"{number}",
                {"a.yaml": "---\n".join(documents)},
                targets=("python", "sql"),
                connections={"default": Connection(dialect, ())},
            )
            errors += built.diagnostics.errors
    assert queries >= 600
    assert tools >= 0.9 * queries
    assert errors <= 5
