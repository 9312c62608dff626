"""Entities: order of need, recursion, embedding (S4.15; row O7)."""

from __future__ import annotations

import jsonschema

from brimgen.model.types import EntityType, ListType
from support.linked import link, tool
from support.syntax import HEAD

NODE = "type: entity\nname: Node\nfields: {label: string, children: 'Node[]'}\n"
BODY = {
    "type": "object",
    "properties": {
        "label": {"type": "string"},
        "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
    },
    "required": ["label", "children"],
    "additionalProperties": False,
}


def test_an_entity_that_contains_itself_is_a_reference() -> None:
    linked = tool("root: {type: Node, description: The tree}", NODE)
    root = {"$ref": "#/$defs/Node", "description": "The tree"}
    assert root == linked.properties["root"]
    assert {"Node": BODY} == linked.tool.input_schema["$defs"]
    assert {**BODY, "$defs": {"Node": BODY}} == linked.entity("Node").schema
    assert linked.entity("Node").recursive
    validator = jsonschema.Draft202012Validator(linked.tool.input_schema)
    leaf = {"label": "b", "children": []}
    assert validator.is_valid({"root": {"label": "a", "children": [leaf]}})
    assert not validator.is_valid({"root": {"label": "a", "children": [{}]}})


def test_recursion_through_two_and_an_entity_around_them() -> None:
    linked = tool(
        "box: Box",
        "type: entity\nname: A\nfields: {b: B?}\n",
        "type: entity\nname: B\nfields: {a: A?}\n",
        "type: entity\nname: Box\nfields: {a: A}\n",
    )
    assert [True, True, False] == [
        linked.entity(name).recursive for name in ("A", "B", "Box")
    ]
    assert ["A", "B"] == list(linked.tool.input_schema["$defs"])  # type: ignore[arg-type]
    box = linked.properties["box"]
    assert {"$ref": "#/$defs/A"} == box["properties"]["a"]
    jsonschema.Draft202012Validator(linked.tool.input_schema).validate(
        {"box": {"a": {"b": {"a": None}}}}
    )


def test_three_levels_are_inlined() -> None:
    linked = tool(
        "a: A",
        "type: entity\nname: A\nfields: {b: 'B[]'}\n",
        "type: entity\nname: B\nfields: {c: C}\n",
        "type: entity\nname: C\nfields: {d: int}\n",
    )
    items = linked.properties["a"]["properties"]["b"]["items"]
    c = items["properties"]["c"]
    assert {"d": {"type": "integer"}} == c["properties"]
    assert "$defs" not in linked.tool.input_schema
    assert ("A", "B", "C") == linked.tool.entities_read


def test_an_entity_of_json_schema_that_refers_to_itself() -> None:
    tree = (
        "type: entity\nname: Tree\nproperties:\n  size: {$ref: '#/$defs/size'}\n"
        "  left: {$ref: '#'}\n  more: {type: array, items: {$ref: '#'}}\n"
        "$defs: {size: {type: integer}}\n"
    )
    linked = tool("tree: Tree", tree)
    defs = linked.tool.input_schema["$defs"]
    assert ["Tree", "Tree_size"] == sorted(defs)  # type: ignore[type-var]
    assert {"$ref": "#/$defs/Tree"} == linked.properties["tree"]
    _, left, more = linked.entity("Tree").fields
    assert EntityType("Tree") == left.type
    assert ListType(EntityType("Tree")) == more.type
    validator = jsonschema.Draft202012Validator(linked.tool.input_schema)
    assert validator.is_valid({"tree": {"size": 1, "left": {"more": [{"size": 2}]}}})
    assert not validator.is_valid({"tree": {"left": {"size": "x"}}})
    assert not validator.is_valid({"tree": {"left": {"extra": 1}}})


def test_mutual_recursion_of_both_kinds_of_entity() -> None:
    linked = tool(
        "p: Person",
        "type: entity\nname: Person\nfields: {name: string, firm: Firm?}\n",
        "type: entity\nname: Firm\n"
        "properties: {staff: {type: array, items: {entity_ref: Person}}}\n",
    )
    validator = jsonschema.Draft202012Validator(linked.tool.input_schema)
    person = {"name": "a", "firm": {"staff": [{"name": "b", "firm": None}]}}
    assert validator.is_valid({"p": person})
    assert not validator.is_valid({"p": {"name": "a", "firm": {"staff": [{}]}}})


def test_open_schemas_keep_what_is_enforced() -> None:
    linked = link(f"{HEAD}arguments: {{inline: {{root: Node}}}}\n", NODE, closed=False)
    assert "additionalProperties" not in str(linked.tool.input_schema)
    enforced = linked.tool.enforced_schema
    assert False is enforced["additionalProperties"]
    assert BODY == enforced["$defs"]["Node"]  # type: ignore[index,call-overload]
    assert False is linked.entity("Node").enforced_schema["additionalProperties"]


def test_an_argument_has_the_description_of_its_entity_or_its_own() -> None:
    place = "type: entity\nname: Place\ndescription: A place.\nfields: {x: int}\n"
    linked = tool("a: Place\nb: {type: Place, description: Here}\nc: 'Place[]'", place)
    assert "A place." == linked.properties["a"]["description"]
    assert "Here" == linked.properties["b"]["description"]
    assert "A place." == linked.properties["c"]["items"]["description"]
    assert "description" == list(linked.properties["b"])[-1]


def test_definitions_that_are_no_objects() -> None:
    odd = (
        "type: entity\nname: Odd\nproperties:\n"
        "  never: {$ref: '#/$defs/no'}\n  ever: {$ref: '#/$defs/yes'}\n"
        "$defs: {no: false, yes: true}\n"
    )
    linked = tool("odd: Odd", odd)
    validator = jsonschema.Draft202012Validator(linked.tool.input_schema)
    assert validator.is_valid({"odd": {"ever": [1]}})
    assert not validator.is_valid({"odd": {"never": 1}})
