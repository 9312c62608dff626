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


def test_a_choice_that_writes_takes_the_promise_of_reading(tmp_path: Path) -> None:
    spec = SPEC.replace("cheapest: total", "cheapest: my_counter(total)")
    built = build(tmp_path, {"f.yaml": spec}, targets=("python", "sql", "mcp"))
    (tool,) = built.json(f"python/{built.package}/descriptors/mcp/tools.json")["tools"]
    assert "readOnlyHint" not in tool["annotations"]
