"""Faults of each kind, in each kind of file in which they can occur: `verify` finds them all.

A fault is planted as an emitter could make it. The judge has no fresh build to compare with, so
that it finds it by the spec alone. `test_the_page_has_the_table` keeps the table of docs/verify.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from brimgen.agreement.descriptor_file_laws import lists_of
from brimgen.agreement.descriptors import name_of
from brimgen.agreement.file_kinds import COMPARED, FILE_KINDS, kind_of
from brimgen.agreement.file_laws import check_files
from brimgen.agreement.report import Difference, Report
from brimgen.agreement.verify import agreement
from brimgen.emit import EMITTERS
from brimgen.emit.account import Descriptor, Loss
from brimgen.emit.losses import losses_file, losses_of
from brimgen.frozen import replace
from brimgen.model.project import DescriptorOptions
from brimgen.model.targets import TARGETS
from support.project import Built, build

SPECS = """\
type: entity
name: Item
description: A thing for sale.
fields:
  sku: { type: string, pattern: "^[A-Z]{2}-[0-9]{4}$" }
  price: { type: decimal, minimum: 0, precision: 10, scale: 2 }
---
type: entity
name: Colour
enum: [red, green, blue]
---
type: bundle
name: shop
id: 018f3c5e-7a10-7c2e-9b1a-3f5d8e6c4a21
displayName: Shop
description: Things.
---
type: sql_function
name: find_items
bundle: shop
connection: default
description: List what is in stock, the newest first.
arguments:
  inline:
    query: { type: string, minLength: 2, maxLength: 40, description: What to look for }
    limit: { type: int, default: 10, minimum: 1, maximum: 100 }
    colour: { type: Colour, required: false }
    shop: { type: int, from_context: app.shop.id }
sql: |
  SELECT id, total FROM items
  WHERE name = :query AND shop = :shop AND :colour IS NULL AND id > 7 LIMIT :limit
returns: { inline: { id: int, total: int } }
---
type: python_function
name: add_item
handler: back:add
description: Put a thing on the shelf.
when_to_use: Use for deliveries.
mcp: { idempotent: true }
arguments:
  inline:
    item: Item
    note: { type: string, maxLength: 9 }
    user: { type: int, from_context: app.user.id }
returns: Item
---
type: http_function
name: send_item
bundle: shop
description: Delete a thing at the carrier.
arguments:
  inline:
    id: { type: int, minimum: 1 }
    kind: { type: string, enum: [a, b], default: a }
allowedHosts: [example.com]
secrets: [CARRIER]
request:
  method: DELETE
  auth: { type: bearer, token: "${CARRIER}" }
  urlTemplate: https://example.com/items/${id}
  query: { kind: "${kind}" }
returns: { inline: { ok: bool } }
---
type: template_function
name: greet
description: Say hello to a customer.
arguments:
  inline:
    name: { type: string, maxLength: 20, description: Who }
    agent: { type: string, from_context: app.user.name }
    tone: { type: string, enum: [warm, cold], default: warm }
template: "Hello {{ args.name }}, {% if args.tone == 'warm' %}dear{% endif %} friend."
---
type: resource
name: page
description: Read a page of the manual.
path: /pages/{section}/{id}
arguments:
  inline:
    section: { type: string, enum: [x, y] }
    id: { type: int, minimum: 3, maximum: 9 }
returns: string
handler: back:page
"""
PROFILES = ("openai", "mcp", "anthropic", "gemini")


class Planted(NamedTuple):
    """A fault: a text of a file is another one; what is told names ``tool`` and ``field``."""

    path: str
    old: str
    new: str
    tool: str
    field: str


BOUND, ENUM, FIELD, TYPE = "bound", "enum", "dropped field", "wrong type"
COLUMNS, TEXT, HINT = "swapped columns", "SQL text", "hint"
DEFAULT, ENTRY, LEDGER = "default in words", "list entry", "ledger row"
HIDDEN, REACH = "hidden argument shown", "host, time or secret"
EMPTIED, MISSING = "emptied", "missing"
KINDS = (
    *(BOUND, ENUM, FIELD, TYPE, COLUMNS, TEXT, HINT, DEFAULT, ENTRY, LEDGER),
    *(HIDDEN, REACH, EMPTIED, MISSING),
)

GONE = "the row is gone"
NO_FILE = "the file is gone"

P = "python/{package}/"
INPUT = "json_schema/tools/find_items.input.json"
MODULE, ROWS = P + "tools/find_items.py", P + "sql/find_items.py"
BINDINGS, FILE = "sql/find_items.json", "sql/find_items.sqlite3.sql"
REQUEST, SERVICE, SERVER = (
    P + "http/send_item.py",
    P + "service.py",
    P + "mcp_server.py",
)
HANDLERS = P + "handlers.py"
LISTS = P + "descriptors/"
OPENAI, MCP = LISTS + "openai/responses.json", LISTS + "mcp/tools.json"
ANTHROPIC, GEMINI = LISTS + "anthropic/tools.json", LISTS + "gemini/tools.json"
PROMPTS, PAGES = LISTS + "mcp/prompts.json", LISTS + "mcp/resource_templates.json"
TYPES, PAGE, ALL = (
    "typescript/tools.ts",
    "docs/tools/find_items.md",
    "catalogue/index.html",
)
OPENAPI, COMMANDS = "openapi/openapi.json", "commands/available_commands.json"
LOSSES, BUNDLES, STORE = "losses.json", P + "bundles.json", "flexigpt/send-item_v1.json"

MEMBERS = '["red", "green", "blue"]'
LIMIT = '"limit": {"type": "integer", "minimum": 1, "maximum": 100'
OPEN_LIMIT = '{"type": "integer", "minimum": 1, "maximum": 100}'
COLOUR = '"colour": {"type": "string", "enum": ["red", "green", "blue"]}'


def schema_faults(path: str, after: str = "") -> dict[str, list[Planted]]:
    """The faults of a schema of `find_items`, which is written as brimgen writes JSON."""
    plain = LIMIT + ', "default": 10'
    return {
        BOUND: [Planted(path, LIMIT, LIMIT[:-1] + "1", "find_items", "limit")],
        ENUM: [Planted(path, MEMBERS, '["red", "blue"]', "find_items", "colour")],
        FIELD: [Planted(path, f",{after}{COLOUR}", "", "find_items", "colour")],
        TYPE: [
            Planted(
                path, LIMIT, LIMIT.replace("integer", "string"), "find_items", "limit"
            )
        ],
        DEFAULT: [Planted(path, plain, plain[:-1] + "1", "find_items", "limit")],
    }


def descriptor_faults(path: str, *, in_words: str) -> dict[str, list[Planted]]:
    """The faults of a descriptor of `find_items`."""
    return {
        BOUND: [
            Planted(path, '"maximum": 100', '"maximum": 101', "find_items", "limit")
        ],
        ENUM: [Planted(path, MEMBERS, '["red", "blue"]', "find_items", "colour")],
        FIELD: [Planted(path, '"colour": {', '"color": {', "find_items", "colour")],
        TYPE: [
            Planted(
                *(path, '"type": "integer"', '"type": "number"'),
                *("find_items", "limit"),
            )
        ],
        DEFAULT: [
            Planted(path, in_words, in_words.replace("10", "11"), "find_items", "limit")
        ],
        ENTRY: [
            Planted(path, '"name": "find_items"', '"name": "find"', "find_items", "")
        ],
    }


FAULTS: dict[str, dict[str, list[Planted]]] = {
    INPUT: schema_faults(INPUT, "\n    "),
    MODULE: {
        BOUND: [
            Planted(MODULE, "1 <= limit <= 100", "1 <= limit", "find_items", "limit"),
            Planted(
                MODULE, "len(query) <= 40", "len(query) <= 41", "find_items", "query"
            ),
        ],
        ENUM: [Planted(MODULE, '"green", "blue"', '"green"', "find_items", "colour")],
        FIELD: [Planted(MODULE, ', "limit": self.limit', "", "find_items", "limit")],
        TYPE: [
            Planted(MODULE, "type(limit) is int and ", "", "find_items", "limit"),
        ],
        DEFAULT: [
            Planted(
                MODULE, 'get("limit", 10)', 'get("limit", 11)', "find_items", "limit"
            )
        ],
    },
    ROWS: {
        FIELD: [
            Planted(
                ROWS, '    _encode.Param("limit"', '    # _encode.Param("limit"', "", ""
            )
        ],
        TYPE: [
            Planted(
                ROWS, '"total", _decode.integer', '"total", _decode.text', "", "total"
            ),
            Planted(ROWS, '"limit", "int"', '"limit", "string"', "find_items", "limit"),
        ],
        COLUMNS: [
            Planted(ROWS, 'cells, "total"', 'cells, "id"', "find_items", "total"),
        ],
        TEXT: [Planted(ROWS, "id > 7", "id > 8", "find_items", "")],
        HINT: [Planted(ROWS, 'KIND: Final = "read"', 'KIND: Final = "write"', "", "")],
    },
    BINDINGS: {
        FIELD: [
            Planted(BINDINGS, '"limit": {"type"', '"limits": {"type"', "", "limits")
        ],
        TYPE: [
            Planted(
                *(BINDINGS, '"limit": {"type": "int"', '"limit": {"type": "string"'),
                *("", "limit"),
            )
        ],
        COLUMNS: [
            Planted(
                BINDINGS, '["id", "total"]', '["total", "id"]', "find_items", "total"
            )
        ],
        TEXT: [
            Planted(FILE, "id > 7", "id > 8", "find_items", ""),
        ],
        HINT: [
            Planted(
                BINDINGS,
                '"readOnlyHint": true',
                '"readOnlyHint": false',
                "",
                "readOnly",
            )
        ],
        DEFAULT: [Planted(BINDINGS, '"default": 10', '"default": 11', "", "limit")],
        ENTRY: [Planted(BINDINGS, '"name": "find_items"', '"name": "find"', "", "")],
    },
    REQUEST: {
        FIELD: [
            Planted(
                REQUEST,
                '    url += joined("?kind=", quoted(bound.kind, "kind"))\n',
                "",
                *("send_item", "kind"),
            )
        ],
        TYPE: [
            Planted(
                REQUEST, 'segment(bound.id, "id")', 'str(bound.id) + "0"', "", "path"
            )
        ],
        HINT: [Planted(REQUEST, '"DELETE"', '"POST"', "send_item", "method")],
        REACH: [
            Planted(REQUEST, '"example.com"', '"evil.com"', "send_item", "hosts"),
            Planted(
                *(REQUEST, 'Host("example.com"', 'Host("example.com", below=True'),
                *("send_item", "hosts"),
            ),
            Planted(REQUEST, "timeout=30.0", "timeout=930.0", "send_item", "timeout"),
            Planted(REQUEST, 's=("CARRIER",)', "s=()", "send_item", "secrets"),
        ],
    },
    OPENAI: descriptor_faults(OPENAI, in_words="the default: 10"),
    ANTHROPIC: descriptor_faults(ANTHROPIC, in_words="(default: 10)"),
    GEMINI: descriptor_faults(GEMINI, in_words="(default: 10)"),
    MCP: {
        **descriptor_faults(MCP, in_words='"default": 10'),
        HINT: [
            Planted(
                MCP, '"readOnlyHint": true', '"readOnlyHint": false', "", "readOnly"
            ),
            Planted(
                *(MCP, '"destructiveHint": true', '"destructiveHint": false'),
                *("send_item", "destructive"),
            ),
            Planted(
                *(MCP, '"idempotentHint": true', '"idempotentHint": false'),
                *("add_item", "idempotent"),
            ),
        ],
    },
    PROMPTS: {
        BOUND: [
            Planted(PROMPTS, "at most 20", "at most 21", "greet", "name"),
            Planted(PAGES, "maximum 9", "maximum 8", "page", "id"),
        ],
        ENUM: [
            Planted(PROMPTS, '\\"cold\\"', '\\"hot\\"', "greet", "tone"),
            Planted(PAGES, '\\"y\\"', '\\"z\\"', "page", "section"),
        ],
        FIELD: [
            Planted(PROMPTS, '"name": "tone"', '"name": "tones"', "greet", "tone"),
            Planted(PAGES, "/{id}", "", "page", "id"),
        ],
        TYPE: [Planted(PAGES, "id (integer", "id (number", "page", "id")],
        DEFAULT: [
            Planted(
                PROMPTS, 'default: \\"warm\\"', 'default: \\"cold\\"', "greet", "tone"
            )
        ],
        ENTRY: [
            Planted(PROMPTS, '"name": "greet"', '"name": "great"', "greet", ""),
            Planted(PAGES, '"name": "page"', '"name": "pages"', "page", ""),
        ],
    },
    LOSSES: {
        BOUND: [Planted(LOSSES, '"value": 40', '"value": 41', "find_items", "query")],
        LEDGER: [
            Planted(LOSSES, '"keyword": "maxLength", "value": 40', GONE, "", "query"),
            Planted(LOSSES, '"keyword": "default", "value": 10', GONE, "", "limit"),
        ],
    },
    P
    + "prompts.py": {
        ENUM: [Planted(P + "prompts.py", '== "warm"', '== "cold"', "greet", "friend")],
        FIELD: [Planted(P + "prompts.py", 'args["name"]', '"you"', "greet", "Hello")],
        ENTRY: [Planted(P + "prompts.py", "Prompts(GREET)", "Prompts()", "greet", "")],
    },
    P
    + "resources.py": {
        FIELD: [
            Planted(P + "resources.py", "{section}/{id}", "{section}", "page", "id")
        ],
        ENTRY: [Planted(P + "resources.py", '"page",', '"pages",', "page", "")],
    },
    SERVICE: {
        HINT: [Planted(SERVICE, ", reads=True", "", "find_items", "")],
        ENTRY: [
            Planted(SERVICE, '"send_item": Req', '"send": Req', "send_item", ""),
            Planted(SERVICE, '("greet",)', "()", "greet", ""),
            Planted(
                *(HANDLERS, "add_item=back.add", "add_item=back.page"),
                *("add_item", "back"),
            ),
            Planted(SERVER, "= ()", '= ("find_items",)', "find_items", ""),
        ],
    },
    BUNDLES: {
        BOUND: [Planted(STORE, '"minimum": 1', '"minimum": 0', "send_item", "id")],
        ENUM: [Planted(STORE, '["a", "b"]', '["a"]', "send_item", "kind")],
        FIELD: [Planted(STORE, '"kind": {"', '"kinds": {"', "send_item", "kind")],
        TYPE: [Planted(STORE, '"type": "integer"', '"type": "number"', "", "id")],
        DEFAULT: [Planted(STORE, '"default": "a"', '"default": "b"', "", "kind")],
        ENTRY: [
            Planted(
                BUNDLES, '"name": "find_items"', '"name": "find"', "find_items", ""
            ),
            Planted(
                BUNDLES, '"isEnabled": true', '"isEnabled": false', "", "isEnabled"
            ),
        ],
    },
    OPENAPI: {
        **schema_faults(OPENAPI, "\n          "),
        ENTRY: [
            Planted(
                OPENAPI, '"find_items.input": {', '"find.input": {', "find_items", ""
            )
        ],
    },
    TYPES: {
        BOUND: [Planted(TYPES, '"maximum": 100', '"maximum": 101', "", "limit")],
        ENUM: [
            Planted(TYPES, '"red" | "green" | "blue"', '"red" | "blue"', "", "colour")
        ],
        FIELD: [Planted(TYPES, "  colour?: Colour;\n", "", "find_items", "colour")],
        TYPE: [
            Planted(TYPES, "limit?: number", "limit?: string", "find_items", "limit"),
            Planted(TYPES, "limit?: number", "limit: number", "find_items", "limit"),
        ],
        HINT: [Planted(TYPES, "readOnly: true", "readOnly: null", "", "readOnly")],
        DEFAULT: [Planted(TYPES, "@default 10", "@default 11", "find_items", "limit")],
        ENTRY: [Planted(TYPES, 'name: "find_items"', 'name: "find"', "find_items", "")],
    },
    PAGE: {
        BOUND: [
            Planted(PAGE, "maximum 100", "maximum 101", "find_items", "limit"),
            Planted(ALL, '"maximum 100"', '"maximum 101"', "find_items", "limit"),
        ],
        ENUM: [Planted(PAGE, '"green", ', "", "find_items", "colour")],
        FIELD: [
            Planted(PAGE, "| `colour` |", "| `color` |", "find_items", "colour"),
            Planted(ALL, '"path": "colour"', '"path": "color"', "find_items", "colour"),
        ],
        TYPE: [
            Planted(
                PAGE, "`limit` | integer", "`limit` | string", "find_items", "limit"
            ),
            Planted(PAGE, "string | yes", "string | no", "find_items", "query"),
        ],
        DEFAULT: [
            Planted(PAGE, "`10`", "`11`", "find_items", "limit"),
            Planted(ALL, '"default": "10"', '"default": "11"', "find_items", "limit"),
        ],
        ENTRY: [
            Planted("docs/tools/index.md", "[`greet`]", "[`great`]", "greet", ""),
            Planted(ALL, '"about": {"name": "greet"', '"about": {"name": "g"', "", ""),
        ],
    },
    COMMANDS: {
        ENUM: [Planted(COMMANDS, MEMBERS, '["red"]', "find_items", "colour")],
        FIELD: [Planted(COMMANDS, '"name": "limit"', '"name": "l"', "", "limit")],
        TYPE: [Planted(COMMANDS, '"type": "int"', '"type": "float"', "", "limit")],
    },
}


USER = '"user": {"type": "integer"}, '
SHOWN: dict[str, list[Planted]] = {
    **{
        name: [Planted(path, '"note": {"t', USER + '"note": {"t', "add_item", "user")]
        for name, path in (
            (INPUT, "json_schema/tools/add_item.input.json"),
            *((each, each) for each in (OPENAI, ANTHROPIC, GEMINI, MCP, OPENAPI)),
        )
    },
    TYPES: [
        Planted(TYPES, "  note: string;", "  note: string; user: number;", "", "user"),
    ],
    PAGE: [
        Planted(
            *("docs/tools/add_item.md", "| `note` |"),
            *("| `user` | integer | yes |  |  |\n| `note` |", "add_item", "user"),
        ),
        Planted(
            ALL, '{"path": "note"', '{"path": "user"}, {"path": "note"', "", "user"
        ),
    ],
    PROMPTS: [
        Planted(
            *(PROMPTS, '{"name": "name"', '{"name": "agent"}, {"name": "name"'),
            *("greet", "agent"),
        )
    ],
    COMMANDS: [
        Planted(COMMANDS, '"name": "limit"', '"name": "shop"', "find_items", "shop"),
    ],
}
for name, shown in SHOWN.items():
    FAULTS[name][HIDDEN] = shown
for path_faults in FAULTS.values():
    paths = dict.fromkeys(
        each.path for faults in path_faults.values() for each in faults
    )
    path_faults[EMPTIED] = [
        Planted(each, "", nothing, "", "")
        for each in paths
        for nothing in (("", "{}", "[]") if each.endswith(".json") else ("",))
    ]
    path_faults[MISSING] = [Planted(each, "", NO_FILE, "", "") for each in paths]


class Made:
    """A project with all targets, to be judged with a fault in one of its files."""

    def __init__(self, folder: Path, specs: str = SPECS) -> None:
        options = DescriptorOptions(profiles=PROFILES)
        names = tuple(each.name for each in TARGETS if each.name != "models")
        self.targets = (*names, LOSSES)
        self.built: Built = build(
            folder, {"a.yaml": specs}, targets=names, descriptors=options
        )
        chosen = [each for each in EMITTERS if each.name in names]
        self.told = [
            each
            for emitter in chosen
            if emitter.descriptors is not None
            for each in emitter.descriptors(self.built.catalog)
        ]
        self.losses = losses_of(self.built.catalog, chosen) or ()
        ledger = losses_file(self.built.catalog, chosen)
        assert ledger is not None
        self.files = {**self.built.files, ledger.path: ledger.text}

    def path(self, name: str) -> str:
        """The path of a file."""
        if name == STORE:
            return next(
                each for each in self.files if each.endswith("send-item_v1.json")
            )
        return name.format(package=self.built.package)

    def faulty(self, fault: Planted) -> dict[str, str]:
        """The files, with a fault in one of them."""
        path = self.path(fault.path)
        text = self.files[path]
        if not fault.old:
            rest = {each: own for each, own in self.files.items() if each != path}
            return rest if fault.new is NO_FILE else {**rest, path: fault.new}
        start = text.find("find_items") if fault.tool == "find_items" else 0
        assert fault.old in text, (path, fault.old)
        at = text.find(fault.old, max(start, 0))
        at = text.find(fault.old) if at < 0 else at
        if fault.new is GONE:
            begin, end = text.rindex("\n", 0, at), text.index("\n", at)
            changed = text[:begin] + text[end:]
        else:
            changed = text[:at] + fault.new + text[at + len(fault.old) :]
        return {**self.files, path: changed}

    def found(self, files: dict[str, str]) -> list[Difference]:
        """What is told of files; the descriptors are those that the files have."""
        told, losses = self._as_written(files)
        catalog, report = self.built.catalog, Report()
        check_files(catalog, files, told, losses, report, self.targets)
        if report.differences:
            return report.differences
        return agreement(catalog, files, told, losses).differences

    def _as_written(self, files: dict[str, str]) -> tuple[list[Descriptor], list[Loss]]:
        written = {
            (profile, name_of(entry)): entry
            for profile in PROFILES
            for _, entries in lists_of(profile, files)
            for entry in entries
        }
        told = [
            (
                replace(each, text=written[each.profile, each.tool].text)
                if (each.profile, each.tool) in written
                else each
            )
            for each in self.told
        ]
        return told, [*self.losses]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("table"))


def test_sound_files_have_no_fault(made: Made) -> None:
    assert [] == [(each.file, each.says) for each in made.found(made.files)]


def test_tools_named_like_methods_and_keywords_have_no_fault(tmp_path: Path) -> None:
    named = {"find_items": "bind", "send_item": "str", "add_item": "list"}
    specs = SPECS
    for name, awkward in named.items():
        assert f"name: {name}\n" in specs
        specs = specs.replace(f"name: {name}\n", f"name: {awkward}\n")
    made = Made(tmp_path, specs)
    assert [] == [each.says for each in made.found(made.files)]


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_told_with_file_tool_and_field(made: Made, name: str) -> None:
    for kind, faults in FAULTS[name].items():
        for fault in faults:
            told = [
                f"{each.file} {each.tool.name} {each.says}"
                for each in made.found(made.faulty(fault))
            ]
            path = made.path(fault.path)
            hits = [
                each
                for each in told
                if path in each and fault.tool in each and fault.field in each
            ]
            assert hits, (kind, fault, told)


def test_every_file_that_is_judged_has_its_faults(made: Made) -> None:
    package = made.built.package
    judged = {
        kind.name
        for kind in (kind_of(path, package) for path in made.files)
        if not kind.judged.startswith(COMPARED)
    }
    assert judged == {*_found_by_kind(package)}


def test_the_page_has_the_table(made: Made) -> None:
    found = _found_by_kind(made.built.package)
    page = Path(__file__).parents[2].joinpath("docs/verify.md").read_text("utf-8")
    for each in FILE_KINDS:
        faults = ", ".join(kind for kind in KINDS if kind in found.get(each.name, ()))
        assert f"| {each.name} | {each.judged} | {faults} |" in page
    planted = [each for by_kind in FAULTS.values() for each in by_kind.values()]
    assert f"({sum(map(len, planted))} faults)" in page


def _found_by_kind(package: str) -> dict[str, set[str]]:
    """The kinds of faults that are planted in each kind of file."""
    found: dict[str, set[str]] = {}
    for faults in FAULTS.values():
        for kind, planted in faults.items():
            for each in planted:
                path = each.path.format(package=package)
                found.setdefault(kind_of(path, package).name, set()).add(kind)
    return found
