"""Changes, called by an MCP client: what is published is what comes, or nothing was changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from databases.connections import DIALECTS, opens, place_of
from support.project import Built, build, connection_to

SPEC = (Path(__file__).parent / "served.yaml").read_text("utf-8")
ROWS = [("a", 1), ("b", 2), ("c", 3)]
KEPT = "0b0b69ab-7c34-4bc1-93f3-4d5d4b6a7c11"


@dataclass(frozen=True)
class Served:
    """A package, the database that its tools run on, and how to look into it."""

    built: Built
    driver: str
    connect: Callable[[], AbstractContextManager[Any]]

    def run(self, sql: str) -> list[Any]:
        """Run a statement beside the server; the rows that it gives."""
        with self.connect() as connection, closing(connection.cursor()) as cursor:
            cursor.execute(sql)
            rows: list[Any] = cursor.fetchall() if cursor.description else []
            connection.commit()
            return [tuple(each) for each in rows]

    def call(self, tool: str, **arguments: Any) -> Any:
        """What a client makes of a call; it holds results against the published schema."""
        server = self.built.load("mcp_server")
        service = server.AsyncService(
            connections={"default": self.connect},
            context={"app": {"user": {"name": "secret"}}},
            log_exceptions=True,
        )

        async def visit() -> Any:
            async with Client(server.make_server(service)) as client:
                return await client.call_tool(tool, arguments)

        return asyncio.run(visit())


@pytest.fixture(params=["sqlite3", "duckdb", "psycopg", "psycopg2"], scope="module")
def made(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A package for one driver, and its database."""
    driver, folder = request.param, tmp_path_factory.mktemp(request.param)
    dialect = DIALECTS[driver]
    connections = {"default": connection_to(dialect, driver)}
    built = build(folder, {"a.yaml": SPEC}, connections=connections)
    assert ["void-with-rows"] == [e for e in built.slugs if not e.startswith("type-")]
    built.load()
    is_served = dialect == "postgres"
    connect = opens(driver, place_of(dialect, request) if is_served else folder)
    return Served(built, driver, lambda: closing(connect()))


@pytest.fixture
def served(made: Served) -> Iterator[Served]:
    """The same, with three items in the database."""
    made.run(
        "CREATE TABLE items (name VARCHAR(9), price INTEGER, "
        f"made TIMESTAMP DEFAULT '2024-01-02 03:04:05', kept UUID DEFAULT '{KEPT}')"
    )
    made.run("INSERT INTO items (name, price) VALUES ('a', 1), ('b', 2), ('c', 3)")
    made.run(
        "CREATE TABLE labels (name VARCHAR(9) UNIQUE, code TEXT CHECK (code <> ''))"
    )
    made.run("INSERT INTO labels VALUES ('secret', 'x')")
    yield made
    made.run("DROP TABLE items")
    made.run("DROP TABLE labels")


def _items(served: Served) -> list[Any]:
    return served.run("SELECT name, price FROM items ORDER BY name")


@pytest.mark.parametrize(
    ("name", "arguments", "count", "left"),
    [
        ("forget", {"names": ["a", "c", "x"]}, 2, "b"),
        ("forget", {"names": []}, 0, "abc"),
        ("forget_behind_with", {"least": 3}, 2, "c"),
        ("forget_behind_with", {"least": 0}, 0, "abc"),
        ("rename_one", {"old": "a", "new": "z"}, 1, "bcz"),
    ],
)
def test_an_int_that_no_row_gives_is_how_many_were_changed(
    served: Served, name: str, arguments: Any, count: int, left: str
) -> None:
    result = served.call(name, **arguments)
    assert (False, {"result": count}) == (result.is_error, result.structured_content)
    assert [*left] == [each for each, _ in _items(served)]


@pytest.mark.parametrize(
    ("old", "why"),
    [
        ("x", "with these arguments there is nothing to change"),
        ("%", "it would be more or fewer rows than are allowed at once"),
    ],
)
def test_a_number_that_does_not_fit_the_published_schema_is_told(
    served: Served, old: str, why: str
) -> None:
    result = served.call("rename_one", old=old, new="z")
    said = f"rename_one: nothing was changed: {why}"
    assert (True, said) == (result.is_error, result.content[0].text)
    assert ROWS == _items(served)


def test_what_does_not_fit_the_published_schema_was_not_changed(
    served: Served, caplog: Any
) -> None:
    with caplog.at_level(logging.ERROR):
        result = served.call("raise_price", name="a", price=101)
    said = "raise_price failed. The reason is in the log."
    assert (True, said) == (result.is_error, result.content[0].text)
    assert "expected" in caplog.text
    assert ROWS == _items(served)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"name": "secret", "code": "y"}, "there is a row with this name already"),
        ({"name": "b", "code": ""}, "the database does not allow this code"),
    ],
)
def test_what_the_database_refuses_is_told_without_its_text(
    served: Served, arguments: Any, why: str, caplog: Any
) -> None:
    """The names of arguments are the caller's own; what the driver wrote is in the log."""
    with caplog.at_level(logging.WARNING):
        result = served.call("label", **arguments)
    said = f"label: nothing was changed: {why}"
    assert (True, said) == (result.is_error, result.content[0].text)
    assert "Traceback" in caplog.text
    assert [("secret", "x")] == served.run("SELECT name, code FROM labels")


def test_a_refusal_that_callers_cannot_help_says_so(served: Served) -> None:
    result = served.call("label_mine", code="y")
    said = "already, where they must be unique; other arguments would not change that"
    assert result.content[0].text.endswith(said)


@pytest.mark.parametrize(
    ("name", "arguments", "sent"),
    [
        ("forget", {"names": ["x"]}, {"result": 0}),
        ("forget_behind_with", {"least": 0}, {"result": 0}),
        ("add_none", {"name": "x"}, {"changed": 0}),
    ],
)
def test_a_change_that_hits_nothing_says_so(
    served: Served, name: str, arguments: Any, sent: Any
) -> None:
    result = served.call(name, **arguments)
    said = "nothing was changed: with these arguments there is nothing to change."
    assert (False, sent) == (result.is_error, result.structured_content)
    assert said == result.content[1].text


def test_a_row_of_a_change_that_hits_nothing_is_missed(served: Served) -> None:
    result = served.call("rename_and_tell", old="x", new="y")
    why = "nothing was changed: with these arguments there is nothing to change"
    assert (True, f"rename_and_tell: {why}") == (
        result.is_error,
        result.content[0].text,
    )


def test_rows_of_a_change_are_committed_with_it(served: Served) -> None:
    result = served.call("raise_price", name="a", price=100)
    assert (False, {"price": 100}) == (result.is_error, result.structured_content)
    assert [("a", 100), *ROWS[1:]] == _items(served)


@pytest.mark.parametrize(("name", "count"), [("add", 2), ("add_behind_with", 1)])
def test_a_change_without_returns_says_how_many(
    served: Served, name: str, count: int
) -> None:
    result = served.call(name, name="q")
    assert (False, {"changed": count}) == (result.is_error, result.structured_content)
    assert 3 + count == len(_items(served))


def test_what_only_looks_changes_nothing(served: Served) -> None:
    """A driver may count the rows that were found: they are none that were changed."""
    result = served.call("look", name="x")
    assert (False, None) == (result.is_error, result.structured_content)
    assert "done" == result.content[0].text


def test_a_row_without_a_shape_can_be_sent(served: Served) -> None:
    """What a driver makes of a timestamp and a UUID is no JSON: both are text."""
    made = "2024-01-02T03:04:05Z"
    made = made if served.driver != "sqlite3" else "2024-01-02 03:04:05"
    result = served.call("whole")
    row = {"name": "a", "made": made, "kept": KEPT, "price": 1}
    assert (False, {"result": [row]}) == (result.is_error, result.structured_content)
