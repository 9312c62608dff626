"""Each lint rule: what it tells, and what it lets pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.lint.options import (
    LintOptions,
    rules_named,
    select_severities,
)
from support.cases import check, write_example
from support.linted import linted, linted_folder, told

ROOT = Path(__file__).parents[2]
TOOL = "type: python_function\nname: find_orders\ndescription: List the newest first.\n"


def codes(text: str, options: LintOptions | None = None) -> list[str]:
    return [each.rule.code for each in linted(text, options)]


def about(*rules: str) -> LintOptions:
    """Options under which only ``rules`` apply."""
    selected = [rule for name in rules for rule in rules_named(name)]
    return LintOptions(severities=select_severities(selected, (), {}))


def argument(text: str) -> str:
    return f"{TOOL}arguments:\n  inline:\n    {text}\n"


@pytest.mark.parametrize("folder", ["specs", "generator/brimgen/starter/specs"])
def test_good_specs_are_left_in_peace(folder: str) -> None:
    said = [each for each in linted_folder(ROOT / folder) if each.rule.code[0] == "L"]
    assert [] == [each.message for each in said if each.rule.severity != "info"]
    if "starter" in folder:
        assert [] == said


def test_limits_of_a_set() -> None:
    tools = "---\n".join(
        f"type: python_function\nname: tool{number}\ndescription: Says something of use.\n"
        for number in range(11, 52)
    )
    said = told(tools, about("L607"))
    assert "L607 162:7 the set has 41 tools; the recommended limit is 40" == said
    assert "" == told(
        tools.replace("tool12\n", "tool12\nenabled: false\n"), about("L607")
    )
    assert "" == told(tools.replace("tool13\n", "tool13\ntargets: []\n"), about("L607"))


def test_the_size_of_a_tool() -> None:
    text = argument(f"a_long_name: {{type: string, description: {'words ' * 1600}}}")
    (said,) = linted(text, about("L607"))
    assert "`find_orders` takes about 2" in said.message
    assert [] == linted(text.replace("words " * 900, ""), about("L607"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("get_order", "get_orders"),
        ("get_order", "fetch_order"),
        ("get_user_orders", "orders_get_user"),
        ("list-orders", "listOrders"),
        ("list_orders", "list_orderz"),
        ("import_customers", "import_custmoers"),
        ("find_customer", "search_customers"),
        ("remove_address", "delete_addresses"),
    ],
)
def test_names_that_are_confused(one: str, other: str) -> None:
    tools = "---\n".join(f"type: python_function\nname: {n}\n" for n in (one, other))
    (said,) = linted(tools, about("tool-names-alike"))
    assert f"a model may confuse `{other}` with `{one}`" == said.message
    assert [(2, "the other one")] == [
        (note.span.line, note.text) for note in said.notes
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("get_order", "place_order"),
        ("get_orders", "get_orders_by_id"),
        ("report_2023", "report_2024"),
        ("tool_1", "tool_2"),
        ("read_row", "read_raw"),
        ("import_stock", "export_stock"),
        ("list_orders", "list_invoices"),
        ("add_status", "add_statement"),
    ],
)
def test_names_that_are_not(one: str, other: str) -> None:
    tools = "---\n".join(f"type: python_function\nname: {n}\n" for n in (one, other))
    assert [] == linted(tools, about("tool-names-alike"))


@pytest.mark.parametrize("count", [1, 19, 20, 21, 22, 60])
def test_a_slip_is_found_in_a_crowd(count: int) -> None:
    letters = "bcdfghjklm"
    others = [f"{letters[n // 10] * 3}{letters[n % 10] * 4}" for n in range(count)]
    for words in ([*others, "customer", "custmoer"], ["customer", *others, "custmoer"]):
        tools = "---\n".join(
            f"type: python_function\nname: get_{word}\n" for word in words
        )
        (said,) = linted(tools, about("tool-names-alike"))
        assert "a model may confuse `get_custmoer` with `get_customer`" == said.message


@pytest.mark.parametrize("count", [18, 19, 20, 21])
def test_a_slip_is_found_in_a_crowd_after_a_name_with_two_slips(count: int) -> None:
    letters = "bcdfghjklm"
    others = [f"{letters[n // 10] * 3}{letters[n % 10] * 4}" for n in range(count)]
    names = [
        *(f"delivery_{word}" for word in others),
        *("delivary_quantity", "delivery_customer", "delivery_quantity"),
        "delivery_custmoer",
    ]
    tools = "---\n".join(f"type: python_function\nname: {name}\n" for name in names)
    assert {
        "a model may confuse `delivery_quantity` with `delivary_quantity`",
        "a model may confuse `delivery_custmoer` with `delivery_customer`",
    } == {finding.message for finding in linted(tools, about("tool-names-alike"))}


def test_many_names_are_compared_in_time() -> None:
    tools = "---\n".join(
        f"type: python_function\nname: process_item_{n}\n" for n in range(2000)
    )
    assert [] == linted(tools, about("tool-names-alike"))


@pytest.mark.parametrize(
    ("statement", "description", "expected"),
    [
        ("DELETE FROM t WHERE a = 1", "Tidies the drafts.", "deletes"),
        ("DELETE FROM t WHERE a = 1", "Updates the drafts.", "deletes"),
        ("DELETE FROM t WHERE a = 1", "Deletes old drafts.", None),
        ("DELETE FROM t WHERE a = 1", "Old drafts. Cannot be undone.", None),
        ("UPDATE t SET a = 1 WHERE b = 2", "The tier of a customer.", "writes"),
        ("UPDATE t SET a = 1 WHERE b = 2", "Changes the tier.", None),
        ("INSERT INTO t (a) VALUES (1)", "Notes for orders.", "writes"),
        ("SELECT a FROM t", "The tier of a customer.", None),
        ("SELECT 'DELETE FROM t' AS a", "Some text.", None),
    ],
)
def test_an_effect_of_a_statement_that_the_description_hides_is_told(
    statement: str, description: str, expected: str | None
) -> None:
    text = (
        f"type: sql_function\nname: f\ndescription: {description}\nsql: {statement}\n"
    )
    said = told(text, about("L603"))
    if expected is None:
        assert "" == said
    else:
        assert (
            f"L603 2:7 the description of `f` does not say that it {expected}" == said
        )


@pytest.mark.parametrize(
    ("method", "rest", "description", "expected"),
    [
        ("DELETE", "", "The state of the lamp.", "deletes"),
        ("DELETE", "", "Changes the lamp.", "deletes"),
        ("DELETE", "", "Removes the lamp.", None),
        ("PUT", "", "The state of the lamp.", "writes"),
        ("PATCH", "", "Sets the lamp.", None),
        ("PUT", "mcp: {read_only: true}", "The state of the lamp.", None),
        ("POST", "", "Finds a lamp.", None),
        ("POST", "mcp: {read_only: false}", "The lamp.", "changes something"),
        ("GET", "", "The state of the lamp.", None),
    ],
)
def test_an_effect_of_a_request_that_the_description_hides_is_told(
    method: str, rest: str, description: str, expected: str | None
) -> None:
    text = (
        f"type: http_function\nname: f\ndescription: {description}\n{rest}\n"
        "allowedHosts: [a.example]\n"
        f"request: {{method: {method}, urlTemplate: 'https://a.example/'}}\n"
    )
    said = told(text, about("L603"))
    words = f"L603 2:7 the description of `f` does not say that it {expected}"
    assert said == ("" if expected is None else words)


@pytest.mark.parametrize(
    ("hints", "description", "count"),
    [
        ("{destructive: true}", "Looks after the cache.", 1),
        ("{destructive: true}", "Clears the cache.", 0),
        ("{read_only: false}", "The state of the lamp.", 1),
        ("{read_only: false}", "Starts the engine.", 0),
        ("{read_only: true}", "The state of the lamp.", 0),
    ],
)
def test_an_effect_that_hints_tell_and_the_description_hides_is_told(
    hints: str, description: str, count: int
) -> None:
    text = (
        f"type: python_function\nname: f\ndescription: {description}\nmcp: {hints}\n"
        "when_to_use: At night.\n"
    )
    assert count == len(linted(text, about("L603")))
    said = text.replace("At night.", "At night. It removes things.")
    assert [] == linted(said, about("L603"))


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ("{type: int, default: 10, description: How many; default 10}", "L613"),
        ("{type: int, default: 10, description: How many. Defaults to 10.}", "L613"),
        ("{type: int, default: 10, description: 'How many, default: 20'}", "L613"),
        ("{type: int, description: How many (default is 10)}", "L613"),
        ("{type: float, default: 1.5, description: Ratio (default `1.50`)}", "L613"),
        ("{type: decimal, default: 0.10, description: Rate (default 0.1)}", "L613"),
        ("{type: bool, default: true, description: Dry run (default false)}", "L613"),
        ("{type: bool, default: true, description: Dry run (default True)}", "L613"),
        ("{type: string, default: EUR, description: Currency (default EUR)}", "L613"),
        ('{type: string, description: Currency (default "EUR")}', "L613"),
        (
            "{type: string, enum: [a, b], default: a, description: Kind (default b)}",
            "L613",
        ),
        ("{type: int, default: 10, description: By default all are counted}", None),
        ("{type: string, default: x, description: In the default sort order}", None),
        ("{type: date, description: Defaults to today}", None),
        ("{type: int, description: How many; 10 is enough}", None),
        ("{type: int, default: 10, description: How many}", None),
    ],
)
def test_a_default_in_prose_is_told(field: str, code: str | None) -> None:
    text = argument(f"count: {field}")
    expected = [] if code is None else [code]
    assert expected == codes(text, about("L613", "L613"))


def test_what_a_contradiction_says() -> None:
    text = argument("count: {type: int, default: 10, description: Default 20}")
    said = "the description of `count` says that `20` is the default, but it is `10`"
    assert f"L613 6:5 {said}" == told(text, about("L613"))


@pytest.mark.parametrize(
    ("field", "count"),
    [
        ("{type: string, description: add|sub|mul|div}", 1),
        ("{type: string, description: 'One of a, b or c'}", 1),
        ("{type: 'string[]', description: 'Possible values: open, paid'}", 1),
        ("{type: string, enum: [a, b], description: One of a or b}", 0),
        ("{type: string, description: One of the customers}", 0),
        ("{type: string, description: 'Any text, even long'}", 0),
        ("{type: int, description: 'one of 1, 2 or 3'}", 0),
    ],
)
def test_choices_that_stand_only_in_prose_are_told(field: str, count: int) -> None:
    assert count == len(linted(argument(f"state: {field}"), about("L615")))


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("value: {type: primitive, description: What}", "text, number or boolean"),
        ("value: {type: object?, description: What}", "object"),
        ("value: {type: array, description: What}", "list"),
        ("value: {type: 'string[]', description: What}", None),
        ("value: {description: What, fields: {a: int}}", None),
    ],
)
def test_types_that_take_anything(field: str, expected: str | None) -> None:
    said = told(argument(field), about("L608"))
    assert said == (f"L608 6:5 `value` accepts any {expected}" if expected else "")


def test_lint_looks_into_pasted_schemas() -> None:
    schema = """\
properties:
      free: {description: What}
      told: {description: What, oneOf: [{type: string}, {type: array}]}
      bare: {type: string}
      deep: {type: object, properties: {inner: {type: integer}}}
"""
    said = told(f"{TOOL}arguments:\n  inline:\n    {schema}", about("L602", "L608"))
    assert said.split("\n") == [
        "L608 7:7 `free` accepts any JSON",
        "L602 9:7 `bare` has no description",
        "L602 10:41 `inner` has no description",
    ]


def test_fields_of_entities_are_told_once_and_only_where_a_caller_fills_them() -> None:
    text = """\
type: entity
name: Page
fields: {limit: int}
---
type: entity
name: Point
fields: {x_axis: float, back: Point?}
---
type: entity
name: Result
fields: {total: int}
---
type: entity
name: Colour
description: The colour of a point.
enum: [red, blue]
---
type: python_function
name: first_one
arguments: {entity_ref: Page, inline: {at: Point, paint: Colour}}
returns: Result
---
type: python_function
name: other_one
arguments: {entity_ref: Page, inline: {path: 'Point[]', hidden: {type: int, llm: false}}}
"""
    assert told(text, about("L602")).split("\n") == [
        "L602 3:10 `limit` has no description",
        "L602 7:10 `x_axis` has no description",
        "L602 7:25 `back` has no description",
        "L602 20:40 `at` has no description",
        "L602 25:40 `path` has no description",
    ]


def test_names_that_cannot_stand_side_by_side_are_not_also_alike(
    tmp_path: Path,
) -> None:
    said: list[list[str]] = []
    for number, name in enumerate(("findOrders", "find_order")):
        specs = tmp_path / str(number)
        write_example(specs, f"{TOOL}---\n{TOOL.replace('find_orders', name)}")
        said.append([each.rule.code for each in check(specs, linted=True)])
    assert [["T402"], ["L604"]] == said


def _listing(argument: str, limit: str = "LIMIT :n") -> str:
    return (
        "type: sql_function\nname: find_orders\ndescription: List the newest first.\n"
        f"arguments:\n  inline:\n    n: {argument}\nreturns: 'int[]'\n"
        f"sql: SELECT id FROM orders ORDER BY id {limit}\n"
    )


@pytest.mark.parametrize(
    ("argument", "limit", "expected"),
    [
        ("int", "LIMIT :n", ["L620"]),
        ("{type: int, default: 5, minimum: 1}", "LIMIT :n", ["L620"]),
        ("{type: int, maximum: 50}", "LIMIT :n", []),
        ("{type: int, exclusiveMaximum: 50}", "LIMIT :n", []),
        ("{type: int, enum: [5, 10]}", "LIMIT :n", []),
        ("{type: int, llm: false}", "LIMIT :n", []),
        ("int", "LIMIT min(:n, 50)", []),
        ("int", "LIMIT 5 OFFSET :n", []),
        ("int", "LIMIT :n, 5", []),
        ("int", "LIMIT 5, :n", ["L620"]),
    ],
)
def test_a_limit_without_an_end(argument: str, limit: str, expected: list[str]) -> None:
    assert expected == codes(_listing(argument, limit), about("L620"))


def test_a_limit_without_an_end_can_be_meant() -> None:
    waived = "{type: int, x-lint-ignore: {L620: the table has ten rows}}"
    assert [] == codes(_listing(waived), about("L620", "L690"))
