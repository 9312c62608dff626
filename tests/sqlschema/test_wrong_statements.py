"""Mistakes in statements, found by the schema alone, and no mistake in statements without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.model.project import Connection
from brimgen.sql import DIALECTS, scan
from brimgen.sql.infer import infer
from brimgen.sql.model import Finding, Mistake
from sqlschema.shop import DIALECTS as SHOPS
from sqlschema.shop import ddl, shop
from sqlschema.statements import examples
from support.project import build
from support.schemas import schema_of

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


NOT_FOUND = {
    "UPDATE customers SET country = NULL WHERE id = 1",  # it has a default
    "SELECT * FROM orders WHERE status = 'closed'",  # DuckDB compares texts
    "SELECT upperr(name) FROM customers",  # MySQL may have such a function
    "SELECT substr(name) FROM customers",
}


def test_wrong_statements_of_other_dialects_are_found_by_a_check(
    tmp_path: Path,
) -> None:
    lines = _FILE.with_name("wrong_elsewhere.sql").read_text("utf-8").splitlines()
    wrong = dict(enumerate(each.split(": ", 1) for each in lines))
    specs = {
        f"t{at}.yaml": f"type: sql_function\nname: t{at}\nconnection: {dialect}\n"
        f"sql: |\n  {sql}\n"
        for at, (dialect, sql) in wrong.items()
    }
    connections = {
        each: Connection(each, (), schema_of(f"{each}.sql", ddl(each)))
        for each in ("sqlite", "duckdb", "mysql")
    }
    built = build(tmp_path, specs, targets=("sql",), connections=connections)
    found = {
        Path(each.span.file).stem
        for each in built.diagnostics
        if each.rule.severity == "error"
    }
    assert len(wrong) == 62
    missed = [sql for at, (_, sql) in wrong.items() if f"t{at}" not in found]
    assert set(missed) == NOT_FOUND and len(missed) == 4


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
        (found,) = findings("UPDATE orders SET status = 'payed'", dialect)
        assert found.mistake is Mistake.UNKNOWN_LABEL
    for dialect in SHOPS:
        (found,) = findings("UPDATE orders SET totl = 1", dialect)
        assert (found.mistake, found.candidates) == (Mistake.UNKNOWN_COLUMN, ("total",))
    assert findings("UPDATE orders SET status = 'PAID'", "mysql") == ()


def test_a_schema_with_gaps_tells_of_no_unknown_names() -> None:
    from brimgen.frozen import replace

    schema = replace(_SCHEMAS["postgres"], complete=False)
    for sql in (
        "SELECT * FROM elsewhere",
        "SELECT st_area(name) FROM customers",
        "SELECT name::geometry FROM customers",
    ):
        assert infer(scan(sql, DIALECTS["postgres"]), schema).findings == ()


_STORED_NULLS = (
    ("INSERT INTO staff DEFAULT VALUES", "missing-column", 3),
    ("INSERT INTO staff VALUES (1, 2, DEFAULT, 3, :d)", "null-stored", 1),
    ("INSERT INTO staff (id, name, hired) VALUES (1, NULL, :d)", "null-stored", 1),
    ("INSERT INTO staff (id, name, hired) SELECT 1, 'x', NULL", "null-stored", 1),
    ("UPDATE staff SET name = NULL", "null-stored", 1),
    ("UPDATE staff SET (name, hired) = (DEFAULT, NULL)", "null-stored", 2),
    ("UPDATE staff SET salary = NULL, boss_id = DEFAULT", "", 0),
    ("INSERT INTO staff (id, name) VALUES (1, 'x') ON CONFLICT (id) DO NOTHING", "", 1),
    (
        "INSERT INTO staff (id, name, hired) VALUES (1, '', :d)"
        " ON CONFLICT (name) DO NOTHING",
        "no-unique-key",
        1,
    ),
)


@pytest.mark.parametrize(("sql", "mistake", "count"), _STORED_NULLS)
def test_a_row_that_the_table_can_never_take_is_found(
    sql: str, mistake: str, count: int
) -> None:
    found = findings(sql)
    assert len(found) == count
    assert not mistake or {mistake} == {each.mistake for each in found}


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO p VALUES (1, 2)",
        "INSERT INTO p (net, gross) SELECT 1, 2",
        "UPDATE p SET gross = net",
    ],
)
def test_a_value_for_a_column_that_the_database_computes_is_found(sql: str) -> None:
    from brimgen.diagnostics import Diagnostics
    from brimgen.model.project import SchemaFile
    from brimgen.sql.ddl.read_ddl import read_ddl

    text = "CREATE TABLE p (net int, gross int GENERATED ALWAYS AS (net * 2) STORED)"
    schema = read_ddl([SchemaFile("s.sql", text)], "postgres", Diagnostics())
    (found,) = infer(scan(sql, DIALECTS["postgres"]), schema).findings
    assert found.mistake is Mistake.GENERATED_COLUMN


def test_what_a_trigger_or_ignore_may_fill_in_is_not_missing() -> None:
    from brimgen.diagnostics import Diagnostics
    from brimgen.model.project import SchemaFile
    from brimgen.sql.ddl.read_ddl import read_ddl

    table = "CREATE TABLE t (id int PRIMARY KEY, slug varchar(9) NOT NULL);"
    trigger = "CREATE TRIGGER {} {} ON t FOR EACH ROW "
    insert = "INSERT INTO t (id) VALUES (1)"
    for dialect, when, body, count in (
        ("postgres", "BEFORE INSERT OR UPDATE", "EXECUTE FUNCTION fill()", 0),
        ("postgres", "AFTER INSERT", "EXECUTE FUNCTION fill()", 1),
        ("mysql", "BEFORE INSERT", "SET NEW.slug = 'x'", 0),
        ("sqlite", "BEFORE INSERT", "BEGIN SELECT 1; END", 1),
    ):
        text = f"{table} {trigger.format('fill_slug', when)} {body}"
        schema = read_ddl([SchemaFile("s.sql", text)], dialect, Diagnostics())
        found = infer(scan(insert, DIALECTS[dialect]), schema).findings
        assert len(found) == count, (dialect, when)
    assert findings("INSERT INTO staff () VALUES ()", "mysql")
    assert not findings("INSERT IGNORE INTO staff (name) VALUES (NULL)", "mysql")
    assert not findings("INSERT INTO staff BY NAME SELECT 1 AS id", "duckdb")
