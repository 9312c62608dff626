"""Queries that are imported mean what they meant: `brimgen import`, then `brimgen generate`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

Import = Callable[..., dict[str, Any]]


@pytest.fixture
def imported(project: Path, run: Any) -> Import:
    """Import queries, build them, and return the specs by name."""

    def imported(
        queries: str, tables: str, *, dialect: str = "postgres"
    ) -> dict[str, Any]:
        (project / "schema.sql").write_text(tables)
        (project / "q.sql").write_text(queries)
        (project / "brimgen.yaml").write_text(
            "package: q\nconnections:\n"
            f"  default: {{ dialect: {dialect}, schema: schema.sql }}\n"
        )
        arguments = ("--schema", "schema.sql", "--dialect", dialect)
        ran = run("import", "q.sql", *arguments, "--into", "specs")
        assert 0 == ran.code, ran.err
        built = run("generate")
        assert 0 == built.code, built.err
        files = (project / "specs").glob("*.yaml")
        specs = [
            spec for file in files for spec in yaml.safe_load_all(file.read_text())
        ]
        return {spec["name"]: spec for spec in specs}

    return imported


GATE = "CREATE TABLE gate (id int PRIMARY KEY, meta jsonb NOT NULL, first jsonb, way lseg);\n"
OPERATORS = (
    "meta ? 'k'",
    "meta ?| ARRAY['a']",
    "meta ?& ARRAY['a']",
    "meta @? '$.a'",
    "first ? 'k'",
    "way ?# '((0,0),(1,1))'::box",
    "way ?|| way",
    "way ?-| way",
    "?- way",
    "?| way",
)


@pytest.mark.parametrize("operator", OPERATORS)
def test_an_operator_with_a_question_mark_does_not_become_an_argument(
    imported: Import, operator: str
) -> None:
    query = f"-- name: find :many\nSELECT id FROM gate WHERE {operator} AND id = $1;\n"
    spec = imported(query, GATE)["find"]
    [name] = spec["arguments"]["inline"]
    assert f"SELECT id FROM gate WHERE {operator} AND id = :{name}" == spec["sql"]


def test_keys_are_an_argument_beside_an_operator_with_a_question_mark(
    imported: Import,
) -> None:
    query = "-- name: find :many\nSELECT id FROM gate WHERE meta ?| @keys::text[];\n"
    spec = imported(query, GATE)["find"]
    assert {"keys": "string[]"} == spec["arguments"]["inline"]


@pytest.mark.parametrize(
    ("condition", "type"),
    [
        ("meta ? $1", "string"),
        ("meta ?| $1", "string[]"),
        ("meta ?& $1", "string[]"),
        ("meta ->> 'k' SIMILAR TO $1", "string"),
    ],
)
def test_an_argument_beside_an_operator_has_the_type_that_the_operator_takes(
    imported: Import, condition: str, type: str
) -> None:
    query = f"-- name: find :many\nSELECT id FROM gate WHERE {condition};\n"
    spec = imported(query, GATE)["find"]
    assert [type] == [*spec["arguments"]["inline"].values()]


SHELVES = """\
CREATE TABLE shelf (id int PRIMARY KEY, labels text[] NOT NULL);
CREATE TABLE seat (k text PRIMARY KEY, shelf_id int NOT NULL);
"""


def test_a_list_that_is_stored_in_a_column_or_compared_with_it_builds(
    imported: Import,
) -> None:
    specs = imported(
        "-- name: label :exec\nUPDATE shelf SET labels = $1 WHERE id = $2;\n\n"
        "-- name: labelled :many\nSELECT id FROM shelf WHERE labels = $1;\n",
        SHELVES,
    )
    assert {"labels": "string[]", "id": "int"} == specs["label"]["arguments"]["inline"]
    assert {"labels": "string[]"} == specs["labelled"]["arguments"]["inline"]


def test_a_query_of_with_is_known_where_a_row_has_its_key_already(
    imported: Import,
) -> None:
    query = (
        "-- name: put :one\nWITH wanted AS (SELECT id FROM shelf WHERE id = @id)\n"
        "INSERT INTO seat (k, shelf_id) VALUES (@k, (SELECT id FROM wanted))\n"
        "ON CONFLICT (k) DO UPDATE SET shelf_id = coalesce((SELECT id FROM wanted), 0)\n"
        "RETURNING shelf_id;\n"
    )
    spec = imported(query, SHELVES)["put"]
    assert {"id": "int", "k": "string"} == spec["arguments"]["inline"]
    assert "int" == spec["returns"]


def test_functions_that_implement_operators_are_known(imported: Import) -> None:
    query = (
        "-- name: find :many\nSELECT array_cat(labels, labels) AS twice FROM shelf\n"
        "WHERE starts_with(labels[1], @start::text) AND arrayoverlap(labels, labels);\n"
    )
    assert {"start": "string"} == imported(query, SHELVES)["find"]["arguments"][
        "inline"
    ]


ITEMS = "CREATE TABLE item (id INTEGER PRIMARY KEY, name varchar(20) NOT NULL);\n"


@pytest.mark.parametrize("dialect", ["mysql", "sqlite"])
@pytest.mark.parametrize(
    ("limit", "arguments", "text"),
    [
        ("?, ?", {"offset": "int", "limit": "int"}, ":offset, :limit"),
        ("?, 10", {"offset": "int"}, ":offset, 10"),
        ("20, ?", {"limit": "int"}, "20, :limit"),
        ("? OFFSET ?", {"limit": "int", "offset": "int"}, ":limit OFFSET :offset"),
    ],
)
def test_the_wanted_number_of_rows_does_not_land_in_the_offset(
    imported: Import, dialect: str, limit: str, arguments: Any, text: str
) -> None:
    query = f"-- name: page :many\nSELECT id FROM item ORDER BY id LIMIT {limit};\n"
    spec = imported(query, ITEMS, dialect=dialect)["page"]
    assert arguments == spec["arguments"]["inline"]
    assert spec["sql"].endswith(f"LIMIT {text}")


def test_values_of_an_insert_keep_the_names_of_columns_between_comments(
    imported: Import,
) -> None:
    query = (
        "-- name: add :exec\nINSERT INTO t (\n  -- key, parts\n  a,\n  b /* (text) */,"
        ' "c"\n) VALUES ($1 /* one, */, lower($2), $3), ($4, $5, $6);\n'
    )
    tables = "CREATE TABLE t (a int NOT NULL, b text NOT NULL, c int);\n"
    arguments = imported(query, tables)["add"]["arguments"]["inline"]
    assert ["a", "arg2", "c", "a_4", "b", "c_6"] == [*arguments]
    assert ("int", "string", "int?") == tuple(
        arguments[name] for name in ("a", "b", "c")
    )


LEVELS = {
    "sqlite": "lvl TEXT NOT NULL CHECK (lvl IN ('low', 'high'))",
    "mysql": "lvl ENUM('low', 'high') NOT NULL",
}


@pytest.mark.parametrize(
    ("dialect", "operator"),
    [
        ("sqlite", "LIKE"),
        ("sqlite", "NOT LIKE"),
        ("sqlite", "GLOB"),
        ("sqlite", "REGEXP"),
        ("mysql", "LIKE"),
        ("mysql", "REGEXP"),
        ("mysql", "RLIKE"),
    ],
)
def test_a_pattern_is_not_limited_to_the_values_of_its_column(
    imported: Import, dialect: str, operator: str
) -> None:
    query = (
        f"-- name: find :many\nSELECT id FROM log WHERE lvl {operator} :pat;\n"
        "-- name: exact :many\nSELECT id FROM log WHERE lvl = :lvl;\n"
    )
    tables = f"CREATE TABLE log (id INTEGER PRIMARY KEY, {LEVELS[dialect]});\n"
    specs = imported(query, tables, dialect=dialect)
    assert {"pat": "string"} == specs["find"]["arguments"]["inline"]
    level = {"type": "string", "enum": ["low", "high"]}
    assert {"lvl": level} == specs["exact"]["arguments"]["inline"]


@pytest.mark.parametrize(
    ("test", "type"),
    [
        ("$1 IS NULL OR bio = $1", "string?"),
        ("$1::text IS NULL OR bio = $1", "string?"),
        ("CAST($1 AS text) IS NULL OR bio = $1", "string?"),
        ("($1) IS NULL OR bio = $1", "string?"),
        (":bio IS NULL OR bio = :bio", "string?"),
        ("@bio::varchar(20) IS NULL OR bio = @bio", "string?"),
        ("sqlc.arg(bio) IS NULL OR bio = sqlc.arg('bio')", "string?"),
        ("bio = $1 AND bio IS NULL", "string"),
        ("bio = $1::text AND $2 = id AND at IS NULL", "string"),
    ],
)
def test_a_filter_that_may_be_left_out_stays_optional(
    imported: Import, test: str, type: str
) -> None:
    query = f"-- name: find :many\nSELECT id FROM p WHERE ({test});\n"
    tables = "CREATE TABLE p (id int PRIMARY KEY, bio text NOT NULL, at date);\n"
    arguments = imported(query, tables)["find"]["arguments"]["inline"]
    assert type == arguments["bio"]


def test_a_comment_above_the_next_name_costs_no_query_its_types(
    imported: Import,
) -> None:
    queries = (
        "-- All about people.\n\n"
        "-- ById finds\n-- one person.\n-- name: by_id :many\n-- Fast.\n"
        "SELECT id, name FROM p WHERE id = $1 LIMIT $2::bigint; -- by key\n\n"
        "/*\n * how_many counts all rows.\n * -------\n */\n-- name: how_many :one\n"
        "SELECT count(*) FROM p;;\n-- The end.\n"
    )
    tables = "CREATE TABLE p (id int PRIMARY KEY, name text NOT NULL);\n"
    specs = imported(queries, tables)
    by_id = specs["by_id"]
    assert "ById finds one person. Fast." == by_id["description"]
    assert {"id": "int", "limit": "int"} == by_id["arguments"]["inline"]
    assert "P[]" == by_id["returns"]
    assert "SELECT id, name FROM p WHERE id = :id LIMIT :limit::bigint" == by_id["sql"]
    assert "how_many counts all rows." == specs["how_many"]["description"]
    assert "SELECT count(*) FROM p" == specs["how_many"]["sql"]


def test_what_a_comment_tells_aiosql_or_sqlc_does_not_describe_a_tool_to_models(
    imported: Import, run: Any
) -> None:
    query = (
        "-- name: names\n-- record_class: Person\n-- @sqlc-vet-disable\n-- All names.\n"
        "SELECT name FROM p;\n"
    )
    tables = "CREATE TABLE p (id int PRIMARY KEY, name text NOT NULL);\n"
    assert "All names." == imported(query, tables)["names"]["description"]
    told = run("import", "q.sql", "--schema", "schema.sql").err
    assert "of query `names`: `record_class` is not kept" in told


TOOLBOX = """\
tools:
  find:
    kind: {kind}
    source: db
    description: Find.
    parameters:
      - {{ name: id, type: integer, description: The id. }}
    statement: "{statement} -- the end"
"""


@pytest.mark.parametrize(
    ("kind", "before", "placeholder", "after"),
    [
        ("postgres-sql", "SELECT id FROM t WHERE meta ? 'k' AND id = ", "$1", ";"),
        ("tidb-sql", "SELECT `?`, '?', id FROM t WHERE id = ", "?", ";"),
        ("mssql-sql", "SELECT @v, id FROM t WHERE id = ", "@id", " AND a < 1;"),
        ("spanner-sql", "SELECT id FROM t WHERE id = ", "@id", ""),
    ],
)
def test_a_tool_of_toolbox_takes_its_parameters_and_nothing_else(
    project: Path, run: Any, kind: str, before: str, placeholder: str, after: str
) -> None:
    statement = f"{before}{placeholder}{after}"
    text = TOOLBOX.format(kind=kind, statement=statement)
    (project / "tools.yaml").write_text(text)
    ran = run("import", "tools.yaml")
    assert 0 == ran.code, ran.err
    sql = f"{before}:id{after}".removesuffix(";")
    assert sql == yaml.safe_load(ran.out)["sql"]
