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
    "array of strings": ("S224", "string[]"),
    "int = 10": ("S224", "{type: int, default: 10}"),
    "bool = False": ("S224", "{type: bool, default: false}"),
    "str = 'open'": ("S224", "{type: str, default: 'open'}"),
    "datetime.date": ("S224", "date"),
    "decimal.Decimal": ("S224", "decimal"),
    "{in: query, type: int}": ("S203", ""),
    "{title: At, schema: {type: integer, minimum: 1}}": (
        "S203",
        "type: integer, minimum: 1",
    ),
    "{properties: {at: {type: date}}}": ("S203", "fields"),
    "{type: int, const: 5}": ("S203", "enum: [5]"),
    "[Order]": ("S230", "Order[]"),
    "[open, closed]": ("S230", "{type: string, enum: [open, closed]}"),
    "{type: enum, enum: [open]}": ("R311", "string"),
    "{enum: [open, closed]}": ("S230", "type: string"),
    "{enum: [1, 2], description: Step}": ("S230", "type: int"),
    "{default: 1.5}": ("S230", "type: float"),
    "{default: true}": ("S230", "type: bool"),
    "{type: date, nullable: true}": ("S203", "type: T?"),
    "{$ref: '#/components/schemas/Order'}": ("S203", "type: Order"),
    "{$ref: order.json}": ("S203", "type: order"),
}
_SPECS = {
    "fields beside the name of an entity": (
        "type: entity\nname: Order\ndescription: An order.\nid: int\ntotal: decimal\n",
        [("S260", ("fields: {id: int, total: decimal}",))],
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
        [("S203", ())],
    ),
    "a request that is flat": (
        f"{HTTP}url: https://api.example.com/users\nmethod: GET\n",
        [("S203", ("request: {url: https://api.example.com/users, method: GET}",))],
    ),
    "one host where a list is due": (
        f"{HTTP}request: {{url: 'https://api.example.com/users?id=${{number}}'}}\n"
        "allowedHosts: api.example.com\n",
        [("S202", ("[api.example.com]",))],
    ),
    "an operation of OpenAPI": (
        "type: http_function\nname: read_user\ndescription: Read a user.\n"
        "parameters: [{name: id, in: path, schema: {type: integer}}]\n"
        "request: {url: 'https://api.example.com/users/{id}'}\n"
        "allowedHosts: [api.example.com]\nresponses: {'200': {description: A user}}\n",
        [
            ("S203", ()),
            ("S203", ("type: integer",)),
            ("R388", ("https://api.example.com/users/${id}",)),
            ("S203", ("returns",)),
        ],
    ),
    "a body of OpenAPI": (
        f"{TOOL}requestBody: {{content: {{}}}}\n",
        [("S203", ("arguments",))],
    ),
    "how one is known to a service": (
        f"{HTTP}request: {{url: 'https://api.example.com/users', auth: bearer}}\n"
        "allowedHosts: [api.example.com]\n",
        [("S202", ('{type: bearer, token: "…"}',))],
    ),
    "a tool of a toolbox": (
        "kind: postgres-sql\nname: find_orders\nstatement: SELECT 1\n",
        [("S201", ("type: sql_function",))],
    ),
    "a kind of a toolbox": (
        "type: postgres-sql\nname: find_orders\ndescription: Find orders.\n"
        "statement: SELECT 1\nsource: main\nreturns: int\n",
        [
            ("S205", ("sql_function",)),
            ("S203", ("sql",)),
            ("S203", ("connection",)),
        ],
    ),
    "a function call without its type": (
        "name: find_orders\nparameters: {type: object, properties: {}}\n",
        [("S201", ("type: python_function",))],
    ),
    "a list of tools": (
        "tools: [{name: find_orders, inputSchema: {type: object}}]\n",
        [("S205", ())],
    ),
    "a list of functions": (
        "tools: [{type: function, function: {name: find_orders}}]\n",
        [("S205", ())],
    ),
    "a JSON Schema": (
        "$schema: https://json-schema.org/draft/2020-12/schema\ntype: object\n"
        "properties: {id: {type: integer}}\n",
        [("S205", ())],
    ),
    "types where schemas are due": (
        f"{TOOL}arguments: {{properties: {{day: str, n: {{items: integer}}}}}}\n",
        [
            ("S235", ()),
            ("R343", ("{type: string}",)),
            ("R343", ("{type: integer}",)),
        ],
    ),
    "a URL as of a template": (
        f"{HTTP}request: {{url: 'https://api.example.com/users?id={{{{ number }}}}'}}\n"
        "allowedHosts: [api.example.com]\n",
        [("R388", ("${number}",))],
    ),
    "bounds of another type": (
        f"{TOOL}arguments: {{inline: {{name: {{type: string, min: 1, maximum: 9}}, "
        "many: {type: int, minLength: 2}}}\n",
        [
            ("R341", ("minLength",)),
            ("R341", ("maxLength",)),
            ("R341", ("minimum",)),
        ],
    ),
    "an end of a block": (
        "type: template_function\nname: ask\ndescription: Ask for the weather.\n"
        "arguments: {inline: {days: {type: 'string[]', description: Which}}}\n"
        "template: '{% for day in args.days %}{{ day }}{% end %}'\n",
        [("R393", ("endfor",))],
    ),
    "choices with bars": (
        "type: entity\nname: Size\nenum: small | large\n",
        [("S202", ("[small, large]",))],
    ),
    "headers as a list": (
        f"{HTTP}request: {{url: 'https://api.example.com/users', "
        "headers: [{name: X-Key, value: a}]}\nallowedHosts: https://api.example.com/v1\n",
        [("S202", ("{X-Key: a}",)), ("S202", ("[api.example.com]",))],
    ),
    "a tool of a store": (
        "type: http\nslug: read_file\nhttpImpl: {request: {}}\n",
        [
            ("S201", ("name: read_file",)),
            ("S205", ("http_function",)),
            ("S203", ("request: {}",)),
        ],
    ),
    "a list of names with their entries": (
        f"{TOOL}arguments:\n- since: date\n- limit: {{type: int, default: 10}}\n",
        [
            ("S202", ("{name: since, type: date}",)),
            ("S202", ("{name: limit, type: int, default: 10}",)),
        ],
    ),
    "a description of what is not there, beside a type that is none": (
        f"{TOOL}arguments:\n  descriptions: {{radius: How far, most: How many}}\n"
        "  inline: {radiusKm: float, most: optional int}\n",
        [("R326", ("radiusKm",)), ("S224", ("int?",))],
    ),
    "a leaf of a type alone": (
        "type: leaf\nname: address\nschema: string\n",
        [("S202", ("{type: string}",))],
    ),
    "roles in capitals, and a message without a content": (
        "type: template_function\nname: ask\ndescription: Ask for the weather.\n"
        'template: "<System>\\nHi\\n<user>\\nHello\\n</user>"\n---\n'
        "type: template_function\nname: tell\ndescription: Tell the weather.\n"
        "messages: [{role: user, text: hi}]\n",
        [("S276", ("<system>",)), ("S203", ("content",))],
    ),
    "hints beside the others": (
        f"{TOOL}readOnlyHint: true\nfn: shop.orders:find\n",
        [("S203", ("mcp: {readOnlyHint: true}",)), ("S203", ("handler",))],
    ),
    "a message of MCP": (
        "type: template_function\nname: ask\ndescription: Ask for the weather.\n"
        "messages: [{role: user, content: {type: text, text: Hello}}]\n",
        [("S202", ('"Hello"',))],
    ),
    "a tool of MCP": (
        "name: find_orders\ndescription: Find orders\ninputSchema: {type: object}\n",
        [("S205", ())],
    ),
}


@pytest.mark.parametrize(("entry", "told"), _ENTRIES.items())
def test_an_entry_of_others(tmp_path: Path, entry: str, told: tuple[str, str]) -> None:
    code, meant = told
    text = f"{TOOL}arguments:\n  inline:\n    since: {entry}\n"
    found = [*build(tmp_path, {"a.yaml": text}).diagnostics]
    errors = [each for each in found if each.rule.severity == "error"]
    expected = [(code, (meant,) if meant else ())]
    assert expected == [(each.rule.code, each.suggestions) for each in errors]


@pytest.mark.parametrize("case", _SPECS)
def test_a_spec_of_others(tmp_path: Path, case: str) -> None:
    text, expected = _SPECS[case]
    diagnostics = build(tmp_path, {"a.yaml": text}).diagnostics
    assert expected == [(each.rule.code, each.suggestions) for each in diagnostics]
