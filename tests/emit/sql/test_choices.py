"""Parts of a statement that an argument chooses: final texts, and none for unknown labels."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from brimgen.model.project import Connection
from support.project import Built, build

SPEC = """\
type: sql_function
name: find_orders
arguments:
  inline:
    status: string?
    ids: "int[]?"
    sort: { type: string, enum: [newest, cheapest, near], default: newest }
    direction: { type: string, enum: [up, down], default: up }
    total: { type: int, default: 0 }
returns: int[]
choices:
  sort: { newest: placed_at, cheapest: total, near: "abs(total - :total)" }
  direction: { up: ASC, down: DESC }
variants: [status, ids]
sql: |
  SELECT id FROM orders
  WHERE (:status IS NULL OR status = :status) AND (:ids IS NULL OR id IN (:ids))
  ORDER BY {sort} {direction}
"""
GUARDED = """\
type: sql_function
name: guarded
arguments: { inline: { status: string? } }
returns: int[]
sql: SELECT id FROM orders WHERE (:status IS NULL OR status = :status)
"""
ROWS = [
    (1, "open", 30, "2026-01-03"),
    (2, "open", 10, "2026-01-02"),
    (3, "done", 20, "2026-01-01"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(
        tmp_path_factory.mktemp("choices"),
        {"find_orders.yaml": SPEC, "guarded.yaml": GUARDED},
        targets=("python", "sql", "mcp"),
        connections={"default": Connection("sqlite", ("sqlite3", "aiosqlite"))},
    )


@pytest.fixture(scope="module")
def database() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    made.execute("CREATE TABLE orders (id, status, total, placed_at)")
    made.execute("CREATE INDEX by_status ON orders (status)")
    made.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", ROWS)
    return made


def _rendered(built: Built, **call: Any) -> tuple[str, Any]:
    bound_type = built.tool("find_orders").bound_type
    made: tuple[str, Any] = built.load("sql.find_orders").render_sqlite3(
        bound_type.from_dict(call)
    )
    return made


@pytest.mark.parametrize(
    ("call", "ids"),
    [
        ({}, [3, 2, 1]),
        ({"direction": "down"}, [1, 2, 3]),
        ({"sort": "cheapest"}, [2, 3, 1]),
        ({"sort": "near", "total": 19}, [3, 2, 1]),
        ({"sort": "cheapest", "status": "open", "direction": "down"}, [1, 2]),
        ({"ids": [2, 3]}, [3, 2]),
        ({"ids": [], "status": "open"}, []),
    ],
)
def test_the_argument_chooses_the_text(
    built: Built, database: sqlite3.Connection, call: dict[str, Any], ids: list[int]
) -> None:
    assert [] == [e.message for e in built.diagnostics if e.rule.severity == "error"]
    text, arguments = _rendered(built, **call)
    assert [(each,) for each in ids] == database.execute(text, arguments).fetchall()


def test_a_label_that_nobody_wrote_chooses_no_text(built: Built) -> None:
    tool = built.tool("find_orders")
    with pytest.raises(ValueError, match="sort"):
        tool.input_type.from_dict({"sort": "id; DROP TABLE orders"})
    bound = tool.bound_type(sort="id; DROP TABLE orders", direction="up", total=0)
    with pytest.raises(ValueError, match="chooses no text"):
        built.load("sql.find_orders").render_sqlite3(bound)


def test_a_filter_that_is_left_out_lets_the_database_use_its_index(
    built: Built, database: sqlite3.Connection
) -> None:
    def plan(text: str, arguments: Any) -> str:
        rows = database.execute(f"EXPLAIN QUERY PLAN {text}", arguments)
        return " ".join(str(row[3]) for row in rows)

    assert "USING INDEX by_status" in plan(*_rendered(built, status="open"))
    guarded = built.load("sql.guarded")
    bound = built.tool("guarded").bound_type(status="open")
    assert "SCAN orders" == plan(guarded.SQL_SQLITE3, guarded.bind_sqlite3(bound))


def test_every_text_is_in_the_files_of_the_target(built: Built) -> None:
    page = built.files["sql/find_orders.sqlite3.sql"]
    assert "-- sort: near, direction: down, status: absent, ids: given\n" in page
    target = built.json("sql/find_orders.json")["targets"]["sqlite3"]
    assert 24 == len(target["variants"])
    assert {"sort": "newest", "direction": "up", "status": True, "ids": True} == (
        target["variants"][0]["when"]
    )
    assert "(:status IS NULL" not in json.dumps(target)


FAULTS = {
    "plcd(:nothing)": ("undeclared-parameter", 7, 27),
    "placed_at)": ("choice-not-whole", 7, 21),
    "id; DELETE FROM orders": ("choice-not-whole", 7, 21),
    "": ("choice-not-whole", 7, 21),
    "id --": ("choice-not-whole", 7, 21),
    "id /* by age */": ("choice-not-whole", 7, 21),
    "id FROM orders --": ("choice-not-whole", 7, 21),
    "1=1 OR 1=1": ("choice-not-whole", 7, 21),
    "1=1) OR (1=1": ("choice-not-whole", 7, 21),
    "1 UNION SELECT 2": ("choice-not-whole", 7, 21),
    "id LIMIT 1000": ("choice-not-whole", 7, 21),
    "'open": ("choice-not-whole", 7, 21),
    "1 END": ("choice-not-whole", 7, 21),
    "CASE WHEN 1 THEN 2": ("choice-not-whole", 7, 21),
    "id AND status": ("choice-not-whole", 7, 21),
    "= id": ("choice-not-whole", 7, 21),
    "id, ": ("choice-not-whole", 7, 21),
    "id IS NOT": ("choice-not-whole", 7, 21),
}


@pytest.mark.parametrize("fragment", FAULTS)
def test_a_fault_in_one_choice_is_told_at_its_place(
    tmp_path: Path, fragment: str
) -> None:
    spec = (
        "type: sql_function\nname: f\narguments:\n  inline:\n"
        "    sort: { type: string, enum: [a, b] }\nchoices:\n"
        f'  sort: {{ a: id, b: "{fragment}" }}\nreturns: int[]\n'
        "sql: SELECT id FROM orders ORDER BY {sort}\n"
    )
    built = build(tmp_path, {"f.yaml": spec})
    slug, line, column = FAULTS[fragment]
    (found,) = [e for e in built.diagnostics if e.rule.severity == "error"]
    assert (slug, line, column) == (
        found.rule.reason,
        found.span.line,
        found.span.column,
    )


def test_a_choice_that_writes_takes_the_promise_of_reading(tmp_path: Path) -> None:
    spec = SPEC.replace("cheapest: total", "cheapest: my_counter(total)")
    built = build(tmp_path, {"f.yaml": spec}, targets=("python", "sql", "mcp"))
    (tool,) = built.json(f"python/{built.package}/descriptors/mcp/tools.json")["tools"]
    assert "readOnlyHint" not in tool["annotations"]


@pytest.mark.parametrize(
    "fragment",
    [
        "id DESC",
        "DESC",
        "total NULLS FIRST",
        "total BETWEEN 1 AND 2",
        "(status = 'a' OR status = 'b')",
        "CASE WHEN total > 1 AND id > 2 THEN 1 ELSE 2 END DESC, id",
        "(SELECT max(total) FROM orders)",
        "status IS NOT DISTINCT FROM 'a'",
        "orders.id COLLATE NOCASE",
        "replace(status, 'a', 'b')",
        "abs(total - 1)",
    ],
)
def test_a_choice_that_is_one_whole_piece_is_taken(
    tmp_path: Path, fragment: str
) -> None:
    spec = (
        "type: sql_function\nname: f\narguments:\n  inline:\n"
        "    sort: { type: string, enum: [a, b] }\nchoices:\n"
        f'  sort: {{ a: id, b: "{fragment}" }}\nreturns: int[]\n'
        "sql: SELECT id FROM orders ORDER BY id, {sort}\n"
    )
    built = build(tmp_path, {"f.yaml": spec})
    assert "choice-not-whole" not in built.slugs


REACHING = [
    ("tsql", "tenant = 1 AND {sort}", "1=1 PRINT 'x'"),
    ("tsql", "tenant = 1 AND {sort}", "1=1 SHUTDOWN"),
    ("tsql", "tenant = 1 {sort}", "SHUTDOWN"),
    ("mysql", "tenant = 1 AND {sort}", "1=1 || 1=1"),
    ("mysql", "tenant = 1 AND {sort}", "paid && total"),
    ("mysql", "tenant = 1 AND {sort}", "a PROCEDURE ANALYSE()"),
    ("sqlite", "tenant = {sort}", "1 IS NOT NULL"),
    ("sqlite", "{sort} IS NULL", "tenant = 1"),
    ("sqlite", "total -{sort} = 1 AND tenant = 1", "-1"),
    ("sqlite", "name = 'a'{sort}", "'b'"),
    ("sqlite", "p{sort} AND tenant = 1", "aid"),
    ("sqlite", "{sort} AND tenant = 1", "1 BETWEEN 0"),
    ("sqlite", "paid AND tenant = 1 {sort}", "NOT IN (1, 2)"),
    ("sqlite", "tenant = 1 {sort}", "NOT NULL"),
    ("sqlite", "{sort} = 1 AND paid", "NOT tenant"),
    ("sqlite", "1 BETWEEN tenant AND {sort}", "tenant IS NOT NULL"),
    ("sqlite", "tenant IN ({sort})", "1, 2"),
    ("sqlite", "coalesce({sort}, 1) = 1 AND tenant = 1", "total, paid"),
    ("sqlite", "id IN (SELECT {sort} FROM lines ORDER BY id)", "id, order_id"),
]


@pytest.mark.parametrize(("dialect", "place", "fragment"), REACHING)
def test_no_choice_reaches_beyond_its_place(
    tmp_path: Path, dialect: str, place: str, fragment: str
) -> None:
    spec = (
        "type: sql_function\nname: f\narguments:\n  inline:\n"
        "    sort: { type: string, enum: [a, b] }\nchoices:\n"
        f'  sort: {{ a: "(paid)", b: "{fragment}" }}\nreturns: int[]\n'
        f'sql: "SELECT id FROM orders WHERE {place}"\n'
    )
    connections = {"default": Connection(dialect, ())}
    built = build(tmp_path, {"f.yaml": spec}, connections=connections)
    assert "choice-not-whole" in built.slugs


@pytest.mark.parametrize(
    ("place", "fragment"),
    [
        ("total > {sort}", "-1"),
        ("{sort}(total) > 1", "abs"),
        ("{sort}.id = 1", "orders"),
        ("tenant = {sort} AND paid", "(1 IS NULL)"),
        ("tenant = {sort} AND paid", "CASE WHEN paid AND due THEN 1 ELSE 2 END"),
        ("paid ORDER BY id {sort}", "DESC"),
        ("paid ORDER BY length(name), {sort}, id", "total DESC, paid"),
        ("paid GROUP BY {sort}", "total, paid"),
        ("tenant IN {sort}", "(1, 2)"),
        ("total BETWEEN 1 AND {sort}", "total"),
        ("total BETWEEN 1 AND 2 AND {sort}", "paid IS NOT NULL"),
        ("paid AND {sort}", "NOT due"),
        ("paid AND {sort}", "total BETWEEN 1 AND 2"),
        ("paid ORDER BY {sort} DESC", "total - 1"),
    ],
)
def test_one_operand_may_stand_beside_an_operator(
    tmp_path: Path, place: str, fragment: str
) -> None:
    spec = (
        "type: sql_function\nname: f\narguments:\n  inline:\n"
        "    sort: { type: string, enum: [a] }\nchoices:\n"
        f'  sort: {{ a: "{fragment}" }}\nreturns: int[]\n'
        f'sql: "SELECT id FROM orders WHERE {place}"\n'
    )
    assert "choice-not-whole" not in build(tmp_path, {"f.yaml": spec}).slugs


def test_no_choice_of_a_caller_drops_the_tenant(tmp_path: Path) -> None:
    spec = (
        "type: sql_function\nname: f\narguments:\n  inline:\n"
        "    what: { type: string, enum: [mine, all] }\n"
        "    tenant: { type: string, from_context: app.tenant }\nchoices:\n"
        '  what: { mine: "tenant = :tenant", all: "paid" }\nreturns: int[]\n'
        "sql: SELECT id FROM orders WHERE {what}\n"
    )
    built = build(tmp_path, {"f.yaml": spec})
    assert "choice-drops-hidden" in built.slugs
    kept = build(
        tmp_path, {"f.yaml": spec.replace("WHERE {", "WHERE tenant = :tenant AND {")}
    )
    assert "choice-drops-hidden" not in kept.slugs
