"""Schema files refer to each other, and mean what the schemas of the package say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from brimgen.model.schema_files import SchemaFiles
from support.project import Built, build

SPECS = {
    "entities.yaml": """\
type: entity
name: Place
description: Where something is.
fields:
  street: { type: string, maxLength: 5 }
---
type: entity
name: Tree
fields:
  children: Tree[]
  place: { type: Place, required: false }
---
type: entity
name: Visit
fields:
  place: { type: Place, description: Where to go }
""",
    "visit.yaml": """\
type: python_function
name: visit
description: Visit somebody.
arguments:
  inline:
    visit: Visit
    others: "Place[]"
    tree: { type: Tree, required: false }
    "a/b ~c%": { type: int, description: An odd name }
    user: { type: string, from_context: app.user.id }
returns: Place[]
""",
    "plant.yaml": """\
type: python_function
name: plant
description: Plant something.
arguments:
  inline:
    place: { type: Place, description: Where to plant }
    user: { type: string, from_context: app.user.id }
returns: Visit
""",
}
CALL = {
    "visit": {"place": {"street": "abc"}},
    "others": [{"street": "abc"}],
    "a/b ~c%": 1,
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("schemas")
    made = build(folder, SPECS, targets=("json_schema", "python"))
    assert not made.diagnostics.errors
    return made


def validator(built: Built, path: str) -> Draft202012Validator:
    """Return a validator of another library, which follows references to files by itself."""

    def retrieve(uri: str) -> Resource[Any]:
        text = Path(unquote(urlsplit(uri).path)).read_text("utf-8")
        return Resource(contents=json.loads(text), specification=DRAFT202012)

    return Draft202012Validator(
        {"$ref": (built.out / path).as_uri()}, registry=Registry(retrieve=retrieve)
    )


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (value["$ref"],) if "$ref" in value else ()
        value = [*value.values()]
    for each in value if isinstance(value, list) else ():
        yield from references(each)


def test_an_entity_is_a_reference_wherever_it_stands(built: Built) -> None:
    plant = json.loads(built.files["json_schema/tools/plant.input.json"])
    place = {"$ref": "../entities/Place.json", "description": "Where to plant"}
    assert {"place": place} == plant["properties"]
    assert {"$ref": "../entities/Visit.json"} == json.loads(
        built.files["json_schema/tools/plant.output.json"]
    )
    visit = json.loads(built.files["json_schema/entities/Visit.json"])
    assert {"place": {"$ref": "Place.json", "description": "Where to go"}} == (
        visit["properties"]
    )


def test_another_library_follows_the_references(built: Built) -> None:
    judge = validator(built, "json_schema/tools/visit.input.json").is_valid
    assert judge(CALL)
    assert not judge({**CALL, "others": [{"street": "too long"}]})
    assert not judge({**CALL, "visit": {"place": {"street": 1}}})
    assert not judge({**CALL, "a/b ~c%": "1"})
    bound = validator(built, "json_schema/tools/visit.bound.json").is_valid
    assert bound({**CALL, "user": "me"})
    assert not bound(CALL)
    plant = validator(built, "json_schema/tools/plant.bound.json").is_valid
    assert plant({"place": {"street": "abc"}, "user": "me"})
    assert not plant({"place": {"street": "too long"}, "user": "me"})


@pytest.mark.parametrize("tool", ["visit", "plant"])
def test_the_files_say_what_the_package_says(built: Built, tool: str) -> None:
    made = built.tool(tool)
    for part in ("input", "bound", "output"):
        published = built.json(f"json_schema/tools/{tool}.{part}.json")
        assert getattr(made, f"{part}_schema") == published


def test_what_leads_nowhere_is_left_as_it_is() -> None:
    """Files that were edited by hand may refer to each other, or to what is not there."""
    files = SchemaFiles(
        {
            "a.json": '{"x": {"$ref": "b.json"}, "y": {"$ref": "c.json#/z"}}',
            "b.json": '{"x": {"$ref": "a.json"}}',
            "c.json": "{}",
        }
    )
    assert {"x": {"x": {"$ref": "a.json"}}, "y": {"$ref": "c.json#/z"}} == (
        files.read("a.json")
    )
    assert None is files.read("d.json")
