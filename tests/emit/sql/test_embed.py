"""A row that holds entities: each is read from the columns that begin with its name."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from support.checkers import MYPY, PYRIGHT, assert_clean
from support.project import Built, build

SPEC = """\
type: entity
name: Customer
fields: {id: int, name: string, mail: string?, since: datetime}
---
type: entity
name: Order
fields:
  id: int
  total: decimal
  paid: bool
  tags: "string[]"
  at: {type: object, fields: {street: string}}
---
type: sql_function
name: find_orders
description: Orders, with who placed them.
arguments: {inline: {least: {type: int, default: 0}}}
returns:
  type: object[]
  fields:
    order: {type: Order, embed: true}
    buyer: {type: Customer?, embed: true}
    number: int
sql: |
  SELECT o.id AS order_id, o.total AS order_total, o.paid AS ORDER_PAID, o.tags AS order_tags,
    o.at AS order_at, 7 AS number,
    c.id AS buyer_id, c.name AS buyer_name, c.mail AS buyer_mail, c.since AS buyer_since
  FROM orders o LEFT JOIN customers c ON c.id = o.buyer
  WHERE o.id >= :least ORDER BY o.id
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(tmp_path_factory.mktemp("embed"), {"a.yaml": SPEC})
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    made.load()
    return made


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as made:
        made.executescript(
            "CREATE TABLE customers (id, name, mail, since);"
            "CREATE TABLE orders (id, total, paid, tags, at, buyer);"
            "INSERT INTO customers VALUES (1, 'Ada', NULL, '2026-01-02 03:04:05.000000');"
            """INSERT INTO orders VALUES (8, 1.5, 1, '["a"]', '{"street": "x"}', 1);"""
            """INSERT INTO orders VALUES (9, 2, 0, '[]', '{"street": "y"}', NULL);"""
        )
        yield made


def test_a_row_holds_entities(built: Built, connection: sqlite3.Connection) -> None:
    entities = built.load("entities")
    first, second = built.load("sql.find_orders").run(connection)
    assert 7 == first["number"]
    order = first["order"]
    assert isinstance(order, entities.Order)
    assert (8, Decimal("1.5"), True, ["a"]) == (
        *(order.id, order.total, order.paid, order.tags),
    )
    since = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert ("Ada", None, since) == (
        *(first["buyer"].name, first["buyer"].mail, first["buyer"].since),
    )
    assert (9, None) == (second["order"].id, second["buyer"])


@pytest.mark.whole
def test_type_checkers_know_the_entities_of_a_row(built: Built) -> None:
    folder = built.out / "python"
    package = built.package
    (folder / "program.py").write_text(
        f"import sqlite3\n\nfrom {package}.entities import Order\n"
        f"from {package}.sql import find_orders\n\n"
        'row = find_orders.run(sqlite3.connect(":memory:"))[0]\n'
        'order: Order = row["order"]\n'
    )
    assert_clean(folder, "program.py", package, by=[MYPY, PYRIGHT])


def test_a_row_without_the_columns_of_an_entity_is_refused(built: Built) -> None:
    decode: Any = built.load("sql.find_orders").decode
    with pytest.raises(ValueError, match=r"no column order_… among number"):
        decode((7,), ["number"])
    with pytest.raises(ValueError, match="column 'buyer_id': expected int"):
        decode({**_row(), "buyer_id": "x"})


def _row() -> dict[str, Any]:
    return {
        "order_id": 1,
        "order_total": 1,
        "order_paid": 1,
        "order_tags": "[]",
        "order_at": '{"street": "x"}',
        "number": 7,
        "buyer_id": 1,
        "buyer_name": "A",
        "buyer_mail": None,
        "buyer_since": "2026-01-02",
    }
