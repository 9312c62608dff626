"""What SQLite knows of a schema: told at its place, held against rows, and nothing is written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from statements.test_statements import SCHEMAS
from support.project import Built, build, connection_to

ROW = (
    "INSERT INTO t VALUES (1, 'x', '7', 1.5, 9.5, '2026-01-01', '2026-01-01 00:00:00',"
    " 1, '0190a3f0-0000-7000-8000-000000000001', '[1]', 'x', x'00', '1 day', '(1,2)', 7)"
)


def _built(folder: Path, schema: str, sql: str, returns: str = "") -> Built:
    shape = f"returns: {returns}\n" if returns else ""
    text = f"type: sql_function\nname: f\n{shape}sql: {sql}\n"
    connections = {"default": connection_to("sqlite", "sqlite3", tables=schema)}
    return build(
        folder, {"f.yaml": text}, targets=("python", "sql"), connections=connections
    )


@pytest.mark.parametrize(
    ("selected", "declared"),
    [
        *(("id", "string"), ("id", "datetime"), ("id", "'int[]'"), ("name", "int")),
        *(("name", "float"), ("code", "bool"), ("ratio", "int"), ("ratio", "string")),
        *(("big", "string"), ("CAST(id AS TEXT)", "int")),
    ],
)
def test_a_column_that_is_told_to_be_of_another_type_cannot_be_read(
    selected: str, declared: str, tmp_path: Path
) -> None:
    schema, sql = SCHEMAS["affinities"], f"SELECT {selected} AS a FROM t"
    built = _built(tmp_path, schema, sql, f"{{ inline: {{ a: {declared} }} }}")
    assert ["column-type"] == built.slugs
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(schema)
        database.execute(ROW)
        row = database.execute(sql).fetchone()
    with pytest.raises(ValueError, match="column 'a': expected"):
        built.load("sql.f").decode(row, ["a"])


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ("CREATE TABLE a (x);\nCREATE TABEL b (x);", (2, 8, 13)),
        ("CREATE TABLE a (x);\n\n CREATE TABLE b (\n  x INT,\n  x TEXT\n);", (5, 3, 4)),
        ("CREATE TABLE a (x);\nCREATE TABLE A (x);", (2, 14, 15)),
        ("CREATE TABLE a (x);\nCREATE INDEX i ON a (y, zz);", (2, 22, 23)),
        ('CREATE INDEX i ON "b c" (y);', (1, 19, 24)),
        ("CREATE TABLE a (\n  x INT\n) STRICTT;", (3, 3, 10)),
        ("CREATE TABLE a (x INT, y,, z);", (1, 26, 27)),
        ("CREATE TABLE a (x INT", (1, 19, 22)),
        ("CREATE TABLE a (x);\nINSERT INTO a VALUES (1, 2);", (2, 13, 14)),
    ],
)
def test_a_schema_that_is_refused_is_told_at_the_spot(
    schema: str, place: tuple[int, int, int], tmp_path: Path
) -> None:
    built = _built(tmp_path, schema, "SELECT 1", "int")
    (found,) = (each for each in built.diagnostics if each.rule.code == "SQL026")
    assert place == (found.span.line, found.span.column, found.span.end_column)


def test_a_check_of_statements_writes_no_file(tmp_path: Path) -> None:
    target = tmp_path / "other.db"
    for sql in (f"ATTACH '{target}' AS o", f"VACUUM INTO '{target}'"):
        assert [] == _built(tmp_path, SCHEMAS["books"], sql).codes
    assert not target.exists()
