"""`brimgen infer` writes what the schema tells, and nothing else of the file changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Run

Write = Callable[[str, str], Path]
SCHEMA = """\
CREATE TYPE state AS ENUM ('lent', 'no');
CREATE TABLE books (
  id bigint PRIMARY KEY,
  title text NOT NULL,
  branch text,
  state state NOT NULL,
  tags text[] NOT NULL
);
"""
BLOCK = """\
# the tools of the library
type: sql_function
name: books_of
description: List the books of a branch.   # by title
arguments:
  inline:
    branch: {}          # required
    state: { description: Where it is. }
    ids:
      description: Only these.
returns: rows  # all of them
sql: |
  SELECT id, title, branch, state, tags FROM books
  WHERE branch = :branch AND state = :state AND id IN :ids
"""
WRITTEN = """\
# the tools of the library
type: sql_function
name: books_of
description: List the books of a branch.   # by title
arguments:
  inline:
    branch: string          # required
    state: { type: string, enum: [lent, "no"], description: Where it is. }
    ids:
      type: "int[]"
      description: Only these.
returns: # all of them
  type: object[]
  fields:
    id: int
    title: string
    branch: string
    state: { type: string, enum: [lent, "no"] }
    tags: string[]
sql: |
  SELECT id, title, branch, state, tags FROM books
  WHERE branch = :branch AND state = :state AND id IN :ids
"""
FLOW = """\
{type: sql_function, name: title_of, arguments: {inline: {id: {}}}, returns: row?,
 sql: 'SELECT title, tags FROM books WHERE id = :id'}
"""
FLOW_WRITTEN = """\
{type: sql_function, name: title_of, arguments: {inline: {id: int}}, returns: \
{ type: object?, fields: { title: string, tags: "string[]" } },
 sql: 'SELECT title, tags FROM books WHERE id = :id'}
"""
SQL = """\
/*
---
name: newest
description: Show the newest book.
---
*/
SELECT id, branch FROM books ORDER BY id DESC LIMIT 1
"""
SQL_WRITTEN = """\
/*
---
name: newest
returns:
  type: object?
  fields:
    id: int
    branch: string?
description: Show the newest book.
---
*/
SELECT id, branch FROM books ORDER BY id DESC LIMIT 1
"""


LISTED = """\
type: sql_function
name: titled
arguments:
  - name: title
  - name: state
    description: Where it is.
returns: count
sql: DELETE FROM books WHERE title = :title AND state = :state
"""
LISTED_WRITTEN = """\
type: sql_function
name: titled
arguments:
  - name: title
    type: string
  - name: state
    type: string
    enum: [lent, "no"]
    description: Where it is.
returns: int
sql: DELETE FROM books WHERE title = :title AND state = :state
"""


@pytest.fixture
def library(write: Write) -> None:
    """A project with a schema."""
    write("db/books.sql", SCHEMA)
    write(
        "brimgen.yaml",
        "specs: src/specs\nconnections:\n"
        "  default: {dialect: postgres, drivers: [psycopg], schema: db/books.sql}\n",
    )


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("name", "text", "written"),
    [
        ("books.yaml", BLOCK, WRITTEN),
        ("book.yaml", FLOW, FLOW_WRITTEN),
        ("newest.sql", SQL, SQL_WRITTEN),
        ("titled.yaml", LISTED, LISTED_WRITTEN),
    ],
)
def test_types_are_written_and_all_else_stays(
    name: str, text: str, written: str, write: Write, run: Run, project: Path
) -> None:
    write(f"src/specs/{name}", text)
    ran = run("infer")
    assert 0 == ran.code, ran.err
    assert written == (project / f"src/specs/{name}").read_text()
    assert 0 == run("generate").code
    assert "types of 0 tools written" in run("infer").err
    assert written == (project / f"src/specs/{name}").read_text()


@pytest.mark.usefixtures("library")
def test_only_the_tool_that_is_named_is_written(
    write: Write, run: Run, project: Path
) -> None:
    write("src/specs/books.yaml", f"{FLOW}---\n{FLOW.replace('title_of', 'other')}")
    assert 0 == run("infer", "other").code
    text = (project / "src/specs/books.yaml").read_text()
    assert FLOW in text and FLOW_WRITTEN.replace("title_of", "other") in text
    assert "Did you mean other?" in run("infer", "othre").err


@pytest.mark.usefixtures("library")
def test_what_is_not_known_is_told_and_nothing_of_the_tool_is_written(
    write: Write, run: Run, project: Path
) -> None:
    text = "type: sql_function\nname: f\nreturns: rows\nsql: SELECT id + 1 FROM books\n"
    write("src/specs/f.yaml", text)
    ran = run("infer")
    assert 1 == ran.code and "SQL431" in ran.err
    assert text == (project / "src/specs/f.yaml").read_text()


@pytest.mark.usefixtures("library")
def test_errors_of_specs_are_told_and_sound_tools_are_written(
    write: Write, run: Run, project: Path
) -> None:
    write("src/specs/book.yaml", FLOW)
    write("src/specs/wrong.yaml", "type: sql_function\nnmae: f\nreturns: rows\n")
    ran = run("infer")
    assert 1 == ran.code and "nmae" in ran.err
    assert FLOW_WRITTEN == (project / "src/specs/book.yaml").read_text()


@pytest.mark.usefixtures("library")
def test_line_ends_and_the_byte_order_mark_stay(
    write: Write, run: Run, project: Path
) -> None:
    path = write("src/specs/book.yaml", FLOW)
    path.write_bytes(b"\xef\xbb\xbf" + FLOW.replace("\n", "\r\n").encode())
    assert 0 == run("infer").code
    expected = b"\xef\xbb\xbf" + FLOW_WRITTEN.replace("\n", "\r\n").encode()
    assert expected == path.read_bytes()


def test_the_page_shows_what_is_written(write: Write, run: Run, project: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "sql.md").read_text("utf-8")
    (schema,) = re.findall(r"^```sql schema\n(.*?)^```", page, re.M | re.S)
    before, after = re.findall(r"^```yaml schema\n(.*?)^```", page, re.M | re.S)
    write("db/migrations/1.sql", schema)
    write(
        "brimgen.yaml",
        "connections:\n  default: {dialect: postgres, schema: db/migrations}\n",
    )
    write("specs/orders.yaml", before)
    ran = run("infer", "orders_of")
    assert 0 == ran.code, ran.err
    assert after == (project / "specs/orders.yaml").read_text()
