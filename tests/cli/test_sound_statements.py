"""A statement that the database takes is not refused, however little brimgen knows of its form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Run

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
