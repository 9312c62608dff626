"""A shop in four dialects: its tables, and rows that hold NULL wherever they may."""

from __future__ import annotations

from pathlib import Path

from brimgen.api import Diagnostics
from brimgen.model.project import SchemaFile
from brimgen.sql.ddl.read_ddl import read_ddl
from brimgen.sql.model import Schema

DIALECTS = ("sqlite", "duckdb", "postgres", "mysql")
_NAMES = "int small big float decimal text name bool date moment json status bytes"
_WRITTEN = {
    "sqlite": "INTEGER SMALLINT BIGINT REAL DECIMAL(10,2) TEXT VARCHAR(40) BOOLEAN DATE TIMESTAMP"
    " JSON TEXT BLOB",
    "duckdb": "INTEGER SMALLINT BIGINT DOUBLE DECIMAL(10,2) TEXT VARCHAR(40) BOOLEAN DATE"
    " TIMESTAMP JSON order_status BLOB",
    "postgres": "integer smallint bigint float8 numeric(10,2) text varchar(40) boolean date"
    " timestamp jsonb order_status bytea",
    "mysql": "int smallint bigint double decimal(10,2) text varchar(40) boolean date datetime(6)"
    " json enum('open','paid','done') varbinary(20)",
}
TYPES = {
    dialect: dict(zip(_NAMES.split(), written.split(), strict=True))
    for dialect, written in _WRITTEN.items()
}
_TABLES, _ROWS = (
    Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").split("-- rows\n")
)
_ENUM = {
    "postgres": "CREATE TYPE order_status AS ENUM ('open', 'paid', 'done');",
    "duckdb": "CREATE TYPE order_status AS ENUM ('open', 'paid', 'done');",
}


def ddl(dialect: str) -> str:
    """Return the CREATE statements of the shop."""
    return _ENUM.get(dialect, "") + _TABLES.format(**TYPES[dialect])


def rows(dialect: str) -> str:
    """Return the INSERT statements of its rows."""
    words = ("1", "0") if dialect == "sqlite" else ("true", "false")
    return _ROWS.format(true=words[0], false=words[1])


def script(dialect: str) -> list[str]:
    """Return the statements that make the shop and its rows."""
    text = ddl(dialect) + rows(dialect)
    return [each.strip() for each in text.split(";") if each.strip()]


def shop(dialect: str) -> Schema:
    """Return the schema of the shop, as DDL is read."""
    diagnostics = Diagnostics()
    schema = read_ddl([SchemaFile("shop.sql", ddl(dialect))], dialect, diagnostics)
    assert list(diagnostics) == []
    assert schema.complete
    return schema


TABLES = ("items", "orders", "products", "customers", "staff")
EMPTY_SETS: tuple[tuple[str, ...], ...] = (
    (),
    TABLES,
    ("customers",),
    ("items",),
    ("orders", "items"),
    ("products", "staff"),
)
"""Which tables are emptied, so that joins and aggregates find nothing."""
