"""The ledger of losses, the sizes of descriptors, and what settings make of both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from brimgen.emit import EMITTERS
from brimgen.emit.losses import losses_file
from support.project import Built, build

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
