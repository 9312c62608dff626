"""Values that are nested deeply: refused while they are decoded, or good for everything after."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from decimal import Decimal
from types import ModuleType
from typing import Any

import pytest

from brimgen.model.project import Project
from brimgen_runtime.schema.unseen import LEVELS
from running.packages import (
    errors,
    imported,
    is_read_fast,
    link,
    verdict,
    write_package,
)

SPECS = ["""
type: entity
name: Node
fields: { v: int, child: Node?, kids: { type: "Node[]", default: [] } }
---
type: python_function
name: tree
description: A tree.
arguments: { inline: { root: Node, at: date? } }
---
type: python_function
name: free
description: Anything.
arguments: { inline: { root: object, at: date?, is_deep: { type: int, default: 1 } } }
---
type: python_function
name: open
description: JSON Schema that is open.
arguments: { inline: { properties: { root: {}, at: { type: string } }, required: [root] } }
---
type: python_function
name: further
description: Further properties.
arguments: { inline: {
  properties: { root: {}, at: { type: string } }, required: [root],
  additionalProperties: true } }
---
type: entity
name: Box
fields:
  v: int
  inner: { fields: { box: Box?, boxes: { type: "Box[]", required: false } } }
  tags: { type: "int[]", required: false }
  node: { type: Node, required: false }
---
type: python_function
name: boxes
description: Boxes in each other, by way of objects without a name.
arguments: { mode: standard, inline: { properties: { rows:
  { type: array, items: { type: array, items: { entity_ref: Box } } } }, required: [rows] } }
"""]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    catalog, found = link(SPECS, Project(package="levels"))
    assert [] == errors(found)
    folder = tmp_path_factory.mktemp("levels")
    with imported(write_package(catalog, folder), "levels") as module:
        yield module


def _nested(form: str, levels: int, v: object) -> dict[str, Any]:
    """Arguments of so many levels, themselves the first."""
    root: dict[str, Any] = {"v": v}
    made = 2
    while made < levels:
        is_last = made == levels - 1
        root = (
            {"v": v, "kids": [root]}
            if form == "kids" and not is_last
            else {"v": v, "child": root}
        )
        made += 2 if "kids" in root else 1
    return {"root": root}


CASES = [
    ("tree", "child", 1),
    ("tree", "child", 1.0),
    ("tree", "kids", 1),
    ("tree", "kids", 1.0),
    ("free", "kids", 1),
    ("open", "child", None),
]


@pytest.mark.parametrize(("tool", "form", "v"), CASES)
def test_what_is_decoded_can_be_used(
    package: ModuleType, tool: str, form: str, v: object
) -> None:
    input_type = package.TOOLS[tool].input_type
    sent = _nested(form, LEVELS, v)
    read = input_type.from_dict(sent)
    shallow = _nested(form, LEVELS // 2, v)
    assert (type(v) is not float) == is_read_fast(input_type, shallow)
    assert read == input_type.from_dict(copy.deepcopy(sent))
    assert read == copy.deepcopy(read) == copy.copy(read)
    assert read == pickle.loads(pickle.dumps(read))
    assert read == input_type.from_call(read.to_json())
    assert read == input_type.from_dict(read.to_dict())
    assert read == input_type.from_call({**sent, "at": None})
    assert repr(read).startswith(f"{input_type.__name__}(root=")


@pytest.mark.parametrize(("tool", "form", "v"), CASES)
def test_what_is_deeper_is_refused(
    package: ModuleType, tool: str, form: str, v: object
) -> None:
    input_type = package.TOOLS[tool].input_type
    for levels in (LEVELS + 1, LEVELS + 2, 500):
        sent = _nested(form, levels, v)
        for read, raw in (
            (input_type.from_dict, sent),
            (input_type.from_call, json.dumps(sent)),
        ):
            with pytest.raises(package.InputError) as caught:
                read(raw)
            assert ["depth"] == [each.rule for each in caught.value.violations]
            assert "more than 100 levels" in caught.value.retry_message()


def _height(value: object) -> int:
    if not isinstance(value, dict | list) or not value:
        return 0
    items = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_height, items))


@pytest.mark.parametrize("innermost", [{}, {"tags": [1]}, {"node": {"v": 1}}])
@pytest.mark.parametrize("at", ["box", "boxes"])
def test_levels_are_counted_through_objects_and_lists(
    package: ModuleType, innermost: dict[str, Any], at: str
) -> None:
    input_type = package.TOOLS["boxes"].input_type
    verdicts = set()
    for count in (8, 20, *range(30, 52)):
        box: dict[str, Any] = {"v": 1, "inner": {}, **innermost}
        for _ in range(count):
            box = {"v": 1, "inner": {at: box if at == "box" else [box]}}
        sent = {"rows": [[], [box]]}
        accepts = verdict(input_type, sent)
        assert accepts == (_height(sent) <= LEVELS)
        assert count > 20 or is_read_fast(input_type, sent)
        verdicts.add(accepts)
    assert {True, False} == verdicts


@pytest.mark.parametrize(
    ("further", "accepted", "fast"),
    [
        ({"note": "door", "n": 2, "r": 0.5, "yes": True, "no": None}, True, True),
        ({"large": 10**30}, True, True),
        ({"exact": Decimal("2")}, True, False),
        ({"list": [1, {"a": []}]}, True, False),
        ({"ratio": float("nan")}, False, False),
        ({"ratio": float("inf")}, False, False),
        ({"set": {1}}, False, False),
        ({7: "no text"}, False, False),
        ({"deep": _nested("child", LEVELS + 1, 1)}, False, False),
        ({"at": None}, False, False),
    ],
)
def test_further_properties_are_json(
    package: ModuleType, further: dict[Any, Any], accepted: bool, fast: bool
) -> None:
    input_type = package.TOOLS["further"].input_type
    sent = {"root": 1, **further}
    assert accepted == verdict(input_type, sent)
    assert fast == is_read_fast(input_type, sent)
    if accepted:
        assert sent == input_type.from_dict(sent).to_dict()
