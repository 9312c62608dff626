"""Mistakes in statements, found by the schema alone, and no mistake in statements without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.sqlschema.infer import infer
from brimgen.sqlschema.model import Finding, Mistake
from brimgen.sqltext import DIALECTS, scan
from sqlschema.shop import DIALECTS as SHOPS
from sqlschema.shop import shop
from sqlschema.statements import examples

_FILE = Path(__file__).parent / "wrong_statements.sql"
_LABELS = ("open", "paid", "done")
_SCHEMAS = {dialect: shop(dialect) for dialect in SHOPS}


def wrong_statements() -> list[tuple[str, str]]:
    """Statements that PostgreSQL refuses, each with its mistake."""
    lines = _FILE.read_text(encoding="utf-8").splitlines()[1:]
    return [
        (sql, mistake) for sql, _, mistake in (each.partition(" -- ") for each in lines)
    ]


def findings(sql: str, dialect: str = "postgres") -> tuple[Finding, ...]:
    """What is wrong with a statement."""
    return infer(scan(sql, DIALECTS[dialect]), _SCHEMAS[dialect]).findings


@pytest.mark.parametrize(("sql", "mistake"), wrong_statements())
def test_a_wrong_statement_is_found_without_a_database(sql: str, mistake: str) -> None:
    found = findings(sql)
    assert mistake in {each.mistake for each in found}
    for each in found:
        assert 0 <= each.place.start < each.place.end <= len(sql)


def test_there_are_63_kinds_of_wrong_statements_and_more() -> None:
    found = wrong_statements()
    assert len({sql for sql, _ in found}) == len(found) >= 63


@pytest.mark.parametrize("dialect", SHOPS)
def test_nothing_is_found_in_right_statements(dialect: str) -> None:
    wrong = [
        (each.sql, found.text)
        for each in examples()
        if dialect in each.dialects
        for found in findings(each.sql, dialect)
    ]
    assert [] == wrong


def test_a_mistake_says_what_the_schema_knows_of_it() -> None:
    (label,) = findings("SELECT * FROM orders WHERE status = 'payed'")
    assert (label.mistake, label.candidates) == (Mistake.UNKNOWN_LABEL, _LABELS)
    assert label.column is not None and label.column.name == "status"
    (left_out,) = findings("INSERT INTO staff (id, name) VALUES (1, 'x')")
    assert left_out.mistake is Mistake.MISSING_COLUMN
    assert left_out.column is not None and left_out.column.span is not None
    (function,) = findings("SELECT uper(name) FROM customers")
    assert function.candidates == ("upper",)


def test_labels_and_columns_are_checked_in_every_dialect() -> None:
    for dialect in ("duckdb", "mysql"):
        (found,) = findings("SELECT * FROM orders WHERE status = 'payed'", dialect)
        assert found.mistake is Mistake.UNKNOWN_LABEL
    for dialect in SHOPS:
        (found,) = findings("UPDATE orders SET totl = 1", dialect)
        assert (found.mistake, found.candidates) == (Mistake.UNKNOWN_COLUMN, ("total",))
    assert findings("SELECT * FROM orders WHERE status = 'PAID'", "mysql") == ()


def test_a_schema_with_gaps_tells_of_no_unknown_names() -> None:
    from brimgen.frozen import replace

    schema = replace(_SCHEMAS["postgres"], complete=False)
    for sql in (
        "SELECT * FROM elsewhere",
        "SELECT st_area(name) FROM customers",
        "SELECT name::geometry FROM customers",
    ):
        assert infer(scan(sql, DIALECTS["postgres"]), schema).findings == ()
