"""Arguments whose names a provider refuses: sent as aliases, and read under their own names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from google.genai import types as sdk

from brimgen.emit.anthropic import EMITTER as ANTHROPIC
from brimgen.emit.artifact import Emitter
from brimgen.emit.gemini import EMITTER
from brimgen.emit.mcp import EMITTER as MCP
from brimgen.emit.openai import EMITTER as OPENAI
from brimgen.emit.projection.aliases import aliases_of
from brimgen.model.fields import Context
from brimgen.model.project import DescriptorOptions, Project
from brimgen.schema.walk import is_object
from running.packages import errors, imported, link, write_package
from support.made import catalog, complaints, emitted, field, tool

STRING = {"type": "string"}
GOOD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
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
BOTH = DescriptorOptions(profiles=("gemini", "gemini_openapi"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The generated package, with the files of the Gemini target."""
    project = Project(package="aliased", descriptors=BOTH)
    made, found = link([ADDRESS, FIND, TREE, PING], project)
    assert [] == errors(found)
    root = tmp_path_factory.mktemp("aliased")
    place = write_package(made, root)
    for artifact in EMITTER.emit(made):
        path = root / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def package(folder: Path) -> Iterator[ModuleType]:
    with imported(folder, "aliased.aliases"):
        yield __import__("aliased.aliases")


def declarations(folder: Path, file: str = "gemini/tools.json") -> dict[str, Any]:
    path = folder.parent / "python/aliased/descriptors" / file
    [tools] = json.loads(path.read_text(encoding="utf-8"))
    return {each["name"]: each for each in tools["functionDeclarations"]}


def names_in(schema: Any) -> Iterator[str]:
    if is_object(schema):
        for keyword, value in schema.items():
            if keyword == "properties":
                yield from value
                for each in value.values():
                    yield from names_in(each)
            else:
                yield from names_in(value)
    elif isinstance(schema, list):
        for each in schema:
            yield from names_in(each)


@pytest.mark.parametrize("file", ["gemini/tools.json", "gemini/openapi/tools.json"])
def test_one_refused_name_keeps_no_tool_from_gemini(folder: Path, file: str) -> None:
    told = declarations(folder, file)
    assert ["find_orders", "ping", "trim"] == [*told]
    for each in told.values():
        sdk.FunctionDeclaration.model_validate(each)
        arguments = each.get("parametersJsonSchema", each.get("parameters"))
        assert all(GOOD.fullmatch(name) for name in names_in(arguments))


def test_words_and_rules_say_the_alias(folder: Path) -> None:
    told = declarations(folder)
    find = told["find_orders"]
    assert "Find orders since `from_date_2`." == find["description"]
    said = find["parametersJsonSchema"]
    assert ["from_date_2", "place", "homes"] == said["required"]
    first = said["properties"]["from_date_2"]["description"]
    assert first.startswith("The first day (stands for from-date)")
    assert ["zip_code"] == said["properties"]["place"]["required"]
    trim = told["trim"]["parametersJsonSchema"]
    assert ["gro_e"] == trim["required"]
    assert "(node needs gro_e)" == trim["description"]


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
    package: Any, name: str
) -> None:
    """What stands in an open object is the caller's, and stays as it is."""
    sent, meant = CALLS[name]
    call = sdk.FunctionCall(name=name, args=sent)
    read = package.aliases.arguments_of(call.name, call.args)
    assert meant == read
    input_type = package.TOOLS[name].input_type
    assert input_type.from_dict(meant) == input_type.from_dict(read)


def test_a_name_beside_its_alias_is_refused_and_nothing_is_overwritten(
    package: Any,
) -> None:
    read = package.aliases.arguments_of("trim", {"gro_e": 1, "größe": 2})
    assert {"gro_e": 1, "größe": 2} == read
    with pytest.raises(ValueError, match="gro_e"):
        package.TOOLS["trim"].input_type.from_dict(read)


def test_a_call_as_deep_as_memory_is_read(package: Any) -> None:
    node: dict[str, Any] = {"max_depth": 1}
    for _ in range(20_000):
        node = {"below": [node]}
    read = package.aliases.arguments_of("trim", {"node": node})["node"]
    while "below" in read:
        [read] = read["below"]
    assert {"max-depth": 1} == read


def test_the_ledger_speaks_of_the_tools_own_names() -> None:
    inner = {
        "type": "object",
        "properties": {"a-b": {**STRING, "pattern": "^x"}, "c-d": False},
    }
    schema = {
        "type": "object",
        "properties": {"x-y": {**inner, "default": {"a-b": "x"}}, "z": STRING},
        "dependentRequired": {"z": ["x-y"]},
        "additionalProperties": False,
    }
    assert EMITTER.losses is not None
    made = catalog(tool("t", schema))
    rows = {(e.path, e.keyword): e.value for e in EMITTER.losses(made)}
    assert {"z": ["x-y"]} == rows["/input", "dependentRequired"]
    assert {"a-b": "x"} == rows["/input/properties/x-y", "default"]
    assert "^x" == rows["/input/properties/x-y/properties/a-b", "pattern"]
    assert {"c-d": False} == rows["/input/properties/x-y", "properties"]
    [said] = emitted(EMITTER, made)["gemini/tools.json"]
    [only] = said["functionDeclarations"]
    words = only["parametersJsonSchema"]["properties"]["x_y"]["description"]
    assert 'default: {"a_b": "x"}' in words
    assert "never with c_d" in words


@pytest.mark.parametrize(
    "rule",
    [{"patternProperties": {"^x-": STRING}}, {"propertyNames": {"pattern": "-"}}],
)
@pytest.mark.parametrize("is_branch", [False, True])
def test_a_tool_whose_names_have_rules_is_left_out_alone(
    rule: Any, is_branch: bool
) -> None:
    inner = {"type": "object", "properties": {"a-b": STRING}}
    held = {"allOf": [inner, rule]} if is_branch else {**inner, **rule}
    schema = {
        "type": "object",
        "properties": {"x": held},
        "additionalProperties": False,
    }
    made = catalog(tool("ping"), tool("stuck", schema))
    files = emitted(EMITTER, made)
    assert ["gemini/tools.json"] == [*files]
    [said] = files["gemini/tools.json"]
    assert ["ping"] == [each["name"] for each in said["functionDeclarations"]]
    assert ["T454"] == [code for code, *_ in complaints(EMITTER, made)]
    assert EMITTER.losses is not None
    [loss] = EMITTER.losses(made)
    assert ("stuck", "none") == (loss.tool, loss.recovered_by)


REFUSED = {
    "type": "object",
    "properties": {
        "$.xgafv": {"type": "string", "enum": ["1", "2"]},
        "page[size]": {"type": "integer", "description": "Beside `$.xgafv`."},
        "from-date": STRING,
        "鍵": {"type": "object", "properties": {"x" * 65: STRING}},
    },
    "required": ["$.xgafv"],
    "examples": [{"$.xgafv": "1", "page[size]": 3}],
    "additionalProperties": False,
}
PORTABLE = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


@pytest.mark.parametrize("provider", [OPENAI, ANTHROPIC, MCP])
def test_no_name_makes_a_provider_refuse_a_request(provider: Emitter) -> None:
    """What only Gemini refuses keeps its name elsewhere."""
    made = catalog(tool("t", REFUSED))
    assert provider.descriptors is not None
    assert provider.losses is not None
    (descriptor,) = provider.descriptors(made)
    said = json.dumps(descriptor.json, ensure_ascii=False)
    names = [*names_in(descriptor.json)]
    assert "from-date" in names
    assert all(PORTABLE.fullmatch(name) for name in names)
    assert "Beside `xgafv`." in said
    assert {"xgafv": "$.xgafv", "page_size": "page[size]"}.items() <= (
        descriptor.aliases.items()
    )
    rows = {each.path for each in provider.losses(made) if each.recovered_by == "alias"}
    assert "/input/properties/page[size]" in rows
    told = [code for code, *_ in complaints(provider, made) if code == "T454"]
    assert 4 == len(told)


def test_examples_of_calls_say_the_aliases() -> None:
    made = catalog(tool("t", REFUSED))
    assert ANTHROPIC.descriptors is not None
    (descriptor,) = ANTHROPIC.descriptors(made)
    assert [{"xgafv": "1", "page_size": 3}] == descriptor.json["input_examples"]


def test_aliases_are_names_of_nothing_else() -> None:
    names = [
        "a-b",
        "a b",
        "A-B",
        "A_b",
        "größe",
        "日付",
        "2fa",
        "x" * 65,
        "x" * 64 + "y",
    ]
    made = aliases_of(names, ["a_B_2"])
    assert {*names} - {"A_b"} == {*made}
    lowered = [each.casefold() for each in made.values()]
    assert len({*lowered}) == len(lowered)
    assert {*lowered}.isdisjoint({"a_b", "a_b_2"})
    assert all(GOOD.fullmatch(each) for each in made.values())
    assert made == aliases_of(names[::-1], ["a_B_2"])


def test_an_alias_is_no_hidden_argument() -> None:
    schema = {
        "type": "object",
        "properties": {"tenant-id": STRING},
        "additionalProperties": False,
    }
    made = tool("t", schema)
    hidden = field("tenant_id", STRING, origin=Context("tenant_id"))
    made = tool("t", schema, fields=(*made.fields, hidden))
    [said] = emitted(EMITTER, catalog(made))["gemini/tools.json"]
    [only] = said["functionDeclarations"]
    assert ["tenant_id_2"] == [*only["parametersJsonSchema"]["properties"]]
