"""Statements verified by a real database: what it refuses, its columns; none is executed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from databases.connections import opens, place_of
from support.project import Built, build, connection_to

TABLES = (
    "CREATE TABLE books (id BIGINT, title VARCHAR(20), price DECIMAL(10, 2), lent DATE)"
)
ENTITY = """\
type: entity
name: Book
fields: { id: int, title: string, price: decimal, lent: date? }
---
"""
# statement, what it returns, codes, what one message holds
CASES = [
    ("SELECT id, title, price, lent FROM books WHERE id = :id", "Book", [], ""),
    ("SELECT * FROM books WHERE id IN (:ids) AND id > :id", "Book[]", [], ""),
    ("SELECT id, title FROM books WHERE id = :id", "Book", ["SQL017"], "`price`"),
    ("SELECT * FROM books, (SELECT :id AS x) AS s", "int", ["SQL017"], "5 columns"),
    ("SELECT titel FROM books WHERE id = :id", "object", ["refused"], "titel"),
    ("SELECT id FROM boks WHERE id = :id", "int", ["refused"], "boks"),
    ("SELECT id FROM books WHERE WHERE id = :id", "int", ["SQL029"], ""),
    ("SELECT id id id FROM books WHERE id = :id", "int", ["unread"], ""),
    ("DELETE FROM books WHERE id = :id", "", [], ""),
    ("DELETE FROM books WHERE idd = :id", "", ["refused"], "idd"),
    (
        "SELECT title AS id, title, price, lent FROM books WHERE id = :id",
        "Book",
        ["SQL035"],
        "`id`",
    ),
]


def _built(folder: Path, of: Mapping[str, Any], sql: str, returns: str) -> Built:
    arguments = {
        name: word
        for name, word in (("id", "int"), ("ids", '"int[]"'))
        if f":{name} " in f"{sql} ".replace(")", " ")
    }
    listed = ", ".join(f"{name}: {word}" for name, word in arguments.items())
    text = f"{ENTITY}type: sql_function\nname: f\narguments: {{ inline: {{ {listed} }} }}\n"
    text += f"returns: '{returns}'\n" if returns else ""
    text += f"sql: |\n  {sql}\n"
    connections = {"default": of}
    return build(folder, {"f.yaml": text}, targets=("sql",), connections=connections)


Opened = tuple[dict[str, Any], Callable[[], int]]
URLS = {
    "sqlite": ("sqlite3", "sqlite:///{}/sqlite.db"),
    "duckdb": ("duckdb", "duckdb:///{}/duckdb.db"),
    "postgres": ("psycopg", "postgresql://tester@/postgres?host={}"),
    "mysql": ("pymysql", "mysql://root@localhost/shelf?unix_socket={}"),
}


@pytest.fixture(params=URLS)
def opened(request: pytest.FixtureRequest) -> Opened:
    """A connection with a database of one book, and how to count what is in it."""
    dialect = request.param
    driver, url = URLS[dialect]
    place = place_of(dialect, request)
    connect = opens(driver, place)
    with closing(connect()) as opened:
        cursor = opened.cursor()
        cursor.execute("DROP TABLE IF EXISTS books")
        cursor.execute(TABLES)
        cursor.execute("INSERT INTO books (id) VALUES (1)")
        opened.commit()

    def count() -> int:
        with closing(connect()) as opened:
            cursor = opened.cursor()
            cursor.execute("SELECT count(*) FROM books")
            return int(cursor.fetchone()[0])

    return connection_to(dialect, database=url.format(place)), count


@pytest.mark.parametrize(("sql", "returns", "codes", "word"), CASES)
def test_verify_db_tells_what_the_database_would_refuse(
    opened: Opened,
    sql: str,
    returns: str,
    codes: list[str],
    word: str,
    tmp_path: Path,
) -> None:
    settings, count = opened
    dialect = settings["dialect"]
    # What SQLite cannot read is told before it is asked about the tables.
    unread = "SQL029" if dialect == "sqlite" else "SQL026"
    named = {"refused": "SQL026", "unread": unread}
    expected = [named.get(each, each) for each in codes]
    built = _built(tmp_path, settings, sql, returns)
    assert expected == built.codes
    for each in built.diagnostics:
        assert word in each.message
        assert "://" not in each.message
    assert 1 == count()


def test_a_refusal_stands_where_the_name_does(opened: Opened, tmp_path: Path) -> None:
    sql = "SELECT id FROM books WHERE titel = 'a' AND id = :id"
    (each,) = _built(tmp_path, opened[0], sql, "int").diagnostics
    assert (10, 30, 10, 35) == (
        each.span.line,
        each.span.column,
        each.span.end_line,
        each.span.end_column,
    )


def test_the_output_does_not_depend_on_it(opened: Opened, tmp_path: Path) -> None:
    settings, _ = opened
    sql = "SELECT * FROM books WHERE id = :id"
    plain = connection_to(settings["dialect"])
    with_it = _built(tmp_path / "a", settings, sql, "Book").files
    without = _built(tmp_path / "b", plain, sql, "Book").files
    assert list(without.values()) == [
        text.replace(_package(with_it), _package(without)) for text in with_it.values()
    ]


def _package(files: object) -> str:
    (found,) = {each.split("/")[1] for each in files if each.startswith("python/")}  # type: ignore[attr-defined]
    return str(found)


MISSING = {
    "postgres": ("psycopg", "postgresql://localhost/x"),
    "mysql": ("mysql.connector", "mysql://localhost/x"),
    "duckdb": ("duckdb", f"duckdb:///{__file__}"),
}


@pytest.mark.parametrize("dialect", MISSING)
def test_a_driver_that_is_missing_is_named(
    dialect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, url = MISSING[dialect]
    monkeypatch.setitem(sys.modules, module, None)
    settings = connection_to(dialect, database=url)
    (each,) = _built(tmp_path, settings, "SELECT 1", "int").diagnostics
    assert "SQL026" == each.rule.code
    assert "the connection `default` cannot be verified" in each.message
    assert "needs the package" in each.message
    assert "pip install" in each.message


@pytest.mark.parametrize(
    ("dialect", "url"),
    [
        ("postgres", "postgresql://nobody:secret@127.0.0.1:1/x?connect_timeout=2"),
        ("mysql", "mysql://nobody:secret@127.0.0.1:1/x"),
        ("duckdb", f"duckdb:///{__file__}"),
        ("sqlite", f"sqlite:///{__file__}"),
    ],
)
def test_a_database_that_cannot_be_asked_is_an_error(
    dialect: str, url: str, tmp_path: Path
) -> None:
    settings = connection_to(dialect, database=url)
    (each,) = _built(tmp_path, settings, "SELECT 1", "int").diagnostics
    assert "SQL026" == each.rule.code
    assert "secret" not in each.message
