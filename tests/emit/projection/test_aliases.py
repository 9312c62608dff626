"""Arguments whose names a provider refuses: sent as aliases, and read under their own names."""

from __future__ import annotations

import re
from typing import Any

import pytest
from google.genai import types as sdk

from brimgen.emit.projection.aliases import aliases_of
from support.project import Built, build

ADDRESS = """
type: entity
name: Address
fields:
  zip code: string
  city: string?
"""
FIND = """
type: python_function
name: find_orders
description: Find orders since `from-date`.
arguments:
  inline:
    from-date: { type: date, description: The first day }
    place: { fields: { zip code: string, from_date: { type: date, required: false } } }
    homes: Address[]
    labels: { type: object, required: false }
"""
TREE = """
type: python_function
name: trim
description: Trim a tree.
arguments:
  inline:
    type: object
    properties:
      größe: { type: integer }
      node: { $ref: "#/$defs/Node" }
      pick:
        oneOf:
          - { type: object, properties: { a-b: { const: x } }, required: [a-b] }
          - { type: string }
    required: [größe]
    dependentRequired: { node: [größe] }
    additionalProperties: false
    $defs:
      Node:
        type: object
        properties:
          max-depth: { type: integer }
          below: { type: array, items: { $ref: "#/$defs/Node" } }
        additionalProperties: false
"""
PING = """
type: python_function
name: ping
description: Ping.
arguments: { inline: { host: string } }
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The generated package, with the files of the Gemini target."""
    specs = {"a.yaml": "---".join([ADDRESS, FIND, TREE, PING])}
    targets = ("python", "dispatch", "gemini")
    folder = tmp_path_factory.mktemp("aliased")
    return build(folder, specs, targets=targets, profiles=("gemini", "gemini_openapi"))


CALLS = {
    "find_orders": (
        {
            "from_date_2": "2026-01-01",
            "place": {"zip_code": "1", "from_date": "2026-01-02"},
            "homes": [{"zip_code": "2"}, {"zip_code": "3", "city": "Ulm"}],
            "labels": {"zip_code": "free", "from_date_2": "free"},
        },
        {
            "from-date": "2026-01-01",
            "place": {"zip code": "1", "from_date": "2026-01-02"},
            "homes": [{"zip code": "2"}, {"zip code": "3", "city": "Ulm"}],
            "labels": {"zip_code": "free", "from_date_2": "free"},
        },
    ),
    "trim": (
        {
            "gro_e": 1,
            "pick": {"a_b": "x"},
            "node": {"max_depth": 1, "below": [{"below": [{"max_depth": 2}]}]},
        },
        {
            "größe": 1,
            "pick": {"a-b": "x"},
            "node": {"max-depth": 1, "below": [{"below": [{"max-depth": 2}]}]},
        },
    ),
    "ping": ({"host": "h"}, {"host": "h"}),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_of_gemini_is_read_under_the_names_of_the_tool(
    built: Built, name: str
) -> None:
    """What stands in an open object is the caller's, and stays as it is."""
    sent, meant = CALLS[name]
    call = sdk.FunctionCall(name=name, args=sent)
    read = built.load("aliases").arguments_of(call.name, call.args)
    assert meant == read
    input_type = built.tool(name).input_type
    assert input_type.from_dict(meant) == input_type.from_dict(read)


def test_a_name_beside_its_alias_is_refused_and_nothing_is_overwritten(
    built: Built,
) -> None:
    read = built.load("aliases").arguments_of("trim", {"gro_e": 1, "größe": 2})
    assert {"gro_e": 1, "größe": 2} == read
    with pytest.raises(ValueError, match="gro_e"):
        built.tool("trim").input_type.from_dict(read)


def test_a_call_as_deep_as_memory_is_read(built: Built) -> None:
    node: dict[str, Any] = {"max_depth": 1}
    for _ in range(20_000):
        node = {"below": [node]}
    read = built.load("aliases").arguments_of("trim", {"node": node})["node"]
    while "below" in read:
        [read] = read["below"]
    assert {"max-depth": 1} == read


def test_aliases_are_names_of_nothing_else() -> None:
    long = "x" * 64
    names = ["a-b", "a b", "A-B", "A_b", "größe", "日付", "2fa", f"{long}x", f"{long}y"]
    made = aliases_of(names, ["a_B_2"])
    assert {*names} - {"A_b"} == {*made}
    lowered = [each.casefold() for each in made.values()]
    assert len({*lowered}) == len(lowered)
    assert {*lowered}.isdisjoint({"a_b", "a_b_2"})
    assert all(
        re.fullmatch("[A-Za-z_][A-Za-z0-9_]{0,63}", each) for each in made.values()
    )
    assert made == aliases_of(names[::-1], ["a_B_2"])
