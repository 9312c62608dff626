"""What a SQL call costs, beside the bare driver and aiosql, on SQLite in memory.

    python benchmarks/sql_calls.py [--rounds 15]

The statement takes two arguments and finds one row, or a hundred, of four columns. The bare driver
executes the text and returns tuples; aiosql loads the statement from a file and returns tuples; we
bind an input object and return an object a row whose values are checked by the declared types.
"Service.call" also decodes the arguments and encodes the result, as for a model.
"""

from __future__ import annotations

import argparse
import importlib
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiosql
from decoding import generated, measure
from figures import show

STATEMENT = (
    "SELECT id, customer_id, status, total FROM orders "
    "WHERE customer_id = :customer_id AND total >= :least ORDER BY id"
)
SPEC = f"""\
type: sql_function
name: get_orders
description: The orders of a customer.
connection: shop
arguments:
  inline:
    customer_id: {{ type: int, minimum: 1 }}
    least: {{ type: float, minimum: 0 }}
returns: "Order[]"
sql: {STATEMENT}
---
type: entity
name: Order
fields: {{ id: int, customer_id: int, status: string, total: float }}
"""
CONNECTIONS = """\
connections:
  shop: { dialect: sqlite, drivers: [sqlite3] }
"""
DRIVER = "sqlite3"


def database() -> sqlite3.Connection:
    """Customer 1 has one order, customer 2 a hundred."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE orders (id, customer_id, status, total)")
    rows = [(number, 2, "open", 1.5 * number) for number in range(1, 101)]
    connection.executemany(
        "INSERT INTO orders VALUES (?, ?, ?, ?)", [(0, 1, "shipped", 12.5), *rows]
    )
    connection.execute("CREATE INDEX of_customer ON orders (customer_id)")
    return connection


def contestants(folder: Path) -> dict[str, Callable[[int], Any]]:
    """Everybody who answers for a customer, by name."""
    sys.path.insert(0, str(generated(folder, {"get_orders": SPEC}, CONNECTIONS)))
    run = importlib.import_module("made.sql.get_orders").run
    service = importlib.import_module("made.service").Service
    connection = database()
    served = service(connections={"shop": connection})
    queries: Any = aiosql.from_str(
        f"-- name: get_orders(customer_id, least)\n{STATEMENT};\n", "sqlite3"
    )
    return {
        DRIVER: lambda customer: connection.execute(
            STATEMENT, {"customer_id": customer, "least": 1.0}
        ).fetchall(),
        "aiosql": lambda customer: list(
            queries.get_orders(connection, customer_id=customer, least=1.0)
        ),
        "brimgen `run`": lambda customer: run(
            connection, customer_id=customer, least=1.0
        ),
        "brimgen `Service.call`": lambda customer: served.call(
            "get_orders", {"customer_id": customer, "least": 1.0}
        ),
    }


def main() -> None:
    """Show one row a contestant."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = contestants(Path(folder))
        columns: list[dict[str, float]] = []
        for customer, expected in (1, 1), (2, 100):
            for name, run in runs.items():
                assert len(run(customer)) == expected, name
            works = {name: _once(run, customer) for name, run in runs.items()}
            columns.append(measure(works, options.rounds))
    rows = [
        [name, *(f"{times[name] / times[DRIVER]:.2f}" for times in columns)]
        for name in runs
    ]
    show("sql_calls", [f"CPU of a SQL call, of `{DRIVER}`", "1 row", "100 rows"], rows)


def _once(run: Callable[[int], Any], customer: int) -> Callable[[], None]:
    return lambda: run(customer)


if __name__ == "__main__":
    main()
