"""Faults as an emitter could make them, one in each generated artifact: `verify` finds them all."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from brimgen.agreement.report import Report
from brimgen.agreement.verify import agreement
from brimgen.emit import EMITTERS
from brimgen.emit.account import Descriptor
from brimgen.emit.losses import losses_of
from brimgen.model.project import DescriptorOptions
from support.project import Built, build
from support.samples import sampled

SPECS = """\
type: entity
name: Item
fields:
  sku: { type: string, pattern: "^[A-Z]{2}-[0-9]{4}$" }
  price: { type: decimal, minimum: 0, precision: 10, scale: 2 }
  gift: { type: string?, required: false }
---
type: entity
name: Colour
enum: [red, green, blue]
---
type: sql_function
name: find_items
connection: default
description: Find items.
arguments:
  inline:
    query: { type: string, minLength: 2, maxLength: 40 }
    other: { type: string, default: none }
    limit: { type: int, default: 10, minimum: 1, maximum: 100 }
    since: { type: date, required: false }
    kind: { type: Colour, required: false }
    tags: { type: "string[]", minItems: 1, maxItems: 3, uniqueItems: true }
    note: { type: string?, required: false }
    tenant: { type: string, from_context: app.tenant }
    user: { type: string, from_context: app.user }
sql: |
  SELECT 1 AS n WHERE :query = :tenant AND :limit > 0 AND :since IS NULL AND :kind IS NULL
  AND :other = :user AND :note IS NULL AND x IN (:tags)
returns: int
---
type: http_function
name: add_items
description: Add items.
arguments:
  inline:
    shop: { type: string }
    place: { type: string }
    items: { type: "Item[]", minItems: 1, maxItems: 3 }
    note: { type: string?, required: false }
    page: { type: int, default: 1 }
    tenant: { type: string, from_context: app.tenant }
    user: { type: string, from_context: app.user }
allowedHosts: [example.com]
request:
  method: POST
  urlTemplate: https://example.com/shops/${shop}/places/${place}/items
  query: { page: "${page}", t: "${tenant}" }
  headers: { X-Note: "by ${user}" }
  body: { items: "${items}", note: "${note}" }
returns: { inline: { id: int, name: string } }
"""
TARGETS = ("python", "json_schema", "sql", "http", "openai", "mcp", "gemini")
FIND, ENTITIES = "tools/find_items.py", "entities.py"
SCHEMA = "schemas/tools/find_items.input.json"
SQL, HTTP = "sql/find_items.py", "http/add_items.py"

PLANTED: dict[str, tuple[str, str, str]] = {
    "a bound of the schema": (SCHEMA, '"maximum": 100', '"maximum": 101'),
    "a keyword that is not asked": (
        SCHEMA,
        '"uniqueItems": true',
        '"uniqueItems": false',
    ),
    "the schema of another": (FIND, "schema=_SCHEMAS.input", "schema=_SCHEMAS.bound"),
    "a default of another": (FIND, 'default="none"', 'default="some"'),
    "a default that is lost": (FIND, "default=10,", "default=1,"),
    "an argument called otherwise": (FIND, "note: str", "no: str"),
    "a type of another": (FIND, "tags: list[str]", "tags: list[int]"),
    "a value that no enum has": (ENTITIES, '"red"', '"rot"'),
    "a null that is lost": (FIND, '"role": "nulls"', '"role": "absent"'),
    "a context of another": (FIND, '"app.user"', '"app.tenant"'),
    "a parameter of another": (
        SQL,
        '_bind.Param("other", "string", _encode.text)',
        '_bind.Param("other", "string", _encode.text, attribute="query")',
    ),
    "a hidden parameter of another": (
        SQL,
        'origin="context:app.user"',
        'attribute="tenant"',
    ),
    "a parameter that is always null": (
        SQL,
        '_bind.Param("note", "string", _encode.text',
        '_bind.Param("note", "string", lambda value, name: None',
    ),
    "a parameter that is gone": (
        SQL,
        "_bind.named(FindItemsBound, PARAMS)",
        "_bind.named(FindItemsBound, PARAMS[:-1])",
    ),
    "a path of another": (HTTP, 'Arg("place")', 'Arg("shop")'),
    "a path that is gone": (HTTP, 'Arg("place"), ', ""),
    "a query of another": (HTTP, 'Arg("tenant", ', 'Arg("user", '),
    "a query called otherwise": (HTTP, '"page", ', '"pages", '),
    "a header of another": (HTTP, 'Arg("user", ', 'Arg("tenant", '),
    "a body of another": (HTTP, 'Arg("items")', "[]"),
    "a body without one": (HTTP, ', "note": Arg("note")', ""),
    "another method": (HTTP, '"POST"', '"PUT"'),
}


def in_input(change: Callable[[Any], object]) -> Callable[[Any], None]:
    def plant(told: Any) -> None:
        told = told.get("function", told)
        (home,) = {"parameters", "inputSchema", "parametersJsonSchema"} & told.keys()
        change(told[home])

    return plant


DESCRIBED: dict[str, Callable[[Any], None]] = {
    "nothing is required": in_input(lambda it: it.update(required=[])),
    "one more is required": in_input(lambda it: it["required"].append("x")),
    "an enum value less": in_input(lambda it: _kind(it)["enum"].remove("blue")),
    "an enum value more": in_input(lambda it: _kind(it)["enum"].append("pink")),
    "open": in_input(lambda it: it.update(additionalProperties=True)),
    "no format": in_input(lambda it: _some(it, "since").pop("format")),
    "a null less": in_input(
        lambda it: it["properties"].update(note={"type": "string"})
    ),
    "a null more": in_input(
        lambda it: it["properties"].update(query={"type": ["string", "null"]})
    ),
    "a list longer": in_input(lambda it: _some(it, "tags").update(maxItems=4)),
    "a list shorter": in_input(lambda it: _some(it, "tags").update(minItems=2)),
    "a hidden one": in_input(
        lambda it: it["properties"].update(user={"type": "string"})
    ),
    "a hidden one below": in_input(
        lambda it: it.update(anyOf=[{"properties": {"user": {}}}, True])
    ),
    "an argument less": in_input(lambda it: it["properties"].pop("since")),
    "a name of another": lambda it: it.get("function", it).update(name="add_items"),
}


def _some(schema: Any, name: str) -> Any:
    found = schema["properties"][name]
    return found.get("anyOf", [found])[0]


def _kind(schema: Any) -> Any:
    return _some(schema, "kind")


class Made:
    """What is made of the specs, to be asked with a fault in one of its artifacts."""

    def __init__(self, folder: Path) -> None:
        options = DescriptorOptions(profiles=("openai", "mcp", "gemini"))
        self.built: Built = build(
            folder, {"a.yaml": SPECS}, targets=TARGETS, descriptors=options
        )
        chosen = [each for each in EMITTERS if each.name in TARGETS]
        self.told = [
            each
            for emitter in chosen
            if emitter.descriptors is not None
            for each in emitter.descriptors(self.built.catalog)
        ]
        self.losses = losses_of(self.built.catalog, chosen) or ()

    def report(self, files: dict[str, str], told: list[Descriptor]) -> Report:
        return agreement(
            self.built.catalog, {**self.built.files, **files}, told, self.losses
        )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("planted"))


def test_without_a_fault_none_is_found(made: Made) -> None:
    report = made.report({}, made.told)
    assert [] == [(each.artifact, each.says) for each in report.differences]
    assert [] == report.unshown + report.uncalled


@pytest.mark.parametrize("what", sampled(PLANTED, 6))
def test_a_fault_in_generated_python_is_found(made: Made, what: str) -> None:
    file, old, new = PLANTED[what]
    path = f"python/{made.built.package}/{file}"
    text = made.built.files[path]
    assert old in text
    assert made.report({path: text.replace(old, new)}, []).differences


@pytest.mark.parametrize("profile", sampled(["mcp", "openai", "gemini"], 3))
@pytest.mark.parametrize("what", sampled(DESCRIBED, 3))
def test_a_fault_in_a_descriptor_is_found(made: Made, profile: str, what: str) -> None:
    told = [*made.told]
    for number, each in enumerate(told):
        if (each.profile, each.tool) == (profile, "find_items"):
            changed = deepcopy(dict(each.json))
            DESCRIBED[what](changed)
            assert changed != each.json
            told[number] = Descriptor(profile, "find_items", changed)
    found = {each.artifact for each in made.report({}, told).differences}
    assert {profile} == found
