"""The catalog view: its schema holds for every catalog, and it says what the artifacts say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from brimgen.api import Diagnostics, Flags, lint, load_settings
from brimgen.emit import describing_emitters
from brimgen.emit.catalog_view import (
    VIEW_VERSION,
    CatalogView,
    catalog_view,
    view_schema,
)
from brimgen.model.catalog import Catalog
from brimgen.model.project import DescriptorOptions, Project
from brimgen.model.targets import TARGETS
from support.linked import link
from support.made import corpus
from support.project import build

ROOT = Path(__file__).parents[2]
DESCRIPTORS = ROOT / "out/python/shop/descriptors"
VALID = jsonschema_rs.validator_for(view_schema())
MOST_VARIED = """\
type: entity
name: Node
description: A node.
fields:
  label: { type: string, description: What it is called }
  children: { type: 'Node[]', required: false }
---
type: entity
name: Colour
enum: [red, green]
---
type: python_function
name: paint
description: Paint.
arguments:
  inline:
    node: Node
    colour: {type: Colour, default: green}
    times: {type: int, minimum: 1, maximum: 9, default: null}
    sizes: 'decimal[]'
    day: {type: string, enum: [mon, tue], deprecated: true, required: false}
    box:
      type: object
      fields:
        width: {type: float, description: In metres}
    who: {type: string, from_context: app.user.id}
    trace: {type: string, llm: false}
"""


def view(catalog: Catalog) -> CatalogView:
    return catalog_view(catalog, describing_emitters(catalog.project))


@pytest.fixture(scope="module")
def shop() -> CatalogView:
    flags = Flags(config=ROOT / "pyproject.toml")
    return view(lint(load_settings(flags, Diagnostics())).catalog)


def named(views: Any, name: str) -> Any:
    return next(each for each in views if each["name"] == name)


def test_the_schema_states_its_version_and_is_one(shop: CatalogView) -> None:
    schema = view_schema()
    jsonschema_rs.meta.validate(schema)
    assert {"const": VIEW_VERSION} == {
        "const": schema["properties"]["view_version"]["const"]
    }
    assert VIEW_VERSION == shop["view_version"]
    assert not VALID.is_valid({**shop, "view_version": "0.1"})


def test_the_view_of_the_shop_is_valid_and_plain_json(shop: CatalogView) -> None:
    assert [] == [each.message for each in VALID.iter_errors(shop)]
    assert shop == json.loads(json.dumps(shop))


def check_tools_of_others(items: list[Any]) -> None:
    documents = [
        json.dumps(
            {
                "type": "python_function",
                "name": f"tool_{number}",
                "description": item.get("description") or "Of others.",
                "arguments": {"inline": item["schema"]},
            }
        )
        for number, item in enumerate(items)
        if "\\ud" not in json.dumps(item) and item["schema"].get("properties")
    ]
    options = DescriptorOptions(profiles=tuple(p for t in TARGETS for p in t.profiles))
    made = view(link(*documents, descriptors=options).catalog)
    assert len(made["tools"]) > 0.9 * len(documents)
    assert [] == [each.message for each in VALID.iter_errors(made)][:3]
    for tool in made["tools"]:
        accepts = jsonschema_rs.validator_for(tool["input_schema"]).is_valid
        assert all(accepts(each["arguments"]) for each in tool["examples"])
    with_example = [each for each in made["tools"] if each["examples"]]
    assert len(with_example) > 0.9 * len(made["tools"])


@pytest.mark.parametrize("name", ["mcp", "bfcl"])
def test_the_view_of_tools_of_others_is_valid(name: str) -> None:
    check_tools_of_others(corpus(name)[::60])


@pytest.mark.whole
@pytest.mark.parametrize("name", ["mcp", "bfcl", "seal-tools", "tau-bench"])
def test_the_view_of_all_tools_of_others_is_valid(name: str) -> None:
    check_tools_of_others(corpus(name))


@pytest.mark.whole
def test_the_view_of_operations_of_others_is_valid() -> None:
    check_tools_of_others(corpus("openapi", "operations"))


def test_arguments_say_where_they_come_from_and_what_they_are(tmp_path: Path) -> None:
    [paint] = view(build(tmp_path, {"a.yaml": MOST_VARIED}).catalog)["tools"]
    fields = {each["name"]: each for each in paint["arguments"]}
    assert [*("node", "colour", "times", "sizes", "day", "box", "who", "trace")] == [
        *fields
    ]
    assert ("context", True, ["app", "user", "id"]) == (
        fields["who"]["origin"],
        fields["who"]["hidden"],
        fields["who"]["context_path"],
    )
    assert ("host", True) == (fields["trace"]["origin"], fields["trace"]["hidden"])
    assert ("caller", False) == (fields["node"]["origin"], fields["node"]["hidden"])
    assert (True, "green") == (
        fields["colour"]["has_default"],
        fields["colour"]["default"],
    )
    assert {"minimum": 1, "maximum": 9} == fields["times"]["constraints"]
    assert (False, True) == (fields["times"]["required"], fields["times"]["nullable"])
    assert fields["day"]["deprecated"]
    kinds = {name: each["type"]["kind"] for name, each in fields.items()}
    assert {
        "node": "entity",
        "colour": "enum",
        "times": "nullable",
        "sizes": "list",
        "day": "scalar",
        "box": "record",
        "who": "scalar",
        "trace": "scalar",
    } == kinds
    inner = fields["sizes"]["type"]["inner"]
    assert inner is not None
    assert "decimal" == inner["name"]
    assert ["mon", "tue"] == fields["day"]["type"]["choices"]
    assert ["width"] == [each["name"] for each in fields["box"]["type"]["fields"]]
    assert "who" not in paint["input_schema"]["properties"]
    assert "who" in paint["bound_schema"]["properties"]


def test_rows_show_nested_properties_and_nothing_hidden(tmp_path: Path) -> None:
    made = view(build(tmp_path, {"a.yaml": MOST_VARIED}).catalog)
    [paint] = made["tools"]
    paths = {each["path"]: each for each in paint["input_rows"]}
    assert {"node.label", "node.children", "box.width"} <= paths.keys()
    assert not {"who", "trace"} & paths.keys()
    assert ("box.", "width") == (
        paths["box.width"]["parent"],
        paths["box.width"]["name"],
    )
    assert ["minimum 1", "maximum 9"] == paths["times"]["limits"]
    assert '"green"' == paths["colour"]["default"]
    [node] = made["entities"]
    assert ("Node", True, ["paint"]) == (
        node["name"],
        node["recursive"],
        node["used_by"],
    )
    [colour] = made["enums"]
    assert (["red", "green"], ["paint"]) == (colour["members"], colour["used_by"])


def test_an_example_is_the_author_s_or_one_that_is_accepted(shop: CatalogView) -> None:
    for tool in shop["tools"]:
        accepts = jsonschema_rs.validator_for(tool["input_schema"]).is_valid
        assert tool["examples"], tool["name"]
        assert all(accepts(each["arguments"]) for each in tool["examples"])
    [own] = link(
        "type: python_function\nname: a\ndescription: A.\n"
        "x-input-examples: [{text: hello}, {text: 7}]\n"
        "arguments:\n  inline:\n    text: string\n"
    ).catalog.tools
    [tool] = view(Catalog(Project(), {}, {}, (own,)))["tools"]
    assert [{"arguments": {"text": "hello"}, "is_made": False}] == tool["examples"]


def test_each_kind_shows_what_runs_it(shop: CatalogView) -> None:
    bodies = {
        "sql": "statement",
        "python": "function",
        "http": "request",
        "template": "prompt",
        "resource": "resource",
    }
    assert bodies.keys() == {each["kind"] for each in shop["tools"]}
    for tool in shop["tools"]:
        shown: Any = tool
        assert {bodies[tool["kind"]]} == {
            key for key in bodies.values() if shown[key] is not None
        }
    orders = named(shop["tools"], "get_orders")["statement"]
    assert ("default", "sqlite") == (orders["connection"], orders["dialect"])
    assert orders["text"] in (ROOT / "specs/tools/orders/get_orders.sql").read_text()
    parcel = named(shop["tools"], "track_parcel")["request"]
    assert "GET" == parcel["method"]
    assert "${" in parcel["url"]
    assert parcel["secrets"]
    pickup = named(shop["tools"], "request_pickup")["request"]
    assert "${" in json.dumps(json.loads(pickup["body"]))
    reply = named(shop["tools"], "complaint_reply")["prompt"]
    assert "{{" in "".join(each["text"] for each in reply["messages"])
    page = named(shop["tools"], "handbook_page")["resource"]
    assert page["uri_template"].startswith("shop:///")


def test_what_providers_are_told_is_what_their_files_say(shop: CatalogView) -> None:
    ledger = json.loads((ROOT / "out/losses.json").read_text("utf-8"))
    told = [
        {
            "tool": tool["name"],
            "path": loss["path"],
            "keyword": loss["keyword"],
            "value": loss["value"],
            "profile": each["profile"],
            "recovered_by": loss["recovered_by"],
        }
        for tool in shop["tools"]
        for each in tool["told"]
        for loss in each["losses"]
    ]
    assert sorted(map(json.dumps, ledger)) == sorted(map(json.dumps, told))
    sent = json.loads((DESCRIPTORS / "openai/responses.json").read_text("utf-8"))
    assert [each["parameters"] for each in sent] == [
        each["descriptor"]["function"]["parameters"]
        for tool in shop["tools"]
        for each in tool["told"]
        if each["profile"] == "openai"
    ]
    prompts = json.loads((DESCRIPTORS / "mcp/prompts.json").read_text("utf-8"))
    assert prompts["prompts"] == [
        each["descriptor"]
        for tool in shop["tools"]
        for each in tool["told"]
        if tool["kind"] == "template"
    ]
    for provider in shop["providers"]:
        views = [
            each
            for tool in shop["tools"]
            for each in tool["told"]
            if each["profile"] == provider["profile"]
            and tool["kind"] in ("sql", "python", "http")
        ]
        assert len(views) == len(provider["tools"])
        assert provider["tokens"] == sum(each["tokens"] for each in views)


def test_only_providers_of_the_project_are_told_of() -> None:
    def names(project: Project) -> list[str]:
        return [each.name for each in describing_emitters(project)]

    asked = DescriptorOptions(profiles=("gemini",))
    assert ["openai", "mcp"] == names(Project())
    assert ["gemini"] == names(Project(descriptors=asked))
    assert ["anthropic"] == names(Project(targets=("python", "anthropic")))
    assert [] == names(Project(targets=("python",)))


def test_the_view_is_of_the_project_whatever_a_run_is_limited_to() -> None:
    flags = Flags(config=ROOT / "pyproject.toml", targets=("python",))
    limited = view(lint(load_settings(flags, Diagnostics())).catalog)
    assert ["openai", "mcp", "anthropic", "gemini"] == [
        each["profile"] for each in limited["providers"]
    ]
    assert ["OpenAI", "MCP", "Anthropic", "Gemini"] == [
        each["title"] for each in limited["providers"]
    ]
