"""``returns: rows`` and arguments without a type: the schema of the database fills them in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from brimgen.emit.projection import inline
from support.project import Built, build, connection_to

SCHEMA = """\
CREATE TYPE state AS ENUM ('lent', 'home');
CREATE TABLE books (
  book_id bigint PRIMARY KEY,
  title text NOT NULL,
  branch text,
  state state NOT NULL DEFAULT 'home',
  price numeric(8, 2),
  tags text[] NOT NULL,
  shelf_id uuid,
  notes jsonb
);
"""


def _built(folder: Path, text: str, *, schema: str | None = SCHEMA) -> Built:
    connections = {"default": connection_to("postgres", "psycopg", tables=schema)}
    spec = f"type: sql_function\nname: probe\n{text}"
    return build(folder, {"probe.yaml": spec}, connections=connections)


def _returned(built: Built) -> dict[str, Any]:
    (tool,) = built.catalog.tools
    assert tool.returns is not None, built.codes
    return {**inline(tool.returns.schema)}


def _row(built: Built) -> dict[str, Any]:
    """The properties of a row; those that may be missing end with `?`."""
    schema = _returned(built)
    schema = schema.get("items", schema)
    required = schema.get("required", ())
    return {
        name if name in required else f"{name}?": each
        for name, each in schema["properties"].items()
    }


def test_rows_have_the_columns_of_the_statement(tmp_path: Path) -> None:
    sql = "SELECT book_id, title, branch, state, price, tags, shelf_id FROM books"
    built = _built(tmp_path, f"returns: rows\nsql: {sql}\n")
    assert [] == [each for each in built.codes if each.startswith("SQL")]
    row = _row(built)
    names = ["book_id", "title", "branch", "state", "price", "tags", "shelf_id"]
    assert names == [*row]
    assert ["lent", "home"] == row["state"]["enum"]
    assert "array" == row["tags"]["type"]
    assert (
        "class ProbeResultItem(TypedDict"
        in built.files["python/" + built.package + "/sql/probe.py"]
    )


def test_one_row_is_an_object_and_may_be_none(tmp_path: Path) -> None:
    sql = "sql: SELECT title FROM books WHERE book_id = :id\n"
    arguments = "arguments: {inline: {id: int}}\n"
    one = _returned(_built(tmp_path / "one", f"{arguments}returns: row\n{sql}"))
    assert "object" == one["type"]
    maybe = _returned(_built(tmp_path / "maybe", f"{arguments}returns: row?\n{sql}"))
    assert "null" in str(maybe)


def test_count_is_the_number_of_changed_rows(tmp_path: Path) -> None:
    sql = "sql: DELETE FROM books WHERE title = 'a'\n"
    assert "integer" == _returned(_built(tmp_path, f"returns: count\n{sql}"))["type"]


def test_a_column_may_be_declared_by_the_author(tmp_path: Path) -> None:
    sql = "SELECT title, branch, notes FROM books"
    fields = "fields: {branch: string, notes: object}"
    built = _built(tmp_path, f"returns: {{type: rows, {fields}}}\nsql: {sql}\n")
    assert ["title", "branch", "notes"] == [*_row(built)]
    assert ["SQL033", "SQL033"] == [x for x in built.codes if x.startswith("SQL")]


def test_arguments_without_a_type_take_that_of_their_column(tmp_path: Path) -> None:
    text = """\
arguments:
  inline:
    ids: {}
    state: {description: Where it is.}
    since: {}
    price: {description: The new price., minimum: 0}
returns: count
sql: |
  UPDATE books SET price = :price
  WHERE book_id IN :ids AND state = :state AND (:since IS NULL OR title > :since)
"""
    (tool,) = _built(tmp_path, text).catalog.tools
    properties: dict[str, Any] = tool.input_schema["properties"]  # type: ignore[assignment]
    assert "array" == properties["ids"]["type"]
    assert ["lent", "home"] == properties["state"]["enum"]
    assert ["ids", "state"] == tool.input_schema["required"]
    assert {"ids", "state", "since", "price"} == {*properties}


UNKNOWN = {
    "no schema": ("returns: rows\nsql: SELECT 1 AS one\n", "SQL031", 3),
    "a type that is not known": (
        "returns: rows\nsql: SELECT notes FROM books\n",
        "SQL331",
        4,
    ),
    "a column without a name": (
        "returns: rows\nsql: SELECT 1 + 1 FROM books\n",
        "SQL017",
        4,
    ),
    "no rows": ("returns: rows\nsql: DELETE FROM books WHERE true\n", "SQL031", 3),
    "rows, not a count": (
        "returns: count\nsql: SELECT title FROM books\n",
        "SQL118",
        3,
    ),
    "a field that is no column": (
        "returns: {type: rows, fields: {titel: string}}\nsql: SELECT title FROM books\n",
        "SQL017",
        3,
    ),
    "an argument beside nothing": (
        "arguments: {inline: {n: {}}}\nreturns: count\n"
        "sql: DELETE FROM books WHERE notes = :n\n",
        "SQL331",
        3,
    ),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_what_the_schema_does_not_tell_is_asked_for(case: str, tmp_path: Path) -> None:
    text, code, line = UNKNOWN[case]
    schema = None if case == "no schema" else SCHEMA
    found = [
        (each.rule.code, each.span.line)
        for each in _built(tmp_path, text, schema=schema).diagnostics
        if each.rule.code.startswith(("SQL", "R3"))
    ]
    assert (code, line) in found and len(found) == 1, found


def test_an_entity_called_rows_is_that_entity(tmp_path: Path) -> None:
    text = "returns: rows\nsql: SELECT 1 AS n\n---\ntype: entity\nname: rows\nfields: {n: int}\n"
    built = _built(tmp_path, text, schema=None)
    assert ["n"] == [*_row(built)]


def _told(built: Built, code: str) -> tuple[str, list[str]]:
    """What is said of the first finding with a code, and the texts its notes point at."""
    found = next(each for each in built.diagnostics if each.rule.code == code)
    lines = (built.folder / "specs/probe.yaml").read_text().splitlines()
    spans = [each.span for each in found.notes]
    return found.message, [
        lines[each.line - 1][each.column - 1 : each.end_column - 1] for each in spans
    ]


@pytest.mark.parametrize("word", ["rows", "count"])
def test_where_a_statement_cannot_be_read_is_told(tmp_path: Path, word: str) -> None:
    text = f"arguments: {{inline: {{n: {{}}}}}}\nreturns: {word}\n"
    built = _built(
        tmp_path, f"{text}sql: SELECT title FROM books WHERE book_id = :n foo bar\n"
    )
    why = "the statement cannot be read: sqlglot stops at `foo`"
    assert (
        f"the schema does not tell what `returns: {word}` means: {why}",
        ["foo"],
    ) == _told(built, "SQL031")
    assert (
        f"the schema does not tell the type of the argument `n`: {why}",
        ["foo"],
    ) == _told(built, "SQL331")


@pytest.mark.parametrize(
    "written", ["state", "STATE", "public.state", '"public"."state"']
)
def test_an_argument_beside_a_value_of_an_enum_has_its_labels(
    tmp_path: Path, written: str
) -> None:
    sql = f"SELECT title FROM books WHERE state = coalesce(:state, 'home'::{written})"
    built = _built(
        tmp_path, f"arguments: {{inline: {{state: {{}}}}}}\nreturns: rows\nsql: {sql}\n"
    )
    (tool,) = built.catalog.tools
    properties: dict[str, Any] = tool.input_schema["properties"]  # type: ignore[assignment]
    assert "'enum': ['lent', 'home']" in str(properties["state"])
