"""A statement that the database takes is not refused, however little brimgen knows of its form."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from brimgen.sql import DIALECTS, scan
from cli.conftest import Run
from sqlschema import sound

Write = Callable[[str, str], Path]
CONFIGURATION = """\
package: probe
connections:
  default: {{ dialect: {dialect}, schema: schema.sql }}
"""
TOOL = """\
type: sql_function
name: probe
description: Probes a form.
arguments: { inline: { title: { type: string, description: What is looked for. } } }
returns: object[]
sql: |
  """


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        (
            "postgres",
            "SELECT * FROM ROWS FROM (generate_series(1, 3), unnest(ARRAY[:title])) AS t(a, b)",
        ),
        (
            "postgres",
            "MERGE INTO books b USING books s ON b.id = s.id AND s.title = :title"
            " WHEN MATCHED THEN UPDATE * WHEN NOT MATCHED THEN INSERT * RETURNING b.id",
        ),
        ("mysql", "SELECT CAST(:title AS INTERVAL HOUR) AS h FROM books"),
        ("tsql", "SELECT id FROM shop..books WHERE title = :title"),
        ("bigquery", "DELETE shop.books WHERE title = :title"),
    ],
)
def test_a_form_that_sqlglot_reads_and_brimgen_does_not_ends_no_build(
    dialect: str, sql: str, write: Write, run: Run
) -> None:
    write("brimgen.yaml", CONFIGURATION.format(dialect=dialect))
    write(
        "schema.sql", "CREATE TABLE books (id INTEGER PRIMARY KEY, title VARCHAR(9));"
    )
    tool = TOOL.replace("returns: object[]\n", "") if "DELETE" in sql else TOOL
    write("specs/probe.yaml", f"{tool}{sql}\n")
    ran = run("generate", "--format", "concise")
    assert (0, 0) == (ran.code, ran.err.count("SQL032")), ran.err


def tool(name: str, sql: str, dialect: str) -> str:
    """A tool with the arguments that its statement names."""
    arguments = "".join(
        f"    {each}: {{ type: {sound.TYPES[each]}, description: A value. }}\n"
        for each in scan(sql, DIALECTS[dialect]).names
    )
    gives_rows = sql.startswith(("SELECT", "WITH", "EXPLAIN")) or "RETURNING" in sql
    return (
        f"type: sql_function\nname: {name}\ndescription: Probes. Writes to sales.\n"
        + (f"arguments:\n  inline:\n{arguments}" if arguments else "")
        + ("returns: object[]\n" if gives_rows else "")
        + "sql: |\n  "
        + sql.replace("\n", "\n  ")
        + "\n"
    )


def refused(
    dialect: str, schema: str, statements: Sequence[str], write: Write, run: Run
) -> list[str]:
    """What a build says against some statements."""
    write("brimgen.yaml", CONFIGURATION.format(dialect=dialect))
    write("schema.sql", schema)
    for number, sql in enumerate(statements):
        write(f"specs/probe_{number}.yaml", tool(f"probe_{number}", sql, dialect))
    ran = run("generate", "--format", "concise")
    return [line for line in ran.err.splitlines() if "error" in line or "SQL" in line]


@pytest.mark.parametrize("kind", sound.NAMES)
def test_what_the_catalogue_of_postgres_does_not_list_is_not_refused(
    kind: str, write: Write, run: Run
) -> None:
    statements = sound.NAMES[kind]
    assert [] == refused("postgres", sound.SCHEMA, statements, write, run)


@pytest.mark.parametrize("kind", sound.FORMS)
def test_a_statement_of_an_unusual_form_is_not_refused(
    kind: str, write: Write, run: Run
) -> None:
    assert [] == refused("postgres", sound.SCHEMA, sound.FORMS[kind], write, run)


@pytest.mark.parametrize(
    ("dialect", "kind"),
    [(dialect, kind) for dialect in sound.OTHERS for kind in sound.OTHERS[dialect][1]],
)
def test_a_statement_that_its_database_takes_is_not_refused(
    dialect: str, kind: str, write: Write, run: Run
) -> None:
    schema, statements = sound.OTHERS[dialect]
    assert [] == refused(dialect, schema, statements[kind], write, run)


def test_a_statement_that_mysql_takes_is_not_refused(write: Write, run: Run) -> None:
    schema, _ = sound.OTHERS["mysql"]
    assert [] == refused("mysql", schema, sound.ONLY_MYSQL, write, run)


@pytest.mark.parametrize("kind", sound.OTHERS["duckdb"][1])
def test_a_statement_of_duckdb_is_not_refused_where_it_is_not_installed(
    kind: str, write: Write, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    schema, statements = sound.OTHERS["duckdb"]
    assert [] == refused("duckdb", schema, statements[kind], write, run)


def test_a_file_that_no_build_may_read_ends_no_build(write: Write, run: Run) -> None:
    schema, _ = sound.OTHERS["duckdb"]
    statements = ["SELECT c.a FROM read_csv('sales.csv') AS c WHERE c.a = :q"]
    assert [] == refused("duckdb", schema, statements, write, run)


def test_what_a_database_accepts_and_refuses_when_it_is_executed_is_still_told(
    write: Write, run: Run
) -> None:
    schema, _ = sound.OTHERS["duckdb"]
    told = refused(
        "duckdb", schema, ["UPDATE sales SET lvl = 'other' WHERE id = 1"], write, run
    )
    assert [
        "specs/probe_0.yaml:5:26: error[SQL032] `other` is no label of the enum"
    ] == told[:1]


@pytest.mark.parametrize("kind", sound.SCHEMAS)
def test_a_table_has_the_columns_and_keys_that_it_has_in_the_database(
    kind: str, write: Write, run: Run
) -> None:
    schema, statements = sound.SCHEMAS[kind]
    assert [] == refused("postgres", schema, statements, write, run)


def test_a_list_that_postgres_cannot_compare_with_a_column_is_told(
    write: Write, run: Run
) -> None:
    statements = ["SELECT id FROM sales WHERE scores = :ids"]
    (told,) = refused("postgres", sound.SCHEMA, statements, write, run)
    assert told == (
        "specs/probe_0.yaml:9:39: warning[SQL035] the argument `ids` is int[],"
        " but the column `sales.scores` is integer[]"
    )
    statements = ["SELECT id FROM sales WHERE scores = :ids::integer[]"]
    assert [] == refused("postgres", sound.SCHEMA, statements, write, run)
