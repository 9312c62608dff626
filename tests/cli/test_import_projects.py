"""What teams have of other systems builds at once: `brimgen import`, then `brimgen generate`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

AUTHORS = (
    "CREATE TABLE authors (id bigint PRIMARY KEY, name text NOT NULL, bio text);\n"
)
BOOKS = "CREATE TABLE books (id bigint PRIMARY KEY, author_id bigint, title text NOT NULL);\n"


def _files(project: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)


def _specs(project: Path) -> dict[str, Any]:
    documents = [
        yaml.safe_load(file.read_text()) for file in (project / "specs").rglob("*.yaml")
    ]
    return {spec["name"]: spec for spec in documents}


def _builds(project: Path, run: Any, *arguments: str) -> dict[str, Any]:
    """Import into an empty project and build it; return the specs by name."""
    ran = run("import", *arguments, "--into", "specs")
    assert ran.code == 0, ran.err
    built = run("generate")
    assert built.code == 0, built.err
    return _specs(project)


def test_queries_for_postgres_build_without_settings_of_ones_own(
    project: Path, run: Any
) -> None:
    _files(
        project,
        {
            "q.sql": "-- name: get :many\nSELECT id FROM authors WHERE id = ANY($1::bigint[]);\n",
            "db/migrations/1_a.up.sql": AUTHORS,
            "db/migrations/1_a.down.sql": "DROP TABLE authors;\n",
        },
    )
    specs = _builds(project, run, "q.sql", "--schema", "db/migrations")
    assert specs["get"]["arguments"] == {"inline": {"ids": "int[]"}} or (
        specs["get"]["arguments"] == {"inline": {"id": "int[]"}}
    )
    settings = yaml.safe_load((project / "brimgen.yaml").read_text())
    assert settings["connections"] == {
        "default": {
            "dialect": "postgres",
            "drivers": ["psycopg"],
            "schema": "db/migrations",
        }
    }


def test_a_project_says_the_dialect_and_the_tables_of_its_queries(
    project: Path, run: Any
) -> None:
    _files(
        project,
        {
            "brimgen.yaml": "connections:\n  default: {dialect: mysql, schema: s.sql}\n",
            "s.sql": "CREATE TABLE t (id int NOT NULL, at datetime NOT NULL);\n",
            "q.sql": "-- name: get :many\nSELECT at FROM t WHERE id = ?;\n",
        },
    )
    specs = _builds(project, run, "q.sql")
    assert specs["get"]["returns"] == "datetime[]"
    assert specs["get"]["arguments"] == {"inline": {"id": "int"}}


SQLC = """
version: "2"
sql:
  - engine: postgresql
    schema: [pg/schema]
    queries: pg/queries
    gen: { go: { package: library, out: db } }
  - engine: sqlite
    schema: lite.sql
    queries: [lite/*.sql]
    name: notes
"""


def test_a_configuration_of_sqlc_brings_its_queries_tables_and_connections(
    project: Path, run: Any
) -> None:
    _files(
        project,
        {
            "sqlc.yaml": SQLC,
            "pg/schema/001.sql": AUTHORS,
            "pg/schema/002.sql": BOOKS,
            "pg/queries/a.sql": "-- name: GetAuthor :one\nSELECT * FROM authors WHERE id = $1;\n",
            "pg/queries/b.sql": "-- name: ListAuthors :many\nSELECT * FROM authors;\n",
            "lite.sql": "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL);\n",
            "lite/n.sql": "-- name: add_note :exec\nINSERT INTO notes (text) VALUES (?);\n",
        },
    )
    specs = _builds(project, run, "sqlc.yaml")
    assert sorted(specs) == ["Author", "add_note", "get_author", "list_authors"]
    assert specs["get_author"]["returns"] == "Author"
    assert specs["list_authors"]["returns"] == "Author[]"
    assert specs["get_author"]["connection"] == "library"
    assert specs["add_note"]["connection"] == "notes"
    settings = yaml.safe_load((project / "brimgen.yaml").read_text())
    assert settings["connections"]["notes"]["schema"] == "lite.sql"


def test_two_databases_of_sqlc_may_have_queries_of_one_name(
    project: Path, run: Any
) -> None:
    query = "-- name: get_author :one\nSELECT * FROM authors WHERE id = ?;\n"
    blocks = "".join(
        f"  - {{ engine: {engine}, schema: s.sql, queries: {engine}.sql, name: {engine} }}\n"
        for engine in ("sqlite", "mysql")
    )
    tables = AUTHORS.replace("bio text", "bio varchar(9)")
    files = {"sqlc.yml": f"version: '2'\nsql:\n{blocks}", "s.sql": tables}
    _files(project, {**files, "sqlite.sql": query, "mysql.sql": query})
    specs = _builds(project, run, "sqlc.yml")
    assert specs["get_author"]["connection"] == "sqlite"
    assert specs["mysql_get_author"]["connection"] == "mysql"
    assert specs["mysql_get_author"]["returns"] == "MysqlAuthor"


def test_rows_of_other_tables_keep_entities_of_their_own(
    project: Path, run: Any
) -> None:
    twins = "CREATE TABLE cats (id int NOT NULL); CREATE TABLE dogs (id int NOT NULL, age int);\n"
    queries = (
        "-- name: cats :many\nSELECT id, 1::int AS age FROM cats;\n\n"
        "-- name: dogs :many\nSELECT * FROM dogs;\n\n"
        "-- name: old_dogs :many\nSELECT * FROM dogs WHERE age > 9;\n"
    )
    _files(project, {"q.sql": queries, "s.sql": twins})
    specs = _builds(project, run, "q.sql", "--schema", "s.sql")
    assert specs["cats"]["returns"] == "CatsRow[]"
    assert specs["dogs"]["returns"] == specs["old_dogs"]["returns"] == "Dog[]"


def test_embedded_tables_become_entities_that_may_be_null_in_an_outer_join(
    project: Path, run: Any
) -> None:
    query = (
        "-- name: all :many\nSELECT sqlc.embed(books), sqlc.embed(a)\n"
        "FROM books LEFT JOIN authors AS a ON a.id = books.author_id;\n"
    )
    _files(project, {"q.sql": query, "s.sql": AUTHORS + BOOKS})
    specs = _builds(project, run, "q.sql", "--schema", "s.sql")
    assert specs["all"]["returns"] == {
        "type": "object[]",
        "fields": {
            "books": {"type": "Book", "embed": True},
            "a": {"type": "Author?", "embed": True},
        },
    }
    assert specs["Author"]["fields"]["name"] == "string"


TOOLBOX = """
sources:
  my-pg: { kind: postgres, host: h, port: 5432, database: d, user: u, password: p }
  lite: { kind: sqlite, database: a.db }
tools:
  find:
    kind: postgres-sql
    source: my-pg
    description: Find by labels.
    parameters:
      - { name: labels, type: map, valueType: string, description: Labels }
      - { name: word, type: string, description: Text, excludedValues: ["x.*"] }
      - { name: again, type: string, description: Same, valueFromParam: word }
      - { name: size, type: string, description: Size, allowedValues: [s, m], required: false }
      - { name: page, type: integer, description: Page, allowedValues: [1, 2], excludedValues: [] }
    statement: SELECT id FROM t WHERE l @> $1::jsonb AND q = $2 AND r = $3 AND s = $4 AND p = $5
  count:
    kind: sqlite-sql
    source: lite
    description: Count.
    statement: SELECT count(*) FROM t
  near:
    kind: postgres-sql
    source: my-pg
    description: Near.
    parameters: [{ name: text, type: string, description: Text, embeddedBy: model }]
    statement: SELECT id FROM t ORDER BY v <-> $1
"""


def test_sources_of_toolbox_become_connections_and_newer_keys_keep_their_meaning(
    project: Path, run: Any
) -> None:
    _files(project, {"tools.yaml": TOOLBOX})
    ran = run("import", "tools.yaml", "--into", "specs")
    assert ran.code == 0
    assert "the parameter `text` has `embeddedBy`" in ran.err
    built = run("generate")
    assert built.code == 0, built.err
    specs = _specs(project)
    assert sorted(specs) == ["count", "find"]
    schema = specs["find"]["arguments"]["inline"]
    labels, word, size, page = schema["properties"].values()
    assert labels["additionalProperties"] == {"type": "string"}
    assert word["not"] == {"pattern": "(?:x.*)"}
    assert size["enum"] == ["s", "m"]
    assert page == {"type": "integer", "description": "Page", "enum": [1, 2]}
    assert schema["required"] == ["labels", "word", "page"]
    assert "q = :word AND r = :word AND s = :size AND p = :page" in specs["find"]["sql"]
    assert specs["find"]["connection"] == "my-pg"
    settings = yaml.safe_load((project / "brimgen.yaml").read_text())
    dialects = {name: each["dialect"] for name, each in settings["connections"].items()}
    assert dialects == {"my-pg": "postgres", "lite": "sqlite"}


def test_connections_that_settings_lack_are_told(project: Path, run: Any) -> None:
    _files(project, {"brimgen.yaml": "package: shop\n", "tools.yaml": TOOLBOX})
    ran = run("import", "tools.yaml", "--only", "count", "--into", "specs")
    assert ran.code == 0, ran.err
    assert "Add to brimgen.yaml:" in ran.err + ran.out
    assert "dialect: sqlite" in ran.err + ran.out


def test_annotations_that_only_their_server_knows_are_kept(
    project: Path, run: Any
) -> None:
    tool = (
        '{"name": "find", "description": "Find.", "inputSchema": {"type": "object"},'
        ' "annotations": {"readOnlyHint": true, "costHint": 3}}'
    )
    _files(project, {"tools.json": f'{{"tools": [{tool}]}}'})
    find = _builds(project, run, "tools.json")["find"]
    assert find["mcp"] == {"read_only": True}
    assert find["x-mcp"] == {"annotations": {"costHint": 3}}


def test_a_query_that_a_build_would_refuse_does_not_stop_the_others(
    project: Path, run: Any
) -> None:
    queries = (
        "-- name: names :many\nSELECT name FROM authors;\n\n"
        "-- name: gone :many\nSELECT nothing FROM authors;\n\n"
        "-- name: typo :many\nSELCT name FROM authors;\n"
    )
    _files(project, {"q.sql": queries, "s.sql": AUTHORS})
    ran = run("import", "q.sql", "--schema", "s.sql", "--into", "specs")
    assert ran.code == 0, ran.err
    assert "a build would refuse the spec of `gone`" in ran.err
    assert "a build would refuse the spec of `typo`" in ran.err
    built = run("generate")
    assert built.code == 0, built.err
    assert sorted(_specs(project)) == ["names"]


def test_a_tool_of_toolbox_that_a_build_would_refuse_does_not_stop_the_others(
    project: Path, run: Any
) -> None:
    wrong = TOOLBOX.replace("SELECT count(*) FROM t", "SELECT count(* FROM t")
    _files(project, {"tools.yaml": wrong})
    ran = run("import", "tools.yaml", "--into", "specs")
    assert ran.code == 0, ran.err
    assert "a build would refuse the spec of `count`" in ran.err
    built = run("generate")
    assert built.code == 0, built.err
    assert sorted(_specs(project)) == ["find"]
