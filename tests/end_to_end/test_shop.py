"""The whole road on the shop: a model's call, its input, the binding, a real database, entities."""

from __future__ import annotations

import importlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from running.packages import imported

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "out"
DEMO = HERE.parents[1] / "docs" / "demo"
CONTEXT = {"app": {"user": {"id": "u-7", "name": "Kim"}}}


@pytest.fixture(scope="module")
def shop() -> Iterator[ModuleType]:
    """The checked-in package."""
    with imported(OUT / "python", "shop") as package:
        yield package


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript((DEMO / "shop.sql").read_text("utf-8"))
        yield connection


def run(
    shop: ModuleType, database: sqlite3.Connection, name: str, call: str
) -> list[Any]:
    """From the JSON text of a model's call to decoded rows."""
    tool = shop.TOOLS[name]
    binding = importlib.import_module(f"shop.sql.{name}")
    bound = tool.bound_type.bind(tool.input_type.from_call(call), CONTEXT)
    cursor = database.execute(binding.SQL_SQLITE3, binding.bind_sqlite3(bound))
    if tool.output_schema is None:
        return [cursor.rowcount]
    columns = [each[0] for each in cursor.description]
    return [
        binding.decode_sqlite3(dict(zip(columns, row, strict=True))) for row in cursor
    ]


def test_rows_come_back_as_entities(
    shop: ModuleType, database: sqlite3.Connection
) -> None:
    orders = run(
        shop,
        database,
        "get_orders",
        '{"customer_id": 1, "min_total": 12.50, "status": null}',
    )
    assert [
        shop.OrderSummary(
            11,
            1,
            shop.OrderStatus("shipped"),
            Decimal("99.99"),
            datetime(2026, 2, 1, tzinfo=UTC),
            note="gift",
        ),
        shop.OrderSummary(
            10,
            1,
            shop.OrderStatus("shipped"),
            Decimal("12.5"),
            datetime(2026, 1, 18, 5, tzinfo=UTC),
        ),
    ] == orders


def test_a_filter_counts_only_when_given(
    shop: ModuleType, database: sqlite3.Connection
) -> None:
    def names(call: str) -> list[str]:
        return [each.name for each in run(shop, database, "search_customers", call)]

    assert ["Ada Lovelace", "Alan Turing"] == names("{}")
    assert ["Ada Lovelace"] == names('{"query": "Love"}')
    assert ["Ada Lovelace"] == names('{"tier": "gold"}')
    assert ["Grace Hopper"] == names('{"active_only": false, "tier": "silver"}')
    assert ["Alan Turing"] == names('{"limit": 1, "offset": 1}')


def test_rows_are_found_by_a_list_of_ids(
    shop: ModuleType, database: sqlite3.Connection
) -> None:
    rows = run(shop, database, "get_orders_by_id", '{"order_ids": [13, 10, 4711]}')
    assert [10, 13] == [each.order_id for each in rows]


def test_writes_take_the_actor_from_the_context(
    shop: ModuleType, database: sqlite3.Connection
) -> None:
    note = '{"order_id": 10, "note": "call \' back", "follow_up_on": "2026-04-01"}'
    assert [1] == run(shop, database, "add_order_note", note)
    assert [1] == run(
        shop, database, "cancel_order", '{"order_id": 12, "reason": "late"}'
    )
    [row] = database.execute("SELECT * FROM order_notes").fetchall()
    assert (10, "call ' back", date(2026, 4, 1).isoformat(), "u-7") == row
    [changed] = database.execute(
        "SELECT status, changed_by FROM orders WHERE order_id = 12"
    )
    assert ("cancelled", "u-7") == changed


def test_a_bad_call_never_reaches_the_database(
    shop: ModuleType, database: sqlite3.Connection
) -> None:
    with pytest.raises(shop.InputError) as caught:
        run(
            shop,
            database,
            "cancel_order",
            '{"order_id": "12", "reason": "", "actor_id": "root"}',
        )
    pointers = sorted(each.pointer for each in caught.value.violations)
    assert ["/actor_id", "/order_id", "/reason"] == pointers
    assert "cancel_order expects" in caught.value.retry_message()
