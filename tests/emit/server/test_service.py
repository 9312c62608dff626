"""The service of generated servers: every kind of tool, and what becomes of each ending."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import threading
from contextlib import closing
from decimal import Decimal
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import pytest
from mcp import Client

from support.project import Built, build, sound
from support.served import answered, offered

SPEC = """\
type: sql_function
name: price
description: One price.
connection: default
sql: SELECT price FROM items WHERE name = :name
arguments: {inline: {name: string}}
returns: {type: decimal}
---
type: sql_function
name: note
description: One note, or none.
connection: default
sql: SELECT note FROM items WHERE name = :name
arguments: {inline: {name: string}}
returns: string?
---
type: sql_function
name: names
description: All names.
connection: default
sql: SELECT name FROM items WHERE name IN (:names) ORDER BY name
arguments: {inline: {names: "string[]"}}
returns: string[]
---
type: sql_function
name: rename
description: Rename. Writes to items.
connection: default
sql: UPDATE items SET name = :new WHERE name = :old
arguments: {inline: {old: string, new: string}}
---
type: sql_function
name: totals
description: Totals.
connection: analytics
sql: SELECT name, sum(amount) AS amount FROM sales WHERE amount > :least GROUP BY name
arguments: {inline: {least: int}}
returns: {inline: {name: string, amount: int}}
---
type: python_function
name: compute
description: Compute.
arguments: {inline: {x: decimal}}
returns: {inline: {y: decimal, n: {type: int, maximum: 9}}}
---
type: python_function
name: forget
description: Forget.
arguments: {inline: {x: int?}}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A package with tools of all kinds."""
    targets = ("python", "sql", "mcp", "service", "server")
    return sound(tmp_path_factory.mktemp("served"), SPEC, targets=targets)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "items.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("""
            CREATE TABLE items (name TEXT UNIQUE, price NUMERIC, note TEXT);
            INSERT INTO items VALUES ('a', 12.5, NULL), ('b', 3, 'x');
            """)
    return path


def called(built: Built, name: str, arguments: Any, **given: Any) -> Any:
    """The result of one call."""
    return answered(built.load("mcp_server"), name, arguments, **given)


def connected(built: Built, path: Path) -> dict[str, Any]:
    databases = import_module("brimgen_runtime.service.databases")
    return {"default": databases.open_database(str(path), ["sqlite3"])}


@pytest.mark.parametrize(
    ("name", "arguments", "structure"),
    [
        ("price", {"name": "a"}, {"result": 12.5}),
        ("note", {"name": "b"}, {"result": "x"}),
        ("note", {"name": "a"}, {"result": None}),
        ("note", {"name": "zz"}, {"result": None}),
        ("names", {"names": ["b", "a", "q"]}, {"result": ["a", "b"]}),
        ("names", {"names": []}, {"result": []}),
        ("rename", {"old": "a", "new": "c"}, {"changed": 1}),
        ("rename", {"old": "q", "new": "c"}, {"changed": 0}),
    ],
)
def test_a_server_answers_with_the_result_of_a_statement(
    built: Built, database: Path, name: str, arguments: Any, structure: Any
) -> None:
    result = called(built, name, arguments, connections=connected(built, database))
    assert (False, structure) == (result["isError"], result["structuredContent"])
    assert structure == json.loads(result["content"][0]["text"])


def test_a_statement_that_fails_changes_nothing(
    built: Built, database: Path, caplog: Any
) -> None:
    with caplog.at_level(logging.WARNING):
        result = called(
            built,
            "rename",
            {"old": "a", "new": "b"},
            connections=connected(built, database),
            log_exceptions=True,
        )
    assert (
        "rename: nothing was changed: there is a row with these values already, where"
        " they must be unique"
    ) == (result["content"][0]["text"])
    assert "UNIQUE" in caplog.text
    with closing(sqlite3.connect(database)) as connection:
        names = connection.execute("SELECT name FROM items ORDER BY name").fetchall()
    assert [("a",), ("b",)] == names


def test_a_server_answers_from_duckdb(built: Built, tmp_path: Path) -> None:
    path = tmp_path / "sales.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE sales AS SELECT 'a' AS name, 7 AS amount")
    databases = import_module("brimgen_runtime.service.databases")
    opened = databases.open_database(str(path), ["duckdb"])
    result = called(built, "totals", {"least": 1}, connections={"analytics": opened})
    assert {"name": "a", "amount": 7} == result["structuredContent"]


def test_every_digit_of_a_decimal_is_in_the_text(built: Built) -> None:
    digits = "12345678901234567.89"

    def compute(_: Any) -> Any:
        return {"y": Decimal(digits), "n": 1}

    result = called(built, "compute", {"x": 1}, handlers={"compute": compute})
    text = result["content"][0]["text"]
    assert f'{{"y": {digits}, "n": 1}}' == text
    assert json.loads(text) == result["structuredContent"]


def test_what_cannot_run_is_listed_or_not(built: Built) -> None:
    server = built.load("mcp_server")
    whole = offered(server)
    assert 7 == len(whole.lists.tools)
    assert "there is no connection default" == whole.service.unavailable["price"]
    assert "there is no handler" == whole.service.unavailable["compute"]
    some = server.make_offer(
        server.AsyncService(handlers={"compute": print}, partial=True),
        server.Options(available_only=True),
    )
    assert ["compute"] == [each["name"] for each in some.lists.tools]
    assert {*whole.service.unavailable} - {"compute"} == {*some.service.unavailable}
    assert "there is no connection default" == some.service.unavailable["price"]
    told = called(built, "price", {"name": "a"})
    assert "price is not available." == told["content"][0]["text"]


HIDDEN = """\
type: python_function
name: whose
description: Whose call it is.
arguments: {inline: {user: {type: string, default: nobody, from_context: app.user}}}
returns: string
"""


def _whose(tmp_path: Path, context: Any) -> Any:
    """What a tool gets whose hidden argument comes from ``context``, called by a client."""
    server = build(tmp_path, {"a.yaml": HIDDEN}).load("mcp_server")
    handlers = {"whose": lambda bound: bound.user}
    service = server.AsyncService(context=context, handlers=handlers)

    async def visit() -> Any:
        async with Client(server.make_server(service)) as client:
            return await client.call_tool("whose", {})

    return asyncio.run(visit()).structured_content


class _Lookup:
    async def __call__(self, request: Any) -> Any:
        return {"app": {"user": "Ada"}}


PROMPT = """\
---
type: template_function
name: greet
description: A greeting.
arguments: {inline: {user: {type: string, default: nobody, from_context: app.user}}}
---
Hello {{ args.user }}.
"""


async def _looked_up(name: str, request: Any) -> Any:
    await asyncio.sleep(0)
    return {"app": {"user": name}}


@pytest.mark.parametrize(
    "context",
    [
        partial(_looked_up, "Ada"),
        _Lookup(),
        lambda request: _looked_up("Ada", request),
        lambda request: {"app": {"user": "Ada"}},
    ],
)
def test_an_async_context_is_awaited_and_hidden_arguments_are_not_lost(
    tmp_path: Path, context: Any
) -> None:
    assert {"result": "Ada"} == _whose(tmp_path, context)


def test_a_context_that_blocks_does_not_stall_the_event_loop(tmp_path: Path) -> None:
    """Two calls at once wait for each other in the function: on the loop neither would end."""
    both = threading.Barrier(2, timeout=20)

    def context(request: Any) -> Any:
        both.wait()
        return {"app": {"user": "Ada"}}

    server = build(tmp_path, {"a.yaml": HIDDEN}).load("mcp_server")
    handlers = {"whose": lambda bound: bound.user}
    service = server.AsyncService(context=context, handlers=handlers)

    async def visit() -> list[Any]:
        async with Client(server.make_server(service)) as client:
            calls = [client.call_tool("whose", {}) for _ in range(2)]
            return await asyncio.gather(*calls)

    answers = [each.structured_content for each in asyncio.run(visit())]
    assert [{"result": "Ada"}] * 2 == answers


def test_an_async_context_reaches_prompts(tmp_path: Path) -> None:
    server = build(tmp_path, {"p.md": PROMPT}).load("mcp_server")
    service = server.AsyncService(context=partial(_looked_up, "Ada"))

    async def visit() -> Any:
        async with Client(server.make_server(service)) as client:
            return await client.get_prompt("greet", {})

    (message,) = asyncio.run(visit()).messages
    assert "Hello Ada." == message.content.text
