"""A small change of a spec is a small change of what is generated, over all targets."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

import pytest

from brimgen.emit import EMITTERS
from brimgen.emitting import emitted
from brimgen.model.project import Project
from running.packages import errors, link

SPECS = """
type: sql_function
name: find_orders
description: Find orders of a customer.
sql: SELECT order_id, total FROM orders WHERE customer_id = :customer_id AND total >= :least
arguments:
  inline:
    customer_id: { type: int, minimum: 1, maximum: 58217, description: Whose orders }
    least: { type: float, default: 0, minimum: 0, description: Smallest total }
    tenant: { type: string, from_context: app.tenant }
returns: Order[]
---
type: entity
name: Order
fields:
  order_id: int
  total: float
  note: { type: string, maxLength: 58217, required: false }
---
type: http_function
name: track
description: Ask where a parcel is.
arguments:
  inline:
    parcel: { type: string, pattern: "^[A-Z]{2}$" }
    depth: { type: int, default: 1, maximum: 58217 }
allowedHosts: [example.com]
request:
  urlTemplate: https://example.com/parcels/${parcel}
  query: { depth: "${depth}" }
returns: Order
---
type: python_function
name: geo_search
description: Find places.
arguments:
  inline:
    center: { type: string, minLength: 1, description: Where }
    code: { type: string, pattern: "^[A-Z]{2}$" }
    area: { type: string, pattern: "^[A-Z]{2}$", required: false }
    limit: { type: int, default: 10, minimum: 1, maximum: 58217, description: Longest list }
    unit: { type: string, enum: [km, mi, furlong, league, parsec], default: km }
    orders: { type: "Order[]", required: false }
    since: { type: date, required: false }
returns: string[]
"""


COUNTS = {"catalogue"}
"""Targets that count the tokens of a tool: any change of it changes the line of its counts."""


class Change(NamedTuple):
    """What became of one file: how many places differ, what went and what came."""

    path: str
    places: int
    removed: list[str]
    added: list[str]


def _files(text: str) -> dict[str, str]:
    catalog, found = link(text.split("---\n"), Project(package="small"))
    assert [] == [each.message for each in errors(found)]
    emitters = [each for each in EMITTERS if each.name not in COUNTS]
    return {each.path: each.text for _, each in emitted(catalog, emitters)}


def _changes(was: str, becomes: str) -> Iterator[Change]:
    assert 1 == SPECS.count(was)
    old, new = _files(SPECS), _files(SPECS.replace(was, becomes))
    assert old.keys() == new.keys()
    for path in sorted(old):
        a, b = old[path].splitlines(), new[path].splitlines()
        edits = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        edits = [each for each in edits if each[0] != "equal"]
        if edits:
            removed = [line for each in edits for line in a[each[1] : each[2]]]
            added = [line for each in edits for line in b[each[3] : each[4]]]
            yield Change(path, len(edits), removed, added)


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("58217", "93406"),
        ("Find places.", "Look for places."),
        ("Longest list", "Longest rows"),
    ],
)
def test_another_bound_or_text_changes_the_lines_that_say_it(
    was: str, becomes: str
) -> None:
    old, new = _files(SPECS), _files(SPECS.replace(was, becomes))
    assert any(was in text for text in old.values())
    assert new == {path: text.replace(was, becomes) for path, text in old.items()}


def test_a_field_more_adds_lines_and_changes_those_that_require_it() -> None:
    radius = (
        "radius: { type: float, required: false, minimum: 0, description: How far }"
    )
    changes = list(_changes("    since:", f"    {radius}\n    since:"))
    removed = [line.strip() for each in changes for line in each.removed]
    assert all(line.startswith('"required": [') for line in removed)
    assert len(removed) <= 2  # a strict provider wants every argument
    tools = "python/small/tools/geo_search.py"
    places = {each.path: each.places for each in changes}
    assert 12 >= places.pop(tools)
    assert {1, 2} >= set(places.values())
    [module] = [each for each in changes if each.path == tools]
    unnamed = [line.strip() for line in module.added if "radius" not in line]
    assert ['"""How far"""'] == unnamed


def test_fields_that_say_the_same_do_not_share_a_line() -> None:
    """Of two equal patterns, one is changed: nothing is said otherwise of the other."""
    changes = list(
        _changes(
            'area: { type: string, pattern: "^[A-Z]{2}$"',
            'area: { type: string, pattern: "^[A-Z]{3}$"',
        )
    )
    for each in changes:
        assert each.added == [line.replace("{2}", "{3}") for line in each.removed]
        assert 3 >= each.places


def test_a_tool_changes_no_module_of_another() -> None:
    changes = _changes("description: Where }", "description: Where to look }")
    modules = [each.path for each in changes if "tools/" in each.path]
    assert modules
    assert [] == [
        each for each in modules if "geo_search" not in each and "/tools/" in each
    ]
