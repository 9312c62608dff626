"""Statements that programs run: rows, one row or a number, as ``returns`` says; typed both ways."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import aiosqlite
import duckdb
import pytest
import sqlalchemy
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import Session

from support.checkers import MYPY, PYRIGHT, assert_clean
from support.project import Built, build, connection_to

SPEC = """\
type: entity
name: Item
fields: {name: string, price: int}
---
type: sql_function
name: find_items
arguments: {inline: {least: {type: int, default: 0}}}
returns: Item[]
sql: SELECT name, price FROM items WHERE price >= :least ORDER BY price
---
type: sql_function
name: get_item
arguments: {inline: {name: string}}
returns: Item
sql: SELECT name, price FROM items WHERE name = :name
---
type: sql_function
name: seek_item
arguments: {inline: {name: string}}
returns: Item?
sql: SELECT name, price FROM items WHERE name = :name
---
type: sql_function
name: add_item
arguments:
  inline:
    name: string
    price: int
    by: {type: string, from_context: app.user.id}
    key: {type: int, llm: false}
sql: INSERT INTO items (name, price, by, key) VALUES (:name, :price, :by, :key)
---
type: sql_function
name: drop_items
arguments: {inline: {names: "string[]"}}
returns: int
sql: DELETE FROM items WHERE name IN (:names)
"""
KEYED = """\
---
type: sql_function
name: add_label
arguments: {inline: {name: string}}
returns: last_id
sql: INSERT OR IGNORE INTO labels (name) VALUES (:name)
---
type: sql_function
name: add_label_behind_with
arguments: {inline: {name: string}}
returns: {type: last_id, description: The id of the label.}
sql: |
  WITH made AS (SELECT :name AS name)
  INSERT INTO labels (name) SELECT name FROM made
"""
ROWS = [("a", 1), ("b", 2), ("c", 3)]
CREATE = "CREATE TABLE items (name TEXT, price INTEGER, by TEXT, key INTEGER)"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    connections = {
        "default": connection_to("sqlite", "sqlite3", "sqlalchemy"),
    }
    made = build(
        tmp_path_factory.mktemp("run"),
        {"a.yaml": SPEC + KEYED},
        connections=connections,
    )
    errors = [e.message for e in made.diagnostics if e.rule.severity == "error"]
    assert not errors
    made.load()
    return made


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute(CREATE)
        made.executemany("INSERT INTO items (name, price) VALUES (?, ?)", ROWS)
        made.commit()
        yield made


def user(name: str) -> dict[str, Any]:
    return {"app": {"user": {"id": name}}}


def made_call(built: Built, tool: str, **arguments: Any) -> Any:
    return built.tool(tool).input_type.from_dict(arguments)


def test_a_statement_gives_what_its_spec_returns(
    built: Built, connection: sqlite3.Connection
) -> None:
    def run(tool: str, **arguments: Any) -> Any:
        call = made_call(built, tool, **arguments)
        return built.load(f"sql.{tool}").run(connection, call)

    item = built.load("entities").Item
    assert [item("b", 2), item("c", 3)] == run("find_items", least=2)
    assert item("a", 1) == run("get_item", name="a")
    assert None is run("seek_item", name="z")
    assert item("a", 1) == run("seek_item", name="a")
    with pytest.raises(LookupError, match="no row"):
        run("get_item", name="z")
    connection.execute("INSERT INTO items (name, price) VALUES ('a', 9)")
    with pytest.raises(ValueError, match="more than one row"):
        run("seek_item", name="a")
    assert 3 == run("drop_items", names=["a", "b"])
    assert connection.in_transaction  # nothing was committed


LABELS = "CREATE TABLE labels (id INTEGER PRIMARY KEY, name TEXT UNIQUE)"


def test_a_row_that_was_not_added_has_no_id(
    built: Built, connection: sqlite3.Connection
) -> None:
    """SQLite would tell the id of the row before."""
    add = built.load("sql.add_label")
    connection.execute(LABELS)
    connection.execute("INSERT INTO labels (name) VALUES ('a')")
    with pytest.raises(LookupError, match="added no row"):
        add.run(connection, name="a")

    async def add_again() -> None:
        async with aiosqlite.connect(":memory:") as other:
            await other.execute(LABELS)
            await add.run_async(other, name="a")
            await add.run_async(other, name="a")

    with pytest.raises(LookupError, match="added no row"):
        asyncio.run(add_again())


def test_a_batch_is_bound_before_the_database_is_touched(
    built: Built, connection: sqlite3.Connection
) -> None:
    add = built.load("sql.add_item")
    kind = built.tool("add_item").input_type
    with pytest.raises(ValueError, match="64 bits"):
        add.run_many(
            connection,
            [kind("d", 4), kind("e", 2**70)],
            context=user("u"),
            values={"key": 1},
        )
    assert (3,) == connection.execute("SELECT count(*) FROM items").fetchone()


def test_rows_are_read_one_by_one(built: Built, connection: sqlite3.Connection) -> None:
    find = built.load("sql.find_items")
    call = made_call(built, "find_items")
    rows = find.iterate(connection, call, size=1)
    assert "a" == next(rows).name
    assert ["b", "c"] == [each.name for each in rows]

    async def run() -> list[str]:
        async with aiosqlite.connect(":memory:") as other:
            await other.execute(CREATE)
            await other.executemany(
                "INSERT INTO items (name, price) VALUES (?, ?)", ROWS
            )
            found = [
                each.name async for each in find.iterate_async(other, call, size=2)
            ]
            assert found == [each.name for each in await find.run_async(other, call)]
            gone = built.load("sql.drop_items")
            drop = made_call(built, "drop_items", names=["a", "c"])
            assert 2 == await gone.run_async(other, drop)
            return found

    assert ["a", "b", "c"] == asyncio.run(run())


def test_a_session_of_sqlalchemy_runs_statements_in_its_transaction(
    built: Built,
) -> None:
    engine = sqlalchemy.create_engine("sqlite://")
    with Session(engine) as session, session.begin():
        session.execute(sqlalchemy.text(CREATE))
        built.load("sql.add_item").run(session, name="a", price=1, by="u", key=1)
        find = built.load("sql.find_items")
        call = made_call(built, "find_items")
        assert ["a"] == [each.name for each in find.run(session)]
        assert ["a"] == [each.name for each in find.iterate(session, call)]
        session.rollback()


@pytest.mark.parametrize("drivers", [("sqlalchemy",), ("aiosqlite",)])
def test_async_engines_and_sessions_of_sqlalchemy_run_statements(
    tmp_path: Path, drivers: tuple[str, ...]
) -> None:
    connections = {"default": connection_to("sqlite", *drivers)}
    built = build(tmp_path, {"a.yaml": SPEC + KEYED}, connections=connections)
    built.load()
    add, find = built.load("sql.add_item"), built.load("sql.find_items")
    kind = built.tool("add_item").bound_type

    async def run() -> list[str]:
        engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path}/items.db")
        async with engine.begin() as connection:
            await connection.execute(sqlalchemy.text(CREATE))
            await connection.execute(sqlalchemy.text(LABELS))
            made = await built.load("sql.add_label").run_async(connection, name="x")
            assert 1 == made
            values = {"by": "u", "key": 1}
            assert 1 == await add.run_async(connection, name="a", price=1, **values)
            calls = [kind(name=name, price=2, **values) for name in "bc"]
            assert 2 == await add.run_many_async(connection, calls)
        async with AsyncSession(engine) as session:
            found = await find.run_async(session, least=2)
            if "sqlalchemy" in drivers:
                call = made_call(built, "find_items", least=2)
                rows = [row async for row in find.iterate_async(session, call, size=1)]
                assert rows == found
        await engine.dispose()
        return [item.name for item in found]

    assert ["b", "c"] == asyncio.run(run())


def test_a_driver_without_a_text_is_told(built: Built) -> None:
    find = built.load("sql.find_items")
    call = made_call(built, "find_items")
    with (
        duckdb.connect() as connection,
        pytest.raises(
            LookupError, match="text for sqlite3, sqlalchemy, not for duckdb"
        ),
    ):
        find.run(connection, call)
    with pytest.raises(TypeError, match="no driver is known"):
        find.run(object(), call)


PROGRAM = """\
import sqlite3
from collections.abc import Iterator

from {package}.entities import Item
from {package}.sql import add_label, drop_items, find_items, get_item, seek_item
from {package}.tools.drop_items import DropItemsInput
from {package}.tools.find_items import FindItemsInput
from {package}.tools.get_item import GetItemInput
from {package}.tools.seek_item import SeekItemInput

connection = sqlite3.connect(":memory:")
rows: list[Item] = find_items.run(connection, FindItemsInput())
each: Iterator[Item] = find_items.iterate(connection, FindItemsInput())
row: Item = get_item.run(connection, GetItemInput("a"))
maybe: Item | None = seek_item.run(connection, SeekItemInput("a"))
count: int = drop_items.run(connection, DropItemsInput(["a"]))
named: Item = get_item.run(connection, name="a")
filtered: list[Item] = find_items.run(connection, least=2)
added: int = add_label.run(connection, name="a")


async def read(other: object) -> list[Item]:
    return await find_items.run_async(other, least=1)
"""
WRONG = (
    "rows: int = find_items.run(connection, GetItemInput('a'))",
    "find_items.run(connection, leest=2)",
    "get_item.run(connection, name=1)",
    "get_item.run(connection)",
)


@pytest.mark.whole
def test_type_checkers_know_what_a_statement_gives(built: Built) -> None:
    folder = built.out / "python"
    (folder / "program.py").write_text(PROGRAM.format(package=built.package))
    assert_clean(folder, "program.py", by=[MYPY, PYRIGHT])
    for number, wrong in enumerate(WRONG):
        (folder / f"wrong_{number}.py").write_text(
            PROGRAM.format(package=built.package).replace("rows: list", "others: list")
            + f"{wrong}\n"
        )
        with pytest.raises(AssertionError, match=r"Found \d error"):
            assert_clean(folder, f"wrong_{number}.py", by=[MYPY])
