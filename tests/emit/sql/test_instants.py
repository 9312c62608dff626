"""Instants in SQLite: columns that its clock fills, compared with a bound datetime (SQL020)."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.model.project import Connection
from support.project import build
from support.schemas import schema_of

SCHEMA = """\
CREATE TABLE loans (id INTEGER NOT NULL, lent TEXT DEFAULT CURRENT_TIMESTAMP, due TEXT,
  "back at" TEXT DEFAULT (datetime('now')), day TEXT DEFAULT CURRENT_DATE,
  fine TEXT DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')));
CREATE TABLE fees (id INTEGER NOT NULL, lent TEXT);
CREATE VIEW past AS SELECT id, due AS lent FROM loans;
"""
HEAD = "type: sql_function\nname: f\narguments:\n  inline: { x: TYPE, y: TYPE }\n"


def _codes(folder: Path, condition: str, type: str, source: str) -> list[str]:
    sql = f"SELECT loans.id FROM {source} WHERE {condition} AND :y IS NOT NULL"
    text = f"{HEAD.replace('TYPE', type)}returns: int[]\nsql: |\n  {sql}\n"
    connection = Connection("sqlite", (), schema_of("schema.sql", SCHEMA))
    made = build(
        folder, {"f.yaml": text}, targets=("sql",), connections={"default": connection}
    )
    return sorted(made.codes)


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        ("lent >= :x", 1),
        ("(loans.LENT = :x OR lent < :x)", 1),
        ('"back at" < :x', 1),
        (":x <= lent", 1),
        (":x <= loans.lent", 1),
        ("lent NOT BETWEEN :x AND :y", 2),
        ("lent >= :x AND lent < :y", 2),
        ("lent >= datetime(:x)", 0),
        ("datetime(lent) >= datetime(:x)", 0),
        ("lent || '.000000' >= :x", 0),
        (":x <= lent || '.000000'", 0),
        ("due >= :x", 0),
        ("day >= :x", 0),
        ("fine >= :x", 0),
    ],
)
def test_what_the_clock_fills_is_told(
    condition: str, count: int, tmp_path: Path
) -> None:
    assert ["SQL020"] * count == _codes(tmp_path, condition, "datetime", "loans")


@pytest.mark.parametrize(
    ("type", "source"),
    [
        ("string", "loans"),
        ("datetime", "(SELECT id, due AS lent FROM loans) AS loans"),
        ("datetime", "past AS loans"),
        ("datetime", "loans JOIN (SELECT id AS fee, lent AS given FROM fees)"),
    ],
)
def test_what_is_not_sure_is_not_told(type: str, source: str, tmp_path: Path) -> None:
    assert [] == _codes(tmp_path, "lent >= :x", type, source)
