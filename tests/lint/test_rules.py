"""Each lint rule: what it tells, and what it lets pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.lint.options import (
    LintOptions,
    rules_named,
    select_severities,
)
from support.linted import linted, linted_folder

ROOT = Path(__file__).parents[2]
TOOL = "type: python_function\nname: find_orders\ndescription: List the newest first.\n"


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


def test_the_size_of_a_tool() -> None:
    text = argument(f"a_long_name: {{type: string, description: {'words ' * 1600}}}")
    (said,) = linted(text, about("L607"))
    assert "`find_orders` takes about 2" in said.message
    assert [] == linted(text.replace("words " * 900, ""), about("L607"))


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
