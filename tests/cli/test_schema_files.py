"""The schema of a connection: told at its own place, quoted, and a file that outputs rest on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from brimgen.diagnostics import Diagnostics
from brimgen.settings.load import Flags, load_settings
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


FOLDERS = {
    "golang-migrate": (
        "000002_b.up.sql 000010_c.up.sql 000001_a.up.sql 000001_a.down.sql",
        "000001_a.up.sql 000002_b.up.sql 000010_c.up.sql",
    ),
    "Flyway": (
        "V1.10__c.sql V1__a.sql V1_9__b.sql U1__a.sql R__views.sql notes.txt",
        "V1__a.sql V1_9__b.sql V1.10__c.sql R__views.sql",
    ),
    "Flyway from a baseline": (
        "V1__a.sql B2__all.sql V3__c.sql",
        "B2__all.sql V3__c.sql",
    ),
    "dbmate": (
        "20240102030405_b.sql 20231231000000_a.sql",
        "20231231000000_a.sql 20240102030405_b.sql",
    ),
    "Prisma": (
        "20240102_b/migration.sql 20230101_a/migration.sql",
        "20230101_a/migration.sql 20240102_b/migration.sql",
    ),
    "Diesel": (
        "2_b/up.sql 2_b/down.sql 1_a/up.sql 1_a/down.sql",
        "1_a/up.sql 2_b/up.sql",
    ),
    "numbers": ("10.sql 9.sql 1.sql", "1.sql 9.sql 10.sql"),
}


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(("files", "expected"), FOLDERS.values(), ids=FOLDERS)
def test_migrations_are_applied_in_the_order_of_their_tool(
    files: str, expected: str, write: Write
) -> None:
    for name in files.split():
        write(f"db/migrations/{name}", f"-- {name}\n")
    write("src/specs/titles.yaml", SPEC)
    write("brimgen.yaml", CONFIGURATION.replace("db/books.sql", "db/migrations"))
    settings = load_settings(Flags(), found := Diagnostics())
    assert settings is not None and not [*found]
    assert expected == " ".join(
        each.text.removeprefix("-- ").strip() for each in settings.schemas
    )


@pytest.mark.usefixtures("books")
def test_several_files_make_one_schema(write: Write, run: Run) -> None:
    write("brimgen.yaml", CONFIGURATION.replace("db/books.sql", "[db/1.sql, db/later]"))
    write("db/1.sql", "CREATE TABLE books (id INTEGER);\n")
    write("db/later/2.sql", "ALTER TABLE books ADD title TEXT;\n")
    assert 0 == run("generate").code
    write("db/later/3.sql", "ALTER TABLE books DROP title;\n")
    assert "no such column: title" in run("check").err
