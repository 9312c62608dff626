"""A statement with choices or pages has the rows that its schema tells, as any other one."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

TABLES = (
    "CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT NOT NULL, bio TEXT,"
    " at date NOT NULL);\n"
)
CONFIGURATION = (
    "package: q\nconnections:\n  default: { dialect: sqlite, schema: schema.sql }\n"
)
CHOICE = "{ type: string, enum: [a, b], description: Which. }"
ROW = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "bio": {"type": ["string", "null"]}},
    "required": ["id", "bio"],
    "additionalProperties": False,
}


@pytest.fixture
def folder(project: Path) -> Path:
    """A project whose connection has a schema."""
    (project / "schema.sql").write_text(TABLES)
    (project / "brimgen.yaml").write_text(CONFIGURATION)
    return project


def _spec(folder: Path, rest: str) -> Path:
    spec = folder / "specs" / "people.yaml"
    head = "type: sql_function\nname: people\ndescription: People in an order.\n"
    spec.write_text(head + rest)
    return spec


def _result(folder: Path) -> Any:
    [path] = (folder / "out" / "python").rglob("people.output.json")
    return json.loads(path.read_text())


SORTED = f"""\
arguments: {{ inline: {{ by: {CHOICE}, least: {{ description: The least id. }} }} }}
choices: {{ by: {{ a: name, b: at DESC }} }}
sql: SELECT id, bio FROM p WHERE id >= :least ORDER BY {{by}} LIMIT 20
"""
FOUND = f"""\
arguments: {{ inline: {{ by: {CHOICE}, key: {{ description: The key. }} }} }}
choices: {{ by: {{ a: "id = :key", b: "(id = :key AND at > '2020-01-01')" }} }}
sql: SELECT id, bio FROM p WHERE {{by}}
"""
PAGED = """\
arguments:
  inline: { id: { type: int?, description: The last id. }, most: { type: int, maximum: 50 } }
keyset: { id: id }
sql: SELECT id, bio FROM p WHERE {after} ORDER BY {order} LIMIT :most
"""


@pytest.mark.parametrize(
    ("returns", "rest", "result"),
    [
        ("rows", SORTED, {"type": "array", "items": ROW}),
        ("row", FOUND, ROW),
        ("rows", PAGED, {"type": "array", "items": ROW}),
    ],
)
def test_the_columns_of_a_statement_with_choices_are_not_lost(
    folder: Path, run: Any, returns: str, rest: str, result: Any
) -> None:
    _spec(folder, f"returns: {returns}\n{rest}")
    ran = run("generate")
    assert 0 == ran.code, ran.err
    assert result == _result(folder)


def test_a_column_that_one_choice_may_leave_null_is_optional(
    folder: Path, run: Any
) -> None:
    _spec(
        folder,
        f"arguments: {{ inline: {{ by: {CHOICE} }} }}\nreturns: rows\n"
        "choices: { by: { a: bio, b: name } }\nsql: SELECT {by} AS text FROM p LIMIT 9\n",
    )
    assert 0 == run("generate").code
    text = {"text": {"type": ["string", "null"]}}
    assert text == _result(folder)["items"]["properties"]


def test_a_wrong_column_beside_choices_is_told_once(folder: Path, run: Any) -> None:
    _spec(folder, f"returns: rows\n{SORTED.replace('bio', 'boi')}")
    ran = run("generate")
    assert 1 == ran.code
    assert 1 == ran.err.count("error[")
    assert "no such column: boi" in ran.err
    assert "may be anything" not in ran.err


USER = """\
import json
import sqlite3
from q.service import Service
from q.sql import people

connect = lambda: sqlite3.connect("p.db")
with Service(connections={"default": connect}) as service:
    print(json.dumps(service.people() + service.call("people", {})))
print(json.dumps(people.run(connect())))
"""


@pytest.mark.parametrize(
    "returns", ["rows", "{ type: rows, fields: { bio: string? } }"]
)
def test_a_row_always_has_the_key_of_a_column_that_may_be_null(
    folder: Path, run: Any, returns: str
) -> None:
    """In its type, from a method, from ``call``, from the module and on the command line."""
    _spec(folder, f"returns: {returns}\nsql: SELECT id, bio FROM p LIMIT 9\n")
    assert 0 == run("generate").code
    with closing(sqlite3.connect(folder / "p.db")) as connection:
        connection.executescript(
            f"{TABLES} INSERT INTO p (id, name, at) VALUES (1, 'a', '2026-01-01')"
        )
    package = folder / "out" / "python" / "q"
    for module in ("service.py", "sql/people.py"):
        text = (package / module).read_text()
        assert "    id: int\n    bio: str | None\n" in text
        assert "NotRequired" not in text
    called = ("-m", "q", "call", "people", "--connection", "default=p.db")
    row = {"id": 1, "bio": None}
    for words, rows in ((called, [[row]]), (("-c", USER), [[row, row], [row]])):
        done = subprocess.run(
            [sys.executable, *words],
            env={**os.environ, "PYTHONPATH": str(package.parent)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert 0 == done.returncode, done.stderr
        assert rows == [json.loads(line) for line in done.stdout.splitlines()]
