"""Spec texts through all stages: open schemas, empty projects, names that are hard to say."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from brimgen.model.project import Project
from running.packages import (
    errors,
    imported,
    is_read_fast,
    link,
    verdict,
    write_package,
)

GEO = """
type: entity
name: Coordinate
fields: {latitude: float, longitude: float}
---
type: python_function
name: geo_search
description: Search around a point.
arguments:
  inline:
    center: {type: Coordinate, description: Where}
    radiusKm: {type: float, description: How far}
    from: date?
    price: {type: decimal, precision: 6, scale: 2, required: false}
"""


@pytest.mark.parametrize("closed", [True, False])
def test_open_schemas_are_published_and_extras_refused_all_the_same(
    closed: bool, tmp_path: Path
) -> None:
    catalog, found = link([GEO], Project(package="geo", closed=closed))
    assert [] == errors(found)
    with imported(write_package(catalog, tmp_path), "geo") as package:
        tool = package.TOOLS["geo_search"]
        assert closed == ("additionalProperties" in tool.input_schema)
        point = {"latitude": 1.0, "longitude": 2}
        good = {"center": point, "radiusKm": 3, "from": None}
        assert verdict(tool.input_type, good)
        assert not verdict(tool.input_type, {**good, "more": 1})
        assert not verdict(tool.input_type, {**good, "center": {**point, "more": 1}})
        made = package.GeoSearchInput(center=package.Coordinate(1.0, 2.0), radiusKm=3.0)
        assert made == tool.input_type.from_call(good)


def test_a_project_of_nothing_is_a_package(tmp_path: Path) -> None:
    catalog, _ = link([], Project(package="nothing"))
    with imported(write_package(catalog, tmp_path), "nothing") as package:
        assert [] == list(package.TOOLS)


HARD = ["type", "len", "raw", "seen", "cls", "self", "each", "sent", "object", "list"]
HARD += [
    "to_int",
    "to_date",
    "read_tags",
    "tags_item",
    "exact_float",
    "read_line",
    "from_accepted",
    "from",
    "class",
    "None",
]
HARD += [
    "__init__",
    "__slots__",
    "$ref",
    "a b",
    "2",
    "\u57ce",
    "inf",
    "dt",
    "extra",
]
HARD += [
    "str",
    "int",
    "float",
    "bool",
    "dict",
    "made",
    "decoded",
    "given",
    "new_instance",
    "map",
    "all",
    "key",
]
HARD += ["found", "rows"]
HARD += ["INPUT_SCHEMA", "TOOL", "Validator", "field", "dataclass", "isinstance", "set"]


def test_every_name_of_an_argument_can_be_sent_and_read(tmp_path: Path) -> None:
    names = [*HARD, "tags"]
    inline = "".join(
        f'    "{each}": {"int[]" if each == "tags" else "int"}\n' for each in names
    )
    spec = f"type: python_function\nname: hard\ndescription: d\narguments:\n  inline:\n{inline}"
    catalog, found = link([spec], Project(package="hard"))
    assert [] == [each.message for each in errors(found)]
    sent = {each: number for number, each in enumerate(HARD)} | {"tags": [1]}
    with imported(write_package(catalog, tmp_path), "hard") as package:
        input_type = package.TOOLS["hard"].input_type
        assert is_read_fast(input_type, sent)
        assert sent == input_type.from_dict(sent).to_dict()
        assert sent == input_type.from_accepted(sent).to_dict()


def test_every_name_of_a_listed_entity_can_be_sent_and_read(tmp_path: Path) -> None:
    fields = "".join(f'  "{each}": int\n' for each in HARD)
    entity = f"type: entity\nname: Hard\nfields:\n{fields}"
    tool = "type: python_function\nname: takes\ndescription: d\narguments:\n  inline:\n"
    catalog, found = link(
        [f'{entity}---\n{tool}    things: "Hard[]"\n'], Project(package="listed")
    )
    assert [] == [each.message for each in errors(found)]
    things = [
        {each: number + place for number, each in enumerate(HARD)} for place in range(3)
    ]
    with imported(write_package(catalog, tmp_path), "listed") as package:
        input_type = package.TOOLS["takes"].input_type
        assert is_read_fast(input_type, {"things": things})
        assert {"things": things} == input_type.from_dict({"things": things}).to_dict()
        assert is_read_fast(input_type, {"things": []})
        assert not is_read_fast(input_type, {"things": [*things, 1]})


ALIKE = """
type: entity
name: Float
fields: {price: float}
---
type: entity
name: Line
fields: {price: float}
---
type: entity
name: LineList
fields: {lines: "Line[]"}
---
type: python_function
name: takes
description: d
arguments:
  inline:
    read_float: Float
    read_line: Line
    lines: "Line[]"
    list: LineList
"""


def test_readers_whose_names_would_be_one_are_apart(tmp_path: Path) -> None:
    catalog, found = link([ALIKE], Project(package="alike"))
    assert [] == [each.message for each in errors(found)]
    one, lines = {"price": 2}, [{"price": 2}, {"price": 0.5}]
    sent = {"read_float": one, "read_line": one, "lines": lines}
    sent["list"] = {"lines": lines}
    with imported(write_package(catalog, tmp_path), "alike") as package:
        input_type = package.TOOLS["takes"].input_type
        assert is_read_fast(input_type, sent)
        assert sent == input_type.from_dict(sent).to_dict()


ORDERS = """
type: entity
name: Line
fields: {sku: string, quantity: {type: int, minimum: 1}}
---
type: entity
name: Order
fields: {lines: "Line[]"}
---
type: python_function
name: ship
description: d
arguments:
  inline: {orders: "Order[]?"}
"""


def _orders(quantity: object) -> dict[str, Any]:
    lines = [{"sku": "a", "quantity": each} for each in (1, 2, quantity, 4)]
    return {"orders": [{"lines": lines[:1]}, {"lines": lines}]}


def test_an_item_of_a_list_that_is_refused_refuses_the_whole(tmp_path: Path) -> None:
    catalog, found = link([ORDERS], Project(package="ships"))
    assert [] == errors(found)
    with imported(write_package(catalog, tmp_path), "ships") as package:
        input_type = package.TOOLS["ship"].input_type
        common = input_type.from_dict(_orders(3))
        assert is_read_fast(input_type, _orders(3))
        for spelling in (3.0, Decimal("3.0")):
            assert not is_read_fast(input_type, _orders(spelling))
            assert common == input_type.from_dict(_orders(spelling))
        for refused in (0, "3", None, True, 2.5):
            with pytest.raises(package.InputError) as caught:
                input_type.from_dict(_orders(refused))
            (violation,) = caught.value.violations
            assert "ship" == caught.value.tool
            assert "/orders/1/lines/2/quantity" == violation.pointer
            assert caught.value.__context__ is None


THREADS = """
type: entity
name: Comment
fields: {stars: int, replies: "Comment[]"}
---
type: python_function
name: post
description: d
arguments:
  inline: {comments: "Comment[]"}
"""


def _thread(depth: int, stars: object) -> dict[str, Any]:
    inner: dict[str, Any] = {"stars": stars, "replies": []}
    for _ in range(depth):
        inner = {"stars": 1, "replies": [inner]}
    return {"comments": [inner]}


@pytest.mark.parametrize(("stars", "is_good"), [(2, True), (2.0, True), ("2", False)])
def test_lists_in_lists_are_not_judged_at_every_level(
    stars: object, is_good: bool, tmp_path: Path
) -> None:
    """A level that was judged for each one above it would take longer than the universe."""
    catalog, found = link([THREADS], Project(package="threads"))
    assert [] == errors(found)
    with imported(write_package(catalog, tmp_path), "threads") as package:
        assert is_good == verdict(package.TOOLS["post"].input_type, _thread(45, stars))


HOSTILE = [
    '"""',
    "'''\\",
    "\\N{DIGIT ONE}",
    "{{ x }}",
    "# noqa\\n",
    "\\x1b",
    "a\u2028b",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_description_says_what_it_says_and_does_nothing(
    text: str, tmp_path: Path
) -> None:
    spec = {"type": "python_function", "name": "t", "description": f"a {text} b"}
    block = f"arguments: {{inline: {{x: {{type: string, default: {text!a}}}}}}}"
    lines = [f"{key}: {value!a}" for key, value in spec.items()]
    catalog, found = link(
        ["\n".join([*lines, block])], Project(package="hostile_texts")
    )
    if errors(found):
        assert {"S"} == {each.rule.code[0] for each in errors(found)}
        return
    (tool,) = catalog.tools
    with imported(write_package(catalog, tmp_path), "hostile_texts") as package:
        assert tool.description == package.TOOLS["t"].description
        assert tool.description == package.TInput.__doc__
        default = tool.fields[0].default
        assert default is not None
        assert default.value == package.TInput().x
