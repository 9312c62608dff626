"""Every law sees a fault that is planted in an artifact, and none where there is none."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from brimgen.agreement.report import Excuse, Report
from brimgen.agreement.verify import agreement
from brimgen.emit import EMITTERS
from brimgen.emit.account import Descriptor, Loss
from brimgen.emit.losses import losses_of
from brimgen.model.project import DescriptorOptions
from support.project import Built, build

SPECS = """\
type: entity
name: Item
fields:
  sku: { type: string, pattern: "^[A-Z]{2}-[0-9]{4}$" }
  price: { type: decimal, minimum: 0, precision: 10, scale: 2 }
---
type: sql_function
name: find_items
connection: default
description: Find items.
arguments:
  inline:
    query: { type: string, minLength: 2, maxLength: 40 }
    limit: { type: int, default: 10, minimum: 1, maximum: 100 }
    since: { type: date, required: false }
    kind: { enum: [book, lamp], type: string, required: false }
    tenant: { type: string, from_context: app.tenant }
sql: |
  SELECT 1 AS n WHERE :query = :tenant AND :limit > 0 AND :since IS NULL AND :kind IS NULL
returns: int
---
type: http_function
name: add_items
description: Add items.
arguments:
  inline:
    items: { type: "Item[]", minItems: 1, maxItems: 3 }
    note: { type: string?, required: false }
allowedHosts: [example.com]
request:
  method: POST
  urlTemplate: https://example.com/items
  body: { items: "${items}", note: "${note}" }
"""
TARGETS = ("python", "json_schema", "sql", "http", "openai", "mcp", "gemini")
MODULE = "python/{package}/tools/find_items.py"


@dataclass
class Shown:
    """What is made of the specs, to be changed by a test, and then asked to agree."""

    built: Built
    files: dict[str, str]
    descriptors: list[Descriptor]
    losses: list[Loss]

    def replace(self, path: str, old: str, new: str) -> None:
        """Plant a fault: every ``old`` of a file is ``new``."""
        path = path.format(package=self.built.package)
        assert old in self.files[path]
        self.files[path] = self.files[path].replace(old, new)

    def describe(self, profile: str, change: Callable[[Any], None]) -> None:
        """Plant a fault in what a profile tells of `find_items`."""
        for number, each in enumerate(self.descriptors):
            if (each.profile, each.tool) == (profile, "find_items"):
                told = deepcopy(dict(each.json))
                change(told)
                self.descriptors[number] = Descriptor(profile, "find_items", told)

    def report(self) -> Report:
        """What the laws say."""
        catalog = self.built.catalog
        return agreement(catalog, self.files, self.descriptors, self.losses)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    options = DescriptorOptions(profiles=("openai", "mcp", "gemini"))
    folder = tmp_path_factory.mktemp("sound")
    built = build(folder, {"a.yaml": SPECS}, targets=TARGETS, descriptors=options)
    assert [] == [each for each in built.codes if each[0] != "L" and each[:2] != "T4"]
    chosen = [each for each in EMITTERS if each.name in TARGETS]
    descriptors = [
        each
        for emitter in chosen
        if emitter.descriptors is not None
        for each in emitter.descriptors(built.catalog)
    ]
    losses = list(losses_of(built.catalog, chosen) or ())
    return Shown(built, dict(built.files), descriptors, losses)


@pytest.fixture
def shown(sound: Shown) -> Shown:
    """What a test may change."""
    parts = sound.files, sound.descriptors, sound.losses
    return Shown(sound.built, *(copy(each) for each in parts))


def faults(report: Report) -> set[tuple[str, str]]:
    """The tools and artifacts of which something is said."""
    return {(each.tool.name, each.artifact) for each in report.differences}


def test_what_brimgen_makes_agrees(shown: Shown) -> None:
    report = shown.report()
    assert [] == [each.says for each in report.differences]
    assert ([], 2) == (report.uncalled, report.tools)
    assert {
        "JSON Schema",
        "Python, from_dict",
        "Python, to_json and back",
        "SQL bindings",
        "HTTP requests",
        "openai",
        "mcp",
        "gemini",
    } == report.tallies.keys()
    for name, tally in report.tallies.items():
        assert tally.accepted > 5, name
    assert report.of("JSON Schema").asked > report.of("JSON Schema").accepted


def test_the_same_is_asked_in_every_run(shown: Shown) -> None:
    first, second = shown.report(), shown.report()
    assert first.tallies == second.tallies


DECODER = "Python, from_dict"
ENCODER = "Python, to_json and back"


@pytest.mark.parametrize(
    ("path", "old", "new", "artifact"),
    [
        (MODULE, "schema=_SCHEMAS.input", "schema=_SCHEMAS.bound", DECODER),
        (MODULE, "default=10,", "default=11,", ENCODER),
        (MODULE, "JsonCall", "JsonEntity", ENCODER),
    ],
)
def test_a_fault_in_the_decoder(
    shown: Shown, path: str, old: str, new: str, artifact: str
) -> None:
    shown.replace(path.format(package=shown.built.package), old, new)
    assert ("find_items", artifact) in faults(shown.report())


@pytest.mark.parametrize("path", [MODULE, "python/{package}/__init__.py"])
def test_a_module_that_cannot_be_imported(shown: Shown, path: str) -> None:
    path = path.format(package=shown.built.package)
    shown.files[path] = f"{shown.files[path]}\nimport no_such_module\n"
    told = [(each.tool.name, each.says) for each in shown.report().differences]
    says = "cannot be imported (ModuleNotFoundError: No module named 'no_such_module')"
    assert ("find_items", says) in told


def test_a_fault_in_the_published_schema(shown: Shown) -> None:
    path = "python/{package}/schemas/tools/find_items.input.json"
    shown.replace(path, '"minLength": 2', '"minLength": 3')
    told = [each.says for each in shown.report().differences]
    assert "refuses what the schema accepts (minLength at '/query')" in told


def limit_of(profile: str, told: Any) -> Any:
    """The schema of ``limit`` in a descriptor."""
    told = told.get("function", told)
    home = {"openai": "parameters", "mcp": "inputSchema"}[profile]
    limit = told[home]["properties"]["limit"]
    return limit["anyOf"][0] if profile == "openai" else limit


@pytest.mark.parametrize("profile", ["openai", "mcp"])
@pytest.mark.parametrize("maximum", [99, 101])
def test_a_descriptor_that_says_more_or_less(
    shown: Shown, profile: str, maximum: int
) -> None:
    shown.describe(
        profile, lambda told: limit_of(profile, told).update(maximum=maximum)
    )
    assert {("find_items", profile)} == faults(shown.report())


def test_a_descriptor_that_tells_of_a_hidden_argument(shown: Shown) -> None:
    def tell(told: Any) -> None:
        told["inputSchema"]["properties"]["tenant"] = {"type": "string"}

    shown.describe("mcp", tell)
    told = {each.says for each in shown.report().differences}
    assert "tells of the hidden argument tenant" in told


def test_a_loss_that_the_ledger_does_not_know(shown: Shown) -> None:
    excuse = Excuse("admits what from_call refuses: losses.json says so", "minLength")
    times = shown.report().of("openai").excused[excuse]
    assert ("find_items /query", True) == (times.first, times.count > 1)
    shown.losses[:] = [each for each in shown.losses if each.keyword != "minLength"]
    report = shown.report()
    assert {("find_items", "openai"), ("find_items", "gemini")} >= faults(report)
    assert ("find_items", "openai") in faults(report)
    assert all("minLength" in each.says for each in report.differences)
    assert all("query" in each.says for each in report.differences)


@pytest.mark.parametrize(
    ("path", "old", "new", "artifact"),
    [
        (
            "sql/find_items.py",
            '_bind.Param("query", "string", _encode.text',
            '_bind.Param("query", "string", lambda value, name: len(5)',
            "SQL bindings",
        ),
        ("http/add_items.py", '("/items",)', "(7,)", "HTTP requests"),
    ],
)
def test_a_call_that_raises_what_it_should_not(
    shown: Shown, path: str, old: str, new: str, artifact: str
) -> None:
    shown.replace(f"python/{{package}}/{path}", old, new)
    (name,) = {each.artifact for each in shown.report().differences}
    assert artifact == name


def test_a_tool_of_which_no_call_is_known(tmp_path: Path) -> None:
    text = (
        "type: python_function\nname: a\ndescription: Try.\n"
        "arguments: {inline: {id: {type: string, pattern: '^(?=.*x)(y)\\1+x$'}}}\n"
    )
    built = build(tmp_path, {"a.yaml": text})
    report = agreement(built.catalog, built.files, [], [])
    (uncalled,) = report.uncalled
    why = "argument `id`: no text is known for its pattern `^(?=.*x)(y)\\1+x$`"
    assert (why, "give it `examples`") == (uncalled.why, uncalled.remedy)
    assert ("a", None, 0) == (uncalled.tool.name, uncalled.part, report.instances)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        (
            "a: { type: object, fields: { b/c: { type: string, pattern: '^(?=x)y$' } } }",
            "argument `a/b~1c`: no text is known for its pattern `^(?=x)y$`",
        ),
        (
            "a: { type: 'string[]', minItems: 1, pattern: '^(?=x)y$' }",
            "argument `a/0`: no text is known for its pattern `^(?=x)y$`",
        ),
    ],
)
def test_the_argument_is_named_of_which_no_value_is_known(
    tmp_path: Path, fields: str, why: str
) -> None:
    text = "type: python_function\nname: a\ndescription: Try.\n"
    text += f"arguments: {{ inline: {{ other: int, {fields} }} }}\n"
    built = build(tmp_path, {"a.yaml": text})
    report = agreement(built.catalog, built.files, [], [])
    assert [why] == [each.why for each in report.uncalled]


# Where `type` is no list, a build tells itself (R315).
_AGAIN = "$ref: '#/$defs/Node'"
_NODE = "type: [object], required: [next], properties: { next: {%s} }"
_ENDLESS = "each value needs another within it, without end"


@pytest.mark.parametrize(
    ("inside", "place"),
    [
        (_AGAIN, "item/next"),
        (f"type: array, minItems: 1, items: {{ {_AGAIN} }}", "item/next/0"),
        (
            "type: object, required: [back], "
            f"properties: {{ back: {{ {_AGAIN} }} }}",
            "item/next/back",
        ),
    ],
)
def test_a_value_that_needs_another_without_end_is_told(
    tmp_path: Path, inside: str, place: str
) -> None:
    text = (
        "type: python_function\nname: walk\ndescription: Walk on.\n"
        "arguments: { type: object, required: [item], "
        "properties: { item: { $ref: '#/$defs/Node' } }, "
        f"$defs: {{ Node: {{ {_NODE % f' {inside} '} }} }} }}\n"
    )
    built = build(tmp_path, {"walk.yaml": text})
    report = agreement(built.catalog, built.files, [], [])
    (uncalled,) = report.uncalled
    remedy = "let it be absent or null, or be a list that may be empty"
    assert f"argument `{place}`: {_ENDLESS}" == uncalled.why
    assert (remedy, 0) == (uncalled.remedy, report.instances)


def test_calls_are_not_shown_where_no_hidden_value_is_known(tmp_path: Path) -> None:
    text = (
        SPECS.partition("---\n")[2]
        .partition("---\n")[0]
        .replace("from_context", "pattern: '^(?=x)y$', from_context")
    )
    built = build(tmp_path, {"a.yaml": text}, targets=("python", "json_schema", "sql"))
    report = agreement(built.catalog, built.files, [], [])
    (unshown,) = report.unshown
    assert ("SQL bindings", "no value is known for the hidden argument `tenant`") == (
        unshown.part,
        unshown.why,
    )
    assert report.of("JSON Schema").accepted > 0
    assert "SQL bindings" not in report.tallies


def test_examples_help_where_no_call_is_known(tmp_path: Path) -> None:
    text = (
        "type: python_function\nname: a\ndescription: Try.\n"
        "arguments: {inline: {id: {type: string, examples: [yx],"
        ' pattern: "^(?=.*x)(?!x)y+x$"}}}\n'
    )
    built = build(tmp_path, {"a.yaml": text})
    report = agreement(built.catalog, built.files, [], [])
    assert ([], []) == (report.uncalled, [each.says for each in report.differences])
    assert report.of("JSON Schema").accepted > 0


LEAF = """\
type: leaf
name: sku
description: A stock keeping unit
schema: { type: string }
python: { type: "PLACE:Sku", parse: "PLACE:parse", dump: str }
---
type: python_function
name: find_stock
description: Find the stock of an article.
arguments: { inline: { sku: { type: sku, description: The article } } }
"""


LEAF_TOOL = """\
type: leaf
name: host
description: An IPv4 address
schema: { type: string, enum: ["192.0.2.1", "192.0.2.2", nowhere] }
python: { type: "ipaddress:IPv4Address" }
---
type: python_function
name: find_stock
description: Find the stock of a host.
arguments: { inline: { id: { type: host, description: The host }, since: date } }
"""


def test_what_is_said_of_a_leaf_excuses_no_other_argument(tmp_path: Path) -> None:
    """Whatever a leaf reads, of a date brimgen reads no more than its format says."""
    built = build(tmp_path, {"a.yaml": LEAF_TOOL})
    files = dict(built.files)
    sound = agreement(built.catalog, files, [], [])
    assert [] == [each.says for each in sound.differences]
    excuses = sound.of("Python, from_dict").excused
    assert ["x-leaf"] == [each.what for each in excuses]
    path = f"python/{built.package}/schemas/tools/find_stock.input.json"
    files[path] = files[path].replace('"format": "date"', '"minLength": 11')
    said = [each.says for each in agreement(built.catalog, files, [], []).differences]
    assert "refuses what the schema accepts (minLength at '/since')" in said


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (None, "raises ModuleNotFoundError: No module named 'PLACE'"),
        ("raise RuntimeError('x')", "raises RuntimeError: x"),
        ("return Sku(text)", None),
    ],
    ids=["absent", "broken", "sound"],
)
def test_the_code_of_leaves_is_the_project_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str | None, why: str | None
) -> None:
    place = f"leaves_{len(code or '')}"
    monkeypatch.chdir(tmp_path)
    if code is not None:
        text = f"class Sku(str): pass\n\ndef parse(text):\n    {code}\n"
        (tmp_path / f"{place}.py").write_text(text)
    built = build(tmp_path, {"a.yaml": LEAF.replace("PLACE", place)})
    report = agreement(built.catalog, built.files, [], [])
    assert [] == [each.says for each in report.differences]
    told = [each.why for each in report.unshown]
    wanted = [] if why is None else [f"the code of the leaf `sku` {why}"]
    assert [each.replace("PLACE", place) for each in wanted] == told
