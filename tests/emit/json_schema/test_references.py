"""Each file of a schema is complete, and a package reads it as its tools and entities say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

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
    "large.yaml": f"""\
type: entity
name: Form
fields: {{ {", ".join(f"field_{number}: int?" for number in range(320))} }}
---
type: entity
name: Desk
fields: {{ form: Form, place: Place }}
---
type: python_function
name: file
description: File it.
arguments: {{ inline: {{ form: Form, desk: Desk }} }}
returns: Desk[]
""",
    "boxes.yaml": """\
type: entity
name: Box
properties:
  lid: { $ref: "#/$defs/lid" }
  inner: { $ref: "#" }
required: [lid]
additionalProperties: false
$defs:
  lid: { type: string, maxLength: 3 }
---
type: python_function
name: pack
description: Pack it.
arguments:
  inline:
    properties:
      place: { $ref: "#/entities/Place" }
      size: { $ref: "#/$defs/size" }
    required: [size]
    $defs:
      size: { type: object, properties: { width: { type: integer, maximum: 9 } } }
returns: Box
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
    assert [] == made.errors
    return made


def document(built: Built, path: str) -> Any:
    return built.json(f"python/{built.package}/schemas/{path}.json")


def validator(built: Built, path: str) -> Draft202012Validator:
    """Another library, which reads the file alone."""
    return Draft202012Validator(document(built, path))


def test_an_entity_stands_once_in_a_file(built: Built) -> None:
    plant = document(built, "tools/plant.input")
    place = {"$ref": "#/$defs/Place", "description": "Where to plant"}
    assert {"place": place} == plant["properties"]
    assert ["Place"] == [*plant["$defs"]]
    back = document(built, "tools/plant.output")
    place = {"$ref": "#/$defs/Place", "description": "Where to go"}
    assert {"place": place} == back["properties"]
    entities = document(built, "entities")["$defs"]
    assert {"Box", "Place", "Tree", "Visit"} <= {*entities}
    assert {"place": place} == entities["Visit"]["properties"]


def test_another_library_reads_each_file_alone(built: Built) -> None:
    judge = validator(built, "tools/visit.input").is_valid
    assert judge(CALL)
    assert not judge({**CALL, "others": [{"street": "too long"}]})
    assert not judge({**CALL, "visit": {"place": {"street": 1}}})
    assert not judge({**CALL, "tree": {"children": [{"place": {}, "more": 1}]}})
    assert not judge({**CALL, "a/b ~c%": "1"})
    bound = validator(built, "tools/visit.bound").is_valid
    assert bound({**CALL, "user": "me"})
    assert not bound(CALL)
    box = validator(built, "tools/pack.output").is_valid
    assert box({"lid": "abc", "inner": {"lid": "a"}})
    assert not box({"lid": "abc", "inner": {"lid": "long"}})


@pytest.mark.parametrize("tool", ["visit", "plant", "pack", "file"])
def test_the_package_reads_what_the_tool_says(built: Built, tool: str) -> None:
    made = built.tool(tool)
    [said] = [each for each in built.catalog.tools if each.name == tool]
    assert said.returns is not None
    assert said.input_schema == made.input_schema
    assert said.bound_schema == made.bound_schema
    assert said.returns.schema == made.output_schema
    module = built.load(f"tools.{tool}")
    assert made.input_schema is module.INPUT_SCHEMA
    assert made.output_schema is module.OUTPUT_SCHEMA
    with pytest.raises(AttributeError, match="NO_SCHEMA"):
        module.NO_SCHEMA  # noqa: B018


def test_an_entity_reads_itself_by_its_definition(built: Built) -> None:
    entities = built.load("entities")
    tree = {"children": [{"children": [], "place": {"street": "abc"}}]}
    assert tree == entities.Tree.from_dict(tree).to_dict()
    box = {"lid": "abc", "inner": {"lid": "a"}}
    assert box == entities.Box.from_dict(box).to_dict()
    desk = {"form": {"field_7": 1}, "place": {"street": "a"}}
    assert desk == entities.Desk.from_dict(desk).to_dict()
    [said] = [each for each in built.catalog.entities.values() if each.name == "Desk"]
    assert said.schema == entities.Desk.__source__.schema
    for wrong in ({"lid": "long"}, {"lid": "a", "inner": {}}):
        with pytest.raises(built.load().InputError):
            entities.Box.from_dict(wrong)


def test_a_package_without_its_files_says_so(tmp_path: Path) -> None:
    built = build(tmp_path, SPECS, targets=("python",))
    module = built.load("tools.visit")
    (built.out / f"python/{built.package}/schemas/tools/visit.bound.json").unlink()
    with pytest.raises(
        RuntimeError, match=r"visit.bound.json is missing: the package was"
    ):
        module.BOUND_SCHEMA  # noqa: B018


OPEN = {"a.yaml": """\
type: entity
name: Place
fields: { street: string }
---
type: python_function
name: plant
description: Plant it.
arguments: { inline: { place: Place, count: int } }
---
type: python_function
name: off
enabled: false
arguments: { inline: { count: int } }
"""}


def test_what_is_enforced_and_what_is_off_lies_beside_what_is_published(
    tmp_path: Path,
) -> None:
    built = build(tmp_path, OPEN, closed=False)
    assert "additionalProperties" not in built.tool("plant").input_schema
    raw = {"count": 1, "place": {"street": "a"}}
    assert raw == built.tool("plant").input_type.from_dict(raw).to_dict()
    for wrong in ({**raw, "more": 1}, {**raw, "place": {"street": "a", "more": 1}}):
        with pytest.raises(built.load().InputError):
            built.tool("plant").input_type.from_dict(wrong)
    with pytest.raises(built.load().InputError):
        built.load("entities").Place.from_dict({"street": "a", "more": 1})
    assert {"count"} == {*built.tool("off").input_schema["properties"]}
    schemas = f"python/{built.package}/schemas"
    assert {
        f"{schemas}/entities.enforced.json",
        f"{schemas}/entities.json",
        f"{schemas}/tools/plant.enforced.json",
        f"{schemas}/tools/plant.input.json",
        f"{schemas}/unpublished/off.enforced.json",
        f"{schemas}/unpublished/off.input.json",
    } == {path for path in built.files if path.startswith(schemas)}
