"""Lists that are read page by page: each row comes once, whatever is added in between."""

from __future__ import annotations

import asyncio
import sqlite3
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any

import pytest

from brimgen.model.project import Connection
from support.project import Built, build

SPEC = """\
type: entity
name: Order
fields: { id: int, placed_at: datetime, total: decimal }
---
type: sql_function
name: browse
arguments:
  inline:
    least: decimal?
    after_placed_at: datetime?
    after_id: int?
    limit: { type: int, default: 2, minimum: 1, maximum: 50 }
returns: Order[]
keyset: { after_placed_at: o.placed_at DESC, after_id: o.id }
sql: |
  SELECT id, placed_at, total FROM orders AS o
  WHERE {after} AND (:least IS NULL OR total >= :least)
  ORDER BY {order} LIMIT :limit
---
type: sql_function
name: by_total
arguments:
  inline:
    least: { type: string, enum: [any, large], default: any }
    status: string?
    from: decimal?
    after_status: string?
    after_id: int?
returns: { type: "object[]", fields: { id: int, total: decimal, status: string } }
choices: { least: { any: "0", large: "20" } }
variants: [status]
keyset: { from: total, after_status: status DESC, after_id: id DESC }
sql: |
  SELECT id, total, status FROM orders
  WHERE {after} AND total >= {least} AND (:status IS NULL OR status = :status)
  ORDER BY {order} LIMIT 3
"""
MOMENT = "2026-01-0{} 00:00:00.000000"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("keyset"),
        {"orders.yaml": SPEC},
        targets=("python", "sql", "service"),
        connections={"default": Connection("sqlite", ("sqlite3", "aiosqlite"))},
    )
    found = {*made.slugs} - {"type-not-exact"}
    assert not found
    return made


@pytest.fixture
def database() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    made.execute("CREATE TABLE orders (id, status, total, placed_at)")
    made.execute("CREATE INDEX by_time ON orders (placed_at, id)")
    rows = [
        (at, "ab"[at % 2], at % 4 * 10 + 0.5, MOMENT.format(at % 3 + 1))
        for at in range(1, 13)
    ]
    made.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", rows)
    return made


def _pages(built: Built, database: Any, tool: str, **call: Any) -> list[list[Any]]:
    """The rows of all pages."""
    sql, kind = built.load(f"sql.{tool}"), built.tool(tool).input_type
    page = sql.page(database, kind.from_dict(call))
    found: list[list[Any]] = []
    while page.next_cursor is not None:
        found.append(page.rows)
        page = sql.page(database, kind.from_dict(call), page.next_cursor)
    return found


@pytest.mark.parametrize("call", [{}, {"least": 10.5}, {"limit": 5}, {"limit": 50}])
def test_pages_have_every_row_once_and_in_order(
    built: Built, database: sqlite3.Connection, call: dict[str, Any]
) -> None:
    pages = _pages(built, database, "browse", **call)
    found = database.execute(
        "SELECT id FROM orders WHERE total >= ? ORDER BY placed_at DESC, id",
        (call.get("least", 0),),
    )
    assert [each for (each,) in found] == [row.id for page in pages for row in page]
    assert all(len(page) == call.get("limit", 2) for page in pages[:-1])


def test_rows_that_are_added_or_deleted_do_not_move_the_next_page(
    built: Built, database: sqlite3.Connection
) -> None:
    sql, kind = built.load("sql.browse"), built.tool("browse").input_type
    first = sql.page(database, kind())
    database.execute("DELETE FROM orders WHERE id = ?", (first.rows[-1].id,))
    database.execute("INSERT INTO orders VALUES (0, 'a', 1, ?)", (MOMENT.format(9),))
    second = sql.page(database, kind(), first.next_cursor)
    assert ([2, 5], [8, 11]) == (
        [row.id for row in first.rows],
        [row.id for row in second.rows],
    )


def test_a_model_asks_for_the_next_page_with_the_keys_of_the_last_row(
    built: Built, database: sqlite3.Connection
) -> None:
    service = built.load("service").Service(connections={"default": database})
    first = service.call("browse", {})
    keys = {f"after_{key}": first[-1][key] for key in ("placed_at", "id")}
    second = service.call("browse", keys)
    assert [2, 5, 8, 11] == [row["id"] for row in (*first, *second)]


def _cursor(text: str) -> str:
    return urlsafe_b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "none",
        "%%%",
        "ü",
        "AP8",
        "A" * 20_000,
        _cursor("[" * 5_000),
        _cursor('{"tool": "browse"}'),
        _cursor('["by_total", 1, "a", 2]'),
        _cursor('["browse", "2026-01-01T00:00:00Z"]'),
        _cursor('["browse", "2026-01-01T00:00:00Z", null]'),
    ],
)
def test_a_cursor_of_no_page_is_refused(
    built: Built, database: sqlite3.Connection, cursor: str
) -> None:
    refused = built.load("service").InputError
    expected = "cursor: expected the `next_cursor` of a page of browse, got"
    with pytest.raises(refused, match=expected):
        built.load("sql.browse").page(
            database, built.tool("browse").input_type(), cursor
        )


def test_an_async_driver_reads_pages(built: Built, tmp_path: Path) -> None:
    aiosqlite = pytest.importorskip("aiosqlite")
    sql, kind = built.load("sql.browse"), built.tool("browse").input_type

    async def ids() -> list[int]:
        async with aiosqlite.connect(tmp_path / "orders.db") as connection:
            await connection.execute("CREATE TABLE orders (id, total, placed_at)")
            await connection.executemany(
                "INSERT INTO orders VALUES (?, 1, ?)",
                [(at, MOMENT.format(1)) for at in range(3)],
            )
            first = await sql.page_async(connection, kind())
            second = await sql.page_async(connection, kind(), first.next_cursor)
            return [row.id for row in (*first.rows, *second.rows)]

    assert [0, 1, 2] == asyncio.run(ids())
