"""What SQLite's columns hold by their types, against what readers take: told, and shown by rows."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from brimgen.model.project import Connection
from support.project import build
from support.schemas import schema_of

SCHEMA = (
    "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code VARCHAR(9), ratio REAL,"
    " price DECIMAL(10, 2), day DATE, moment DATETIME, flag BOOLEAN, uid UUID, data JSON,"
    " free, bytes BLOB, span INTERVAL, at POINT, big UNSIGNED BIG INT);"
)
ROW = (
    "INSERT INTO t VALUES (1, 'x', '7', 1.5, 9.5, '2026-01-01', '2026-01-01 00:00:00',"
    " 1, '0190a3f0-0000-7000-8000-000000000001', '[1]', 'x', x'00',"
    " '1 day', '(1,2)', 7)"
)

# what is selected, what it is declared as, what it is told to be
CASES = [
    ("id", "int", ""),
    ("id", "string", "INT"),
    ("id", "datetime", "INT"),
    ("id", "decimal", ""),
    ("id", "float", ""),
    ("id", "bool", ""),
    ("id", "int[]", "INT"),
    ("name", "string", ""),
    ("name", "int", "TEXT"),
    ("name", "float", "TEXT"),
    ("code", "bool", "TEXT"),
    ("code", "decimal", ""),
    ("ratio", "float", ""),
    ("ratio", "decimal", ""),
    ("ratio", "int", "REAL"),
    ("ratio", "string", "REAL"),
    ("price", "decimal", ""),
    ("price", "float", ""),
    ("price", "string", ""),
    ("day", "date", ""),
    ("moment", "datetime", ""),
    ("flag", "bool", ""),
    ("uid", "uuid", ""),
    ("data", "object", ""),
    ("data", "int[]", ""),
    ("free", "int", ""),
    ("bytes", "string", ""),
    ("span", "string", ""),
    ("(SELECT max(span) FROM t)", "string", ""),
    ("at", "string", ""),
    ("big", "string", "INT"),
    ("big", "int", ""),
    ("count(*)", "int", ""),
    ("max(name)", "int", ""),
    ("CAST(name AS INTEGER)", "int", ""),
    ("CAST(id AS TEXT)", "string", ""),
    ("CAST(id AS TEXT)", "int", "TEXT"),
    ("(SELECT name FROM t)", "int", "TEXT"),
]


@pytest.mark.parametrize(("selected", "declared", "given"), CASES)
@pytest.mark.parametrize("single", [False, True])
def test_a_column_that_cannot_be_read_is_told(
    selected: str, declared: str, given: str, single: bool, tmp_path: Path
) -> None:
    inner = f"{{ inline: {{ a: '{declared}' }} }}"
    as_list = declared.endswith("]")  # alone, it would be rows of items
    returns = inner if not single or as_list else f"'{declared}'"
    text = f"type: sql_function\nname: f\nreturns: {returns}\nsql: SELECT {selected} AS a FROM t\n"
    connection = Connection("sqlite", ("sqlite3",), schema_of("schema.sql", SCHEMA))
    built = build(
        tmp_path,
        {"f.yaml": text},
        targets=("python", "sql"),
        connections={"default": connection},
    )
    told = [each for each in built.diagnostics if each.rule.code == "SQL035"]
    assert ([given] if given else []) == [
        each.message.partition(" is ")[2].partition(" in ")[0] for each in told
    ]
    if given:
        decode = built.load("sql.f").decode
        with closing(sqlite3.connect(":memory:")) as database:
            database.execute(SCHEMA)
            database.execute(ROW)
            cursor = database.execute(f"SELECT {selected} AS a FROM t")
            with pytest.raises(ValueError, match="column 'a': expected"):
                decode(cursor.fetchone(), ["a"])


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ("CREATE TABLE a (x);\nCREATE TABEL b (x);", (2, 8, 13)),
        (
            "CREATE TABLE a (x);\n\n  CREATE TABLE b (\n  x INT,\n  x TEXT\n);",
            (5, 3, 4),
        ),
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
    text = "type: sql_function\nname: f\nreturns: int\nsql: SELECT 1\n"
    connection = Connection("sqlite", ("sqlite3",), schema_of("schema.sql", schema))
    built = build(tmp_path, {"f.yaml": text}, connections={"default": connection})
    (found,) = (each for each in built.diagnostics if each.rule.code == "SQL026")
    assert place == (found.span.line, found.span.column, found.span.end_column)
