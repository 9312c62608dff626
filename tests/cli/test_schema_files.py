"""The schema of a connection: told at its own place, quoted, and a file that outputs rest on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
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
        'error[SQL026]: SQLite refuses the schema: near "TABEL": syntax error',
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


VIEWS = """\
CREATE TABLE books (title TEXT NOT NULL);
CREATE VIEW lost AS SELECT * FROM missing;
CREATE VIEW here AS SELECT * FROM there;
CREATE VIEW there AS SELECT * FROM here;
"""


@pytest.mark.usefixtures("books")
def test_a_view_over_a_missing_table_costs_no_other_statement(
    write: Write, run: Run
) -> None:
    write("db/books.sql", VIEWS)
    ran = run("generate", "--format", "concise")
    assert 0 == ran.code
    told = [line.partition("] ")[::2] for line in ran.err.splitlines()]
    assert [
        (
            "db/books.sql:2:13: warning[SQL125",
            "SQLite cannot read `lost`: no such table: main.missing",
        ),
        (
            "db/books.sql:3:13: warning[SQL125",
            "SQLite cannot read `here`: view here is circularly defined",
        ),
        (
            "db/books.sql:4:13: warning[SQL125",
            "SQLite cannot read `there`: view there is circularly defined",
        ),
    ] == told[:3]


@pytest.mark.usefixtures("books")
def test_a_statement_that_reads_a_circular_view_is_refused_at_its_place(
    write: Write, run: Run
) -> None:
    write("db/books.sql", VIEWS)
    write("src/specs/titles.yaml", SPEC.replace("FROM books", "FROM here"))
    ran = run("check", "--format", "concise")
    assert 1 == ran.code
    assert "src/specs/titles.yaml:4:6: error[SQL026] with the schema" in ran.err


@pytest.mark.usefixtures("books")
def test_a_broken_view_of_a_database_is_told_of(
    project: Path, write: Write, run: Run
) -> None:
    write("db/books.sql", VIEWS.splitlines()[0])
    with closing(sqlite3.connect(project / "shop.db")) as connection:
        connection.executescript(VIEWS)
    ran = run("generate", "--format", "concise", "--verify-db", "sqlite:///shop.db")
    assert 0 == ran.code
    assert "--verify-db: warning[SQL125] SQLite cannot read `lost`" in ran.err


@pytest.mark.usefixtures("books")
def test_a_nul_in_a_schema_is_told_once_at_its_place(write: Write, run: Run) -> None:
    write(
        "db/books.sql", "CREATE TABLE books (\n  title TEXT \0 NOT NULL, \0 id INT);\n"
    )
    ran = run("check", "--format", "concise")
    assert 2 == ran.code
    assert 1 == ran.err.count("error[")
    assert ran.err.startswith("db/books.sql:2:14: error[O508] cannot read db/books.sql")
    assert "it holds a NUL character" in ran.err


@pytest.mark.usefixtures("books")
@pytest.mark.parametrize(
    "before",
    [
        "CREATE TABLE event (begin TEXT);",
        "CREATE TABLE function (a TEXT CHECK (CASE WHEN a > 1 THEN 1 ELSE 0 END));",
        "CREATE TABLE a (b TEXT); INSERT INTO a VALUES ('" + ";" * 400_000 + "');",
        'CREATE TABLE "a;b" ([c;d] TEXT, `e;f` TEXT); -- ;\n/* ; */',
        "CREATE TABLE a (b TEXT, end TEXT);\n"
        "CREATE TEMP TRIGGER t AFTER UPDATE ON main.a BEGIN\n"
        "  UPDATE a SET b = CASE WHEN NEW.end = ';' THEN 1 ELSE 2 END;\n"
        "  DELETE FROM a WHERE NEW.end IS NULL;\nEND;",
    ],
    ids=[
        "a table named event",
        "a routine's name",
        "a long row",
        "quotes",
        "a trigger",
    ],
)
def test_a_table_is_found_behind_any_statement_that_sqlite_takes(
    before: str, write: Write, run: Run
) -> None:
    write("db/books.sql", f"{before}\nCREATE TABLE books (title TEXT NOT NULL)")
    ran = run("generate", "--format", "concise")
    assert 0 == ran.code, ran.err
    assert "error" not in ran.err and "SQL125" not in ran.err


@pytest.mark.usefixtures("books")
def test_a_part_that_leads_down_is_not_applied_inside_a_statement(
    write: Write, run: Run
) -> None:
    write(
        "db/books.sql",
        "-- migrate:up\nCREATE TABLE books (title TEXT)\n"
        "-- migrate:down\nDROP TABLE books\n-- migrate:up\n; CREATE TABLE b (c TEXT);\n",
    )
    assert 0 == run("generate").code
