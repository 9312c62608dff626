"""Digits that a spec declares hold for inputs that a program makes itself: `bind` refuses more."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from support.project import build, connection_to

SPEC = """\
type: sql_function
name: pay
arguments: { inline: { amount: { type: decimal, precision: 6, scale: 2 } } }
sql: INSERT INTO payments (amount) VALUES (:amount)
---
type: sql_function
name: paid
arguments:
  inline:
    amounts: { type: array, items: { type: decimal, precision: 6, scale: 2 } }
returns: int[]
sql: SELECT id FROM payments WHERE amount IN (:amounts)
"""
DRIVERS = {
    "sqlite3": "sqlite",
    "psycopg": "postgres",
    "psycopg2": "postgres",
    "asyncpg": "postgres",
    "duckdb": "duckdb",
    "pymysql": "mysql",
    "oracledb": "oracle",
    "pyodbc": "tsql",
    "snowflake": "snowflake",
    "bigquery": "bigquery",
}
KEPT = ["9999.99", "-9999.99", "0", "0.01", "1.500", "1E+3", "-0.00"]
REFUSED = ["10000", "-10000.00", "0.001", "9999.995", "1E+4", "1E-3"]


@pytest.mark.parametrize("driver", DRIVERS)
def test_more_digits_than_are_declared_are_refused(driver: str, tmp_path: Path) -> None:
    """Otherwise the database rounds them, or fails with a message of its own."""
    connections = {"default": connection_to(DRIVERS[driver], driver)}
    targets = ("python", "sql")
    built = build(tmp_path, {"a.yaml": SPEC}, targets=targets, connections=connections)
    assert [] == built.errors

    def bind(tool: str, **given: Any) -> Any:
        module = built.load(f"sql.{tool}")
        name = f"bind_{driver}"
        function = getattr(module, name, None) or getattr(module, f"render_{driver}")
        return function(built.load().TOOLS[tool].bound_type(**given))

    for text in KEPT:
        assert bind("pay", amount=Decimal(text))
        assert bind("paid", amounts=[Decimal(text)])
    for text in REFUSED:
        with pytest.raises(ValueError, match=r"parameter 'amount': .* has more than"):
            bind("pay", amount=Decimal(text))
        with pytest.raises(
            ValueError, match=r"parameter 'amounts/1': .* has more than"
        ):
            bind("paid", amounts=[Decimal(1), Decimal(text)])
