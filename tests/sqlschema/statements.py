"""Statements about the shop: joins, aggregates, subqueries, functions, changes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Example(NamedTuple):
    """A statement, and the dialects that take it."""

    sql: str
    dialects: tuple[str, ...] = ("sqlite", "duckdb", "postgres", "mysql")


def examples() -> tuple[Example, ...]:
    """Return the statements, each with its dialects."""
    found: list[Example] = []
    text = (Path(__file__).parent / "statements.sql").read_text(encoding="utf-8")
    for line in text.splitlines()[1:]:
        sql, _, dialects = line.partition(" -- ")
        words = tuple(dialects.split())
        found.append(Example(sql, words) if words else Example(sql))
    return tuple(found)
