"""Seed 000: SQL documents as its authors write them build, and mean what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from emit.sql.corpora import items
from support.project import Built, build

ORDER = "type: entity\nname: Order\nfields: { id: int, total: float }\n"
LISTED = """/*
---
name: orders_of
type: sql_function
description: Lists the orders of one customer.
connection: default
arguments:
  inline:
    customer_id: int
return_shape:
  entity_ref: %s
---
*/

SELECT id, total FROM orders WHERE customer_id = :customer_id
"""


def _answer(built: Built) -> Any:
    assert [] == [
        each.message for each in built.diagnostics if each.rule.severity == "error"
    ]
    [tool] = built.sent("mcp/tools.json")["tools"]
    return tool["outputSchema"]["properties"]["result"]


@pytest.mark.parametrize("shape", ["Order[]", "list[Order]", "array<Order>"])
def test_a_list_of_orders_is_not_taken_for_one_order(
    shape: str, tmp_path: Path
) -> None:
    built = build(tmp_path, {"order.yaml": ORDER, "orders_of.sql": LISTED % shape})
    answer = _answer(built)
    assert "array" == answer["type"]
    assert {"id", "total"} == set(answer["items"]["properties"])


def test_a_list_of_orders_with_further_fields(tmp_path: Path) -> None:
    text = LISTED % "Order[]\n  inline: { rank: int }"
    text = text.replace("SELECT id, total", "SELECT id, total, 1 AS rank")
    built = build(tmp_path, {"order.yaml": ORDER, "orders_of.sql": text})
    answer = _answer(built)
    assert "array" == answer["type"]
    assert {"id", "total", "rank"} == set(answer["items"]["properties"])


def test_an_order_or_nothing(tmp_path: Path) -> None:
    built = build(tmp_path, {"order.yaml": ORDER, "orders_of.sql": LISTED % "Order?"})
    assert "null" in str(_answer(built))


def test_arguments_still_inherit_from_one_entity(tmp_path: Path) -> None:
    text = LISTED.replace("  inline:", "  entity_ref: Order[]\n  inline:") % "Order"
    built = build(tmp_path, {"order.yaml": ORDER, "orders_of.sql": text})
    assert "S202" in [each.rule.code for each in built.diagnostics]


def test_the_documents_of_its_authors_build(tmp_path: Path) -> None:
    documents = {
        f"{number}.sql": each["sql"]
        for number, each in enumerate(items("sql-annotated/other_queries.jsonl.gz"))
        if each["id"].startswith("brimley/docs/")
    }
    assert documents
    built = build(tmp_path, documents)
    assert [] == [
        each.message for each in built.diagnostics if each.rule.severity == "error"
    ]
    described = [each for each in built.files if each.startswith("sql/")]
    assert len(documents) == sum(each.endswith(".json") for each in described)
