"""Statements against a schema in SQLite's memory: its words, its columns, what it would do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from brimgen.model.project import Connection
from support.project import Built, build
from support.schemas import schema_of

SCHEMA = """\
-- what is lent
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, branch TEXT);
CREATE TRIGGER moved AFTER INSERT ON books BEGIN
  UPDATE books SET branch = 'main' WHERE branch IS NULL;
END;
CREATE VIEW titles AS SELECT id AS book, title FROM books;
"""
SQLITE = Connection("sqlite", (), schema_of("db/schema.sql", SCHEMA))
ENTITY = "type: entity\nname: Book\nfields: { id: int, title: string }\n---\n"


def _built(
    folder: Path, sql: str, returns: str = "", more: str = "", schema: str = SCHEMA
) -> Built:
    connection = replace(SQLITE, schema=schema_of("db/schema.sql", schema))
    text = f"{ENTITY}type: sql_function\nname: f\n{more}"
    text += f"returns: '{returns}'\n" if returns else ""
    text += f"sql: |\n  {sql}\n"
    return build(
        folder, {"f.yaml": text}, targets=("sql",), connections={"default": connection}
    )


# statement, what it returns, codes
CASES = [
    ("SELECT id, title FROM books", "Book[]", []),
    ("SELECT * FROM books", "Book[]", []),
    ("SELECT * FROM titles", "Book[]", ["SQL017"]),
    ("SELECT id, titel FROM books", "Book[]", ["SQL026"]),
    ("SELECT id, title FROM boks", "Book[]", ["SQL026"]),
    ("SELECT id, title FROM books WHERE", "Book[]", ["SQL029"]),
    ("SELECT id, title FROM books WHERE id = %s", "Book[]", ["SQL005"]),
    ("SELECT id, title FROM books WHERE id = $id", "Book[]", ["SQL005"]),
    ("SELECT id FROM books WHERE id = $id", "Book[]", ["SQL005"]),
    ("SELECT id, title FROM books WHERE id = {{ id }}", "Book[]", ["SQL003"]),
    ("SELECT id, upper(title) FROM books", "Book[]", ["SQL017"]),
    ("SELECT id, title, branch FROM books", "Book[]", ["SQL117"]),
    ("SELECT * FROM books JOIN titles", "Book[]", []),
    ("SELECT * FROM books", "int[]", ["SQL017"]),
    ("SELECT score(title) FROM books", "int[]", []),
    ("SELECT scor(id), score(titel) FROM books", "object", ["SQL026"]),
    ("INSERT INTO books (title) VALUES ('a') RETURNING *", "Book", []),
    ("UPDATE books SET title = 'b' WHERE id = 1 RETURNING id", "Book", ["SQL017"]),
    ("DELETE FROM books WHERE nope = 1", "", ["SQL026"]),
    ("CREATE TABLE more (a)", "", []),
    ("SELECT id, title FROM books; -- done", "Book[]", []),
    (
        "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id FROM n) SELECT id FROM n",
        "int[]",
        [],
    ),
]


@pytest.mark.parametrize(("sql", "returns", "codes"), CASES)
def test_what_sqlite_refuses_is_told_at_build(
    sql: str, returns: str, codes: list[str], tmp_path: Path
) -> None:
    assert codes == sorted(_built(tmp_path, sql, returns).codes)


def test_a_name_is_told_where_it_stands_with_the_one_that_is_meant(
    tmp_path: Path,
) -> None:
    (each,) = _built(
        tmp_path, "SELECT b.id,\n    b.titel FROM books AS b", "Book"
    ).diagnostics
    assert (10, 7, 10, 12) == (
        each.span.line,
        each.span.column,
        each.span.end_line,
        each.span.end_column,
    )
    assert "no such column: b.titel" in each.message
    assert ("title",) == each.suggestions
    (each,) = _built(tmp_path, "SELECT id, title FROM boks", "Book").diagnostics
    assert ("books",) == each.suggestions


def test_a_check_of_statements_writes_no_file(tmp_path: Path) -> None:
    target = tmp_path / "other.db"
    for sql in (f"ATTACH '{target}' AS o", f"VACUUM INTO '{target}'"):
        assert [] == _built(tmp_path, sql).codes
    assert not target.exists()


def test_a_hint_that_sqlite_knows_better(tmp_path: Path) -> None:
    more = "mcp: { read_only: true }\n"
    assert ["SQL016"] == _built(tmp_path, "PRAGMA user_version = 5", more=more).codes
    assert [] == _built(tmp_path, "PRAGMA user_version = 5").codes


def test_a_parameter_that_sqlite_alone_finds_is_told(tmp_path: Path) -> None:
    """No call would bind it."""
    (each,) = _built(
        tmp_path, r"SELECT id, title FROM books WHERE id = \:id", "Book"
    ).diagnostics
    assert "SQL026" == each.rule.code
    assert "binding parameter :id" in each.message
