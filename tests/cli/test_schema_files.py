"""The schema of a connection: told at its own place, quoted, and a file that outputs rest on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Run

Write = Callable[[str, str], Path]
SPEC = "type: sql_function\nname: titles\nreturns: string[]\nsql: SELECT title FROM books\n"
CONFIGURATION = """\
specs: src/specs
connections:
  default: {dialect: sqlite, schema: db/books.sql}
"""


@pytest.fixture
def books(write: Write) -> None:
    """Specs, a schema, and the configuration in three folders."""
    write("src/specs/titles.yaml", SPEC)
    write("brimgen.yaml", CONFIGURATION)


@pytest.mark.usefixtures("books")
def test_what_sqlite_refuses_is_quoted_where_it_stands(write: Write, run: Run) -> None:
    write(
        "db/books.sql",
        "CREATE TABLE a (b INTEGER);\nCREATE TABEL books (title TEXT);\n",
    )
    ran = run("check")
    assert [
        'error[SQL025]: SQLite refuses the schema: near "TABEL": syntax error',
        " --> db/books.sql:2:8",
        "  |",
        "2 | CREATE TABEL books (title TEXT);",
        "  |        ^^^^^",
    ] == ran.err.splitlines()[:5]


@pytest.mark.usefixtures("books")
def test_a_depfile_lists_it(project: Path, write: Write, run: Run) -> None:
    write("db/books.sql", "CREATE TABLE books (title TEXT);\n")
    assert 0 == run("generate", "--depfile", "made.d").code
    assert [
        "out/manifest.json: \\",
        "  brimgen.yaml \\",
        "  db/books.sql \\",
        "  src/specs/titles.yaml",
    ] == (project / "made.d").read_text().splitlines()
