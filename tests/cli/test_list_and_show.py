"""What a reviewer learns of the tools of a project without opening a generated file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from brimgen.emit.catalog_view import view_schema
from cli.conftest import Run

Write = Callable[[str, str], Path]
FIND = """\
/*
---
name: find_orders
description: Find the orders of a customer. Newest first.
arguments:
  inline:
    customer_id: { type: int, minimum: 1, description: Number of the customer }
    limit: { type: int, default: 20, maximum: 100 }
    tenant: { type: string, from_context: app.tenant }
returns: Order[]
---
*/
SELECT id FROM orders WHERE customer = :customer_id AND tenant = :tenant LIMIT :limit
"""
ORDER = "type: entity\nname: Order\nfields: {id: int}\n"
PAY = "type: python_function\nname: pay\nenabled: false\nhandler: shop.bank:pay\n"


@pytest.fixture(autouse=True)
def specs(write: Write) -> None:
    """An SQL tool with a hidden argument, an entity, and a tool that is off."""
    write("specs/find_orders.sql", FIND)
    write("specs/order.yaml", ORDER)
    write("specs/pay.yaml", PAY)


def test_a_reviewer_sees_every_tool_on_a_line(run: Run) -> None:
    ran = run("list")
    assert (0, "") == (ran.code, ran.err)
    assert ran.out.splitlines() == [
        "name         kind    takes                gives           summary",
        "find_orders  sql     customer_id, limit?  array of Order  Find the orders of a"
        " customer.",
        "pay          python  -                    -               (off)",
    ]


def test_a_reviewer_sees_limits_context_statement_and_files_of_a_tool(run: Run) -> None:
    ran = run("show", "find_orders")
    assert (0, "") == (ran.code, ran.err)
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    for line in (
        "find_orders (SQL tool, specs/find_orders.sql:3)",
        "customer_id integer required minimum 1. Number of the customer",
        "limit integer default 20 maximum 100",
        "tenant string from context app.tenant",
        "[].id integer",
        "SQL on the connection default (sqlite)",
        "SELECT id FROM orders WHERE customer = :customer_id AND tenant = :tenant LIMIT"
        " :limit",
        "only reads",
        '{"customer_id": 1}',
        "Order",
        "out/python/tools/schemas/tools/find_orders.input.json",
    ):
        assert line in lines
    assert not any("schemas/entities" in line for line in lines)


def test_values_and_bounds_beside_null_are_told_like_any_others(
    project: Path, run: Run, write: Write
) -> None:
    write("brimgen.yaml", "package: shop\ntargets: [python, docs, catalogue]\n")
    write(
        "specs/paint.yaml",
        """\
type: entity
name: Colour
enum: [red, green]
---
type: entity
name: Wall
fields:
  paints: { type: "Colour[]?", minItems: 1, maxItems: 3 }
---
type: python_function
name: paint
description: Paint a wall of the house.
handler: paint.house:paint
arguments:
  inline:
    colour: { type: Colour?, description: Of the wall }
    words: { type: "string[]?", enum: [x, y], minItems: 2, description: To write }
    wall: { type: Wall?, description: To paint }
""",
    )
    expected = {
        "colour": ['one of "red", "green"'],
        "words": ["at least 2 items", 'one of "x", "y"'],
        "wall.paints": ["at least 1 item", "at most 3 items", 'one of "red", "green"'],
    }
    ran = run("show", "paint", "--format", "json")
    assert 0 == ran.code, ran.err
    rows = {row["path"]: row["limits"] for row in json.loads(ran.out)["input_rows"]}
    assert expected == {path: rows[path] for path in expected}
    shown = " ".join(run("show", "paint").out.split())
    generated = run("generate")
    assert 0 == generated.code, generated.err
    page = (project / "out/docs/tools/paint.md").read_text()
    catalogue = (project / "out/catalogue/index.html").read_text()
    for limits in expected.values():
        assert "; ".join(limits) in shown
        assert "; ".join(limits) in page
        assert all(json.dumps(limit) in catalogue for limit in limits)


def test_a_program_reads_a_tool_in_the_form_that_is_published(run: Run) -> None:
    [found, paid] = json.loads(run("list", "--format", "json").out)
    assert ["customer_id", "limit", "tenant"] == [
        each["name"] for each in found["arguments"]
    ]
    assert (False, "python") == (paid["enabled"], paid["kind"])
    shown: dict[str, Any] = json.loads(
        run("show", "find_orders", "--format", "json").out
    )
    assert "out/docs/tools/find_orders.md" not in (files := shown.pop("files"))
    assert "out/python/tools/schemas/tools/find_orders.input.json" in files
    schema = view_schema()
    of_tool = {**schema, **schema["$defs"]["ToolView"]}
    jsonschema.validate(shown, of_tool)


def test_a_misspelt_tool_is_told_with_the_one_that_is_meant(run: Run) -> None:
    ran = run("show", "find_order")
    assert 2 == ran.code
    assert "no tool 'find_order'. Did you mean 'find_orders'?" in ran.err


def test_specs_with_errors_list_the_errors_and_no_tool(run: Run, write: Write) -> None:
    write("specs/pay.yaml", f"{PAY}retruns: int\n")
    for ran in (run("list"), run("show", "find_orders")):
        assert (1, "") == (ran.code, ran.out)
        assert "did you mean `returns`?" in ran.err


@pytest.mark.parametrize("command", [["list"], ["show", "pay"]])
def test_of_broken_specs_a_list_tells_the_errors_and_no_advice(
    write: Any, run: Run, command: list[str]
) -> None:
    """Lint advises to describe `limits` (L602), which does not stop anybody from listing tools."""
    write(
        "specs/broken.yaml",
        "{type: python_function, name: broken, description: Breaks., "
        "arguments: {inline: {limits: nothing}}}\n",
    )
    ran = run(*command, "--format", "concise")
    first, *rest = ran.err.splitlines()
    assert (1, "") == (ran.code, ran.out)
    assert first.startswith("specs/broken.yaml:1:") and " error[" in first
    assert ["brimgen: 1 error"] == rest
