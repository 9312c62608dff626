"""Mistakes of first specs, which say it as other tools do: one error each, and what is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.project import build

TOOL = """\
type: python_function
name: find_orders
description: List the orders of a customer, newest first.
"""
HTTP = """\
type: http_function
name: read_user
description: Read a user by number.
arguments: {inline: {number: {type: int, description: Number of the user}}}
returns: object
"""
ORDER = "type: entity\nname: Order\nfields: {total: int}\n---\n"
_ENTRIES = {
    "varchar(20)": ("S224", "{type: string, maxLength: 20}"),
    "'decimal(10, 2)'": ("S224", "{type: decimal, precision: 10, scale: 2}"),
    "NUMERIC(10)": ("S224", "{type: decimal, precision: 10}"),
    "enum(open, closed)": ("S224", "{type: string, enum: [open, closed]}"),
    "Literal['open', 'closed']": ("S224", "{type: string, enum: [open, closed]}"),
    "int!": ("S224", "int"),
    "[Order]": ("S230", "Order[]"),
    "[open, closed]": ("S230", "{type: string, enum: [open, closed]}"),
    "{type: enum, enum: [open]}": ("R321", "string"),
    "{enum: [open, closed]}": ("S231", "type: string"),
    "{enum: [1, 2], description: Step}": ("S231", "type: int"),
    "{default: 1.5}": ("S231", "type: float"),
    "{default: true}": ("S231", "type: bool"),
    "{type: date, nullable: true}": ("S203", "type: T?"),
    "{$ref: '#/components/schemas/Order'}": ("S232", "type: Order"),
    "{$ref: order.json}": ("S232", "type: order"),
}
_SPECS = {
    "fields beside the name of an entity": (
        "type: entity\nname: Order\ndescription: An order.\nid: int\ntotal: decimal\n",
        [("S261", ("fields: {id: int, total: decimal}",))],
    ),
    "a list of pairs": (
        "type: entity\nname: Order\nfields:\n  - id: int\n  - total: decimal\n",
        [
            ("S202", ("{name: id, type: int}",)),
            ("S202", ("{name: total, type: decimal}",)),
        ],
    ),
    "an entity for the arguments": (
        f"{ORDER}{TOOL}arguments: Order\n",
        [("S202", ("{entity_ref: Order}",))],
    ),
    "a reference for the arguments": (
        f"{ORDER}{TOOL}arguments: {{$ref: Order}}\n",
        [("S203", ("entity_ref",))],
    ),
    "required as in JSON Schema": (
        f"{TOOL}arguments:\n  inline:\n    since: date\n  required: [since]\n",
        [("S232", ())],
    ),
    "a request that is flat": (
        f"{HTTP}url: https://api.example.com/users\nmethod: GET\n",
        [("S211", ("request: {url: https://api.example.com/users, method: GET}",))],
    ),
    "one host where a list is due": (
        f"{HTTP}request: {{url: 'https://api.example.com/users?id=${{number}}'}}\n"
        "allowedHosts: api.example.com\n",
        [("S202", ("[api.example.com]",))],
    ),
    "a tool of MCP": (
        "name: find_orders\ndescription: Find orders\ninputSchema: {type: object}\n",
        [("S206", ())],
    ),
}


@pytest.mark.parametrize(("entry", "told"), _ENTRIES.items())
def test_an_entry_of_others(tmp_path: Path, entry: str, told: tuple[str, str]) -> None:
    code, meant = told
    text = f"{TOOL}arguments:\n  inline:\n    since: {entry}\n"
    found = [*build(tmp_path, {"a.yaml": text}).found]
    errors = [each for each in found if each.rule.severity == "error"]
    assert [(code, (meant,))] == [(each.rule.code, each.suggestions) for each in errors]


@pytest.mark.parametrize("case", _SPECS)
def test_a_spec_of_others(tmp_path: Path, case: str) -> None:
    text, expected = _SPECS[case]
    found = build(tmp_path, {"a.yaml": text}).found
    assert expected == [(each.rule.code, each.suggestions) for each in found]
