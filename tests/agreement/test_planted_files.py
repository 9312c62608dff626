"""Faults in files that no call asks about, as an emitter could make them: `verify` finds them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from brimgen.agreement.file_laws import check_files
from brimgen.agreement.report import Report
from brimgen.agreement.verify import agreement
from brimgen.emit import EMITTERS
from brimgen.emit.account import Descriptor, Loss
from brimgen.emit.losses import losses_file, losses_of
from brimgen.model.project import DescriptorOptions
from support.project import Built, build

SPECS = """\
type: sql_function
name: find_items
connection: default
description: Find items.
arguments:
  inline:
    query: { type: string, minLength: 2, maxLength: 40 }
    limit: { type: int, default: 10, minimum: 1, maximum: 100 }
sql: SELECT id, total FROM items WHERE name = :query AND id > 7 LIMIT :limit
returns: { inline: { id: int, total: int } }
---
type: python_function
name: add_item
description: Add an item.
mcp: { idempotent: true }
arguments: { inline: { note: { type: string, maxLength: 9 } } }
"""
TARGETS = ("python", "json_schema", "sql", "openai", "mcp", "gemini")
PACKAGE = "python/{}/"
MODULE, BINDINGS = PACKAGE + "sql/find_items.py", "sql/find_items.json"
MCP = PACKAGE + "descriptors/mcp/tools.json"
OPENAI = PACKAGE + "descriptors/openai/responses.json"
LEDGER = "losses.json"

PLANTED: dict[str, tuple[str, str, str]] = {
    "a file that is missing": (BINDINGS, '"find_items.', '"find_item.'),
    "the source of the module": (MODULE, "id > 7", "id > 8"),
    "the file of the statement": ("sql/find_items.{driver}.sql", "id > 7", "id > 8"),
    "the kind of the statement": (MODULE, '"read"', '"write"'),
    "swapped parameters": (MODULE, 'Param("query"', 'Param("limit"'),
    "a parameter that may be null": (MODULE, "nullable=False", "nullable=True"),
    "a description of a statement that is no JSON": (BINDINGS, "{", "["),
    "swapped columns": (
        MODULE,
        '"total": _decode.required(cells, "total"',
        '"total": _decode.required(cells, "id"',
    ),
    "a list entry that is gone": (MCP, '"add_item"', '"add_items"'),
    "a bound of a list entry": (MCP, '"maxLength": 40', '"maxLength": 41'),
    "a hint of a list entry": (MCP, '"readOnlyHint": true', '"readOnlyHint": false'),
    "a bound in words": (OPENAI, "9 characters", "8 characters"),
    "a default in words": (OPENAI, "the default: 10", "the default: 11"),
    "a ledger row of another keyword": (LEDGER, '"maxLength"', '"minItems"'),
    "a ledger row of another value": (LEDGER, '"value": 9', '"value": 8'),
    "no ledger": (LEDGER, "[", "{"),
}


class Made:
    """What is made of the specs, to be judged with a fault in one of its files."""

    def __init__(self, folder: Path, *, per_tool: bool = False) -> None:
        profiles = ("openai", "mcp", "gemini")
        options = DescriptorOptions(profiles=profiles, per_tool=per_tool)
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
        ledger = losses_file(self.built.catalog, chosen)
        assert ledger is not None
        self.files = {**self.built.files, ledger.path: ledger.text}

    def report(
        self,
        files: dict[str, str],
        told: list[Descriptor] | None = None,
        losses: tuple[Loss, ...] | None = None,
    ) -> Report:
        return agreement(
            self.built.catalog,
            {**self.files, **files},
            self.told if told is None else told,
            self.losses if losses is None else losses,
        )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("planted"))


def test_sound_files_have_no_fault(made: Made) -> None:
    assert [] == [each.says for each in made.report({}).differences]


@pytest.mark.parametrize("what", PLANTED)
def test_a_fault_in_a_file_is_found(made: Made, what: str) -> None:
    path, old, new = PLANTED[what]
    (driver,) = json.loads(made.files[BINDINGS])["targets"]
    path = path.format(made.built.package, driver=driver)
    text = made.files[path]
    assert old in text
    assert made.report({path: text.replace(old, new, 1)}).differences


def test_a_descriptor_that_has_a_file_of_its_own_is_missed(tmp_path: Path) -> None:
    made = Made(tmp_path, per_tool=True)
    files, targets = made.files, (*TARGETS, LEDGER)

    def missing(files: dict[str, str]) -> list[str | None]:
        report = Report()
        check_files(made.built.catalog, files, made.told, made.losses, report, targets)
        return [each.file for each in report.differences if each.says == "is missing"]

    assert [] == missing(files)
    own = [path for path in files if "descriptors/" in path and ".json" in path]
    assert 6 == len(own), own
    for path in own:
        assert [path] == missing({each: files[each] for each in files if each != path})


@pytest.mark.parametrize("driver_text", ["id > 8", "id", "7 > id"])
def test_a_statement_that_is_wrong_everywhere_is_found(
    made: Made, driver_text: str
) -> None:
    wrong = {
        path: text.replace("id > 7", driver_text)
        for path, text in made.files.items()
        if "sql/" in path
    }
    assert "SQL texts" in {each.artifact for each in made.report(wrong).differences}


def changed(told: list[Descriptor], profile: str, tool: str, change: Any) -> Any:
    made = list[Descriptor]()
    for each in told:
        if (each.profile, each.tool) == (profile, tool):
            value = each.json
            change(value)
            each = Descriptor(profile, tool, json.dumps(value))
        made.append(each)
    return made


def test_a_hint_that_the_spec_does_not_give_is_found(made: Made) -> None:
    def change(value: Any) -> None:
        value["annotations"]["idempotentHint"] = False

    told = changed(made.told, "mcp", "add_item", change)
    says = {each.says for each in made.report({}, told).differences}
    assert any("idempotentHint" in each for each in says)


def test_a_loss_whose_value_is_not_the_schemas_is_found(made: Made) -> None:
    losses = tuple(
        each._replace(value=8) if each.keyword == "maxLength" else each
        for each in made.losses
    )
    found = [each.says for each in made.report({}, None, losses).differences]
    assert any("has maxLength 8 at" in each for each in found)
    assert any("does not say maxLength 8 in words" in each for each in found)
