"""The ledger of losses, the sizes of descriptors, and what settings make of both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from brimgen.emit import EMITTERS
from brimgen.emit.losses import losses_file, losses_of
from brimgen.emit.tokens import estimate, sizes, totals
from brimgen.model.project import DescriptorOptions
from brimgen.model.targets import TARGETS, profile_names
from support.made import catalog, tool
from support.profiles import PROFILES
from support.project import Built, build

KNOWN = profile_names()
ALL = DescriptorOptions(profiles=KNOWN)
SPEC = """\
type: python_function
name: pay
description: Pay.
arguments:
  inline:
    amount: decimal
    share: {type: decimal, precision: 20, scale: 2}
    note: {type: string, maxLength: 10}
    hidden: {type: string, from_context: app.user.id, maxLength: 77}
returns: {type: decimal, description: the balance}
---
type: template_function
name: greet
description: Greet.
arguments:
  inline:
    who: {type: string, maxLength: 5}
template: "Hello {{ args.who }}"
"""


def ledger(made: Built) -> list[Any]:
    """``losses.json`` of a project."""
    chosen = [each for each in EMITTERS if each.default or each.target.profiles]
    file = losses_file(made.catalog, chosen)
    assert file is not None
    listed: list[Any] = json.loads(file.text)
    return listed


def test_settings_and_rows_name_the_same_profiles() -> None:
    assert KNOWN == tuple(each.name for each in PROFILES)
    describing = {each.name for each in TARGETS if each.profiles}
    assert {each.target for each in PROFILES} == describing
    accounting = {each.name for each in EMITTERS if each.losses and each.descriptors}
    assert accounting == describing


def test_the_ledger_is_sorted_and_points_into_the_tool(tmp_path: Path) -> None:
    made = build(tmp_path, {"pay.yaml": SPEC}, descriptors=ALL)
    listed = ledger(made)
    keys = [(e["tool"], e["path"], e["keyword"], e["profile"]) for e in listed]
    assert keys == sorted(keys)
    assert len(keys) == len(set(keys))
    note = {
        e["profile"]: (e["value"], e["recovered_by"])
        for e in listed
        if e["path"] == "/input/properties/note" and e["keyword"] == "maxLength"
    }
    lengths = ("openai", "openai_azure", "anthropic_strict", "gemini")
    assert dict.fromkeys(lengths, (10, "text")) == note
    assert "hidden" not in json.dumps(listed)
    assert "77" not in json.dumps(listed)
    assert ["text"] == [
        e["recovered_by"]
        for e in listed
        if e["tool"] == "greet" and e["keyword"] == "maxLength"
    ]
    assert {"anthropic": "text", "anthropic_strict": "text"} == {
        e["profile"]: e["recovered_by"] for e in listed if e["keyword"] == "returns"
    }


def test_decimals_are_told_and_long_ones_are_lost(tmp_path: Path) -> None:
    made = build(tmp_path, {"pay.yaml": SPEC}, targets=("mcp",))
    [pay] = made.sent("mcp/tools.json")["tools"]
    properties = pay["inputSchema"]["properties"]
    assert {"type": "number", "description": "(decimal)"} == properties["amount"]
    assert properties["share"]["description"].endswith("(at most 2 decimals)")
    how = {
        (e["path"], e["profile"]): e["recovered_by"]
        for e in ledger(made)
        if e["keyword"] == "x-decimal"
    }
    assert "text" == how["/input/properties/amount", "mcp"]
    assert "none" == how["/input/properties/share", "mcp"]


def test_a_file_with_no_losses_is_an_empty_list() -> None:
    file = losses_file(catalog(), EMITTERS)
    assert file is not None
    assert [] == json.loads(file.text)
    silent = [each for each in EMITTERS if each.losses is None]
    assert losses_of(catalog(), silent) is None
    assert losses_file(catalog(), silent) is None


def test_one_entry_is_one_line(tmp_path: Path) -> None:
    made = build(tmp_path, {"pay.yaml": SPEC})
    losses = losses_of(made.catalog, EMITTERS) or ()
    file = losses_file(made.catalog, EMITTERS)
    assert file is not None
    lines = file.text.splitlines()
    assert len(losses) + 2 == len(lines)
    assert ("[", "]") == (lines[0], lines[-1])
    told = [json.loads(line.rstrip(",")) for line in lines[1:-1]]
    assert [
        (each.tool, each.path, each.keyword, each.value, each.profile)
        for each in losses
    ] == [(e["tool"], e["path"], e["keyword"], e["value"], e["profile"]) for e in told]


@pytest.mark.parametrize(
    ("descriptor", "tokens"), [({}, 1), ({"a": "é"}, 3), ({"a": [1, 2]}, 3)]
)
def test_four_bytes_are_a_token(descriptor: Any, tokens: int) -> None:
    assert tokens == estimate(descriptor)


def test_sizes_are_those_of_all_chosen_profiles() -> None:
    made = catalog(tool("a"), tool("b", description="x" * 400), descriptors=ALL)
    found = sizes(made, EMITTERS)
    assert set(KNOWN) == {each.profile for each in found}
    for profile in KNOWN:
        own = {each.tool: each.tokens for each in found if each.profile == profile}
        assert own["b"] - own["a"] in range(100, 106)
        assert sum(own.values()) == totals(found)[profile]


TWICE = """\
type: entity
name: Place
fields:
  city: { type: string, maxLength: 40 }
  zone: { type: string, minLength: 2 }
---
type: python_function
name: ship
description: Ship.
arguments:
  inline:
    sender: { type: Place, description: Who sends. }
    receivers: { type: "Place[]", maxItems: 3 }
    note: { type: string, maxLength: 40 }
"""


def test_what_an_entity_loses_is_listed_once_however_often_a_tool_has_it(
    tmp_path: Path,
) -> None:
    made = build(tmp_path, {"a.yaml": TWICE}, targets=("openai",))
    of_openai = [
        (each["path"], each["keyword"])
        for each in ledger(made)
        if each["profile"] == "openai"
    ]
    assert ("/input/properties/sender/properties/city", "maxLength") in of_openai
    assert ("/input/properties/sender/properties/zone", "minLength") in of_openai
    assert ("/input/properties/note", "maxLength") in of_openai
    assert not [path for path, _ in of_openai if "receivers/items/properties" in path]
