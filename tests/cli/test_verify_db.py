"""``--verify-db``: the database of a connection, or of all that speak its dialect."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Protocol

import pytest


class Ran(Protocol):
    code: int
    out: str
    err: str


class Run(Protocol):
    def __call__(self, *arguments: str) -> Ran: ...


SPEC = """\
type: sql_function
name: titles
returns: string[]
sql: SELECT title FROM books
"""


@pytest.fixture
def books(project: Path) -> None:
    """A database with a table, and a statement that fits it."""
    with closing(sqlite3.connect(project / "shop.db")) as connection:
        connection.execute("CREATE TABLE books (id INTEGER)")
    (project / "specs/titles.yaml").write_text(SPEC)


@pytest.mark.usefixtures("books")
@pytest.mark.parametrize("named", ["", "default="])
def test_what_the_database_refuses_is_an_error(
    project: Path, run: Run, named: str
) -> None:
    assert 0 == run("generate").code
    ran = run(
        "check", "--format", "concise", "--verify-db", f"{named}sqlite:///shop.db"
    )
    assert 1 == ran.code
    assert "specs/titles.yaml:4:13: error[SQL026]" in ran.err
    assert (
        "with the database of `--verify-db` SQLite refuses the statement: " in ran.err
    )
    assert "no such column: title" in ran.err


@pytest.mark.usefixtures("books")
def test_a_run_without_it_is_not_answered_for_one_with_it(
    project: Path, run: Run
) -> None:
    """What was sound is not sound for ever: the database may have changed since."""
    flag = ("--verify-db", "sqlite:///shop.db")
    with closing(sqlite3.connect(project / "shop.db")) as connection:
        connection.execute("ALTER TABLE books ADD COLUMN title TEXT")
    assert 0 == run("generate", *flag).code
    assert 0 == run("check", *flag).code
    with closing(sqlite3.connect(project / "shop.db")) as connection:
        connection.execute("ALTER TABLE books DROP COLUMN title")
    assert 1 == run("check", *flag).code
    assert 0 == run("check").code


@pytest.mark.usefixtures("books")
@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("shop.db", "it is no URL, such as 'postgresql:"),
        ("oracle://secret@x/y", "not `oracle://`, which is none of postgres://"),
        ("default=mysql://secret@x/y", "not `mysql://`, which is not its dialect"),
        ("defualt=sqlite:///shop.db", "no connection is named `defualt`\n"),
        ("defualt=sqlite:///shop.db", "did you mean `default`?"),
        ("nobody=sqlite://secret@/shop.db", "no connection is named `nobody`\n"),
    ],
)
def test_a_url_that_fits_no_connection_is_a_wrong_setting(
    run: Run, value: str, said: str
) -> None:
    ran = run("check", "--verify-db", value)
    assert 2 == ran.code
    assert said in ran.err
    assert "secret" not in ran.err
